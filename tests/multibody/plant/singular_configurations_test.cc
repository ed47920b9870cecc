// Places and numbers where formulas divide by nothing: an error that names the
// joint, or the right figures, in both modes and on both scalars.

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace singular_configurations_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using wyvern::test::Near;

template <typename T>
class Singular : public ::testing::Test {};
TYPED_TEST_SUITE(Singular, test::Scalars);

template <template <typename> class JointType, typename T>
void ExpectGimbalLockIsRefused(double time_step) {
  MultibodyPlant<T> plant(time_step);
  plant.SetUseSampledOutputPorts(false);
  const auto& body =
      plant.AddRigidBody("body", test::MakeInertia(1, {0, 0, 0}, 1));
  const auto& joint = plant.template AddJoint<JointType>(
      "wrist", plant.world_body(), {}, body, {});
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  joint.set_angles(context.get(), Vector3<T>(0.1, M_PI / 2, 0.2));
  joint.set_angular_velocity(context.get(), Vector3<T>(1, 1, 1));
  const VectorX<T> v = plant.GetVelocities(*context);
  VectorX<T> qdot(plant.num_positions());
  EXPECT_THROWS_MESSAGE(plant.MapVelocityToQDot(*context, v, &qdot),
                        std::runtime_error, "gimbal lock");
  // Quantities that need no rates of the angles are finite there as well.
  MatrixX<T> M(plant.num_velocities(), plant.num_velocities());
  plant.CalcMassMatrix(*context, &M);
  EXPECT_TRUE(Near(ToDouble(M), MatrixXd::Identity(M.rows(), M.cols()), 1e-14));
  if (time_step == 0) {
    EXPECT_THROWS_MESSAGE(plant.EvalTimeDerivatives(*context),
                          std::runtime_error, "gimbal lock");
  } else {
    EXPECT_THROWS_MESSAGE(plant.EvalUniquePeriodicDiscreteUpdate(*context),
                          std::runtime_error, "gimbal lock");
  }
}

TYPED_TEST(Singular, GimbalLockHasDynamicsButNoRates) {
  for (double time_step : {0.0, 0.01}) {
    ExpectGimbalLockIsRefused<BallRpyJoint, TypeParam>(time_step);
    ExpectGimbalLockIsRefused<RpyFloatingJoint, TypeParam>(time_step);
  }
}

// Where angles are locked, a quaternion goes on; without a direction it cannot.
TYPED_TEST(Singular, QuaternionsHaveRatesEverywhereButAtZero) {
  using T = TypeParam;
  for (double time_step : {0.0, 0.01}) {
    MultibodyPlant<T> plant(time_step);
    plant.SetUseSampledOutputPorts(false);
    plant.set_name("arm");
    plant.AddRigidBody("free", test::MakeInertia(1, {0, 0, 0}, 1));
    const auto& body =
        plant.AddRigidBody("body", test::MakeInertia(1, {0, 0, 0}, 1));
    const auto& joint = plant.template AddJoint<QuaternionBallJoint>(
        "wrist", plant.world_body(), {}, body, {});
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    joint.SetOrientation(
        context.get(), math::RotationMatrix<T>(
                           math::RollPitchYaw<T>(T(0.1), T(M_PI / 2), T(0.2))));
    joint.set_angular_velocity(context.get(), Vector3<T>(1, 2, 3));
    const VectorX<T> v = plant.GetVelocities(*context);
    VectorX<T> qdot(plant.num_positions()), back(v.size());
    plant.MapVelocityToQDot(*context, v, &qdot);
    plant.MapQDotToVelocity(*context, qdot, &back);
    EXPECT_TRUE(Near(ToDouble(back), ToDouble(v), 1e-15));
    joint.SetPositions(context.get(), VectorX<T>::Zero(4));
    EXPECT_THROWS_MESSAGE(
        plant.EvalBodyPoseInWorld(*context, body), std::runtime_error,
        "MultibodyPlant '::arm': of joint 'wrist', positions 0 to 3, a "
        "quaternion, are all zero or not finite; give a quaternion");
    EXPECT_THROWS_MESSAGE(
        joint.SetQuaternion(context.get(), Eigen::Quaternion<T>(0, 0, 0, 0)),
        std::logic_error,
        "Joint 'wrist' of type quaternion_ball was given a "
        "quaternion of length 0");
  }
}

// Three links of 1 m with hinges about y, stretched along x: the tip cannot
// move along x, but every joint can turn.
template <typename T>
struct StraightArm {
  StraightArm() {
    const RigidBody<T>* parent = &plant.world_body();
    for (const char* name : {"upper", "lower", "hand"}) {
      const auto& link =
          plant.AddRigidBody(name, test::MakeInertia(1, {0.5, 0, 0}, 0.01));
      const Vector3<double> p(parent == &plant.world_body() ? 0 : 1, 0, 0);
      plant.template AddJoint<RevoluteJoint>(
          name, *parent, math::RigidTransform<double>(p), link, {},
          Vector3<double>::UnitY());
      parent = &link;
    }
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }
  MultibodyPlant<T> plant{0};
  std::unique_ptr<systems::Context<T>> context;
};

TYPED_TEST(Singular, QuaternionsWithoutDirectionAreRefused) {
  using T = TypeParam;
  for (double time_step : {0.0, 0.01}) {
    MultibodyPlant<T> plant(time_step);
    plant.SetUseSampledOutputPorts(false);
    const auto& body =
        plant.AddRigidBody("body", test::MakeInertia(1, {0, 0, 0}, 1));
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    MatrixX<T> M(6, 6);
    for (double w : {0.0, 1e-120, 1e300}) {
      plant.SetPositions(context.get(), VectorX<T>::Unit(7, 0) * w);
      EXPECT_THROWS_MESSAGE(body.EvalPoseInWorld(*context), std::runtime_error,
                            "quaternion");
      EXPECT_THROWS_MESSAGE(plant.CalcMassMatrix(*context, &M),
                            std::runtime_error, "quaternion");
      EXPECT_THROWS_MESSAGE(
          plant.get_generalized_acceleration_output_port().Eval(*context),
          std::runtime_error, "quaternion");
    }
    // Any other length will do.
    plant.SetPositions(context.get(), VectorX<T>::Unit(7, 0) * 1e-9);
    EXPECT_TRUE(Near(ToDouble(body.EvalPoseInWorld(*context).GetAsMatrix34()),
                     math::RigidTransform<double>().GetAsMatrix34(), 1e-15));
  }
}

TYPED_TEST(Singular, StraightArmHasSingularJacobiansButRegularDynamics) {
  using T = TypeParam;
  const StraightArm<T> arm;
  const auto& plant = arm.plant;
  MatrixX<T> J(3, 3);
  plant.CalcJacobianTranslationalVelocity(
      *arm.context, JacobianWrtVariable::kV, plant.GetFrameByName("hand"),
      Vector3<T>(1, 0, 0), plant.world_frame(), plant.world_frame(), &J);
  MatrixXd expected = MatrixXd::Zero(3, 3);
  expected.row(2) << -3, -2, -1;
  EXPECT_TRUE(Near(ToDouble(J), expected, 1e-14));
  const VectorX<T> vdot =
      plant.get_generalized_acceleration_output_port().Eval(*arm.context);
  MultibodyForces<T> forces(plant);
  plant.CalcForceElementsContribution(*arm.context, &forces);
  EXPECT_TRUE(
      Near(ToDouble(plant.CalcInverseDynamics(*arm.context, vdot, forces)),
           VectorXd::Zero(3), 1e-12));
}

TYPED_TEST(Singular, ArmTooSingularForOperationalSpaceIsFiniteAllTheSame) {
  using T = TypeParam;
  const StraightArm<T> arm;
  MatrixX<T> Lambda_inverse(6, 6);
  arm.plant.CalcInverseOperationalSpaceInertia(
      *arm.context, {&arm.plant.GetFrameByName("hand")}, &Lambda_inverse);
  const MatrixXd value = ToDouble(Lambda_inverse);
  EXPECT_TRUE(value.allFinite());
  // Turns about y, moves along z and, by J alone, nothing else.
  EXPECT_NEAR(value.row(3).norm(), 0, 1e-13);
  EXPECT_GT(value(1, 1), 0);
}

TYPED_TEST(Singular, MassesThatAContextMakesZeroAreRefused) {
  using T = TypeParam;
  for (double time_step : {0.0, 0.01}) {
    test::Pendulum pendulum(time_step);
    pendulum.plant.SetUseSampledOutputPorts(false);
    pendulum.plant.Finalize();
    const MultibodyPlant<T> plant = test::CopyOn<T>(pendulum.plant);
    const auto context = plant.CreateDefaultContext();
    plant.GetBodyByName("bob").SetMass(context.get(), 0);
    EXPECT_EQ(plant.CalcTotalMass(*context), 0);
    if (time_step == 0) {
      EXPECT_THROWS_MESSAGE(plant.EvalTimeDerivatives(*context),
                            std::runtime_error, "inertia");
    } else {
      EXPECT_THROWS_MESSAGE(plant.EvalUniquePeriodicDiscreteUpdate(*context),
                            std::runtime_error, "inertia");
    }
  }
}

TYPED_TEST(Singular, MassesInTheMiddleMayBeZero) {
  using T = TypeParam;
  MultibodyPlant<T> plant(0);
  const auto& cross = plant.AddRigidBody("cross");
  const auto& load =
      plant.AddRigidBody("load", test::MakeInertia(1, {0, 0, -1}, 0.1));
  plant.template AddJoint<RevoluteJoint>("x", plant.world_body(), {}, cross, {},
                                         Vector3<double>::UnitX());
  plant.template AddJoint<RevoluteJoint>("y", cross, {}, load, {},
                                         Vector3<double>::UnitY());
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  plant.SetPositions(context.get(), Vector2<T>(0.3, 0.2));
  plant.SetVelocities(context.get(), Vector2<T>(1, -2));
  MultibodyPlant<T> universal(0);
  const auto& alone =
      universal.AddRigidBody("load", test::MakeInertia(1, {0, 0, -1}, 0.1));
  universal.template AddJoint<UniversalJoint>("u", universal.world_body(), {},
                                              alone, {});
  universal.Finalize();
  const auto same = universal.CreateDefaultContext();
  universal.SetPositions(same.get(), Vector2<T>(0.3, 0.2));
  universal.SetVelocities(same.get(), Vector2<T>(1, -2));
  const auto vdot = [](const auto& p, const auto& c) {
    return ToDouble(p.get_generalized_acceleration_output_port().Eval(c));
  };
  EXPECT_TRUE(Near(vdot(plant, *context), vdot(universal, *same), 1e-12));
}

}  // namespace singular_configurations_test
}  // namespace wyvern::multibody
