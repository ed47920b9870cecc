#include "wyvern/multibody/control/inverse_dynamics.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/control/controlled_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems::controllers {
namespace inverse_dynamics_test {

using Eigen::VectorXd;
using multibody::MultibodyPlant;
using multibody::test::RandomTree;
using wyvern::test::Near;
using Dynamics = InverseDynamics<double>;

class RandomTrees : public ::testing::TestWithParam<unsigned> {};

// Forward dynamics gives back what was desired.
TEST_P(RandomTrees, AccelerateAsDesired) {
  RandomTree tree(GetParam(), 0, /* has_springs */ true);
  const MultibodyPlant<double>& plant = *tree.plant;
  const Dynamics dynamics(&plant);
  EXPECT_FALSE(dynamics.is_pure_gravity_compensation());
  const auto context = dynamics.CreateDefaultContext();
  const VectorXd x = tree.Numbers(plant.num_multibody_states());
  const VectorXd vdot = tree.Numbers(plant.num_velocities());
  dynamics.get_input_port_estimated_state().FixValue(context.get(), x);
  dynamics.get_input_port_desired_acceleration().FixValue(context.get(), vdot);
  const VectorXd& tau =
      dynamics.get_output_port_generalized_force().Eval(*context);

  const auto plant_context = plant.CreateDefaultContext();
  plant.SetPositionsAndVelocities(plant_context.get(), x);
  plant.get_applied_generalized_force_input_port().FixValue(plant_context.get(),
                                                            tau);
  EXPECT_TRUE(Near(plant.EvalTimeDerivatives(*plant_context)
                       .get_generalized_velocity()
                       .CopyToVector(),
                   vdot, 1e-11));
}

// At rest in any pose; nothing but gravity acts.
TEST_P(RandomTrees, AreHeldByGravityCompensation) {
  RandomTree tree(GetParam());
  const VectorXd q = tree.Numbers(tree.plant->num_positions());
  DiagramBuilder<double> builder;
  auto* plant = builder.AddNamedSystem("plant", std::move(tree.plant));
  auto* dynamics = builder.AddNamedSystem<InverseDynamics>(
      "dynamics", plant, Dynamics::kGravityCompensation);
  EXPECT_TRUE(dynamics->is_pure_gravity_compensation());
  builder.Connect(plant->get_state_output_port(),
                  dynamics->get_input_port_estimated_state());
  builder.Connect(dynamics->get_output_port_generalized_force(),
                  plant->get_applied_generalized_force_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  auto& plant_context =
      plant->GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  plant->SetPositions(&plant_context, q);
  simulator.AdvanceTo(1);
  EXPECT_TRUE(Near(VectorXd(plant->GetPositions(plant_context)), q, 1e-12));
  EXPECT_GT(dynamics->get_output_port_generalized_force()
                .Eval(dynamics->GetMyContextFromRoot(simulator.get_context()))
                .norm(),
            1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, ::testing::Range(0u, 6u));

VectorXd Evaluate(const Dynamics& dynamics, const VectorXd& x,
                  const VectorXd& vdot) {
  const auto context = dynamics.CreateDefaultContext();
  dynamics.get_input_port_estimated_state().FixValue(context.get(), x);
  dynamics.get_input_port_desired_acceleration().FixValue(context.get(), vdot);
  return dynamics.get_output_port_generalized_force().Eval(*context);
}

TEST(InverseDynamics, TakesFreeBodies) {
  multibody::test::CartPole model(0);
  model.plant.Finalize();
  const Dynamics dynamics(&model.plant);
  const int nv = model.plant.num_velocities();
  EXPECT_EQ(dynamics.get_input_port_estimated_state().size(), nv + 1 + nv);
  std::mt19937 generator(3);
  const VectorXd vdot = multibody::test::RandomNumbers(nv, &generator);
  const auto context = model.plant.CreateDefaultContext();
  model.plant.SetVelocities(context.get(),
                            multibody::test::RandomNumbers(nv, &generator));
  multibody::MultibodyForces<double> forces(model.plant);
  model.plant.CalcForceElementsContribution(*context, &forces);
  EXPECT_TRUE(Near(
      Evaluate(dynamics,
               VectorXd(model.plant.GetPositionsAndVelocities(*context)), vdot),
      model.plant.CalcInverseDynamics(*context, vdot, forces), 1e-13));
}

TEST(InverseDynamics, ModelsBothModesOfAPlantAlike) {
  RandomTree continuous(2, 0, true), discrete(2, 1e-3, true);
  const VectorXd x = continuous.Numbers(12), vdot = continuous.Numbers(6);
  EXPECT_EQ(Evaluate(Dynamics(std::move(continuous.plant)), x, vdot),
            Evaluate(Dynamics(std::move(discrete.plant)), x, vdot));
}

TEST(InverseDynamics, HasTheParametersOfTheContextItWasGiven) {
  RandomTree tree(1);
  const VectorXd x = tree.Numbers(12), vdot = tree.Numbers(6);
  const MultibodyPlant<double>& plant = *tree.plant;
  const auto heavier = plant.CreateDefaultContext();
  const auto& body = plant.GetBodyByName("3");
  body.SetMass(heavier.get(), 7.0);
  const Dynamics light(&plant);
  const Dynamics heavy(&plant, Dynamics::kInverseDynamics, heavier.get());
  // Later changes are not its business.
  body.SetMass(heavier.get(), 9.0);
  const VectorXd tau = Evaluate(heavy, x, vdot);
  EXPECT_GT((tau - Evaluate(light, x, vdot)).norm(), 1);
  body.SetMass(heavier.get(), 7.0);
  plant.SetPositionsAndVelocities(heavier.get(), x);
  multibody::MultibodyForces<double> forces(plant);
  plant.CalcForceElementsContribution(*heavier, &forces);
  EXPECT_TRUE(
      Near(tau, plant.CalcInverseDynamics(*heavier, vdot, forces), 1e-13));
  // So it is after conversion there and back.
  EXPECT_EQ(Evaluate(*System<double>::Clone(heavy), x, vdot), tau);
}

TEST(InverseDynamics, CarriesDerivatives) {
  RandomTree tree(4, 0, true);
  const VectorXd x = tree.Numbers(12), vdot = tree.Numbers(6);
  const Dynamics dynamics(std::move(tree.plant));
  const auto converted = System<double>::ToAutoDiffXd(dynamics);
  const auto context = converted->CreateDefaultContext();
  const double h = 1e-6;
  for (const int i : {1, 4, 7, 10}) {
    VectorX<AutoDiffXd> x_i = x.cast<AutoDiffXd>();
    x_i[i].derivatives() = VectorXd::Ones(1);
    converted->get_input_port_estimated_state().FixValue(context.get(), x_i);
    converted->get_input_port_desired_acceleration().FixValue(
        context.get(), VectorX<AutoDiffXd>(vdot.cast<AutoDiffXd>()));
    const VectorX<AutoDiffXd>& tau =
        converted->get_output_port_generalized_force().Eval(*context);
    const VectorXd step = h * VectorXd::Unit(12, i);
    const VectorXd difference = (Evaluate(dynamics, x + step, vdot) -
                                 Evaluate(dynamics, x - step, vdot)) /
                                (2 * h);
    EXPECT_TRUE(Near(ToDouble(tau), Evaluate(dynamics, x, vdot), 1e-12));
    for (int k = 0; k < 6; ++k) {
      EXPECT_NEAR(multibody::test::SlopeOf(tau[k]), difference[k], 1e-7);
    }
  }
}

// Two pendulums on one axle, the second geared to the first: m l² alpha at each
// against gravity, damping and dry friction. One motor bears it all.
struct GearedPendulums {
  static constexpr double m[2] = {1.5, 0.7}, l[2] = {0.8, 0.5};  // kg, m
  static constexpr double damping[2] = {0.4, 0.3};               // N m s
  static constexpr double friction[2] = {1.25, 0.5};             // N m
  static constexpr double ratio = -2.5, g = 9.81;

  explicit GearedPendulums(double time_step) : plant(time_step) {
    const multibody::Joint<double>* joints[2];
    for (const int i : {0, 1}) {
      const std::string name = std::to_string(i);
      const auto& bob =
          plant.AddRigidBody(name, multibody::SpatialInertia<double>::PointMass(
                                       m[i], Eigen::Vector3d(0, 0, -l[i])));
      joints[i] = &plant.AddJoint<multibody::RevoluteJoint>(
          name, plant.world_body(), {}, bob, {}, Eigen::Vector3d::UnitY(),
          damping[i]);
      plant.get_mutable_joint(joints[i]->index())
          .set_default_friction_vector(Vector1<double>(friction[i]));
    }
    coupler = plant.AddCouplerConstraint(*joints[1], *joints[0], ratio, 0.3);
    plant.Finalize();
  }

  // On the first joint, at angle q, rate w and acceleration alpha of it.
  static double CalcTorque(double q, double w, double alpha) {
    const double angle[2] = {q, ratio * q + 0.3}, r[2] = {1, ratio};
    double tau = 0;
    for (const int i : {0, 1}) {
      const double sign = r[i] * w > 0 ? 1 : -1;
      tau += r[i] * (m[i] * l[i] * l[i] * r[i] * alpha +
                     m[i] * g * l[i] * std::sin(angle[i]) +
                     damping[i] * r[i] * w + friction[i] * sign);
    }
    return tau;
  }

  MultibodyPlant<double> plant;
  multibody::MultibodyConstraintId coupler;
};

// Returns the plant's stiction tolerance, which regularizes the dry friction.
TEST(InverseDynamics, FollowsTheSettingsOfItsPlant) {
  GearedPendulums geared(0);
  const Dynamics dynamics(&geared.plant);
  const auto evaluate = [&](const Context<double>& context) {
    return dynamics.get_output_port_generalized_force().Eval(context);
  };
  const auto make_context = [&] {
    auto context = dynamics.CreateDefaultContext();
    dynamics.get_input_port_estimated_state().FixValue(
        context.get(), Eigen::Vector4d(0.2, 0, 1e-3, 0));
    dynamics.get_input_port_desired_acceleration().FixValue(
        context.get(), Eigen::Vector2d::Zero());
    return context;
  };
  const auto context = make_context();
  const VectorXd before = evaluate(*context);
  geared.plant.set_stiction_tolerance(0.1);
  const VectorXd wanted = evaluate(*make_context());
  EXPECT_GT((wanted - before).norm(), 0.1);
  EXPECT_EQ(evaluate(*context), wanted);
}

TEST(InverseDynamics, OfGearedPendulumsIsTheLeadersTorque) {
  for (const double time_step : {0.0, 1e-3}) {
    const GearedPendulums geared(time_step);
    const Dynamics dynamics(&geared.plant);
    const auto context = dynamics.CreateDefaultContext();
    for (const double w : {0.6, -0.6}) {
      const double q = 0.2, alpha = 1.5;
      // The second model's desired rate and acceleration do not count.
      dynamics.get_input_port_estimated_state().FixValue(
          context.get(),
          Eigen::Vector4d(q, GearedPendulums::ratio * q + 0.3, w, 77));
      dynamics.get_input_port_desired_acceleration().FixValue(
          context.get(), Eigen::Vector2d(alpha, -88));
      EXPECT_TRUE(Near(
          dynamics.get_output_port_generalized_force().Eval(*context),
          Eigen::Vector2d(GearedPendulums::CalcTorque(q, w, alpha), 0), 1e-13));
    }
  }
}

// Forward dynamics with the coupler gives back what was desired.
TEST(InverseDynamics, MovesGearedPendulumsAsDesired) {
  const GearedPendulums geared(0);
  const Dynamics dynamics(&geared.plant);
  const auto context = dynamics.CreateDefaultContext();
  const double q = 0.2, w = 0.6, alpha = 1.5, r = GearedPendulums::ratio;
  const Eigen::Vector4d x(q, r * q + 0.3, w, r * w);
  dynamics.get_input_port_estimated_state().FixValue(context.get(), x);
  dynamics.get_input_port_desired_acceleration().FixValue(
      context.get(), Eigen::Vector2d(alpha, 0));
  const auto plant_context = geared.plant.CreateDefaultContext();
  geared.plant.SetPositionsAndVelocities(plant_context.get(), x);
  geared.plant.get_applied_generalized_force_input_port().FixValue(
      plant_context.get(),
      dynamics.get_output_port_generalized_force().Eval(*context));
  EXPECT_TRUE(Near(geared.plant.EvalTimeDerivatives(*plant_context)
                       .get_generalized_velocity()
                       .CopyToVector(),
                   Eigen::Vector2d(alpha, r * alpha), 1e-11));
}

// Gravity alone, at rest; and a coupler that is not active does nothing.
TEST(InverseDynamics, HoldsGearedPendulumsByTheLeader) {
  const GearedPendulums geared(0);
  const double q = 0.2, q2 = GearedPendulums::ratio * q + 0.3;
  const double first = 1.5 * 9.81 * 0.8 * std::sin(q);
  const double second = 0.7 * 9.81 * 0.5 * std::sin(q2);
  const auto plant_context = geared.plant.CreateDefaultContext();
  for (const bool is_active : {true, false}) {
    geared.plant.SetConstraintActiveStatus(plant_context.get(), geared.coupler,
                                           is_active);
    const Dynamics dynamics(&geared.plant, Dynamics::kGravityCompensation,
                            plant_context.get());
    const auto context = dynamics.CreateDefaultContext();
    dynamics.get_input_port_estimated_state().FixValue(
        context.get(), Eigen::Vector4d(q, q2, 0, 0));
    EXPECT_TRUE(Near(
        dynamics.get_output_port_generalized_force().Eval(*context),
        is_active ? Eigen::Vector2d(first + GearedPendulums::ratio * second, 0)
                  : Eigen::Vector2d(first, second),
        1e-13));
  }
}

// Whatever the order in which couplers say it: c follows b, b follows a.
TEST(InverseDynamics, FollowsChainsOfCouplersToTheirLeader) {
  for (const bool outermost_first : {true, false}) {
    MultibodyPlant<double> plant(0);
    std::vector<const multibody::Joint<double>*> joints;
    for (const char* name : {"a", "b", "c"}) {
      const auto& body = plant.AddRigidBody(
          name, multibody::SpatialInertia<double>::SolidSphereWithMass(2, 0.5));
      joints.push_back(&plant.AddJoint<multibody::RevoluteJoint>(
          name, plant.world_body(), {}, body, {}, Eigen::Vector3d::UnitZ()));
    }
    for (const int i :
         outermost_first ? std::vector{2, 1} : std::vector{1, 2}) {
      plant.AddCouplerConstraint(*joints[i], *joints[i - 1], 2);
    }
    plant.AddCouplerConstraint(*joints[0], *joints[2], 0.25);  // A circle.
    plant.Finalize();
    const Dynamics dynamics(&plant);
    const auto context = dynamics.CreateDefaultContext();
    dynamics.get_input_port_estimated_state().FixValue(
        context.get(), VectorXd::Zero(6).eval());
    dynamics.get_input_port_desired_acceleration().FixValue(
        context.get(), Eigen::Vector3d(1, 0, 0));
    // 2/5 m r² = 0.2 kg m² at 1, 2 and 4 times the acceleration.
    EXPECT_TRUE(
        Near(dynamics.get_output_port_generalized_force().Eval(*context),
             Eigen::Vector3d(0.2 * (1 + 4 + 16), 0, 0), 1e-14))
        << outermost_first;
  }
}

TEST(InverseDynamics, AllocatesNothingOnceItHasBeenEvaluated) {
  RandomTree tree(5, 0, true);
  for (const auto mode :
       {Dynamics::kInverseDynamics, Dynamics::kGravityCompensation}) {
    const Dynamics dynamics(tree.plant.get(), mode);
    const auto context = dynamics.CreateDefaultContext();
    auto& state = dynamics.get_input_port_estimated_state().FixValue(
        context.get(), tree.Numbers(12));
    if (mode == Dynamics::kInverseDynamics) {
      dynamics.get_input_port_desired_acceleration().FixValue(context.get(),
                                                              tree.Numbers(6));
    }
    const auto& port = dynamics.get_output_port_generalized_force();
    double sum = port.Eval(*context)[0];
    state.GetMutableVectorData<double>()->SetAtIndex(0, 0.5);
    sum += port.Eval(*context)[0];
    const wyvern::test::AllocationGuard guard;
    for (int i = 0; i < 10; ++i) {
      state.GetMutableVectorData<double>()->SetAtIndex(0, 0.1 * i);
      sum += port.Eval(*context)[0];
    }
    EXPECT_EQ(guard.count(), 0);
    EXPECT_TRUE(std::isfinite(sum));
  }
}

TEST(InverseDynamics, RefusesWhatIsNoPlantOfItsOwn) {
  using Mode = Dynamics::InverseDynamicsMode;
  const MultibodyPlant<double>* none = nullptr;
  EXPECT_THROWS_MESSAGE(Dynamics{none}, std::logic_error,
                        "InverseDynamics(): plant is null");
  MultibodyPlant<double> unfinished(0);
  unfinished.set_name("unfinished");
  EXPECT_THROWS_MESSAGE(Dynamics{&unfinished}, std::logic_error,
                        "the plant '::unfinished' is not finalized");
  RandomTree tree(0), other(0);
  const auto foreign = other.plant->CreateDefaultContext();
  EXPECT_THROW(
      Dynamics(tree.plant.get(), Mode::kInverseDynamics, foreign.get()),
      std::logic_error);
  EXPECT_THROWS_MESSAGE(Dynamics(tree.plant.get(), static_cast<Mode>(9)),
                        std::logic_error, "there is no mode 9");
  const Dynamics gravity(tree.plant.get(), Mode::kGravityCompensation);
  EXPECT_THROWS_MESSAGE(gravity.get_input_port_desired_acceleration(),
                        std::logic_error, "compensates gravity alone");
  EXPECT_EQ(gravity.num_input_ports(), 1);
}

}  // namespace inverse_dynamics_test
}  // namespace wyvern::systems::controllers
