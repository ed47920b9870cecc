// Poses and velocities of free bodies, by every way of setting them.

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using math::RigidTransform;
using math::RollPitchYaw;
using wyvern::test::Near;

template <typename T>
class FreeBodies : public test::ScalarPlants<T> {
 public:
  const RigidBody<T>& stone() const {
    return this->plant_->GetBodyByName("stone");
  }
  systems::Context<T>* c() { return this->context_.get(); }
  void ExpectPose(const RigidTransform<T>& X_WB) {
    const RigidTransform<T> X = stone().EvalPoseInWorld(*c());
    EXPECT_TRUE(Near(ToDouble(X.GetAsMatrix34()),
                     ToDouble(X_WB.GetAsMatrix34()), 1e-14));
  }
  void ExpectVelocity(const SpatialVelocity<T>& V_WB) {
    EXPECT_TRUE(
        Near(ToDouble(stone().EvalSpatialVelocityInWorld(*c()).get_coeffs()),
             ToDouble(V_WB.get_coeffs()), 1e-14));
  }
  const RigidTransform<T> X_{RollPitchYaw<T>(0.3, -0.4, 0.5),
                             Vector3<T>(1, 2, 3)};
  const SpatialVelocity<T> V_{Vector3<T>(1, 2, 3), Vector3<T>(4, 5, 6)};
};
TYPED_TEST_SUITE(FreeBodies, test::Scalars);

TYPED_TEST(FreeBodies, PosesAndVelocitiesComeBackAsSet) {
  const auto& plant = *this->plant_;
  plant.SetFreeBodyPose(this->c(), this->stone(), this->X_);
  plant.SetFreeBodySpatialVelocity(this->c(), this->stone(), this->V_);
  this->ExpectPose(this->X_);
  this->ExpectVelocity(this->V_);
  EXPECT_TRUE(Near(
      ToDouble(
          plant.GetFreeBodyPose(*this->c(), this->stone()).GetAsMatrix34()),
      ToDouble(this->X_.GetAsMatrix34()), 1e-14));
}

TYPED_TEST(FreeBodies, StatesAreSetAsContextsAre) {
  const auto& plant = *this->plant_;
  const auto state = this->c()->CloneState();
  plant.SetFreeBodyPose(*this->c(), state.get(), this->stone(), this->X_);
  plant.SetFreeBodySpatialVelocity(*this->c(), state.get(), this->stone(),
                                   this->V_);
  this->ExpectPose(RigidTransform<TypeParam>());
  this->c()->get_mutable_state().SetFrom(*state);
  this->ExpectPose(this->X_);
  this->ExpectVelocity(this->V_);
}

TYPED_TEST(FreeBodies, PosesAreGivenInTheWorldOrInAnchoredFrames) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  plant.SetFreeBodyPoseInWorldFrame(this->c(), this->stone(), this->X_);
  this->ExpectPose(this->X_);
  const Frame<T>& mark = plant.GetFrameByName("mark");
  plant.SetFreeBodyPoseInAnchoredFrame(this->c(), mark, this->stone(),
                                       this->X_);
  this->ExpectPose(mark.CalcPoseInWorld(*this->c()) * this->X_);
}

TYPED_TEST(FreeBodies, DefaultPosesStartNewContexts) {
  auto& open = this->open_;
  const auto& stone = open.GetBodyByName("stone");
  const RigidTransform<double> first(Eigen::Vector3d(7, 8, 9));
  open.SetDefaultFreeBodyPose(stone, first);
  EXPECT_TRUE(open.GetDefaultFreeBodyPose(stone).IsExactlyEqualTo(first));
  open.Finalize();
  auto context = open.CreateDefaultContext();
  const auto position = [&]() {
    return ToDouble(stone.EvalPoseInWorld(*context).translation());
  };
  EXPECT_TRUE(Near(position(), first.translation()));
  const RigidTransform<double> second(RollPitchYaw<double>(1, 0, 0),
                                      Eigen::Vector3d(1, 1, 1));
  open.SetDefaultFreeBodyPose(stone, second);
  EXPECT_TRUE(Near(open.GetDefaultFreeBodyPose(stone).GetAsMatrix34(),
                   second.GetAsMatrix34(), 1e-15));
  context = open.CreateDefaultContext();
  EXPECT_TRUE(Near(position(), second.translation()));
}

TYPED_TEST(FreeBodies, DefaultPosesOfOtherBodiesAreRememberedWithoutEffect) {
  using OtherScalar =
      std::conditional_t<std::is_same_v<TypeParam, double>, AutoDiffXd, double>;
  auto& open = this->open_;
  const auto expect = [](const auto& plant, const std::string& name, double x) {
    EXPECT_EQ(plant.GetDefaultFreeBodyPose(plant.GetBodyByName(name))
                  .translation()
                  .x(),
              x);
  };
  for (const char* name : {"pole", "world", "stone"}) {
    expect(open, name, 0);
    open.SetDefaultFreeBodyPose(
        open.GetBodyByName(name),
        RigidTransform<double>(Eigen::Vector3d(7, 8, 9)));
    expect(open, name, 7);
  }
  open.Finalize();
  for (const char* name : {"pole", "world", "stone"}) expect(open, name, 7);
  EXPECT_EQ(ToDouble(open.GetDefaultPositions(this->instance_)),
            Eigen::VectorXd(Eigen::VectorXd::Zero(2)));
  open.SetDefaultFreeBodyPose(open.GetBodyByName("pole"),
                              RigidTransform<double>());
  expect(open, "pole", 0);
  // The free one's pose is its joint's, which a copy does not set back.
  open.SetDefaultPositions(Eigen::VectorXd::Unit(9, 3));
  const MultibodyPlant<OtherScalar> copy(open);
  expect(copy, "world", 7);
  expect(copy, "pole", 0);
  EXPECT_EQ(ToDouble(copy.GetDefaultPositions()),
            Eigen::VectorXd(Eigen::VectorXd::Unit(9, 3)));
}

TYPED_TEST(FreeBodies, RandomPosesKeepWhatIsNotRandom) {
  using symbolic::Expression;
  using symbolic::Variable;
  auto& plant = *this->plant_;
  const Expression u(Variable("u", Variable::Type::RANDOM_UNIFORM));
  plant.SetFreeBodyRandomTranslationDistribution(
      this->stone(), Vector3<Expression>(u + 10, 0, 3));
  plant.SetFreeBodyRandomRotationDistribution(
      this->stone(), Eigen::Quaternion<Expression>(1, u, 0, 0));
  RandomGenerator generator;
  plant.SetRandomContext(this->c(), &generator);
  const auto X = this->stone().EvalPoseInWorld(*this->c());
  const Eigen::Vector3d p = ToDouble(X.translation());
  EXPECT_GT(p[0], 10);
  EXPECT_LT(p[0], 11);
  EXPECT_EQ(p[1], 0);
  EXPECT_EQ(p[2], 3);
  // About x alone, by up to a right angle.
  const Eigen::Matrix3d R = ToDouble(X.rotation().matrix());
  EXPECT_NEAR(R(0, 0), 1, 1e-15);
  EXPECT_GT(R(2, 1), 0);
}

TYPED_TEST(FreeBodies, RandomAnglesAreThoseOfRollPitchYaw) {
  using symbolic::Expression;
  using symbolic::Variable;
  auto& open = this->open_;
  open.SetBaseBodyJointType(BaseBodyJointType::kRpyFloatingJoint);
  open.Finalize();
  const auto& stone = open.GetBodyByName("stone");
  const Expression u(Variable("u", Variable::Type::RANDOM_UNIFORM));
  open.SetFreeBodyRandomAnglesDistribution(
      stone,
      math::RollPitchYaw<Expression>(Vector3<Expression>(0.5, u - 0.5, 0)));
  auto context = open.CreateDefaultContext();
  RandomGenerator generator;
  open.SetRandomContext(context.get(), &generator);
  const Eigen::VectorXd q = ToDouble(
      VectorX<TypeParam>(open.GetPositions(*context, this->model_.loose)));
  EXPECT_EQ(q[0], 0.5);
  EXPECT_LT(std::abs(q[1]), 0.5);
  EXPECT_NE(q[1], 0);
  EXPECT_EQ(q[2], 0);
}

TYPED_TEST(FreeBodies, CoordinatesAreNamedByTheirPlaceInTheBody) {
  const auto& stone = this->stone();
  EXPECT_TRUE(stone.is_floating());
  EXPECT_TRUE(stone.has_quaternion_dofs());
  EXPECT_EQ(stone.floating_positions_start(), 2);
  EXPECT_EQ(stone.floating_velocities_start_in_v(), 2);
  EXPECT_EQ(stone.floating_position_suffix(0), "qw");
  EXPECT_EQ(stone.floating_position_suffix(4), "x");
  EXPECT_EQ(stone.floating_velocity_suffix(5), "vz");
  EXPECT_THROW(stone.floating_position_suffix(7), std::out_of_range);
  EXPECT_THROW(stone.floating_velocity_suffix(-1), std::out_of_range);
}

}  // namespace
}  // namespace wyvern::multibody
