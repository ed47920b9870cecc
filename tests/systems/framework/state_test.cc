#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/framework/diagram_continuous_state.h"
#include "wyvern/systems/framework/diagram_discrete_values.h"
#include "wyvern/systems/framework/diagram_state.h"
#include "wyvern/systems/framework/event_status.h"
#include "wyvern/systems/framework/parameters.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// x = [q0 q1 | v0 | z0] = [1 2 | 3 | 4] + offset.
template <typename T = double>
std::unique_ptr<ContinuousState<T>> MakeXc(double offset = 0) {
  return std::make_unique<ContinuousState<T>>(
      BasicVector<T>::Make(offset + 1, offset + 2, offset + 3, offset + 4), 2,
      1, 1);
}

template <typename T = double>
std::unique_ptr<DiscreteValues<T>> MakeXd(double offset = 0) {
  auto xd = std::make_unique<DiscreteValues<T>>(
      BasicVector<T>::Make(offset + 1, offset + 2));
  xd->AppendGroup(BasicVector<T>::Make(offset + 3));
  return xd;
}

template <typename T = double>
std::unique_ptr<State<T>> MakeState(double offset = 0) {
  auto state = std::make_unique<State<T>>();
  state->set_continuous_state(MakeXc<T>(offset));
  state->set_discrete_state(MakeXd<T>(offset));
  state->set_abstract_state(std::make_unique<AbstractValues>(
      AbstractValue::Make(std::to_string(offset))));
  return state;
}

TEST(ContinuousState, IsPositionsThenVelocitiesThenTheRest) {
  const auto xc = MakeXc();
  EXPECT_EQ(xc->size(), 4);
  EXPECT_EQ(xc->num_q(), 2);
  EXPECT_EQ(xc->num_v(), 1);
  EXPECT_EQ(xc->num_z(), 1);
  EXPECT_EQ(xc->get_generalized_position().CopyToVector(), Vector2d(1, 2));
  EXPECT_EQ(xc->get_generalized_velocity()[0], 3);
  EXPECT_EQ(xc->get_misc_continuous_state()[0], 4);
  xc->get_mutable_generalized_velocity()[0] = 7;
  EXPECT_EQ((*xc)[2], 7);
}

TEST(ContinuousState, WithoutSizesIsAllMiscellaneous) {
  const ContinuousState<double> xc(BasicVector<double>::Make(1.0, 2.0));
  EXPECT_EQ(xc.num_q() + xc.num_v(), 0);
  EXPECT_EQ(xc.num_z(), 2);
  EXPECT_EQ(ContinuousState<double>().size(), 0);
}

TEST(ContinuousState, RejectsSizesThatDoNotFit) {
  const auto make = [](int q, int v, int z) {
    return ContinuousState<double>(std::make_unique<BasicVector<double>>(4), q,
                                   v, z);
  };
  EXPECT_THROWS_MESSAGE(make(2, 1, 2), std::logic_error,
                        "size 4 was given for num_q = 2, num_v = 1, num_z = 2");
  EXPECT_THROWS_MESSAGE(make(1, 2, 1), std::logic_error, "num_v not above");
  EXPECT_THROWS_MESSAGE(make(5, 0, -1), std::logic_error, "none negative");
  EXPECT_THROWS_MESSAGE(ContinuousState<double>(nullptr), std::logic_error,
                        "null");
}

TEST(ContinuousState, SetFromRejectsAnotherPartition) {
  ContinuousState<double> other(BasicVector<double>::Make(1.0, 2.0, 3.0, 4.0),
                                2, 2, 0);
  EXPECT_THROWS_MESSAGE(MakeXc()->SetFrom(other), std::logic_error,
                        "ContinuousState::SetFrom(): the vector given has 2 "
                        "elements; it must have 1");
}

TEST(ContinuousState, SetFromVectorRejectsAWrongSize) {
  EXPECT_THROWS_MESSAGE(MakeXc()->SetFromVector(Vector2d::Zero()),
                        std::logic_error, "has 2 elements; this vector has 4");
}

TEST(ContinuousState, ConvertsBetweenScalars) {
  const auto source = MakeXc<double>();
  auto autodiff = MakeXc<AutoDiffXd>(10);
  autodiff->SetFrom(*source);
  EXPECT_EQ((*autodiff)[3].value(), 4);
  (*autodiff)[0] = AutoDiffXd(8, Vector2d(1, 0));
  source->SetFrom(*autodiff);
  EXPECT_EQ((*source)[0], 8);
}

TEST(ContinuousState, CloneIsDeepAndKeepsTheSystem) {
  const auto xc = MakeXc();
  xc->set_system_id(internal::SystemId::get_new_id());
  const auto clone = xc->Clone();
  (*xc)[0] = 99;
  EXPECT_EQ((*clone)[0], 1);
  EXPECT_EQ(clone->num_q(), 2);
  EXPECT_EQ(clone->num_v(), 1);
  EXPECT_EQ(clone->get_system_id(), xc->get_system_id());
}

TEST(DiagramContinuousState, JoinsEachPartOfItsSubstates) {
  const auto a = MakeXc(0);
  const auto b = MakeXc(10);
  DiagramContinuousState<double> both(std::vector{a.get(), b.get()});
  const VectorXd x = (VectorXd(8) << 1, 2, 3, 4, 11, 12, 13, 14).finished();
  EXPECT_EQ(both.CopyToVector(), x);
  EXPECT_EQ(both.get_generalized_position().CopyToVector(),
            Eigen::Vector4d(1, 2, 11, 12));
  EXPECT_EQ(both.get_generalized_velocity().CopyToVector(), Vector2d(3, 13));
  both.get_mutable_misc_continuous_state()[1] = -1;
  EXPECT_EQ((*b)[3], -1);
  EXPECT_EQ(&both.get_substate(1), b.get());
  EXPECT_THROWS_MESSAGE(both.get_substate(2), std::out_of_range,
                        "index is 2; it must be from 0 to 1");
}

// The elements of a Diagram's q, v and z are not in the order of x.
TEST(DiagramContinuousState, CopiesFromAndToAStateInOnePiece) {
  const auto one = MakeXc(), two = MakeXc(10);
  DiagramContinuousState<double> joined(
      std::vector<ContinuousState<double>*>{one.get(), two.get()});
  ContinuousState<double> plain(std::make_unique<BasicVector<double>>(8), 4, 2,
                                2);
  plain.SetFrom(joined);
  VectorXd expected(8);
  expected << 1, 2, 11, 12, 3, 13, 4, 14;
  EXPECT_EQ(plain.CopyToVector(), expected);
  plain.SetFromVector(2 * expected);
  joined.SetFrom(plain);
  expected << 2, 4, 6, 8, 22, 24, 26, 28;
  EXPECT_EQ(joined.CopyToVector(), expected);
}

TEST(DiagramContinuousState, CloneOwnsClonesOfItsSubstates) {
  const auto a = MakeXc(0);
  DiagramContinuousState<double> outer(std::vector{a.get()});
  const auto clone = outer.Clone();
  (*a)[0] = 50;
  EXPECT_EQ((*clone)[0], 1);
  EXPECT_EQ(clone->num_substates(), 1);
  clone->get_mutable_substate(0)[1] = 60;
  EXPECT_EQ((*clone)[1], 60);
  const std::unique_ptr<ContinuousState<double>> base_clone =
      static_cast<ContinuousState<double>&>(outer).Clone();
  EXPECT_EQ(base_clone->num_v(), 1);
}

TEST(DiagramContinuousState, RejectsANullSubstate) {
  const auto a = MakeXc(0);
  EXPECT_THROWS_MESSAGE(
      DiagramContinuousState<double>(
          std::vector<ContinuousState<double>*>{a.get(), nullptr}),
      std::logic_error, "substate 1 is null");
}

TEST(DiscreteValues, ReadsAndWritesGroupsByIndex) {
  const auto xd = MakeXd();
  EXPECT_EQ(xd->num_groups(), 2);
  EXPECT_EQ(xd->value(0), Vector2d(1, 2));
  xd->set_value(0, Vector2d(5, 6));
  EXPECT_EQ(xd->get_value(0), Vector2d(5, 6));
  xd->get_mutable_value(1)[0] = 9;
  EXPECT_EQ(xd->get_vector(1)[0], 9);
  EXPECT_THROWS_MESSAGE(xd->get_vector(2), std::out_of_range,
                        "group 2 was asked for; there are 2 groups");
  EXPECT_THROWS_MESSAGE(xd->set_value(0, Vector3d::Zero()), std::logic_error,
                        "has 3 elements; this vector has 2");
}

TEST(DiscreteValues, TheOnlyGroupNeedsNoIndex) {
  DiscreteValues<double> xd(BasicVector<double>::Make(1.0, 2.0));
  EXPECT_EQ(xd.size(), 2);
  xd[1] = 3;
  EXPECT_EQ(xd.value(), Vector2d(1, 3));
  xd.set_value(Vector2d(4, 5));
  EXPECT_EQ(xd.get_value(), Vector2d(4, 5));
  xd.get_mutable_value() << 6, 7;
  EXPECT_EQ(xd.get_vector().value(), Vector2d(6, 7));
  EXPECT_THROWS_MESSAGE(MakeXd()->size(), std::logic_error,
                        "there are 2 groups; pass the index");
}

TEST(DiscreteValues, SetFromRejectsOtherGroups) {
  const auto xd = MakeXd();
  const DiscreteValues<double> one(BasicVector<double>::Make(1.0, 2.0));
  EXPECT_THROWS_MESSAGE(xd->SetFrom(one), std::logic_error,
                        "have 1 groups; there must be 2");
  DiscreteValues<double> other(BasicVector<double>::Make(1.0));
  other.AppendGroup(BasicVector<double>::Make(1.0));
  EXPECT_THROWS_MESSAGE(xd->SetFrom(other), std::logic_error,
                        "DiscreteValues::SetFrom(): the vector given has 1");
}

TEST(DiscreteValues, RejectsANullGroup) {
  EXPECT_THROWS_MESSAGE(
      DiscreteValues<double>(std::unique_ptr<BasicVector<double>>{}),
      std::logic_error, "null");
}

TEST(DiagramDiscreteValues, ListsAllGroupsInOrder) {
  const auto a = MakeXd(0);
  const auto b = MakeXd(10);
  DiagramDiscreteValues<double> both(std::vector{a.get(), b.get()});
  EXPECT_EQ(both.num_groups(), 4);
  EXPECT_EQ(both.value(2), Vector2d(11, 12));
  const auto clone = both.Clone();
  both.get_mutable_value(3)[0] = 77;
  EXPECT_EQ(b->value(1)[0], 77);
  EXPECT_EQ(clone->value(3)[0], 13);
  EXPECT_EQ(clone->get_subdiscrete(SubsystemIndex(1)).num_groups(), 2);
  EXPECT_THROWS_MESSAGE(both.get_subdiscrete(SubsystemIndex(2)),
                        std::out_of_range,
                        "index is 2; it must be from 0 to 1");
}

TEST(AbstractValues, HoldsAnyTypes) {
  std::vector<std::unique_ptr<AbstractValue>> data;
  data.push_back(AbstractValue::Make(1));
  data.push_back(AbstractValue::Make<std::string>("two"));
  AbstractValues values(std::move(data));
  const auto clone = values.Clone();
  values.get_mutable_value(0).set_value<int>(5);
  EXPECT_EQ(clone->get_value(0).get_value<int>(), 1);
  EXPECT_EQ(clone->get_value(1).get_value<std::string>(), "two");
  clone->SetFrom(values);
  EXPECT_EQ(clone->get_value(0).get_value<int>(), 5);
  EXPECT_THROWS_MESSAGE(values.get_value(2), std::out_of_range,
                        "value 2 was asked for; there are 2 values");
  EXPECT_THROWS_MESSAGE(values.SetFrom(AbstractValues()), std::logic_error,
                        "0 values were given; there must be 2");
}

TEST(Parameters, HoldsNumbersAndAnyTypes) {
  std::vector<std::unique_ptr<BasicVector<double>>> numeric;
  numeric.push_back(BasicVector<double>::Make(1.0, 2.0));
  std::vector<std::unique_ptr<AbstractValue>> abstract;
  abstract.push_back(AbstractValue::Make<std::string>("p"));
  Parameters<double> p(std::move(numeric), std::move(abstract));
  p.set_system_id(internal::SystemId::get_new_id());
  const auto clone = p.Clone();
  p.get_mutable_numeric_parameter(0)[0] = 8;
  p.get_mutable_abstract_parameter<std::string>(0) = "changed";
  EXPECT_EQ(clone->get_numeric_parameter(0)[0], 1);
  EXPECT_EQ(clone->get_abstract_parameter<std::string>(0), "p");
  EXPECT_EQ(clone->get_system_id(), p.get_system_id());
  clone->SetFrom(p);
  EXPECT_EQ(clone->get_numeric_parameter(0)[0], 8);
  EXPECT_EQ(clone->get_abstract_parameter<std::string>(0), "changed");
}

TEST(Parameters, RejectsNullParts) {
  Parameters<double> p;
  EXPECT_EQ(p.num_numeric_parameter_groups() + p.num_abstract_parameters(), 0);
  EXPECT_THROWS_MESSAGE(p.set_numeric_parameters(nullptr), std::logic_error,
                        "set_numeric_parameters(): numeric_params is null");
  EXPECT_THROWS_MESSAGE(p.set_abstract_parameters(nullptr), std::logic_error,
                        "set_abstract_parameters(): abstract_params is null");
}

TEST(State, SetFromCopiesAllThreePartsAcrossScalars) {
  const auto source = MakeState<double>(0);
  const auto target = MakeState<AutoDiffXd>(10);
  target->SetFrom(*source);
  EXPECT_EQ(target->get_continuous_state()[0].value(), 1);
  EXPECT_EQ(target->get_discrete_state(1)[0].value(), 3);
  EXPECT_EQ(target->get_abstract_state<std::string>(0),
            source->get_abstract_state<std::string>(0));
}

TEST(State, RejectsNullParts) {
  State<double> state;
  EXPECT_THROWS_MESSAGE(state.set_continuous_state(nullptr), std::logic_error,
                        "set_continuous_state(): xc is null");
  EXPECT_THROWS_MESSAGE(state.set_discrete_state(nullptr), std::logic_error,
                        "set_discrete_state(): xd is null");
  EXPECT_THROWS_MESSAGE(state.set_abstract_state(nullptr), std::logic_error,
                        "set_abstract_state(): xa is null");
}

TEST(DiagramState, RefersToItsSubstates) {
  const auto a = MakeState(0);
  DiagramState<double> both(2);
  both.set_substate(0, a.get());
  both.set_and_own_substate(1, MakeState(10));
  both.Finalize();
  EXPECT_EQ(both.get_continuous_state().size(), 8);
  EXPECT_EQ(both.get_discrete_state().num_groups(), 4);
  EXPECT_EQ(both.get_abstract_state().size(), 2);
  both.get_mutable_continuous_state()[4] = -5;
  EXPECT_EQ(both.get_substate(1).get_continuous_state()[0], -5);
  both.get_mutable_abstract_state<std::string>(0) = "new";
  EXPECT_EQ(a->get_abstract_state<std::string>(0), "new");
}

TEST(DiagramState, SaysWhatIsMissing) {
  const auto a = MakeState(0);
  DiagramState<double> both(2);
  both.set_substate(0, a.get());
  EXPECT_THROWS_MESSAGE(both.Finalize(), std::logic_error,
                        "substate 1 was not set");
  EXPECT_THROWS_MESSAGE(both.set_substate(1, nullptr), std::logic_error,
                        "given as null");
  EXPECT_THROWS_MESSAGE(both.set_substate(2, a.get()), std::out_of_range,
                        "index is 2; it must be from 0 to 1");
  both.set_and_own_substate(1, MakeState(1));
  both.Finalize();
  EXPECT_THROWS_MESSAGE(both.set_substate(1, a.get()), std::logic_error,
                        "after Finalize()");
  EXPECT_THROWS_MESSAGE(both.Finalize(), std::logic_error, "second time");
  EXPECT_THROWS_MESSAGE(DiagramState<double>(-1), std::logic_error,
                        "substates given is -1");
}

TEST(State, CopyingAllocatesNothing) {
  const auto a = MakeState(0);
  const auto b = MakeState(10);
  DiagramState<double> x(1), y(1);
  x.set_substate(0, a.get());
  y.set_substate(0, b.get());
  x.Finalize();
  y.Finalize();
  const VectorXd values = VectorXd::Ones(4);
  const ::wyvern::test::AllocationGuard guard;
  x.SetFrom(y);
  x.get_mutable_continuous_state().SetFromVector(values);
  EXPECT_EQ(guard.count(), 0);
}

TEST(EventStatus, KeepsTheMoreSevereAndTheFirstOfEquals) {
  EventStatus status = EventStatus::DidNothing();
  EXPECT_TRUE(status.did_nothing());
  status.KeepMoreSevere(EventStatus::Succeeded());
  EXPECT_TRUE(status.succeeded());
  status.KeepMoreSevere(EventStatus::ReachedTermination(nullptr, "first"))
      .KeepMoreSevere(EventStatus::ReachedTermination(nullptr, "second"))
      .KeepMoreSevere(EventStatus::Succeeded());
  EXPECT_TRUE(status.reached_termination());
  EXPECT_EQ(status.message(), "first");
  status.KeepMoreSevere(EventStatus::Failed(nullptr, "bad"));
  EXPECT_TRUE(status.failed());
  EXPECT_EQ(status.severity(), EventStatus::kFailed);
  EXPECT_EQ(status.system(), nullptr);
}

}  // namespace
}  // namespace wyvern::systems
