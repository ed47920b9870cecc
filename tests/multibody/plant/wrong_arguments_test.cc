// Vectors of the wrong size, null pointers, numbers that are not finite, bodies
// that are not free, Contexts of others: refused on both scalars, and nothing
// is changed.

#include <limits>

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using Eigen::VectorXd;

template <typename T>
class WrongArguments : public test::ScalarPlants<T> {};
TYPED_TEST_SUITE(WrongArguments, test::Scalars);

#define EXPECT_IS_REFUSED(call) EXPECT_THROW(call, std::logic_error)

TYPED_TEST(WrongArguments, StatesOfTheWrongSizeAreNotSet) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  auto* c = this->context_.get();
  const ModelInstanceIndex i = this->instance_;
  const auto state = c->CloneState();
  const VectorX<T> x = VectorX<T>::Ones(5);
  EXPECT_IS_REFUSED(plant.SetPositions(c, x));
  EXPECT_IS_REFUSED(plant.SetPositions(c, i, x));
  EXPECT_IS_REFUSED(plant.SetPositions(*c, state.get(), i, x));
  EXPECT_IS_REFUSED(plant.SetVelocities(c, x));
  EXPECT_IS_REFUSED(plant.SetVelocities(c, i, x));
  EXPECT_IS_REFUSED(plant.SetVelocities(*c, state.get(), i, x));
  EXPECT_IS_REFUSED(plant.SetPositionsAndVelocities(c, x));
  EXPECT_IS_REFUSED(plant.SetPositionsAndVelocities(c, i, x));
  EXPECT_EQ(plant.GetVelocities(*c), VectorX<T>::Zero(8));
  VectorX<T> out(5);
  EXPECT_IS_REFUSED(plant.GetPositions(*c, i, &out));
  EXPECT_IS_REFUSED(plant.GetVelocities(*c, i, &out));
  EXPECT_IS_REFUSED(plant.GetPositionsAndVelocities(*c, i, &out));
}

TYPED_TEST(WrongArguments, StatesOfNowhereAreNeitherSetNorRead) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  auto* c = this->context_.get();
  const ModelInstanceIndex n = this->nowhere_;
  const auto state = c->CloneState();
  VectorX<T> x = VectorX<T>::Ones(2);
  EXPECT_IS_REFUSED(plant.GetPositions(*c, n));
  EXPECT_IS_REFUSED(plant.GetPositions(*c, n, &x));
  EXPECT_IS_REFUSED(plant.GetVelocities(*c, n));
  EXPECT_IS_REFUSED(plant.GetVelocities(*c, n, &x));
  EXPECT_IS_REFUSED(plant.GetPositionsAndVelocities(*c, n));
  EXPECT_IS_REFUSED(plant.GetPositionsAndVelocities(*c, n, &x));
  EXPECT_IS_REFUSED(plant.SetPositions(c, n, x));
  EXPECT_IS_REFUSED(plant.SetPositions(*c, state.get(), n, x));
  EXPECT_IS_REFUSED(plant.SetVelocities(c, n, x));
  EXPECT_IS_REFUSED(plant.SetVelocities(*c, state.get(), n, x));
  EXPECT_IS_REFUSED(plant.SetPositionsAndVelocities(c, n, x));
  EXPECT_IS_REFUSED(plant.GetDefaultPositions(n));
  EXPECT_IS_REFUSED(this->plant_->SetDefaultPositions(n, VectorXd::Zero(2)));
}

TYPED_TEST(WrongArguments, NullPointersAreRefused) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const auto& c = *this->context_;
  const ModelInstanceIndex i = this->instance_;
  const VectorX<T> two = VectorX<T>::Ones(2), nine = VectorX<T>::Ones(9);
  const VectorX<T> eight = VectorX<T>::Ones(8);
  systems::Context<T>* null = nullptr;
  systems::State<T>* no_state = nullptr;
  EXPECT_IS_REFUSED(plant.SetPositions(null, nine));
  EXPECT_IS_REFUSED(plant.SetPositions(null, i, two));
  EXPECT_IS_REFUSED(plant.SetPositions(c, no_state, i, two));
  EXPECT_IS_REFUSED(plant.SetVelocities(null, eight));
  EXPECT_IS_REFUSED(plant.SetVelocities(null, i, two));
  EXPECT_IS_REFUSED(plant.SetVelocities(c, no_state, i, two));
  EXPECT_IS_REFUSED(
      plant.SetPositionsAndVelocities(null, VectorX<T>::Ones(17)));
  EXPECT_IS_REFUSED(
      plant.SetPositionsAndVelocities(null, i, VectorX<T>::Ones(4)));
  EXPECT_IS_REFUSED(plant.GetPositions(c, i, nullptr));
  EXPECT_IS_REFUSED(plant.GetVelocities(c, i, nullptr));
  EXPECT_IS_REFUSED(plant.GetPositionsAndVelocities(c, i, nullptr));
  EXPECT_IS_REFUSED(plant.GetPositionsFromArray(i, nine, nullptr));
  EXPECT_IS_REFUSED(plant.GetVelocitiesFromArray(i, eight, nullptr));
  EXPECT_IS_REFUSED(plant.SetPositionsInArray(i, two, nullptr));
  EXPECT_IS_REFUSED(plant.SetVelocitiesInArray(i, two, nullptr));
  EXPECT_IS_REFUSED(plant.SetActuationInArray(i, two, nullptr));
  EXPECT_IS_REFUSED(plant.SetConstraintActiveStatus(
      null, MultibodyConstraintId::get_new_id(), true));
}

TYPED_TEST(WrongArguments, PiecesOfArraysMustFit) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const ModelInstanceIndex i = this->instance_;
  VectorX<T> two = VectorX<T>::Zero(2), three = VectorX<T>::Zero(3);
  VectorX<T> eight = VectorX<T>::Zero(8), nine = VectorX<T>::Zero(9);
  EXPECT_IS_REFUSED(plant.GetPositionsFromArray(i, eight));
  EXPECT_IS_REFUSED(plant.GetPositionsFromArray(i, eight, &two));
  EXPECT_IS_REFUSED(plant.GetPositionsFromArray(i, nine, &three));
  EXPECT_IS_REFUSED(plant.GetVelocitiesFromArray(i, nine));
  EXPECT_IS_REFUSED(plant.GetVelocitiesFromArray(i, nine, &two));
  EXPECT_IS_REFUSED(plant.GetVelocitiesFromArray(i, eight, &three));
  EXPECT_IS_REFUSED(plant.GetActuationFromArray(i, three));
  EXPECT_IS_REFUSED(plant.SetPositionsInArray(i, three, &nine));
  EXPECT_IS_REFUSED(plant.SetPositionsInArray(i, two, &eight));
  EXPECT_IS_REFUSED(plant.SetVelocitiesInArray(i, three, &eight));
  EXPECT_IS_REFUSED(plant.SetVelocitiesInArray(i, two, &nine));
  EXPECT_IS_REFUSED(plant.SetActuationInArray(i, three, &two));
  EXPECT_IS_REFUSED(plant.SetActuationInArray(i, two, &three));
  EXPECT_IS_REFUSED(plant.GetPositionsFromArray(this->nowhere_, nine));
  EXPECT_IS_REFUSED(plant.GetVelocitiesFromArray(this->nowhere_, eight));
  EXPECT_IS_REFUSED(plant.GetActuationFromArray(this->nowhere_, two));
}

TYPED_TEST(WrongArguments, DefaultPositionsMustFit) {
  auto& plant = *this->plant_;
  EXPECT_IS_REFUSED(plant.SetDefaultPositions(VectorXd::Zero(8)));
  EXPECT_IS_REFUSED(
      plant.SetDefaultPositions(this->instance_, VectorXd::Zero(3)));
  VectorXd q = VectorXd::Zero(2);
  q[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_IS_REFUSED(plant.SetDefaultPositions(this->instance_, q));
}

TYPED_TEST(WrongArguments, NumbersThatAreNotFiniteAreNotSet) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  auto* c = this->context_.get();
  const auto state = c->CloneState();
  for (double bad : {std::numeric_limits<double>::quiet_NaN(),
                     std::numeric_limits<double>::infinity()}) {
    const VectorX<T> two = VectorX<T>::Constant(2, T(bad));
    EXPECT_IS_REFUSED(plant.SetPositions(c, VectorX<T>::Constant(9, T(bad))));
    EXPECT_IS_REFUSED(plant.SetPositions(c, this->instance_, two));
    EXPECT_IS_REFUSED(
        plant.SetPositions(*c, state.get(), this->instance_, two));
    EXPECT_IS_REFUSED(plant.SetVelocities(c, VectorX<T>::Constant(8, T(bad))));
    EXPECT_IS_REFUSED(plant.SetVelocities(c, this->instance_, two));
    EXPECT_IS_REFUSED(
        plant.SetVelocities(*c, state.get(), this->instance_, two));
    EXPECT_IS_REFUSED(
        plant.SetPositionsAndVelocities(c, VectorX<T>::Constant(17, T(bad))));
  }
  EXPECT_EQ(plant.GetVelocities(*c), VectorX<T>::Zero(8));
}

TYPED_TEST(WrongArguments, BodiesThatAreNotFreeHaveNoFreePose) {
  using T = TypeParam;
  auto& plant = *this->plant_;
  auto* c = this->context_.get();
  const auto state = c->CloneState();
  const math::RigidTransform<T> X;
  const SpatialVelocity<T> V = SpatialVelocity<T>::Zero();
  const Vector3<symbolic::Expression> p(0, 0, 0);
  for (const char* name : {"pole", "flag", "world"}) {
    const RigidBody<T>& body = plant.GetBodyByName(name);
    EXPECT_IS_REFUSED(plant.GetFreeBodyPose(*c, body));
    EXPECT_IS_REFUSED(plant.SetFreeBodyPose(c, body, X));
    EXPECT_IS_REFUSED(plant.SetFreeBodyPose(*c, state.get(), body, X));
    EXPECT_IS_REFUSED(plant.SetFreeBodySpatialVelocity(c, body, V));
    EXPECT_IS_REFUSED(
        plant.SetFreeBodySpatialVelocity(*c, state.get(), body, V));
    EXPECT_IS_REFUSED(plant.SetFreeBodyPoseInWorldFrame(c, body, X));
    EXPECT_IS_REFUSED(plant.SetFreeBodyPoseInAnchoredFrame(
        c, plant.GetFrameByName("mark"), body, X));
    EXPECT_IS_REFUSED(plant.SetFreeBodyRandomTranslationDistribution(body, p));
    EXPECT_IS_REFUSED(plant.SetFreeBodyRandomRotationDistribution(
        body, Eigen::Quaternion<symbolic::Expression>(1, 0, 0, 0)));
    EXPECT_IS_REFUSED(
        plant.SetFreeBodyRandomRotationDistributionToUniform(body));
    EXPECT_IS_REFUSED(plant.SetFreeBodyRandomAnglesDistribution(
        body, math::RollPitchYaw<symbolic::Expression>(p)));
    if (body.index() == world_index()) continue;
    EXPECT_IS_REFUSED(body.floating_positions_start());
    EXPECT_IS_REFUSED(body.floating_velocities_start_in_v());
  }
  EXPECT_IS_REFUSED(plant.GetUniqueFreeBaseBodyOrThrow(this->instance_));
  EXPECT_FALSE(plant.HasUniqueFreeBaseBody(this->instance_));
}

TYPED_TEST(WrongArguments, FramesThatMoveAreNoAnchors) {
  auto& plant = *this->plant_;
  const auto& stone = plant.GetBodyByName("stone");
  const math::RigidTransform<TypeParam> X;
  EXPECT_THROWS_MESSAGE(
      plant.SetFreeBodyPoseInAnchoredFrame(
          this->context_.get(), plant.GetFrameByName("tip"), stone, X),
      std::logic_error, "'tip'");
  EXPECT_NO_THROW(plant.SetFreeBodyPoseInAnchoredFrame(
      this->context_.get(), plant.GetFrameByName("mark"), stone, X));
}

TYPED_TEST(WrongArguments, FreeBodiesHaveDistributionsOfTheirOwnJoint) {
  using symbolic::Expression;
  MultibodyPlant<TypeParam>& open = this->open_;
  open.SetBaseBodyJointType(BaseBodyJointType::kRpyFloatingJoint);
  open.Finalize();
  const Vector3<Expression> p(0, 0, 0);
  const math::RollPitchYaw<Expression> angles(p);
  const Eigen::Quaternion<Expression> quaternion(1, 0, 0, 0);
  const auto& rpy = open.GetBodyByName("stone");
  EXPECT_IS_REFUSED(
      open.SetFreeBodyRandomRotationDistribution(rpy, quaternion));
  EXPECT_IS_REFUSED(open.SetFreeBodyRandomRotationDistributionToUniform(rpy));
  EXPECT_NO_THROW(open.SetFreeBodyRandomAnglesDistribution(rpy, angles));
  auto& plant = *this->plant_;
  const auto& stone = plant.GetBodyByName("stone");
  EXPECT_IS_REFUSED(plant.SetFreeBodyRandomAnglesDistribution(stone, angles));
  EXPECT_NO_THROW(
      plant.SetFreeBodyRandomRotationDistribution(stone, quaternion));
}

TYPED_TEST(WrongArguments, SelectorsNeedActuatorsAndJointsOnce) {
  const auto& plant = *this->plant_;
  const JointIndex slider = plant.GetJointByName("slider").index();
  const JointIndex stone = plant.GetJointByName("stone").index();
  const JointIndex weld = plant.GetJointByName("pole_welds_to_flag").index();
  EXPECT_THROWS_MESSAGE(
      plant.MakeActuatorSelectorMatrix(std::vector<JointIndex>{slider, stone}),
      std::logic_error, "'stone'");
  EXPECT_THROWS_MESSAGE(plant.MakeStateSelectorMatrix({slider, slider}),
                        std::logic_error, "'slider'");
  EXPECT_IS_REFUSED(plant.GetBodiesKinematicallyAffectedBy({weld}));
}

TYPED_TEST(WrongArguments, OnlyJointsOfOneDegreeOfFreedomAreActuated) {
  auto& plant = this->open_;
  const auto& weld = plant.GetJointByName("pole_welds_to_flag");
  const auto& hinge = plant.GetJointByName("hinge");
  EXPECT_IS_REFUSED(plant.AddJointActuator("a", weld));
  EXPECT_IS_REFUSED(plant.AddJointActuator("a", hinge));
  plant.RemoveJointActuator(plant.GetJointActuatorByName("twist"));
  for (double limit : {0.0, -1.0, std::nan("")}) {
    EXPECT_IS_REFUSED(plant.AddJointActuator("a", hinge, limit));
  }
  EXPECT_NO_THROW(plant.AddJointActuator("a", hinge, 1e-300));
}

TYPED_TEST(WrongArguments, JointsConnectTwoBodiesOfThePlant) {
  auto& plant = this->open_;
  const auto& cart = plant.GetBodyByName("cart");
  const auto& alien = this->plant_->GetBodyByName("stone");
  const Vector3<double> x(1, 0, 0);
  EXPECT_IS_REFUSED(
      plant.template AddJoint<RevoluteJoint>("j", cart, {}, cart, {}, x));
  EXPECT_IS_REFUSED(
      plant.template AddJoint<RevoluteJoint>("j", cart, {}, alien, {}, x));
  EXPECT_IS_REFUSED(
      plant.template AddJoint<RevoluteJoint>("j", alien, {}, cart, {}, x));
  EXPECT_IS_REFUSED(plant.WeldFrames(cart.body_frame(), alien.body_frame()));
  EXPECT_IS_REFUSED(plant.RemoveJoint(this->plant_->GetJointByName("hinge")));
  EXPECT_IS_REFUSED(plant.RemoveJoint(plant.GetJointByName("hinge")));
  EXPECT_IS_REFUSED(plant.GetBodiesWeldedTo(alien));
}

TYPED_TEST(WrongArguments, BodiesNeedAModelInstanceOnceThereAreSome) {
  EXPECT_THROWS_MESSAGE(this->open_.AddRigidBody("x"), std::logic_error,
                        "without a model instance");
}

TYPED_TEST(WrongArguments, SampledOutputsNeedADiscretePlant) {
  EXPECT_THROWS_MESSAGE(this->open_.SetUseSampledOutputPorts(true),
                        std::logic_error, "continuous");
  EXPECT_NO_THROW(this->open_.SetUseSampledOutputPorts(false));
}

TYPED_TEST(WrongArguments, ContactSettingsMustBePositive) {
  auto& plant = this->open_;
  for (double bad : {-1.0, std::nan("")}) {
    EXPECT_IS_REFUSED(plant.set_penetration_allowance(bad));
    EXPECT_IS_REFUSED(plant.set_stiction_tolerance(bad));
    EXPECT_IS_REFUSED(plant.set_sap_near_rigid_threshold(bad));
  }
  EXPECT_IS_REFUSED(plant.set_penetration_allowance(0));
  EXPECT_IS_REFUSED(plant.set_stiction_tolerance(0));
  EXPECT_IS_REFUSED(plant.set_discrete_contact_approximation(
      DiscreteContactApproximation::kSap));
}

#undef EXPECT_IS_REFUSED

}  // namespace
}  // namespace wyvern::multibody
