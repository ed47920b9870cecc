#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/framework/test_systems.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/vector_system.h"

// Features that authors of Systems rely on.

namespace wyvern::systems {
namespace author_surface_test {

using Eigen::Vector2d;
using Eigen::VectorXd;

/** Declares input ports in every way there is, and shows what is protected. */
class Declarer final : public LeafSystem<double> {
 public:
  Declarer() { set_name("declarer"); }
  using LeafSystem<double>::DeclareAbstractInputPort;
  using LeafSystem<double>::DeclareAbstractOutputPort;
  using LeafSystem<double>::DeclareAbstractParameter;
  using LeafSystem<double>::DeclareAbstractState;
  using LeafSystem<double>::DeclareCacheEntry;
  using LeafSystem<double>::DeclareInputPort;
  using LeafSystem<double>::DeclareVectorInputPort;
  using LeafSystem<double>::DeprecateInputPort;
  using LeafSystem<double>::DeprecateOutputPort;
  using LeafSystem<double>::get_forced_discrete_update_events;
  using LeafSystem<double>::get_forced_unrestricted_update_events;
  using LeafSystem<double>::set_forced_discrete_update_events;
  using LeafSystem<double>::set_forced_publish_events;
  using LeafSystem<double>::set_forced_unrestricted_update_events;
  std::unique_ptr<AbstractValue> Allocate() const {
    return AbstractValue::Make(1);
  }
  std::unique_ptr<AbstractValue> AllocateNull() const { return nullptr; }
  void Calc(const Context<double>&, AbstractValue*) const {}
  void CalcInt(const Context<double>&, int* value) const { *value = 3; }
};

TEST(FixValue, TakesPartsOfVectorsAndMatrices) {
  Declarer system;
  auto& u = system.DeclareVectorInputPort("u", 2);
  auto& fixed = system.DeclareAbstractInputPort("a", Value<Vector2d>());
  auto& dynamic = system.DeclareAbstractInputPort("b", Value<VectorXd>());
  const auto context = system.CreateDefaultContext();
  VectorXd v(4);
  v << 1, 2, 3, 4;
  const Eigen::Vector4d w(5, 6, 7, 8);
  u.FixValue(context.get(), v.head(2));
  EXPECT_EQ(u.Eval(*context), Vector2d(1, 2));
  u.FixValue(context.get(), v.segment<2>(1));
  EXPECT_EQ(u.Eval(*context), Vector2d(2, 3));
  u.FixValue(context.get(), w.tail<2>());
  EXPECT_EQ(u.Eval(*context), Vector2d(7, 8));
  u.FixValue(context.get(), Eigen::Matrix2d::Identity().eval().col(1));
  EXPECT_EQ(u.Eval(*context), Vector2d(0, 1));
  u.FixValue(context.get(), 2 * v.tail(2) + w.head(2));
  EXPECT_EQ(u.Eval(*context), Vector2d(11, 14));
  fixed.FixValue(context.get(), w.head<2>());
  EXPECT_EQ(fixed.Eval<Vector2d>(*context), Vector2d(5, 6));
  dynamic.FixValue(context.get(), v.head(2));
  EXPECT_EQ(dynamic.Eval<VectorXd>(*context), Vector2d(1, 2));
  EXPECT_THROWS_MESSAGE(u.FixValue(context.get(), v.head(3)), std::logic_error,
                        "a vector of 3 elements; it takes 2");
}

TEST(ModelInputs, StayWithTheirPorts) {
  Declarer system;
  system.DeclareInputPort("bare", kVectorValued, 3);
  system.DeclareVectorInputPort("u", BasicVector<double>({1, 2}));
  system.DeclareInputPort("untyped", kAbstractValued, 0);
  system.DeclareAbstractInputPort("a", Value<int>(7));
  system.DeclareInputPort("last", kVectorValued, 1);
  const auto allocate = [&](const char* name) {
    return system.AllocateInputAbstract(system.GetInputPort(name));
  };
  EXPECT_EQ(allocate("bare")->get_value<BasicVector<double>>().value(),
            Eigen::Vector3d::Zero());
  EXPECT_EQ(allocate("u")->get_value<BasicVector<double>>().value(),
            Vector2d(1, 2));
  EXPECT_EQ(allocate("a")->get_value<int>(), 7);
  EXPECT_EQ(system.AllocateInputVector(system.GetInputPort("last"))->size(), 1);
  EXPECT_THROWS_MESSAGE(allocate("untyped"), std::logic_error,
                        "InputPort[2] (untyped) of System ::declarer");
}

TEST(TheOnlyPort, IsFoundAmongDeprecatedOnes) {
  Declarer system;
  const auto& old = system.DeclareVectorInputPort("old", 1);
  const auto& present = system.DeclareVectorInputPort("present", 1);
  EXPECT_THROW(system.get_input_port(), std::logic_error);
  system.DeprecateInputPort(old, "use 'present'");
  EXPECT_EQ(&system.get_input_port(), &present);
  system.DeprecateInputPort(present, "use nothing");
  EXPECT_THROWS_MESSAGE(system.get_input_port(), std::logic_error,
                        "has 2 input ports");
  const auto& y = system.DeclareAbstractOutputPort("y", &Declarer::CalcInt);
  system.DeprecateOutputPort(y, "use nothing");
  EXPECT_EQ(&system.get_output_port(), &y);
  const auto& z = system.DeclareAbstractOutputPort("z", &Declarer::CalcInt);
  EXPECT_EQ(&system.get_output_port(), &z);
}

TEST(NullAllocators, AreRefusedWithTheSystemsName) {
  Declarer system;
  std::unique_ptr<AbstractValue> (Declarer::*none)() const = nullptr;
  EXPECT_THROWS_MESSAGE(
      system.DeclareAbstractOutputPort("y", none, &Declarer::Calc),
      std::logic_error, "::declarer (Declarer) declares a null");
  EXPECT_THROWS_MESSAGE(system.DeclareAbstractOutputPort(
                            "y", nullptr, [](const auto&, AbstractValue*) {}),
                        std::logic_error,
                        "::declarer (Declarer) declares a null");
  void (Declarer::*no_calc)(const Context<double>&, int*) const = nullptr;
  EXPECT_THROWS_MESSAGE(system.DeclareAbstractOutputPort("y", no_calc),
                        std::logic_error, "declares a null");
  auto& port = system.DeclareAbstractOutputPort("z", &Declarer::AllocateNull,
                                                &Declarer::Calc);
  EXPECT_THROWS_MESSAGE(port.Allocate(), std::logic_error,
                        "'output port z' of System ::declarer (Declarer): its "
                        "allocate function returned nullptr");
  EXPECT_THROWS_MESSAGE(system.set_forced_publish_events(nullptr),
                        std::logic_error, "set_forced_publish_events()");
}

TEST(WrongTypes, NameTheSystem) {
  DiagramBuilder<double> builder;
  auto* system = builder.AddSystem<Declarer>();
  system->DeclareAbstractState(Value<int>(3));
  system->DeclareAbstractParameter(Value<int>(4));
  system->DeclareAbstractParameter(Value<std::string>("x"));
  auto& entry = system->DeclareCacheEntry("entry", &Declarer::CalcInt);
  const auto diagram = builder.Build();
  diagram->set_name("whole");
  const auto first = diagram->CreateDefaultContext();
  const auto clone = first->Clone();
  for (Context<double>* root : {first.get(), clone.get()}) {
    auto& context = system->GetMyMutableContextFromRoot(root);
    const char* state = "abstract state 0 of System ::whole::declarer (Decl";
    EXPECT_THROWS_MESSAGE(context.get_abstract_state<double>(0),
                          std::logic_error, state);
    EXPECT_THROWS_MESSAGE(context.get_mutable_abstract_state<double>(0),
                          std::logic_error, state);
    EXPECT_THROWS_MESSAGE(context.SetAbstractState(0, 1.5), std::logic_error,
                          state);
    EXPECT_THROWS_MESSAGE(root->get_abstract_state<double>(0), std::logic_error,
                          state);
    EXPECT_THROWS_MESSAGE(
        context.CloneState()->get_mutable_abstract_state<double>(0),
        std::logic_error, state);
    EXPECT_THROWS_MESSAGE(
        context.get_abstract_parameter(1).get_value<int>(), std::logic_error,
        "abstract parameter 1 of System ::whole::declarer (Declarer), a value "
        "of type 'std::string' was read or set as type 'int'");
    EXPECT_THROWS_MESSAGE(
        context.get_parameters().get_abstract_parameter<double>(0),
        std::logic_error, "abstract parameter 0 of System ::whole::declarer");
    EXPECT_THROWS_MESSAGE(entry.Eval<double>(context), std::logic_error,
                          "'entry' of System ::whole::declarer (Declarer): its "
                          "value is a 'int' and was read as a 'double'");
    EXPECT_EQ(context.get_abstract_state<int>(0), 3);
    EXPECT_EQ(entry.Eval<int>(context), 3);
  }
}

TEST(ForcedEvents, CanBeReplaced) {
  Declarer system;
  int published = 0;
  auto events = std::make_unique<LeafEventCollection<PublishEvent<double>>>();
  events->AddEvent(PublishEvent<double>(
      TriggerType::kForced, [&](const Context<double>&,
                                const PublishEvent<double>&) { ++published; }));
  system.set_forced_publish_events(std::move(events));
  system.set_forced_discrete_update_events(
      LeafEventCollection<
          DiscreteUpdateEvent<double>>::MakeForcedEventCollection());
  system.set_forced_unrestricted_update_events(
      std::make_unique<LeafEventCollection<UnrestrictedUpdateEvent<double>>>());
  system.ForcedPublish(*system.CreateDefaultContext());
  EXPECT_EQ(published, 1);
  EXPECT_TRUE(system.get_forced_discrete_update_events().HasEvents());
  EXPECT_FALSE(system.get_forced_unrestricted_update_events().HasEvents());
}

TEST(Event, KeepsTheDataItIsGiven) {
  PublishEvent<double> event;
  EXPECT_FALSE(event.has_event_data());
  PeriodicEventData when;
  when.set_period_sec(0.5);
  event.set_event_data(when);
  ASSERT_TRUE(event.has_event_data());
  EXPECT_EQ(event.get_event_data<WitnessTriggeredEventData<double>>(), nullptr);
  event.get_mutable_event_data<PeriodicEventData>()->set_offset_sec(0.25);
  const auto copy = event.Clone();
  EXPECT_EQ(copy->get_event_data<PeriodicEventData>()->offset_sec(), 0.25);
  EXPECT_EQ(copy->get_event_data<PeriodicEventData>()->period_sec(), 0.5);
}

/** x+ = x + u, by hand. */
class Sum final : public VectorSystem<double> {
 public:
  explicit Sum(bool has_state) : VectorSystem<double>(1, 0) {
    if (has_state) DeclareDiscreteState(1);
  }

 private:
  void DoCalcVectorDiscreteVariableUpdates(
      const Context<double>&, const Eigen::VectorBlock<const VectorXd>& u,
      const Eigen::VectorBlock<const VectorXd>& x,
      Eigen::VectorBlock<VectorXd>* next) const final {
    *next = x + u;
  }
};

TEST(VectorSystem, UpdatesWhenForced) {
  const Sum sum(true);
  const auto context = sum.CreateDefaultContext();
  sum.get_input_port().FixValue(context.get(), 2.0);
  sum.ExecuteForcedEvents(context.get());
  sum.ExecuteForcedEvents(context.get());
  EXPECT_EQ(context->get_discrete_state(0)[0], 4.0);
  const auto next = sum.AllocateDiscreteVariables();
  sum.CalcForcedDiscreteVariableUpdate(*context, next.get());
  EXPECT_EQ(next->get_vector(0)[0], 6.0);
  // Without discrete state there is nothing to update.
  const Sum stateless(false);
  const auto other = stateless.CreateDefaultContext();
  stateless.ExecuteForcedEvents(other.get());
}

/** Notes its number when it goes. */
class Goer final : public LeafSystem<double> {
 public:
  Goer(int number, std::vector<int>* gone) : number_(number), gone_(gone) {}
  ~Goer() final { gone_->push_back(number_); }

 private:
  int number_;
  std::vector<int>* gone_;
};

TEST(Diagram, DestroysItsPartsLastToFirst) {
  std::vector<int> gone;
  {
    DiagramBuilder<double> builder;
    for (int i = 0; i < 3; ++i) builder.AddSystem<Goer>(i, &gone);
    const auto diagram = builder.Build();
  }
  EXPECT_EQ(gone, (std::vector<int>{2, 1, 0}));
  gone.clear();
  {
    DiagramBuilder<double> never_built;
    for (int i = 0; i < 3; ++i) never_built.AddSystem<Goer>(i, &gone);
  }
  EXPECT_EQ(gone, (std::vector<int>{2, 1, 0}));
}

/** A Diagram with a number of its own, which conversion keeps. */
template <typename T>
class Numbered final : public Diagram<T> {
 public:
  explicit Numbered(int number)
      : Diagram<T>(SystemTypeTag<Numbered>{}), number_(number) {
    DiagramBuilder<T> builder;
    auto* scale = builder.template AddNamedSystem<test::Scale<T>>("scale", 3.0);
    builder.ExportInput(scale->get_input_port(), "u");
    builder.ExportOutput(scale->get_output_port(), "y");
    builder.BuildInto(this);
  }
  template <typename U>
  explicit Numbered(const Numbered<U>& other)
      : Diagram<T>(SystemTypeTag<Numbered>{}, other), number_(other.number()) {}
  int number() const { return number_; }

 private:
  int number_;
};

TEST(Diagram, OfAnAuthorConvertsAsItself) {
  const Numbered<double> original(5);
  const auto converted = System<double>::ToAutoDiffXd(original);
  EXPECT_EQ(converted->number(), 5);
  const auto context = converted->CreateDefaultContext();
  converted->get_input_port().FixValue(context.get(), AutoDiffXd(2.0, 1, 0));
  EXPECT_EQ(converted->get_output_port().Eval(*context)[0].derivatives()[0],
            3.0);
  EXPECT_EQ(System<double>::Clone(original)->number(), 5);
}

/** A Diagram that declares a port before or after it is built. */
class Meddling final : public Diagram<double> {
 public:
  explicit Meddling(bool before) {
    if (before) DeclareInputPort("own", kVectorValued, 1);
    DiagramBuilder<double> builder;
    auto* scale = builder.AddSystem<test::Scale<double>>(3.0);
    builder.ExportInput(scale->get_input_port(), "u");
    builder.BuildInto(this);
    if (!before) DeclareInputPort("own", kVectorValued, 1);
  }
};

TEST(Diagram, HasNoInputPortsButThoseOfItsParts) {
  EXPECT_THROWS_MESSAGE(Meddling(true), std::logic_error,
                        "has declared input ports of its own");
  Meddling after(false);
  EXPECT_EQ(after.AllocateInputVector(after.get_input_port(0))->size(), 1);
  EXPECT_THROWS_MESSAGE(after.AllocateInputVector(after.get_input_port(1)),
                        std::logic_error, "feeds no part of the Diagram");
}

/** A BasicVector that grows. */
class Growing final : public BasicVector<double> {
 public:
  using BasicVector<double>::BasicVector;
  void Grow() { values() = VectorXd::Ones(values().size() + 1); }
};

TEST(BasicVector, LetsDerivedOnesAtItsElements) {
  Growing vector(1);
  vector.Grow();
  EXPECT_EQ(vector.value(), Vector2d(1, 1));
}

TEST(DiagramBuilder, ComparesTypesWhereverInputsShareASource) {
  DiagramBuilder<double> builder;
  builder.set_throws_at_once(true);
  auto* one = builder.AddNamedSystem<Declarer>("one");
  auto* other = builder.AddNamedSystem<Declarer>("other");
  one->DeclareAbstractInputPort("a", Value<int>());
  other->DeclareAbstractInputPort("a", Value<std::string>());
  const InputPortIndex exported =
      builder.ExportInput(one->get_input_port(), "a");
  EXPECT_THROWS_MESSAGE(builder.ConnectInput(exported, other->get_input_port()),
                        std::logic_error,
                        "ConnectInput(): InputPort[0] (a) of System ::one "
                        "(Declarer) carries a int, but");
  EXPECT_THROWS_MESSAGE(
      builder.ConnectToSame(one->get_input_port(), other->get_input_port()),
      std::logic_error, "takes a std::string");
}

/** Sets nothing when it is asked for its next update. */
class Silent final : public LeafSystem<double> {
 private:
  void DoCalcNextUpdateTime(const Context<double>&,
                            CompositeEventCollection<double>*,
                            double*) const final {}
};

TEST(CalcNextUpdateTime, IsAnErrorIfNothingIsSet) {
  Silent system;
  system.set_name("silent");
  const auto context = system.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      system.CalcNextUpdateTime(
          *context, system.AllocateCompositeEventCollection().get()),
      std::logic_error,
      "DoCalcNextUpdateTime() of System ::silent (Silent) gave no next update");
}

}  // namespace author_surface_test
}  // namespace wyvern::systems
