// Reading and writing the state, whole and by model instance, in Contexts,
// States and plain vectors; names of its entries and selectors.

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using wyvern::test::Near;
using Strings = std::vector<std::string>;

template <typename T>
class StateAccessors : public test::ScalarPlants<T> {
 public:
  static VectorX<T> Ramp(int size, double from = 1) {
    return VectorXd::LinSpaced(size, from, from + size - 1).template cast<T>();
  }
  // The entries of the model instance in the whole: the cart-pole comes first.
  VectorX<T> x() { return this->plant_->GetPositionsAndVelocities(*c()); }
  systems::Context<T>* c() { return this->context_.get(); }
};
TYPED_TEST_SUITE(StateAccessors, test::Scalars);

TYPED_TEST(StateAccessors, WholeVectorsComeBackAsSet) {
  const auto& plant = *this->plant_;
  auto* c = this->c();
  plant.SetPositionsAndVelocities(c, this->Ramp(17));
  EXPECT_EQ(this->x(), this->Ramp(17));
  EXPECT_EQ(plant.GetPositions(*c), this->Ramp(9));
  EXPECT_EQ(plant.GetVelocities(*c), this->Ramp(8, 10));
  plant.SetPositions(c, this->Ramp(9, 20));
  plant.SetVelocities(c, this->Ramp(8, 30));
  EXPECT_EQ(this->x().head(9), this->Ramp(9, 20));
  EXPECT_EQ(this->x().tail(8), this->Ramp(8, 30));
  EXPECT_EQ(plant.get_state_output_port().Eval(*c), this->x());
}

TYPED_TEST(StateAccessors, PartsOfModelInstancesComeBackAsSet) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  auto* c = this->c();
  const ModelInstanceIndex i = this->instance_;
  plant.SetPositionsAndVelocities(c, this->Ramp(17));
  plant.SetPositionsAndVelocities(c, i, this->Ramp(4, 40));
  EXPECT_EQ(plant.GetPositionsAndVelocities(*c, i), this->Ramp(4, 40));
  EXPECT_EQ(plant.get_state_output_port(i).Eval(*c), this->Ramp(4, 40));
  plant.SetPositions(c, i, this->Ramp(2, 50));
  plant.SetVelocities(c, i, this->Ramp(2, 60));
  EXPECT_EQ(plant.GetPositions(*c, i), this->Ramp(2, 50));
  EXPECT_EQ(plant.GetVelocities(*c, i), this->Ramp(2, 60));
  VectorX<T> q(2), v(2), qv(4);
  plant.GetPositions(*c, i, &q);
  plant.GetVelocities(*c, i, &v);
  plant.GetPositionsAndVelocities(*c, i, &qv);
  EXPECT_EQ(q, this->Ramp(2, 50));
  EXPECT_EQ(v, this->Ramp(2, 60));
  EXPECT_EQ(qv.head(2), q);
  EXPECT_EQ(qv.tail(2), v);
  // The other model instance is as it was.
  EXPECT_EQ(plant.GetPositions(*c, this->model_.loose), this->Ramp(7, 3));
  EXPECT_EQ(plant.GetVelocities(*c, this->model_.loose), this->Ramp(6, 12));
}

TYPED_TEST(StateAccessors, StatesAreSetApartFromTheirContext) {
  const auto& plant = *this->plant_;
  auto* c = this->c();
  const ModelInstanceIndex i = this->instance_;
  const auto state = c->CloneState();
  plant.SetPositions(*c, state.get(), i, this->Ramp(2, 5));
  plant.SetVelocities(*c, state.get(), i, this->Ramp(2, 7));
  EXPECT_EQ(plant.GetPositions(*c, i).norm(), 0);
  c->SetTimeStateAndParametersFrom(*c);
  c->get_mutable_state().SetFrom(*state);
  EXPECT_EQ(plant.GetPositionsAndVelocities(*c, i), this->Ramp(4, 5));
}

TYPED_TEST(StateAccessors, ArraysTakeAndGivePartsOfModelInstances) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const ModelInstanceIndex i = this->instance_;
  VectorX<T> q = this->Ramp(9), v = this->Ramp(8), u = this->Ramp(2), part(2);
  EXPECT_EQ(plant.GetPositionsFromArray(i, q), this->Ramp(2));
  EXPECT_EQ(plant.GetVelocitiesFromArray(this->model_.loose, v),
            this->Ramp(6, 3));
  EXPECT_EQ(plant.GetActuationFromArray(i, u), this->Ramp(2));
  EXPECT_EQ(plant.GetActuationFromArray(this->model_.loose, u).size(), 0);
  plant.SetPositionsInArray(i, this->Ramp(2, 20), &q);
  plant.SetVelocitiesInArray(i, this->Ramp(2, 30), &v);
  plant.SetActuationInArray(i, this->Ramp(2, 40), &u);
  plant.GetPositionsFromArray(i, q, &part);
  EXPECT_EQ(part, this->Ramp(2, 20));
  plant.GetVelocitiesFromArray(i, v, &part);
  EXPECT_EQ(part, this->Ramp(2, 30));
  EXPECT_EQ(u, this->Ramp(2, 40));
  EXPECT_EQ(q.tail(7), this->Ramp(7, 3));
  EXPECT_EQ(v.tail(6), this->Ramp(6, 3));
}

TYPED_TEST(StateAccessors, DefaultsStartNewContextsAndStates) {
  auto& plant = *this->plant_;
  const ModelInstanceIndex i = this->instance_;
  plant.SetDefaultPositions(i, Eigen::Vector2d(0.3, 0.4));
  EXPECT_EQ(plant.GetDefaultPositions(i), Vector2<TypeParam>(0.3, 0.4));
  VectorXd q = ToDouble(plant.GetDefaultPositions());
  EXPECT_EQ(q.head(3), Eigen::Vector3d(0.3, 0.4, 1));
  q[8] = 7;
  plant.SetDefaultPositions(q);
  const auto context = plant.CreateDefaultContext();
  EXPECT_EQ(ToDouble(plant.GetPositions(*context)), q);
  EXPECT_EQ(plant.GetVelocities(*context).norm(), 0);
  plant.SetPositionsAndVelocities(context.get(), this->Ramp(17));
  plant.SetDefaultState(*context, &context->get_mutable_state());
  EXPECT_EQ(ToDouble(plant.GetPositions(*context)), q);
  EXPECT_EQ(plant.GetVelocities(*context).norm(), 0);
}

TYPED_TEST(StateAccessors, NamesFollowModelInstanceJointAndSuffix) {
  const auto& plant = *this->plant_;
  const ModelInstanceIndex i = this->instance_;
  EXPECT_EQ(plant.GetPositionNames(i, true),
            (Strings{"cart_pole_slider_x", "cart_pole_hinge_q"}));
  EXPECT_EQ(plant.GetPositionNames(i, false, false),
            (Strings{"slider", "hinge"}));
  EXPECT_EQ(plant.GetVelocityNames(i), (Strings{"slider_v", "hinge_w"}));
  EXPECT_EQ(plant.GetStateNames(i),
            (Strings{"slider_x", "hinge_q", "slider_v", "hinge_w"}));
  EXPECT_EQ(plant.GetActuatorNames(i), (Strings{"push", "twist"}));
  EXPECT_EQ(plant.GetActuatorNames(),
            (Strings{"cart_pole_push", "cart_pole_twist"}));
  EXPECT_EQ(plant.GetActuatorNames(this->model_.loose), Strings{});
  EXPECT_EQ(plant.GetPositionNames().size(), 9);
  EXPECT_EQ(plant.GetPositionNames(false)[8], "stone_z");
  EXPECT_EQ(plant.GetVelocityNames(true)[7], "loose_stone_vz");
  EXPECT_EQ(plant.GetVelocityNames(false, false)[0], "slider");
  const Strings names = plant.GetStateNames(false);
  ASSERT_EQ(names.size(), 17);
  EXPECT_EQ(names[9], "slider_v");
}

TYPED_TEST(StateAccessors, SelectorsPickWhatTheyAreGiven) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const auto& slider = plant.GetJointByName("slider");
  const auto& hinge = plant.GetJointByName("hinge");
  MatrixXd S = MatrixXd::Zero(4, 17);
  S(0, hinge.position_start()) = S(1, slider.position_start()) = 1;
  S(2, 9 + hinge.velocity_start()) = S(3, 9 + slider.velocity_start()) = 1;
  EXPECT_EQ(plant.MakeStateSelectorMatrix({hinge.index(), slider.index()}), S);
  // u = S u_selected: one actuator of two, in either way of naming it.
  const MatrixXd second = (MatrixXd(2, 1) << 0, 1).finished();
  EXPECT_EQ(plant.MakeActuatorSelectorMatrix(std::vector{hinge.index()}),
            second);
  EXPECT_EQ(
      plant.MakeActuatorSelectorMatrix(std::vector{JointActuatorIndex(1)}),
      second);
  const MatrixXd swap = (MatrixXd(2, 2) << 0, 1, 1, 0).finished();
  EXPECT_EQ(plant.MakeActuatorSelectorMatrix(
                std::vector<JointIndex>{hinge.index(), slider.index()}),
            swap);
  EXPECT_EQ(plant.MakeActuatorSelectorMatrix(std::vector<JointActuatorIndex>{
                JointActuatorIndex(1), JointActuatorIndex(0)}),
            swap);
  const MatrixX<T> B = plant.MakeActuationMatrix();
  EXPECT_TRUE(Near(ToDouble(B), MatrixXd::Identity(8, 2)));
  EXPECT_TRUE(Near(MatrixXd(plant.MakeActuationMatrixPseudoinverse()),
                   MatrixXd::Identity(2, 8)));
}

TYPED_TEST(StateAccessors, LimitsAreThoseOfJointsAndActuators) {
  auto& open = this->open_;
  auto& hinge = open.get_mutable_joint(open.GetJointByName("hinge").index());
  const auto pair = [](double a) { return VectorXd::Constant(1, a); };
  hinge.set_position_limits(pair(-1), pair(2));
  hinge.set_velocity_limits(pair(-3), pair(4));
  hinge.set_acceleration_limits(pair(-5), pair(6));
  open.Finalize();
  const double infinity = std::numeric_limits<double>::infinity();
  const int q = hinge.position_start(), v = hinge.velocity_start();
  EXPECT_EQ(open.GetPositionLowerLimits()[q], -1);
  EXPECT_EQ(open.GetPositionUpperLimits()[q], 2);
  EXPECT_EQ(open.GetVelocityLowerLimits()[v], -3);
  EXPECT_EQ(open.GetVelocityUpperLimits()[v], 4);
  EXPECT_EQ(open.GetAccelerationLowerLimits()[v], -5);
  EXPECT_EQ(open.GetAccelerationUpperLimits()[v], 6);
  EXPECT_EQ(open.GetEffortLowerLimits(), Eigen::Vector2d(-20, -5));
  EXPECT_EQ(open.GetEffortUpperLimits(), Eigen::Vector2d(20, 5));
  EXPECT_EQ(open.GetPositionLowerLimits().size(), 9);
  EXPECT_EQ(open.GetPositionUpperLimits()[8], infinity);
  EXPECT_EQ(open.GetVelocityLowerLimits()[7], -infinity);
}

TYPED_TEST(StateAccessors, RandomStateDrawsWhatHasADistribution) {
  using T = TypeParam;
  auto& plant = *this->plant_;
  auto& hinge = plant.template GetMutableJointByName<RevoluteJoint>("hinge");
  hinge.set_random_angle_distribution(symbolic::Expression(
      symbolic::Variable("a", symbolic::Variable::Type::RANDOM_UNIFORM)));
  const auto& stone = plant.GetBodyByName("stone");
  plant.SetFreeBodyRandomRotationDistributionToUniform(stone);
  RandomGenerator generator(3);
  auto* c = this->c();
  plant.SetRandomState(*c, &c->get_mutable_state(), &generator);
  const VectorXd first = ToDouble(this->x());
  plant.SetRandomState(*c, &c->get_mutable_state(), &generator);
  const VectorXd second = ToDouble(this->x());
  EXPECT_NE(first[1], second[1]);
  EXPECT_GE(second[1], 0);
  EXPECT_LT(second[1], 1);
  const int start = stone.floating_positions_start();
  EXPECT_NEAR(second.segment<4>(start).norm(), 1, 1e-15);
  EXPECT_NE(first.segment<4>(start), second.segment<4>(start));
  EXPECT_EQ(second.segment<3>(start + 4), Eigen::Vector3d::Zero());
  EXPECT_EQ(second[0], 0);
  RandomGenerator same(3);
  plant.SetRandomState(*c, &c->get_mutable_state(), &same);
  EXPECT_EQ(ToDouble(VectorX<T>(this->x())), first);
}

}  // namespace
}  // namespace wyvern::multibody
