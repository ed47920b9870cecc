#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/multibody/plant/linkages.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/simulator_serialization.h"
#include "wyvern/simulator/stiff/convex_integrator.h"
#include "wyvern/simulator/stiff/radau_integrator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

// Continuous plants that ConvexIntegrator advances by steps of the plant.

namespace wyvern::multibody {
namespace convex_steps_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using systems::ConvexIntegrator;
using systems::Simulator;
using test::ContactScene;
using test::FourBar;
using test::kGravity;
using test::Material;
using Approximation = DiscreteContactApproximation;

ConvexIntegrator<double>& UseConvex(double accuracy,
                                    Simulator<double>* simulator) {
  auto& integrator = simulator->reset_integrator<ConvexIntegrator<double>>();
  integrator.set_maximum_step_size(0.1);
  integrator.set_target_accuracy(accuracy);
  return integrator;
}

// Returns the number of trials of the Simulator's own integrator.
int64_t CountConvexTrials(const Simulator<double>& simulator) {
  return dynamic_cast<const systems::RungeKutta3Integrator<double>&>(
             simulator.get_integrator())
      .get_num_convex_trials();
}

std::unique_ptr<ContactScene> MakeScene(const Material& material) {
  return std::make_unique<ContactScene>(0.0, Approximation::kLagged, material);
}

// A ball thrown at 2 m/s along a plane slides, and rolls at 5/7 of the speed.
TEST(ConvexSteps, ASlidingBallRolls) {
  int64_t last_steps = 0;
  for (const double accuracy : {1e-2, 1e-4}) {
    const auto scene = MakeScene({0.4, 1e7, 10});
    const auto& ball = scene->AddBall("ball", 1, 0.1);
    scene->Finish();
    scene->Place(ball, Vector3d(0, 0, 0.1 - kGravity / 1e7));
    scene->Throw(ball, Vector3d(2, 0, 0));
    auto& integrator = UseConvex(accuracy, scene->simulator.get());
    scene->simulator->AdvanceTo(1);
    // The ground yields by 1e-6 m, 1e-5 of the radius.
    EXPECT_NEAR(scene->Velocity(ball)[0], 10.0 / 7, 2e-5);
    EXPECT_GT(integrator.get_num_steps_taken(), last_steps);
    EXPECT_LT(integrator.get_num_steps_taken(), 4000);
    last_steps = integrator.get_num_steps_taken();
  }
}

// The Simulator's own integrator takes convex steps while contact is stiff. The
// accuracy bounds the error of one step; ten times that is allowed for the end.
TEST(ConvexSteps, AreTakenByTheDefaultIntegratorInStiffContact) {
  for (const double accuracy : {1e-2, 1e-4}) {
    const auto scene = MakeScene({0.4, 1e7, 10});
    const RigidBody<double>* balls[] = {&scene->AddBall("a", 1, 0.1),
                                        &scene->AddBall("b", 1, 0.1)};
    scene->Finish();
    for (int i = 0; i < 2; ++i) {
      scene->Place(*balls[i], Vector3d(0, i, 0.1 - kGravity / 1e7));
      scene->Throw(*balls[i], Vector3d(2 + i, 0, 0));
    }
    auto& integrator = scene->simulator->get_mutable_integrator();
    integrator.set_target_accuracy(accuracy);
    scene->simulator->AdvanceTo(1.5);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(scene->Velocity(*balls[i])[0], (2 + i) * 5 / 7.0,
                  10 * accuracy);
    }
    EXPECT_GT(CountConvexTrials(*scene->simulator), 10);
    EXPECT_LT(integrator.get_num_derivative_evaluations(), 10000);
  }
}

// Without dissipation a ball comes back to where it was dropped.
TEST(ConvexSteps, ABallBounces) {
  const auto scene = MakeScene({0, 1e5, 0});
  const auto& ball = scene->AddBall("ball", 1, 0.1);
  scene->Finish();
  const double height = 0.5;
  scene->Place(ball, Vector3d(0, 0, 0.1 + height));
  UseConvex(1e-4, scene->simulator.get());
  // Fall, contact for pi / omega and rise take as long as this.
  const double fall = std::sqrt(2 * height / kGravity);
  const double start = scene->Energy();
  scene->simulator->AdvanceTo(2 * fall);
  EXPECT_NEAR(scene->Energy() - start, 0, 0.05 * kGravity * height);
  EXPECT_GT(scene->Position(ball)[2], 0.1 + 0.9 * height);
  // Never more energy than at the start.
  EXPECT_LT(scene->Energy(), start + 1e-3 * kGravity * height);
}

// With dissipation it rises as high as with an integrator of order 5.
TEST(ConvexSteps, ABallThatLosesEnergyBouncesAsHighAsByRadau) {
  double height[2];
  for (const bool is_reference : {true, false}) {
    const auto scene = MakeScene({0, 1e5, 0.2});
    const auto& ball = scene->AddBall("ball", 1, 0.1);
    scene->Finish();
    scene->Place(ball, Vector3d(0, 0, 0.6));
    if (is_reference) {
      auto& radau =
          scene->simulator
              ->reset_integrator<systems::RadauIntegrator<double, 3>>();
      radau.set_maximum_step_size(1e-3);
      radau.set_target_accuracy(1e-9);
    } else {
      UseConvex(1e-4, scene->simulator.get());
    }
    scene->simulator->AdvanceTo(0.6);
    height[is_reference] = scene->Position(ball)[2];
  }
  EXPECT_GT(height[1], 0.3);
  EXPECT_NEAR(height[0], height[1], 0.01);
}

TEST(ConvexSteps, ABoxComesToRestAndThenTakesLongSteps) {
  const auto scene = MakeScene({0.5, 1e5, 20});
  const auto& box = scene->AddBox("box", 1, 0.2);
  scene->Finish();
  scene->Place(box, Vector3d(0, 0, 0.15));
  scene->Throw(box, Vector3d(0.5, 0, 0));
  auto& integrator = UseConvex(1e-3, scene->simulator.get());
  scene->simulator->AdvanceTo(2);
  EXPECT_LT(scene->Velocity(box).norm(), 1e-3);
  EXPECT_NEAR(scene->Position(box)[2], 0.1, 1e-3);
  const auto steps = integrator.get_num_steps_taken();
  EXPECT_LT(steps, 1500);
  scene->simulator->AdvanceTo(4);
  EXPECT_LT(integrator.get_num_steps_taken() - steps, 60);
  // It stays where it is.
  EXPECT_LT(scene->Velocity(box).norm(), 1e-4);
}

// Bodies that fall on each other and on the ground never have more energy than
// at the start. What contact stores is not in it, and comes back.
TEST(ConvexSteps, AStackOfBallsGainsNoEnergy) {
  const auto scene = MakeScene({0.5, 1e5, 1});
  std::vector<const RigidBody<double>*> balls;
  for (int i = 0; i < 4; ++i) {
    balls.push_back(&scene->AddBall("ball" + std::to_string(i), 1, 0.1));
  }
  scene->Finish();
  for (int i = 0; i < 4; ++i) {
    scene->Place(*balls[i], Vector3d(0.01 * (i % 2), 0, 0.15 + 0.25 * i));
  }
  UseConvex(1e-3, scene->simulator.get());
  const double start = scene->Energy();
  for (int k = 1; k <= 40; ++k) {
    scene->simulator->AdvanceTo(0.05 * k);
    EXPECT_LT(scene->Energy(), start + 1e-2) << "at " << 0.05 * k;
  }
  EXPECT_LT(scene->Energy(), 0.5 * start);
}

/** A pendulum with whatever `adjust` adds, by a given integrator. */
VectorXd Swing(const std::function<void(MultibodyPlant<double>*,
                                        RevoluteJoint<double>*)>& adjust,
               double end, double accuracy, bool is_reference) {
  MultibodyPlant<double> plant(0);
  const auto& bob = plant.AddRigidBody(
      "bob", SpatialInertia<double>::PointMass(1, Vector3d(0, 0, -0.5)));
  auto& hinge = plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {},
                                              bob, {}, Vector3d::UnitY());
  adjust(&plant, &plant.GetMutableJointByName<RevoluteJoint>("hinge"));
  plant.Finalize();
  Simulator<double> simulator(plant);
  simulator.set_warning_handler(nullptr);
  auto& context = simulator.get_mutable_context();
  plant.get_actuation_input_port().FixValue(
      &context, VectorXd::Zero(plant.num_actuated_dofs()).eval());
  hinge.set_angle(&context, 1.0);
  if (is_reference) {
    auto& radau =
        simulator.reset_integrator<systems::RadauIntegrator<double, 3>>();
    radau.set_maximum_step_size(1e-3);
    radau.set_target_accuracy(accuracy);
  } else {
    UseConvex(accuracy, &simulator);
  }
  simulator.AdvanceTo(end);
  return plant.GetPositionsAndVelocities(context);
}

TEST(ConvexSteps, APendulumHitsTheSameLimitAsByRadau) {
  const auto limit = [](auto*, RevoluteJoint<double>* hinge) {
    hinge->set_position_limits(VectorXd::Constant(1, -0.2),
                               VectorXd::Constant(1, 2.0));
  };
  const VectorXd exact = Swing(limit, 1.0, 1e-9, true);
  EXPECT_LT((Swing(limit, 1.0, 1e-5, false) - exact).norm(), 2e-3);
}

TEST(ConvexSteps, DryFrictionIsThatOfOtherIntegrators) {
  const auto friction = [](auto*, RevoluteJoint<double>* hinge) {
    hinge->set_default_friction_vector(VectorXd::Constant(1, 0.6));
  };
  const VectorXd exact = Swing(friction, 1.5, 1e-9, true);
  const double coarse = (Swing(friction, 1.5, 1e-4, false) - exact).norm();
  const double fine = (Swing(friction, 1.5, 1e-6, false) - exact).norm();
  EXPECT_LT(coarse, 0.02);
  EXPECT_LT(fine, 0.1 * coarse);
}

// The crank turns as its closed form says.
TEST(ConvexSteps, AFourBarKeepsItsLoop) {
  FourBar linkage(0);
  linkage.SetMotion(0.4, 3);
  Simulator<double> simulator(linkage.plant);
  auto& context = simulator.get_mutable_context();
  context.SetTimeStateAndParametersFrom(*linkage.context);
  const double start = test::TotalEnergy(linkage.plant, context);
  UseConvex(1e-5, &simulator);
  simulator.AdvanceTo(2);
  EXPECT_NEAR(test::TotalEnergy(linkage.plant, context), start, 0.02);
  const Vector3d p_coupler(FourBar::kCoupler, 0, 0),
      p_rocker(FourBar::kRocker, 0, 0);
  const Vector3d end_of_coupler =
      linkage.plant.EvalBodyPoseInWorld(context, *linkage.coupler) * p_coupler;
  const Vector3d end_of_rocker =
      linkage.plant.EvalBodyPoseInWorld(context, *linkage.rocker) * p_rocker;
  EXPECT_LT((end_of_coupler - end_of_rocker).norm(), 1e-4);
}

/** u = 80 e - 20 v + 40 z with e = 1 - q and zdot = e, from [q, v]. */
class Pid final : public systems::LeafSystem<double> {
 public:
  Pid() {
    DeclareVectorInputPort("state", 2);
    DeclareContinuousState(1);
    DeclareVectorOutputPort("u", 1, &Pid::CalcOutput);
  }

 private:
  void CalcOutput(const systems::Context<double>& context,
                  systems::BasicVector<double>* u) const {
    const VectorXd& x = get_input_port(0).Eval(context);
    const double z = context.get_continuous_state_vector()[0];
    (*u)[0] = 80 * (1 - x[0]) - 20 * x[1] + 40 * z;
  }
  void DoCalcTimeDerivatives(
      const systems::Context<double>& context,
      systems::ContinuousState<double>* xdot) const final {
    xdot->get_mutable_vector()[0] = 1 - get_input_port(0).Eval(context)[0];
  }
};

/** A cart on a rail, held by a PID controller, whose integral is a state
outside of the plant. */
struct Servo {
  Servo() {
    systems::DiagramBuilder<double> builder;
    plant = builder.AddSystem<MultibodyPlant<double>>(0.0);
    const auto& cart = plant->AddRigidBody(
        "cart", SpatialInertia<double>::PointMass(2, Vector3d::Zero()));
    const auto& rail = plant->AddJoint<PrismaticJoint>(
        "rail", plant->world_body(), {}, cart, {}, Vector3d::UnitX());
    plant->AddJointActuator("motor", rail);
    plant->Finalize();
    auto* pid = builder.AddSystem<Pid>();
    builder.Connect(plant->get_state_output_port(), pid->get_input_port(0));
    builder.Connect(pid->get_output_port(0), plant->get_actuation_input_port());
    diagram = builder.Build();
    simulator = std::make_unique<Simulator<double>>(*diagram);
  }
  VectorXd State() const {
    return simulator->get_context()
        .get_continuous_state_vector()
        .CopyToVector();
  }
  MultibodyPlant<double>* plant{};
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<Simulator<double>> simulator;
};

TEST(ConvexSteps, TheStateOfAControllerHasTheSameAccuracy) {
  Servo reference;
  reference.simulator->get_mutable_integrator().set_target_accuracy(1e-10);
  reference.simulator->AdvanceTo(1);
  double last = 1;
  for (const double accuracy : {1e-3, 1e-5}) {
    Servo servo;
    UseConvex(accuracy, servo.simulator.get());
    servo.simulator->AdvanceTo(1);
    const double error = (servo.State() - reference.State()).norm();
    EXPECT_LT(error, 10 * accuracy);
    EXPECT_LT(error, last);
    last = error;
  }
}

// `prepare` chooses the integrator.
void ExpectTheSameBitsAfterAPauseAndASave(
    const std::function<void(Simulator<double>*)>& prepare) {
  const auto make = [&] {
    auto scene = MakeScene({0.4, 1e5, 2});
    const auto& ball = scene->AddBall("ball", 1, 0.1);
    const auto& other = scene->AddBall("other", 1, 0.1);
    scene->Finish();
    scene->Place(ball, Vector3d(0, 0, 0.3));
    scene->Place(other, Vector3d(0, 1, 0.2));
    scene->Throw(ball, Vector3d(1, 0, 0));
    prepare(scene->simulator.get());
    return scene;
  };
  const auto whole = make();
  whole->simulator->AdvanceTo(1);
  const auto paused = make();
  for (const double t : {0.1234, 0.2, 0.3, 1.0})
    paused->simulator->AdvanceTo(t);
  EXPECT_EQ(paused->State(), whole->State());
  for (const double t : {0.25, 0.8}) {
    const auto saved = make();
    saved->simulator->AdvanceTo(t);
    std::stringstream file;
    systems::SaveSimulation(*saved->simulator, &file);
    const auto loaded = make();
    systems::LoadSimulation(&file, loaded->simulator.get());
    loaded->simulator->AdvanceTo(1);
    EXPECT_EQ(loaded->State(), whole->State()) << t;
  }
}

TEST(ConvexSteps, GoOnWithTheSameBitsAfterAPauseAndASave) {
  ExpectTheSameBitsAfterAPauseAndASave(
      [](Simulator<double>* simulator) { UseConvex(1e-3, simulator); });
}

TEST(ConvexSteps, OfTheDefaultGoOnWithTheSameBitsAfterAPauseAndASave) {
  int64_t trials = 0;
  ExpectTheSameBitsAfterAPauseAndASave([&](Simulator<double>* simulator) {
    simulator->get_mutable_integrator().set_target_accuracy(1e-3);
    simulator->set_monitor([&trials, simulator](const auto&) {
      trials = std::max(trials, CountConvexTrials(*simulator));
      return systems::EventStatus::DidNothing();
    });
  });
  EXPECT_GT(trials, 10);
}

TEST(ConvexSteps, AllocateNothingAfterTheFirst) {
  if (!wyvern::test::AllocationGuard::is_active()) GTEST_SKIP();
  const auto scene = MakeScene({0.5, 1e5, 20});
  const auto& box = scene->AddBox("box", 1, 0.2);
  scene->Finish();
  scene->Place(box, Vector3d(0, 0, 0.1));
  scene->Throw(box, Vector3d(2, 0, 0));
  UseConvex(1e-3, scene->simulator.get());
  scene->simulator->AdvanceTo(0.2);
  const wyvern::test::AllocationGuard guard;
  scene->simulator->AdvanceTo(0.4);
  EXPECT_EQ(guard.count(), 0);
}

TEST(ConvexSteps, OfAPlantThatIsDiscreteAreRefused) {
  MultibodyPlant<double> discrete(0.01), continuous(0);
  EXPECT_FALSE(continuous.TakesImplicitSteps());
  discrete.Finalize();
  continuous.Finalize();
  EXPECT_FALSE(discrete.TakesImplicitSteps());
  EXPECT_TRUE(continuous.TakesImplicitSteps());
  VectorXd x;
  EXPECT_THROWS_MESSAGE(
      discrete.CalcImplicitStep(*discrete.CreateDefaultContext(), 0.01, nullptr,
                                &x),
      std::logic_error, "is discrete");
  const auto context = continuous.CreateDefaultContext();
  for (const double h : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROWS_MESSAGE(continuous.CalcImplicitStep(*context, h, nullptr, &x),
                          std::logic_error, "a positive step");
  }
  EXPECT_THROWS_MESSAGE(
      continuous.CalcImplicitStep(*context, 0.01, nullptr, nullptr),
      std::logic_error, "x_next");
}

}  // namespace convex_steps_test
}  // namespace wyvern::multibody
