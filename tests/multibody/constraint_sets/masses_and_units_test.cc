// Tests constrained dynamics of bodies without mass, of masses and inertias
// that differ by many orders of magnitude, and of motions that meet redundant
// rows to rounding.
#include <memory>

#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/turned_arm.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using test::kAllUnits;
using test::TurnedArm;
using wyvern::test::Near;

using ScaledDynamics = decltype(&ForwardDynamicsConstraintsDirect<double>);
constexpr ScaledDynamics kScaledDynamics[] = {
    &ForwardDynamicsConstraintsDirect<double>,
    &ForwardDynamicsConstraintsRangeSpaceSparse<double>,
    &ForwardDynamicsConstraintsNullSpace<double>,
    &ForwardDynamicsContactsKokkevis<double>};

// A pendulum of mass m about y, and a slider on it with the mass `slider`. A
// contact at the slider's origin keeps its height.
class SliderOnPendulum {
 public:
  SliderOnPendulum(double m, double slider) {
    const auto& rod = plant.AddRigidBody(
        "rod", SpatialInertia<double>::SolidBoxWithMass(m, 1, 0.1, 0.1));
    const auto& body = plant.AddRigidBody(
        "slider", slider > 0
                      ? SpatialInertia<double>::SolidCubeWithMass(slider, 0.1)
                      : SpatialInertia<double>::Zero());
    plant.AddJoint<RevoluteJoint>("pin", plant.world_body(), RigidTransformd(),
                                  rod, {}, Vector3d::UnitY());
    plant.AddJoint<PrismaticJoint>("rail", rod, {}, body, {},
                                   Vector3d::UnitX());
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetPositions(context.get(), Eigen::Vector2d(0.4, 0.8));
    set.AddContactConstraint(body, Vector3d::Zero(), Vector3d::UnitZ());
    set.Bind(plant);
  }
  MultibodyPlant<double> plant{0.0};
  std::unique_ptr<systems::Context<double>> context;
  ConstraintSet<double> set;
};

TEST(MassesAndUnits, EveryMethodMovesAMasslessBodyThatAConstraintLeads) {
  // At rest, z = -r sin(q) stays: r̈ = -r cos(q) / sin(q) q̈. Without mass the
  // slider has no force along the rail, and the contact none, so that the rod
  // falls freely: I q̈ = 0, as its mass is centred on the pin.
  for (const double m : {1e-6, 1.0, 1e6}) {
    SliderOnPendulum model(m, 0);
    const Eigen::Vector2d tau(0.3 * m, 0);
    const double I = m * (1 + 0.01) / 12;
    VectorXd vdot(2);
    for (const ScaledDynamics f : kScaledDynamics) {
      f(model.plant, *model.context, tau, &model.set, &vdot, nullptr);
      const double expected = tau[0] / I;
      EXPECT_NEAR(vdot[0], expected, 1e-13 * expected);
      EXPECT_NEAR(vdot[1], -0.8 / std::tan(0.4) * expected, 1e-12 * expected);
      EXPECT_NEAR(model.set.force()[0], 0, 1e-13 * m);
    }
  }
}

TEST(MassesAndUnits, EveryMethodRefusesAMasslessBodyThatNothingLeads) {
  SliderOnPendulum model(1, 0);
  ConstraintSet<double> set;
  set.AddContactConstraint(model.plant.GetBodyByName("rod"), {0.3, 0, 0},
                           Vector3d::UnitZ());
  set.Bind(model.plant);
  VectorXd vdot(2);
  for (const ScaledDynamics f : kScaledDynamics) {
    EXPECT_THROWS_MESSAGE(
        f(model.plant, *model.context, VectorXd::Zero(2), &set, &vdot, nullptr),
        std::runtime_error,
        "the constraints do not determine the motion that "
        "has no mass");
  }
}

TEST(MassesAndUnits, MotionAndForcesBalanceWhateverTheRatioOfMasses) {
  for (const double ratio : {1e-12, 1e-6, 1.0, 1e6, 1e12}) {
    SliderOnPendulum model(1, ratio);
    VectorXd vdot(2);
    for (const ScaledDynamics f : kScaledDynamics) {
      f(model.plant, *model.context, Eigen::Vector2d(0.3, 0.2 * ratio),
        &model.set, &vdot, nullptr);
      const auto& set = model.set;
      CalcConstrainedSystemVariables<double>(model.plant, *model.context,
                                             &model.set);
      const Eigen::Vector2d c(0.3 - set.C()[0], 0.2 * ratio - set.C()[1]);
      const Eigen::Vector2d force = set.G().transpose() * set.force();
      const Eigen::Vector2d left = set.H() * vdot - c - force;
      const Eigen::Vector2d terms =
          set.H().cwiseAbs() * vdot.cwiseAbs() + c.cwiseAbs();
      EXPECT_LE(left.cwiseAbs().maxCoeff(), 1e-14 * terms.maxCoeff());
      // Rounding of the acceleration of gravity.
      EXPECT_NEAR((set.G() * vdot - set.gamma())[0], 0, 1e-14);
    }
  }
}

class ScaledArm : public testing::TestWithParam<unsigned> {};

// The weight of the control is 100 times the largest entry of M. Its rounding
// is large beside the forces of light joints.
TEST_P(ScaledArm, RelaxedInverseDynamicsBalancesLightJoints) {
  const int nv = TurnedArm::kJoints;
  for (const auto& units : kAllUnits) {
    TurnedArm arm(GetParam(), units);
    auto set = arm.MakeRows(1, false);
    set.Bind(arm.plant);
    std::vector<bool> actuated(nv, true);
    actuated[6] = actuated[4] = false;
    set.SetActuationMap(arm.plant, actuated);
    VectorXd vdot(nv), tau(nv);
    InverseDynamicsConstraintsRelaxed<double>(arm.plant, *arm.context,
                                              arm.InUnits(arm.Numbers(nv)),
                                              &set, &vdot, &tau);
    const VectorXd force = set.G().transpose() * set.force();
    const VectorXd left = set.H() * vdot + set.C() - tau - force;
    const VectorXd terms =
        set.H().cwiseAbs() * vdot.cwiseAbs() +
        set.G().cwiseAbs().transpose() * set.force().cwiseAbs();
    for (int i : {4, 6}) EXPECT_LE(std::abs(left[i]), 1e-13 * terms[i]) << i;
    const VectorXd missed = set.G() * vdot - set.gamma();
    const VectorXd size = set.G().cwiseAbs() * vdot.cwiseAbs();
    EXPECT_LE(missed.cwiseAbs().maxCoeff(), 1e-9 * size.maxCoeff());
  }
}

// G v and the wanted velocities are rounding, which no longer agrees with
// itself. The contradiction is measured by |G| |v|.
TEST_P(ScaledArm, VelocitiesThatMeetRedundantRowsToRoundingContradictNothing) {
  for (const auto& units : kAllUnits) {
    TurnedArm arm(GetParam(), units);
    auto set = arm.MakeRows(1, false);
    set.Bind(arm.plant);
    VectorXd v(TurnedArm::kJoints), same(TurnedArm::kJoints), error(4);
    ComputeConstraintImpulsesDirect<double>(arm.plant, *arm.context, &set, &v);
    arm.plant.SetVelocities(arm.context.get(), v);
    CalcConstraintsVelocityError<double>(arm.plant, *arm.context, &set, &error);
    error[0] += 1e-16 * v.norm() * units.length;
    set.SetVPlus(error);
    for (auto* f : {&ComputeConstraintImpulsesDirect<double>,
                    &ComputeConstraintImpulsesRangeSpaceSparse<double>,
                    &ComputeConstraintImpulsesNullSpace<double>}) {
      EXPECT_NO_THROW(f(arm.plant, *arm.context, &set, &same));
      EXPECT_LE((same - v).norm(), 1e-12 * v.norm());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ScaledArm, testing::Range(0u, 10u));

}  // namespace
}  // namespace wyvern::multibody
