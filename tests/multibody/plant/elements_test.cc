// Elements in a plant: parents, parameters, ports of another kind, gaps.
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"

namespace wyvern::multibody {
namespace elements_test {

using test::CartPole;
using test::MakeInertia;
using test::Pendulum;
using wyvern::test::Near;

TEST(Elements, KnowTheirPlantAndScopedName) {
  CartPole m(0);
  EXPECT_EQ(&m.hinge->GetParentPlant(), &m.plant);
  EXPECT_EQ(m.pole->scoped_name().get_full(), "cart_pole::pole");
  const RevoluteJoint<double> orphan("orphan", m.plant.world_frame(),
                                     m.pole->body_frame(),
                                     Vector3<double>::UnitX());
  EXPECT_THROWS_MESSAGE(orphan.GetParentPlant(), std::logic_error,
                        "does not belong");
}

TEST(Elements, FramePoseIsAParameterThatMovesTheTree) {
  CartPole m(0);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  const auto& frame = dynamic_cast<const FixedOffsetFrame<double>&>(
      m.plant.GetFrameByName("hinge_parent"));
  EXPECT_TRUE(Near(m.pole->EvalPoseInWorld(*context).translation(),
                   Vector3<double>(0, 0, 0.1)));
  frame.SetPoseInParentFrame(
      context.get(), math::RigidTransform<double>(Vector3<double>(1, 2, 3)));
  EXPECT_TRUE(Near(m.pole->EvalPoseInWorld(*context).translation(),
                   Vector3<double>(1, 2, 3)));
}

TEST(Elements, RemovedJointLeavesAGapThatACopyKeeps) {
  MultibodyPlant<double> plant(0);
  const auto& a = plant.AddRigidBody("a", MakeInertia(1, {0, 0, 1}, 1));
  const auto& first = plant.AddJoint<RevoluteJoint>(
      "first", plant.world_body(), {}, a, {}, Vector3<double>::UnitX());
  const auto& second = plant.AddJoint<PrismaticJoint>(
      "second", plant.world_body(), {}, a, {}, Vector3<double>::UnitX());
  plant.RemoveJoint(first);
  EXPECT_EQ(second.index(), JointIndex(1));
  EXPECT_EQ(second.ordinal(), 0);
  EXPECT_FALSE(plant.has_joint(JointIndex(0)));
  plant.Finalize();
  const auto copy = systems::System<double>::ToAutoDiffXd(plant);
  EXPECT_EQ(copy->GetJointByName("second").index(), JointIndex(1));
  EXPECT_EQ(copy->num_joints(), 1);
}

TEST(Elements, JointWithAnActuatorIsNotRemoved) {
  CartPole m(0);
  EXPECT_THROWS_MESSAGE(m.plant.RemoveJoint(*m.slider), std::logic_error,
                        "actuator 'push'");
  m.plant.RemoveJointActuator(m.plant.GetJointActuatorByName("push"));
  m.plant.RemoveJoint(*m.slider);
  EXPECT_FALSE(m.plant.HasJointNamed("slider"));
}

TEST(Elements, InputsCloseUpBehindARemovedActuator) {
  CartPole m(0);
  m.plant.RemoveJointActuator(m.plant.GetJointActuatorByName("push"));
  m.plant.Finalize();
  EXPECT_EQ(m.plant.num_actuated_dofs(), 1);
  EXPECT_EQ(m.plant.GetJointActuatorByName("twist").input_start(), 0);
}

TEST(Elements, WeldedBodiesMoveAsOne) {
  Pendulum p(0);
  const auto& tip = p.plant.AddRigidBody("tip", MakeInertia(1, {0, 0, 0}, 0));
  const auto& weld = p.plant.WeldFrames(
      p.body->body_frame(), tip.body_frame(),
      math::RigidTransform<double>(Vector3<double>(0, 0, -1)));
  EXPECT_EQ(weld.name(), "bob_welds_to_tip");
  p.plant.Finalize();
  EXPECT_EQ(p.plant.GetBodiesWeldedTo(tip).size(), 2u);
  EXPECT_EQ(p.plant.GetBodiesKinematicallyAffectedBy({p.joint->index()}).size(),
            2u);
  const auto context = p.plant.CreateDefaultContext();
  MatrixX<double> M(1, 1);
  p.plant.CalcMassMatrix(*context, &M);
  EXPECT_NEAR(M(0, 0), Pendulum::kMoment + 1, 1e-14);
}

TEST(Elements, SecondGravityFieldIsRefused) {
  Pendulum p(0);
  EXPECT_THROWS_MESSAGE(p.plant.AddForceElement<UniformGravityFieldElement>(),
                        std::logic_error, "already has uniform gravity");
}

TEST(Elements, RandomOrientationIsDrawnOnlyWhereAskedFor) {
  CartPole m(0);
  m.plant.Finalize();
  RandomGenerator generator;
  const auto context = m.plant.CreateDefaultContext();
  const VectorX<double> q0 = m.plant.GetPositions(*context);
  m.plant.SetRandomContext(context.get(), &generator);
  EXPECT_TRUE(Near(m.plant.GetPositions(*context), q0));
  m.plant.SetFreeBodyRandomRotationDistributionToUniform(*m.stone);
  m.plant.SetRandomContext(context.get(), &generator);
  const VectorX<double> q = m.plant.GetPositions(*context, m.loose);
  EXPECT_GT((q - VectorX<double>(q0.tail(7))).norm(), 1e-3);
  EXPECT_NEAR(q.head<4>().norm(), 1, 1e-14);
}

// Two bodies on the x axis, one metre apart, with a spring between their
// origins.
struct SpringPair {
  explicit SpringPair(double time_step) : plant(time_step) {
    a = &plant.AddRigidBody("a", MakeInertia(1, {0, 0, 0}, 1));
    b = &plant.AddRigidBody("b", MakeInertia(2, {0, 0, 0}, 1));
    x_a = &plant.AddJoint<PrismaticJoint>("x_a", plant.world_body(), {}, *a, {},
                                          Vector3<double>::UnitX());
    x_b = &plant.AddJoint<PrismaticJoint>("x_b", plant.world_body(), {}, *b, {},
                                          Vector3<double>::UnitX());
    spring = &plant.AddForceElement<LinearSpringDamper>(
        *a, Vector3<double>(0, 0, 0), *b, Vector3<double>(0, 0, 0), 0.8, 50, 3);
    plant.Finalize();
    context = plant.CreateDefaultContext();
    x_b->set_translation(context.get(), 1);
    x_b->set_translation_rate(context.get(), 0.5);
  }
  MultibodyPlant<double> plant;
  const RigidBody<double>* a{};
  const RigidBody<double>* b{};
  const PrismaticJoint<double>* x_a{};
  const PrismaticJoint<double>* x_b{};
  const LinearSpringDamper<double>* spring{};
  std::unique_ptr<systems::Context<double>> context;
};

TEST(LinearSpringDamper, PullsItsEndsTogether) {
  SpringPair s(0);
  const double force = 50 * 0.2 + 3 * 0.5;
  const VectorX<double> vdot =
      s.plant.get_generalized_acceleration_output_port().Eval(*s.context);
  EXPECT_NEAR(vdot[s.x_a->velocity_start()], force, 1e-13);
  EXPECT_NEAR(vdot[s.x_b->velocity_start()], -force / 2, 1e-13);
}

TEST(LinearSpringDamper, PowersAddUpToTheRateOfEnergy) {
  SpringPair s(0);
  EXPECT_NEAR(s.plant.EvalPotentialEnergy(*s.context), 0.5 * 50 * 0.04, 1e-14);
  EXPECT_NEAR(s.plant.EvalConservativePower(*s.context), -50 * 0.2 * 0.5,
              1e-13);
  EXPECT_NEAR(s.plant.EvalNonConservativePower(*s.context), -3 * 0.25, 1e-13);
}

TEST(LinearSpringDamper, ActsInADiscreteStep) {
  SpringPair s(1e-3);
  s.plant.ExecuteForcedEvents(s.context.get());
  EXPECT_NEAR(s.x_a->get_translation_rate(*s.context), 1e-3 * 11.5, 1e-14);
}

TEST(LinearSpringDamper, RefusesBadArguments) {
  SpringPair s(0);
  const Vector3<double> o = Vector3<double>::Zero();
  EXPECT_THROWS_MESSAGE(LinearSpringDamper<double>(*s.a, o, *s.b, o, 0, 1, 1),
                        std::logic_error, "free length");
  EXPECT_THROWS_MESSAGE(LinearSpringDamper<double>(*s.a, o, *s.b, o, 1, -1, 1),
                        std::logic_error, "stiffness");
}

}  // namespace elements_test
}  // namespace wyvern::multibody
