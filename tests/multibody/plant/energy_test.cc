// The balance of energy by source of force, in both modes.
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_spring.h"

namespace wyvern::multibody {
namespace {

using systems::Context;
using test::MakeInertia;

// A cart on a rail with a stop, a pole with a spring, a motor with a PD
// controller that saturates, and a free body tied to it; all that exerts
// forces.
struct Machine {
  explicit Machine(double time_step, bool has_applied_forces = true)
      : plant(time_step) {
    const auto& cart = plant.AddRigidBody("cart", MakeInertia(2, {0, 0, 0}, 1));
    const auto& pole =
        plant.AddRigidBody("pole", MakeInertia(1, {0, 0, 0.5}, 0.1));
    stone = &plant.AddRigidBody("stone", MakeInertia(0.5, {0.1, 0, 0}, 0.05));
    slider = &plant.AddJoint<PrismaticJoint>("slider", plant.world_body(), {},
                                             cart, {}, Vector3<double>::UnitX(),
                                             -0.05, 0.05, 0.5);
    hinge = &plant.AddJoint<RevoluteJoint>("hinge", cart, {}, pole, {},
                                           Vector3<double>::UnitY(), 0.1);
    plant.AddForceElement<RevoluteSpring>(*hinge, 0.5, 3.0);
    plant.AddForceElement<LinearSpringDamper>(
        pole, Vector3<double>(0, 0, 1), *stone, Vector3<double>(0.1, 0.1, 0),
        0.5, 20.0, 0.0);
    plant.AddJointActuator("push", *slider);
    plant.AddJointActuator("twist", *hinge, 4.0);
    for (const char* name : {"push", "twist"}) {
      plant
          .get_mutable_joint_actuator(
              plant.GetJointActuatorByName(name).index())
          .set_controller_gains({20, 2});
    }
    plant.Finalize();
    context = plant.CreateDefaultContext();
    FixActuation();
    if (has_applied_forces) FixAppliedForces();
    hinge->set_angle(context.get(), 0.4);
    slider->set_translation_rate(context.get(), 0.6);
    plant.SetFreeBodyPose(
        context.get(), *stone,
        math::RigidTransform<double>(Vector3<double>(0.7, 0.3, 1)));
    plant.SetFreeBodySpatialVelocity(
        context.get(), *stone,
        SpatialVelocity<double>(Vector6<double>(1, 2, 3, 0.1, 0.2, 0.3)));
  }
  void FixActuation() {
    plant.get_actuation_input_port().FixValue(context.get(),
                                              Vector2<double>(1, -0.5));
    plant.get_desired_state_input_port(default_model_instance())
        .FixValue(context.get(), Vector4<double>(0.1, -0.3, 0, 0.2));
  }
  void FixAppliedForces() {
    plant.get_applied_generalized_force_input_port().FixValue(
        context.get(), VectorX<double>::LinSpaced(8, -0.5, 0.5).eval());
    ExternallyAppliedSpatialForce<double> force;
    force.body_index = stone->index();
    force.p_BoBq_B = Vector3<double>(0.1, 0.2, 0.3);
    force.F_Bq_W = SpatialForce<double>(Vector6<double>(.1, .2, .3, 1, 2, 3));
    const std::vector<ExternallyAppliedSpatialForce<double>> forces{force};
    plant.get_applied_spatial_force_input_port().FixValue(context.get(),
                                                          forces);
  }

  MultibodyPlant<double> plant;
  const RigidBody<double>* stone{};
  const PrismaticJoint<double>* slider{};
  const RevoluteJoint<double>* hinge{};
  std::unique_ptr<Context<double>> context;
};

// The ledger as a vector, gravity and each element first.
VectorX<double> ToVector(const PowerLedger<double>& l) {
  VectorX<double> result(7 + l.force_elements.size());
  int i = 0;
  result[i++] = l.gravity;
  for (double power : l.force_elements) result[i++] = power;
  result.tail(6) << l.actuation, l.joint_damping, l.joint_limits,
      l.applied_generalized_force, l.applied_spatial_force, l.scheme;
  return result;
}

// Advances state and works done by one step of the classical Runge-Kutta
// method.
void Advance(Machine* m, double h, VectorX<double>* work) {
  const auto rates = [m](const VectorX<double>& x) {
    m->plant.SetPositionsAndVelocities(m->context.get(), x);
    return std::pair(
        m->plant.EvalTimeDerivatives(*m->context).CopyToVector().eval(),
        ToVector(m->plant.CalcPowerLedger(*m->context)));
  };
  const VectorX<double> x = m->plant.GetPositionsAndVelocities(*m->context);
  const auto [k1, p1] = rates(x);
  const auto [k2, p2] = rates(x + h / 2 * k1);
  const auto [k3, p3] = rates(x + h / 2 * k2);
  const auto [k4, p4] = rates(x + h * k3);
  *work += h / 6 * (p1 + 2 * p2 + 2 * p3 + p4);
  m->plant.SetPositionsAndVelocities(
      m->context.get(), (x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)).eval());
}

TEST(PowerLedger, SumsToTheRateOfKineticEnergyInAContinuousModel) {
  Machine m(0);
  const VectorX<double> v = m.plant.GetVelocities(*m.context);
  const VectorX<double> vdot =
      m.plant.get_generalized_acceleration_output_port().Eval(*m.context);
  MatrixX<double> M(8, 8);
  m.plant.CalcMassMatrix(*m.context, &M);
  VectorX<double> Cv(8);
  m.plant.CalcBiasTerm(*m.context, &Cv);
  const PowerLedger<double> ledger = m.plant.CalcPowerLedger(*m.context);
  EXPECT_NEAR(ledger.Sum(), v.dot(M * vdot + Cv), 1e-12);
  EXPECT_EQ(ledger.scheme, 0);
  EXPECT_EQ(ledger.force_elements.size(), 3u);
}

TEST(PowerLedger, ClosesTheBalanceOfAContinuousRun) {
  Machine m(0);
  const double kinetic = m.plant.CalcKineticEnergy(*m.context);
  const double potential = m.plant.CalcPotentialEnergy(*m.context);
  EXPECT_EQ(m.plant.CalcPowerLedger(*m.context).joint_limits, 0);
  VectorX<double> work = VectorX<double>::Zero(10);
  for (int i = 0; i < 10000; ++i) Advance(&m, 2e-5, &work);
  // The stop was hit and every source did something.
  for (int i : {0, 2, 3, 4, 5, 6, 7, 8}) {
    EXPECT_GT(std::abs(work[i]), 1e-4) << i;
  }
  EXPECT_LT(work[5], 0);
  // The corner of the stop's force costs the method some of its order.
  EXPECT_NEAR(m.plant.CalcKineticEnergy(*m.context) - kinetic, work.sum(),
              1e-7);
  EXPECT_NEAR(m.plant.CalcPotentialEnergy(*m.context) - potential,
              -work[0] - work[2] - work[3], 1e-7);
}

TEST(PowerLedger, ConservativeSourcesAreWhatPotentialEnergyLoses) {
  Machine m(0);
  const PowerLedger<double> ledger = m.plant.CalcPowerLedger(*m.context);
  EXPECT_NEAR(
      ledger.gravity + ledger.force_elements[1] + ledger.force_elements[2],
      m.plant.CalcConservativePower(*m.context) +
          m.plant.CalcNonConservativePower(*m.context),
      1e-12);
}

TEST(PowerLedger, ClosesTheBalanceOfEveryDiscreteStep) {
  Machine m(2e-3);
  double stop = 0;
  for (int i = 0; i < 300; ++i) {
    const double before = m.plant.CalcKineticEnergy(*m.context);
    const PowerLedger<double> ledger = m.plant.CalcPowerLedger(*m.context);
    stop += std::abs(ledger.joint_limits);
    EXPECT_LE(ledger.joint_damping, 1e-3);
    m.plant.ExecuteForcedEvents(m.context.get());
    EXPECT_NEAR(m.plant.CalcKineticEnergy(*m.context) - before,
                2e-3 * ledger.Sum(), 1e-12)
        << i;
  }
  EXPECT_GT(stop, 1);
}

// Without a stop, whose spring is faster than the steps.
double SchemeWork(double time_step) {
  Machine m(time_step);
  m.plant.get_desired_state_input_port(default_model_instance())
      .FixValue(m.context.get(), Vector4<double>::Zero());
  m.slider->set_translation_rate(m.context.get(), 0);
  double work = 0;
  for (int i = 0; i < std::lround(0.1 / time_step); ++i) {
    work += time_step * m.plant.CalcPowerLedger(*m.context).scheme;
    m.plant.ExecuteForcedEvents(m.context.get());
  }
  return work;
}

TEST(PowerLedger, WorkOfTheSchemeVanishesWithTheStep) {
  const double coarse = SchemeWork(2e-4), fine = SchemeWork(1e-4);
  EXPECT_NEAR(coarse / fine, 2, 0.1);
}

TEST(PowerLedger, CountsTheWorkOfConstraints) {
  MultibodyPlant<double> plant(1e-3);
  const auto& a = plant.AddRigidBody("a", MakeInertia(1, {0, 0, -0.5}, 0.1));
  const auto& b = plant.AddRigidBody("b", MakeInertia(2, {0, 0, -0.4}, 0.2));
  const auto& c = plant.AddRigidBody("c", MakeInertia(2, {0, 0, 0}, 0.2));
  const Vector3<double> y = Vector3<double>::UnitY();
  const auto& joint_a =
      plant.AddJoint<RevoluteJoint>("a", plant.world_body(), {}, a, {}, y);
  plant.AddJoint<RevoluteJoint>(
      "b", plant.world_body(),
      math::RigidTransform<double>(Vector3<double>(1, 0, 0)), b, {}, y);
  const auto& joint_c =
      plant.AddJoint<PrismaticJoint>("c", plant.world_body(), {}, c, {}, y);
  plant.AddDistanceConstraint(a, Vector3<double>(0, 0, -0.5), b,
                              Vector3<double>(0, 0, -0.3), 1.1, 200.0, 5.0);
  plant.AddCouplerConstraint(joint_c, joint_a, 0.3);
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  joint_a.set_angle(context.get(), 0.3);
  joint_c.set_translation(context.get(), 0.09);
  double work = 0;
  for (int i = 0; i < 200; ++i) {
    const double before = plant.CalcKineticEnergy(*context);
    const PowerLedger<double> ledger = plant.CalcPowerLedger(*context);
    work += 1e-3 * std::abs(ledger.constraints);
    plant.ExecuteForcedEvents(context.get());
    EXPECT_NEAR(plant.CalcKineticEnergy(*context) - before, 1e-3 * ledger.Sum(),
                1e-9 * (1 + before))
        << i;
  }
  EXPECT_GT(work, 1e-2);
}

TEST(PowerLedger, CountsTheWorkOfLimitsOnAnglesInBothModes) {
  for (const double time_step : {0.0, 1e-3}) {
    MultibodyPlant<double> plant(time_step);
    const auto& bob =
        plant.AddRigidBody("bob", MakeInertia(1, {0, 0, -0.5}, 0.1));
    const auto& ball =
        plant.AddJoint<BallRpyJoint>("ball", plant.world_body(), {}, bob, {});
    plant.get_mutable_joint(ball.index())
        .set_position_limits(Vector3<double>(-0.2, -1, -1),
                             Vector3<double>(0.2, 1, 1));
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    ball.set_angles(context.get(), Vector3<double>(0.2001, 0.1, 0));
    ball.set_angular_velocity(context.get(), Vector3<double>(1, 0, 0));
    const PowerLedger<double> ledger = plant.CalcPowerLedger(*context);
    EXPECT_LT(ledger.joint_limits, -1);
    EXPECT_EQ(ledger.constraints, 0);
    if (time_step == 0) continue;
    const double before = plant.CalcKineticEnergy(*context);
    plant.ExecuteForcedEvents(context.get());
    EXPECT_NEAR(plant.CalcKineticEnergy(*context) - before,
                time_step * ledger.Sum(), 1e-12);
  }
}

TEST(PowerLedger, OnAutoDiffHasTheSameValues) {
  Machine m(1e-3, false);
  const auto copy = systems::System<double>::ToAutoDiffXd(m.plant);
  const auto context = copy->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(*m.context);
  copy->FixInputPortsFrom(m.plant, *m.context, context.get());
  EXPECT_NEAR(copy->CalcPowerLedger(*context).Sum().value(),
              m.plant.CalcPowerLedger(*m.context).Sum(), 1e-10);
}

TEST(PowerLedger, NeedsAFinalizedPlant) {
  MultibodyPlant<double> other(0), plant(0);
  other.Finalize();
  const auto context = other.CreateDefaultContext();
  EXPECT_THROW(plant.CalcPowerLedger(*context), std::logic_error);
}

}  // namespace
}  // namespace wyvern::multibody
