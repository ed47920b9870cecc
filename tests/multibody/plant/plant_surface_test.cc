// Model building, names, state, free bodies, Jacobians and mass properties.
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"

namespace wyvern::multibody {
namespace {

using test::CartPole;
using wyvern::test::Near;

// A cart-pole and a stone in some motion.
struct MovingCartPole : CartPole {
  explicit MovingCartPole(double time_step = 0) : CartPole(time_step) {
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetFreeBodyPose(
        context.get(), *stone,
        math::RigidTransform<double>(math::RollPitchYaw<double>(0.3, -0.5, 0.8),
                                     Vector3<double>(1, 2, 3)));
    slider->set_translation(context.get(), 0.4);
    hinge->set_angle(context.get(), 0.6);
    plant.SetVelocities(context.get(),
                        VectorX<double>::LinSpaced(8, -0.7, 0.9));
  }
  VectorX<double> v() { return plant.GetVelocities(*context); }
  std::unique_ptr<systems::Context<double>> context;
};

TEST(PlantNames, FollowInstanceJointAndSuffix) {
  CartPole m(0);
  m.plant.Finalize();
  EXPECT_EQ(m.plant.GetPositionNames(m.instance),
            (std::vector<std::string>{"slider_x", "hinge_q"}));
  EXPECT_EQ(m.plant.GetVelocityNames(m.instance, true, false),
            (std::vector<std::string>{"cart_pole_slider", "cart_pole_hinge"}));
  EXPECT_EQ(m.plant.GetPositionNames(m.loose)[0], "stone_qw");
  EXPECT_EQ(m.plant.GetActuatorNames(),
            (std::vector<std::string>{"cart_pole_push", "cart_pole_twist"}));
}

TEST(PlantElements, FreeBodyGetsAFloatingJointOfItsName) {
  CartPole m(0);
  m.plant.Finalize();
  EXPECT_TRUE(m.stone->is_floating());
  EXPECT_TRUE(m.stone->has_quaternion_dofs());
  EXPECT_EQ(m.plant.GetJointByName("stone").type_name(), "quaternion_floating");
  EXPECT_EQ(&m.plant.GetUniqueFreeBaseBodyOrThrow(m.loose), m.stone);
  EXPECT_EQ(m.plant.num_positions(), 9);
  EXPECT_EQ(m.plant.num_velocities(m.loose), 6);
}

TEST(PlantElements, BaseBodyJointTypeIsChosenPerInstance) {
  CartPole m(0);
  m.plant.SetBaseBodyJointType(BaseBodyJointType::kWeldJoint, m.loose);
  m.plant.Finalize();
  EXPECT_TRUE(m.plant.IsAnchored(*m.stone));
  EXPECT_EQ(m.plant.num_velocities(), 2);
}

TEST(PlantElements, GravityCanBeSwitchedOffForAnInstance) {
  CartPole m(0);
  m.plant.set_gravity_enabled(m.loose, false);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  EXPECT_EQ(m.plant.get_generalized_acceleration_output_port(m.loose)
                .Eval(*context)
                .norm(),
            0);
}

TEST(PlantState, InstancePartsMakeUpTheWhole) {
  MovingCartPole m;
  VectorX<double> q = VectorX<double>::Zero(9);
  for (ModelInstanceIndex i : {m.instance, m.loose}) {
    m.plant.SetPositionsInArray(i, m.plant.GetPositions(*m.context, i), &q);
  }
  EXPECT_TRUE(Near(q, m.plant.GetPositions(*m.context)));
}

TEST(PlantState, DefaultPositionsStartANewContext) {
  CartPole m(0);
  m.plant.SetDefaultFreeBodyPose(
      *m.stone, math::RigidTransform<double>(Vector3<double>(7, 8, 9)));
  m.plant.Finalize();
  m.plant.SetDefaultPositions(m.instance, Vector2<double>(0.1, 0.2));
  const auto context = m.plant.CreateDefaultContext();
  EXPECT_EQ(m.hinge->get_angle(*context), 0.2);
  EXPECT_TRUE(Near(m.stone->EvalPoseInWorld(*context).translation(),
                   Vector3<double>(7, 8, 9)));
}

TEST(PlantFreeBodies, PoseAndVelocityComeBackAsSet) {
  MovingCartPole m;
  const math::RigidTransform<double> X(math::RollPitchYaw<double>(1, 0.2, -0.4),
                                       Vector3<double>(3, 2, 1));
  m.plant.SetFreeBodyPose(m.context.get(), *m.stone, X);
  const SpatialVelocity<double> V(Vector3<double>(1, 2, 3),
                                  Vector3<double>(4, 5, 6));
  m.plant.SetFreeBodySpatialVelocity(m.context.get(), *m.stone, V);
  EXPECT_TRUE(Near(m.plant.GetFreeBodyPose(*m.context, *m.stone).GetAsMatrix4(),
                   X.GetAsMatrix4(), 1e-15));
  EXPECT_TRUE(Near(m.stone->EvalSpatialVelocityInWorld(*m.context).get_coeffs(),
                   V.get_coeffs(), 1e-14));
}

TEST(PlantFreeBodies, FramesOfTheJointMayBeAnywhere) {
  MultibodyPlant<double> plant(0);
  const auto& body =
      plant.AddRigidBody("body", test::MakeInertia(1, {0, 0, 0.1}, 0.2));
  plant.AddJoint<QuaternionFloatingJoint>(
      "free", plant.world_body(),
      math::RigidTransform<double>(math::RollPitchYaw<double>(0.1, 0.2, 0.3),
                                   Vector3<double>(1, 0, 2)),
      body,
      math::RigidTransform<double>(math::RollPitchYaw<double>(0.4, 0.5, 0.6),
                                   Vector3<double>(0.3, -0.2, 0.1)));
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const math::RigidTransform<double> X(math::RollPitchYaw<double>(1, 0.2, -0.4),
                                       Vector3<double>(3, 2, 1));
  const SpatialVelocity<double> V(Vector3<double>(1, 2, 3),
                                  Vector3<double>(4, 5, 6));
  const auto state = context->CloneState();
  plant.SetFreeBodyPose(*context, state.get(), body, X);
  plant.SetFreeBodySpatialVelocity(*context, state.get(), body, V);
  plant.SetFreeBodyPose(context.get(), body, X);
  plant.SetFreeBodySpatialVelocity(context.get(), body, V);
  EXPECT_TRUE(Near(body.EvalPoseInWorld(*context).GetAsMatrix4(),
                   X.GetAsMatrix4(), 1e-14));
  EXPECT_TRUE(Near(body.EvalSpatialVelocityInWorld(*context).get_coeffs(),
                   V.get_coeffs(), 1e-14));
  EXPECT_TRUE(Near(state->get_continuous_state().CopyToVector(),
                   plant.GetPositionsAndVelocities(*context), 1e-14));
}

TEST(PlantKinematics, QDotMapsInvertEachOther) {
  MovingCartPole m;
  const MatrixX<double> N = m.plant.MakeVelocityToQDotMap(*m.context);
  const MatrixX<double> Nplus = m.plant.MakeQDotToVelocityMap(*m.context);
  EXPECT_TRUE(Near(Nplus * N, MatrixX<double>::Identity(8, 8), 1e-14));
  VectorX<double> qdot(9);
  m.plant.MapVelocityToQDot(*m.context, m.v(), &qdot);
  EXPECT_TRUE(Near(qdot, N * m.v(), 1e-14));
  EXPECT_FALSE(m.plant.IsVelocityEqualToQDot());
}

TEST(PlantJacobians, SpatialJacobianTimesVelocityIsRelativeVelocity) {
  MovingCartPole m;
  const auto& B = m.pole->body_frame();
  const auto& A = m.stone->body_frame();
  MatrixX<double> J(6, 8);
  m.plant.CalcJacobianSpatialVelocity(*m.context, JacobianWrtVariable::kV, B,
                                      Vector3<double>::Zero(), A, A, &J);
  EXPECT_TRUE(Near(
      J * m.v(), B.CalcSpatialVelocity(*m.context, A, A).get_coeffs(), 1e-13));
  MatrixX<double> Jq(6, 9);
  m.plant.CalcJacobianSpatialVelocity(*m.context, JacobianWrtVariable::kQDot, B,
                                      Vector3<double>::Zero(), A, A, &Jq);
  const MatrixX<double> N = m.plant.MakeVelocityToQDotMap(*m.context);
  EXPECT_TRUE(Near(Jq * (N * m.v()), J * m.v(), 1e-13));
}

TEST(PlantJacobians, BiasCompletesTheAcceleration) {
  MovingCartPole m;
  const auto& B = m.pole->body_frame();
  const auto& A = m.stone->body_frame();
  MatrixX<double> J(6, 8);
  m.plant.CalcJacobianSpatialVelocity(*m.context, JacobianWrtVariable::kV, B,
                                      Vector3<double>::Zero(), A, A, &J);
  const VectorX<double> vdot =
      m.plant.get_generalized_acceleration_output_port().Eval(*m.context);
  const Vector6<double> bias =
      m.plant
          .CalcBiasSpatialAcceleration(*m.context, JacobianWrtVariable::kV, B,
                                       Vector3<double>::Zero(), A, A)
          .get_coeffs();
  EXPECT_TRUE(Near(B.CalcSpatialAcceleration(*m.context, A, A).get_coeffs(),
                   J * vdot + bias, 1e-12));
}

TEST(PlantMassProperties, MomentumIsMassTimesVelocityOfTheCenter) {
  MovingCartPole m;
  const double mass = m.plant.CalcTotalMass(*m.context);
  EXPECT_NEAR(mass, 4.5, 1e-15);
  EXPECT_TRUE(Near(
      m.plant
          .CalcSpatialMomentumInWorldAboutPoint(*m.context,
                                                Vector3<double>::Zero())
          .translational(),
      mass * m.plant.CalcCenterOfMassTranslationalVelocityInWorld(*m.context),
      1e-13));
  Matrix3X<double> J(3, 8);
  m.plant.CalcJacobianCenterOfMassTranslationalVelocity(
      *m.context, JacobianWrtVariable::kV, m.plant.world_frame(),
      m.plant.world_frame(), &J);
  EXPECT_TRUE(Near(
      J * m.v(),
      m.plant.CalcCenterOfMassTranslationalVelocityInWorld(*m.context), 1e-13));
}

TEST(PlantMassProperties, SpatialInertiaOfASetHasItsMassAndCenter) {
  MovingCartPole m;
  const SpatialInertia<double> M = m.plant.CalcSpatialInertia(
      *m.context, m.plant.world_frame(),
      {m.cart->index(), m.pole->index(), m.stone->index()});
  EXPECT_NEAR(M.get_mass(), 4.5, 1e-14);
  EXPECT_TRUE(Near(M.get_com(),
                   m.plant.CalcCenterOfMassPositionInWorld(*m.context), 1e-13));
}

TEST(PlantDynamics, InverseDynamicsUndoesForwardDynamics) {
  MovingCartPole m;
  const VectorX<double> vdot =
      m.plant.get_generalized_acceleration_output_port().Eval(*m.context);
  MultibodyForces<double> forces(m.plant);
  m.plant.CalcForceElementsContribution(*m.context, &forces);
  EXPECT_TRUE(Near(m.plant.CalcInverseDynamics(*m.context, vdot, forces),
                   VectorX<double>::Zero(8), 1e-12));
}

TEST(PlantDynamics, GravityElementIsWorthItsGeneralizedForces) {
  MovingCartPole m;
  MultibodyForces<double> forces(m.plant);
  m.plant.CalcForceElementsContribution(*m.context, &forces);
  VectorX<double> tau(8);
  m.plant.CalcGeneralizedForces(*m.context, forces, &tau);
  EXPECT_TRUE(
      Near(tau, m.plant.CalcGravityGeneralizedForces(*m.context), 1e-13));
}

TEST(PlantDynamics, PowerOfGravityIsTheRateOfEnergy) {
  MovingCartPole m;
  EXPECT_NEAR(m.plant.EvalConservativePower(*m.context),
              m.v().dot(m.plant.CalcGravityGeneralizedForces(*m.context)),
              1e-12);
}

TEST(RigidBodyParameters, MassChangesTheAcceleration) {
  MovingCartPole m;
  m.pole->SetMass(m.context.get(), 2);
  EXPECT_NEAR(m.plant.CalcTotalMass(*m.context), 6, 1e-15);
  EXPECT_EQ(m.pole->default_mass(), 0.5);
}

}  // namespace
}  // namespace wyvern::multibody
