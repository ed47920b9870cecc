// The gimbal's own functions, on both scalars.

#include "wyvern/multibody/standalone/space_xyz_mobilizer.h"

#include <numbers>

#include <gtest/gtest.h>

#include "tests/multibody/standalone/standalone_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/rotation_matrix.h"

namespace wyvern::multibody {
namespace {

using test::Mixed;
using wyvern::test::Near;
constexpr double kPi = std::numbers::pi;

template <typename T>
class SpaceXYZMobilizerTest : public ::testing::Test {
 public:
  using V3 = Vector3<T>;
  SpaceXYZMobilizerTest() {
    model.tree.Finalize();
    context = model.tree.CreateDefaultContext();
  }
  const MultibodyTreeContext<T>& tree_context() const {
    return dynamic_cast<const MultibodyTreeContext<T>&>(*context);
  }

  Mixed<T> model;
  std::unique_ptr<systems::LeafContext<T>> context;
};
using Scalars = ::testing::Types<double, AutoDiffXd>;
TYPED_TEST_SUITE(SpaceXYZMobilizerTest, Scalars);

TYPED_TEST(SpaceXYZMobilizerTest, AnglesAndVelocityAreReadAsTheyWereSet) {
  const Vector3<TypeParam> angles(0.1, -0.2, 0.3), w(1, 2, 3);
  const auto& wrist = *this->model.wrist;
  EXPECT_EQ(&wrist.set_angles(this->context.get(), angles), &wrist);
  EXPECT_EQ(&wrist.set_angular_velocity(this->context.get(), w), &wrist);
  EXPECT_EQ(wrist.get_angles(*this->context), angles);
  EXPECT_EQ(wrist.get_angular_velocity(*this->context), w);
  // The neighbour is as it was.
  EXPECT_EQ(this->model.shoulder->get_angles(*this->context),
            Vector3<TypeParam>(0, 0, 0));
  EXPECT_EQ(wrist.num_positions(), 3);
  EXPECT_EQ(wrist.num_velocities(), 3);
}

TYPED_TEST(SpaceXYZMobilizerTest, RotationIsRzRyRx) {
  using Rotation = math::RotationMatrix<TypeParam>;
  this->model.shoulder->set_angles(this->context.get(), {0.4, -0.7, 1.1});
  const Isometry3<TypeParam> X_FM =
      this->model.shoulder->CalcAcrossMobilizerTransform(this->tree_context());
  const Matrix3<TypeParam> expected =
      (Rotation::MakeZRotation(1.1) * Rotation::MakeYRotation(-0.7) *
       Rotation::MakeXRotation(0.4))
          .matrix();
  EXPECT_TRUE(Near(test::Value(X_FM.linear()), test::Value(expected), 1e-15));
  EXPECT_TRUE(Near(test::Value(X_FM.translation()), Eigen::Vector3d::Zero()));
}

TYPED_TEST(SpaceXYZMobilizerTest, AnglesAreThoseOfAGivenRotation) {
  using Rotation = math::RotationMatrix<TypeParam>;
  const Vector3<TypeParam> angles(0.4, -0.7, 1.1);
  const Rotation R(
      math::RollPitchYaw<TypeParam>(angles[0], angles[1], angles[2]));
  // Noise that a projection removes.
  const Matrix3<TypeParam> R_FM = R.matrix() * TypeParam(1.001);
  const auto& shoulder = *this->model.shoulder;
  EXPECT_EQ(&shoulder.SetFromRotationMatrix(this->context.get(), R_FM),
            &shoulder);
  EXPECT_TRUE(Near(test::Value(shoulder.get_angles(*this->context)),
                   test::Value(angles), 1e-14));
}

TYPED_TEST(SpaceXYZMobilizerTest, ReflectionsAreNoRotations) {
  Matrix3<TypeParam> mirror = Matrix3<TypeParam>::Identity();
  mirror(2, 2) = -1;
  EXPECT_THROW(
      this->model.shoulder->SetFromRotationMatrix(this->context.get(), mirror),
      std::logic_error);
  EXPECT_THROW(this->model.shoulder->SetFromRotationMatrix(
                   this->context.get(), Matrix3<TypeParam>::Zero()),
               std::logic_error);
}

TYPED_TEST(SpaceXYZMobilizerTest, VelocityIsTheAngularVelocityInF) {
  const Vector3<TypeParam> w(1, -2, 3);
  this->model.shoulder->set_angles(this->context.get(), {0.4, -0.7, 1.1});
  const SpatialVelocity<TypeParam> V =
      this->model.shoulder->CalcAcrossMobilizerSpatialVelocity(
          this->tree_context(), w);
  EXPECT_EQ(V.rotational(), w);
  EXPECT_EQ(V.translational(), Vector3<TypeParam>(0, 0, 0));
  const SpatialAcceleration<TypeParam> A =
      this->model.shoulder->CalcAcrossMobilizerSpatialAcceleration(
          this->tree_context(), w);
  EXPECT_EQ(A.rotational(), w);
  EXPECT_EQ(A.translational(), Vector3<TypeParam>(0, 0, 0));
}

// d/dt R_FM = [w_FM] R_FM, the rates being those of MapVelocityToQDot().
TEST(SpaceXYZMobilizer, RatesOfTheAnglesTurnTheFrameByTheVelocity) {
  Mixed<AutoDiffXd> model;
  model.tree.Finalize();
  auto context = model.tree.CreateDefaultContext();
  const auto& tree_context =
      dynamic_cast<const MultibodyTreeContext<AutoDiffXd>&>(*context);
  const Vector3<AutoDiffXd> w(1, -2, 3);
  Vector3<AutoDiffXd> angles(0.4, -0.7, 1.1);
  model.shoulder->set_angles(context.get(), angles);
  VectorX<AutoDiffXd> rates(3);
  model.shoulder->MapVelocityToQDot(tree_context, w, &rates);
  for (int i = 0; i < 3; ++i) {
    angles[i].derivatives() = Eigen::VectorXd::Constant(1, rates[i].value());
  }
  model.shoulder->set_angles(context.get(), angles);
  const Matrix3<AutoDiffXd> R =
      model.shoulder->CalcAcrossMobilizerTransform(tree_context).linear();
  Eigen::Matrix3d Rdot, value;
  for (int i = 0; i < 9; ++i) {
    value.data()[i] = R.data()[i].value();
    Rdot.data()[i] = R.data()[i].derivatives()[0];
  }
  Eigen::Matrix3d w_cross;
  w_cross << 0, -3, -2, 3, 0, -1, 2, 1, 0;
  EXPECT_TRUE(Near(Rdot, w_cross * value, 1e-14));
}

TYPED_TEST(SpaceXYZMobilizerTest, RatesAndVelocityMapBackAndForth) {
  this->model.shoulder->set_angles(this->context.get(), {0.4, -0.7, 1.1});
  const VectorX<TypeParam> w = Vector3<TypeParam>(1, -2, 3);
  VectorX<TypeParam> rates(3), back(3);
  this->model.shoulder->MapVelocityToQDot(this->tree_context(), w, &rates);
  this->model.shoulder->MapQDotToVelocity(this->tree_context(), rates, &back);
  EXPECT_TRUE(Near(test::Value(back), test::Value(w), 1e-14));
}

TYPED_TEST(SpaceXYZMobilizerTest, GimbalLockHasVelocitiesButNoRates) {
  const VectorX<TypeParam> w = Vector3<TypeParam>(1, 0, 0);
  VectorX<TypeParam> result(3);
  for (double pitch : {kPi / 2, -kPi / 2, 1.5 * kPi, kPi / 2 - 0.9e-3}) {
    this->model.shoulder->set_angles(this->context.get(), {0.1, pitch, 0.2});
    EXPECT_THROWS_MESSAGE(this->model.shoulder->MapVelocityToQDot(
                              this->tree_context(), w, &result),
                          std::runtime_error, "gimbal");
    EXPECT_NO_THROW(this->model.shoulder->MapQDotToVelocity(
        this->tree_context(), w, &result));
  }
  this->model.shoulder->set_angles(this->context.get(),
                                   {0.1, kPi / 2 - 1.1e-3, 0.2});
  EXPECT_NO_THROW(this->model.shoulder->MapVelocityToQDot(this->tree_context(),
                                                          w, &result));
}

TYPED_TEST(SpaceXYZMobilizerTest, ProjectionKeepsTheMomentAlone) {
  const SpatialForce<TypeParam> F(Vector3<TypeParam>(1, 2, 3),
                                  Vector3<TypeParam>(4, 5, 6));
  VectorX<TypeParam> tau(3);
  this->model.shoulder->ProjectSpatialForce(this->tree_context(), F, tau);
  EXPECT_EQ(tau, Vector3<TypeParam>(1, 2, 3));
}

TYPED_TEST(SpaceXYZMobilizerTest, ZeroStateIsCoincidenceAtRest) {
  const auto& wrist = *this->model.wrist;
  wrist.set_angles(this->context.get(), {0.4, -0.7, 1.1});
  this->model.shoulder->set_angles(this->context.get(), {1, 1, 1});
  auto state = this->context->CloneState();
  wrist.set_angular_velocity(*this->context, {1, 2, 3}, state.get());
  EXPECT_EQ(wrist.get_angular_velocity(*this->context),
            Vector3<TypeParam>(0, 0, 0));
  this->context->get_mutable_state().SetFrom(*state);
  EXPECT_EQ(wrist.get_angular_velocity(*this->context),
            Vector3<TypeParam>(1, 2, 3));
  wrist.set_zero_configuration(this->context.get());
  EXPECT_EQ(wrist.get_angles(*this->context), Vector3<TypeParam>(0, 0, 0));
  EXPECT_EQ(wrist.get_angular_velocity(*this->context),
            Vector3<TypeParam>(0, 0, 0));
  EXPECT_EQ(this->model.shoulder->get_angles(*this->context),
            Vector3<TypeParam>(1, 1, 1));
}

TYPED_TEST(SpaceXYZMobilizerTest, WrongArgumentsAreRefused) {
  const auto& shoulder = *this->model.shoulder;
  VectorX<TypeParam> two(2), three(3);
  three.setZero();
  two.setZero();
  EXPECT_THROW(shoulder.set_angles(nullptr, {0, 0, 0}), std::logic_error);
  EXPECT_THROWS_MESSAGE(shoulder.set_angles(this->context.get(), {0, NAN, 0}),
                        std::logic_error, "angles[1] is ");
  EXPECT_THROW(
      shoulder.CalcAcrossMobilizerSpatialVelocity(this->tree_context(), two),
      std::logic_error);
  EXPECT_THROW(shoulder.MapVelocityToQDot(this->tree_context(), three, nullptr),
               std::logic_error);
  EXPECT_THROW(shoulder.MapQDotToVelocity(this->tree_context(), three, &two),
               std::logic_error);
  EXPECT_THROW(shoulder.ProjectSpatialForce(
                   this->tree_context(), SpatialForce<TypeParam>::Zero(), two),
               std::logic_error);
}

TYPED_TEST(SpaceXYZMobilizerTest, ContextsOfOthersAreRefused) {
  Mixed<TypeParam> other;
  other.tree.Finalize();
  auto foreign = other.tree.CreateDefaultContext();
  EXPECT_THROW(this->model.shoulder->get_angles(*foreign), std::logic_error);
  EXPECT_THROW(this->model.shoulder->set_angles(foreign.get(), {0, 0, 0}),
               std::logic_error);
  systems::LeafContext<TypeParam> plain;
  const auto& shoulder = *this->model.shoulder;
  const char* error = "not that of a MultibodyTree";
  EXPECT_THROWS_MESSAGE(shoulder.get_angles(plain), std::logic_error, error);
  EXPECT_THROWS_MESSAGE(shoulder.get_angular_velocity(plain), std::logic_error,
                        error);
  EXPECT_THROWS_MESSAGE(shoulder.set_angles(&plain, {0, 0, 0}),
                        std::logic_error, error);
  EXPECT_THROWS_MESSAGE(shoulder.set_angular_velocity(&plain, {0, 0, 0}),
                        std::logic_error, error);
  EXPECT_THROWS_MESSAGE(
      shoulder.SetFromRotationMatrix(&plain, Matrix3<TypeParam>::Identity()),
      std::logic_error, error);
}

TYPED_TEST(SpaceXYZMobilizerTest, CopiesAreOnTheCopysFrames) {
  const auto copy = this->model.tree.ToAutoDiffXd();
  const auto clone =
      this->model.shoulder->template CloneToScalar<AutoDiffXd>(*copy);
  EXPECT_EQ(&clone->inboard_frame(), &copy->get_world_frame());
  EXPECT_EQ(&clone->outboard_body(), &copy->get_variant(*this->model.arm));
}

}  // namespace
}  // namespace wyvern::multibody
