// Random states of every joint that can have one.
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/screw_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"

namespace wyvern::multibody {
namespace random_state_test {

using symbolic::Expression;
using symbolic::Variable;
using test::MakeInertia;
using wyvern::test::Near;

Expression Uniform() {
  return Expression(Variable("u", Variable::Type::RANDOM_UNIFORM));
}

// One body on one joint.
template <template <typename> class JointType>
struct OneJoint {
  template <class... Args>
  explicit OneJoint(Args... args) {
    const auto& body = plant.AddRigidBody("body", MakeInertia(1, {0, 0, 0}, 1));
    const auto& added = plant.AddJoint<JointType>("joint", plant.world_body(),
                                                  {}, body, {}, args...);
    joint = &plant.template GetMutableJointByName<JointType>(added.name());
  }
  VectorX<double> Draw() {
    if (!plant.is_finalized()) plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    plant.SetRandomContext(context.get(), &generator);
    EXPECT_EQ(plant.GetVelocities(*context).norm(), 0);
    return plant.GetPositions(*context);
  }
  MultibodyPlant<double> plant{0};
  JointType<double>* joint{};
  RandomGenerator generator;
};

void ExpectWithin(const VectorX<double>& q, double lower, double upper) {
  EXPECT_GE(q.minCoeff(), lower);
  EXPECT_LT(q.maxCoeff(), upper);
}

TEST(RandomState, OfJointsWithOneDegreeOfFreedom) {
  OneJoint<RevoluteJoint> revolute(Vector3<double>(0, 0, 1));
  revolute.joint->set_random_angle_distribution(2 + 0.5 * Uniform());
  ExpectWithin(revolute.Draw(), 2, 2.5);
  OneJoint<PrismaticJoint> prismatic(Vector3<double>(0, 0, 1));
  prismatic.joint->set_random_translation_distribution(3 + Uniform());
  ExpectWithin(prismatic.Draw(), 3, 4);
  OneJoint<ScrewJoint> screw(0.1, 0.0);
  screw.joint->set_random_pose_distribution(
      Vector<Expression, 1>(4 + Uniform()));
  ExpectWithin(screw.Draw(), 4, 5);
}

TEST(RandomState, OfJointsWithSeveral) {
  OneJoint<UniversalJoint> universal;
  universal.joint->set_random_angles_distribution(
      Vector2<Expression>(1 + Uniform(), 1.5));
  ExpectWithin(universal.Draw(), 1, 2);
  OneJoint<PlanarJoint> planar(Vector3<double>(0, 0, 0));
  planar.joint->set_random_pose_distribution(
      Vector2<Expression>(1 + Uniform(), 1 + Uniform()), 1 + Uniform());
  ExpectWithin(planar.Draw(), 1, 2);
  OneJoint<BallRpyJoint> ball;
  ball.joint->set_random_angles_distribution(
      Vector3<Expression>::Constant(1 + Uniform()));
  const VectorX<double> q = ball.Draw();
  ExpectWithin(q, 1, 2);
  // One variable, one value.
  EXPECT_EQ(q[0], q[2]);
  OneJoint<QuaternionBallJoint> socket;
  socket.joint->set_random_quaternion_distribution_to_uniform();
  EXPECT_NEAR(socket.Draw().norm(), 1, 1e-15);
  EXPECT_NE(socket.Draw()[1], socket.Draw()[1]);
}

TEST(RandomState, LeavesDefaultsWhereNothingIsRandom) {
  OneJoint<RpyFloatingJoint> m;
  m.joint->set_default_angles(Vector3<double>(0.1, 0.2, 0.3));
  m.joint->set_random_translation_distribution(
      Vector3<Expression>(Uniform(), Uniform(), 7));
  const VectorX<double> first = m.Draw(), second = m.Draw();
  EXPECT_TRUE(Near(first.head<3>(), Vector3<double>(0.1, 0.2, 0.3)));
  EXPECT_EQ(first[5], 7);
  EXPECT_NE(first[3], second[3]);
}

TEST(RandomState, QuaternionsComeOutNormalized) {
  OneJoint<QuaternionFloatingJoint> m;
  m.joint->set_random_quaternion_distribution(
      Eigen::Quaternion<Expression>(3, Expression(0), 4, 0));
  m.joint->set_random_translation_distribution(
      Vector3<Expression>(1 + Uniform(), 1 + Uniform(), 1 + Uniform()));
  const VectorX<double> q = m.Draw();
  EXPECT_TRUE(Near(q.head<4>(), Vector4<double>(0.6, 0, 0.8, 0), 1e-15));
  ExpectWithin(q.tail<3>(), 1, 2);
}

TEST(RandomState, UniformOrientationsHaveNoPreference) {
  OneJoint<QuaternionFloatingJoint> m;
  m.joint->set_random_quaternion_distribution_to_uniform();
  m.plant.Finalize();
  Matrix4<double> second_moment = Matrix4<double>::Zero();
  constexpr int kDraws = 4000;
  VectorX<double> q(7);
  for (int i = 0; i < kDraws; ++i) {
    m.joint->DrawRandomPositions(&m.generator, &q);
    second_moment += q.head<4>() * q.head<4>().transpose() / kDraws;
  }
  // Five standard deviations of the mean of such products.
  EXPECT_TRUE(Near(second_moment, Matrix4<double>::Identity() / 4, 0.02));
}

TEST(RandomState, OfFreeBodies) {
  MultibodyPlant<double> plant(0);
  const auto& a = plant.AddRigidBody("a", MakeInertia(1, {0, 0, 0}, 1));
  const auto rpy = plant.AddModelInstance("rpy");
  const auto& b = plant.AddRigidBody("b", rpy, MakeInertia(1, {0, 0, 0}, 1));
  plant.SetBaseBodyJointType(BaseBodyJointType::kRpyFloatingJoint, rpy);
  plant.Finalize();
  const Vector3<Expression> p(1 + Uniform(), 2, 3);
  plant.SetFreeBodyRandomTranslationDistribution(a, p);
  plant.SetFreeBodyRandomTranslationDistribution(b, p);
  plant.SetFreeBodyRandomRotationDistribution(
      a, Eigen::Quaternion<Expression>(0, 1, 0, 0));
  plant.SetFreeBodyRandomAnglesDistribution(
      b, math::RollPitchYaw<Expression>(0.1, 0.2 + 0 * Uniform(), 0.3));
  const auto context = plant.CreateDefaultContext();
  RandomGenerator generator;
  plant.SetRandomContext(context.get(), &generator);
  const auto X_WA = plant.GetFreeBodyPose(*context, a);
  const auto X_WB = plant.GetFreeBodyPose(*context, b);
  EXPECT_TRUE(Near(X_WA.rotation().matrix().diagonal(),
                   Vector3<double>(1, -1, -1), 1e-15));
  EXPECT_TRUE(Near(
      X_WB.rotation().matrix(),
      math::RotationMatrix<double>(math::RollPitchYaw<double>(0.1, 0.2, 0.3))
          .matrix(),
      1e-15));
  for (const auto& X : {X_WA, X_WB}) ExpectWithin(X.translation(), 1, 3.1);
}

TEST(RandomState, IsKeptByACopyOnAnotherScalar) {
  OneJoint<RevoluteJoint> m(Vector3<double>(0, 0, 1));
  m.joint->set_random_angle_distribution(2 + Uniform());
  m.plant.Finalize();
  const auto copy = systems::System<double>::ToAutoDiffXd(m.plant);
  const auto context = copy->CreateDefaultContext();
  RandomGenerator generator;
  copy->SetRandomContext(context.get(), &generator);
  EXPECT_GE(copy->GetPositions(*context)[0], 2);
}

TEST(RandomState, RefusesWrongJointsAndBadValuesByName) {
  OneJoint<RpyFloatingJoint> m;
  const auto& body = m.plant.GetBodyByName("body");
  EXPECT_THROWS_MESSAGE(m.plant.SetFreeBodyRandomAnglesDistribution(
                            body, math::RollPitchYaw<Expression>(0, 0, 0)),
                        std::logic_error, "Finalize");
  m.joint->set_random_translation_distribution(
      Vector3<Expression>(exp(1000 + Uniform()), 0, 0));
  m.plant.Finalize();
  EXPECT_THROWS_MESSAGE(
      m.plant.SetFreeBodyRandomRotationDistributionToUniform(body),
      std::logic_error, "moves body 'body'; a quaternion_floating");
  EXPECT_THROWS_MESSAGE(m.Draw(), std::runtime_error, "joint 'joint'");
}

}  // namespace random_state_test
}  // namespace wyvern::multibody
