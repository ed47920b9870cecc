#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/framework/test_systems.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/diagram_context.h"

// Messages of the framework on misuse.

namespace wyvern::systems {
namespace framework_errors_test {

using Eigen::VectorXd;
using test::Accumulator;
using test::FreeMass;
using test::Scale;
using test::Ticker;

constexpr double kInf = std::numeric_limits<double>::infinity();

// Two blocks in a Diagram.
struct Pair {
  Pair() {
    DiagramBuilder<double> builder;
    scale = builder.AddNamedSystem<Scale>("scale", 2.0);
    mass = builder.AddNamedSystem<FreeMass>("mass");
    diagram = builder.Build();
    diagram->set_name("pair");
    context = diagram->CreateDefaultContext();
    part = &scale->GetMyMutableContextFromRoot(context.get());
  }
  const Scale<double>* scale;
  const FreeMass<double>* mass;
  std::unique_ptr<Diagram<double>> diagram;
  std::unique_ptr<Context<double>> context;
  Context<double>* part;
};

TEST(ContextErrors, PartsOfADiagramsContextAreNotRoots) {
  Pair p;
  EXPECT_THROWS_MESSAGE(p.part->SetTime(1.0), std::logic_error,
                        "call this on the root Context");
  EXPECT_THROWS_MESSAGE(p.part->SetAccuracy(1e-3), std::logic_error,
                        "call this on the root Context");
  EXPECT_THROWS_MESSAGE(p.part->Clone(), std::logic_error,
                        "only a root Context can be cloned");
  EXPECT_THROWS_MESSAGE(p.scale->GetMyContextFromRoot(*p.part),
                        std::logic_error, "which is not a root Context");
}

TEST(ContextErrors, AnUnnamedSystemIsCalledByItsType) {
  const Ticker ticker(1.0, 0.0);
  const Scale<double> scale(1.0);
  const auto context = ticker.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(scale.ValidateContext(*context), std::logic_error,
                        "was given the Context of another System, ::Ticker;");
  EXPECT_THROWS_MESSAGE(scale.get_input_port().Eval(*context), std::logic_error,
                        "of another System, ::Ticker;");
  EXPECT_THROWS_MESSAGE(scale.get_output_port().Eval(*context),
                        std::logic_error, "of another System, ::Ticker;");
}

TEST(DiagramBuilderErrors, DiagramsAreNotNestedWithoutBound) {
  std::unique_ptr<System<double>> inner = std::make_unique<FreeMass<double>>();
  const auto wrap = [&inner] {
    DiagramBuilder<double> builder;
    builder.AddNamedSystem("inner", std::move(inner));
    inner = builder.Build();
  };
  for (int i = 0; i < 256; ++i) wrap();
  const auto context = inner->CreateDefaultContext();
  EXPECT_EQ(context->Clone()->num_continuous_states(), 2);
  EXPECT_THROWS_MESSAGE(wrap(), std::logic_error,
                        "with 'inner' in it, the Diagram would have 257 levels "
                        "of Diagrams within Diagrams, and 256 are possible");
}

TEST(ContextErrors, TimeAccuracyAndStateMustBeSensible) {
  const Ticker ticker(1.0, 0.0);
  auto context = ticker.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(context->SetTime(kInf), std::runtime_error,
                        "time is inf; it must be finite");
  EXPECT_THROWS_MESSAGE(context->SetAccuracy(0.0), std::logic_error,
                        "accuracy is 0; it must be positive");
  const Scale<double> stateless(1.0);
  EXPECT_THROWS_MESSAGE(
      stateless.CreateDefaultContext()->SetDiscreteState(VectorXd(1)),
      std::logic_error, "has 0 discrete state groups");
}

TEST(ContextErrors, TimeStaysWhereAStateIsRefused) {
  const FreeMass<double> mass;
  auto context = mass.CreateDefaultContext();
  context->SetTime(1.0);
  EXPECT_THROWS_MESSAGE(
      context->SetTimeAndContinuousState(2.0, VectorXd::Zero(7)),
      std::logic_error, "continuous state has size 7");
  EXPECT_EQ(context->get_time(), 1.0);
  const Accumulator<double> other;
  auto source = other.CreateDefaultContext();
  source->SetTime(3.0);
  EXPECT_THROW(context->SetTimeStateAndParametersFrom(*source),
               std::logic_error);
  EXPECT_EQ(context->get_time(), 1.0);
}

TEST(ContextErrors, InputPortsMustExist) {
  const Scale<double> scale(1.0);
  auto context = scale.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      context->FixInputPort(1, Value<BasicVector<double>>(VectorXd::Ones(1))),
      std::out_of_range, "has no input port 1; it has 1");
  EXPECT_THROWS_MESSAGE(context->MaybeGetFixedInputPortValue(1),
                        std::out_of_range, "has no input port 1; it has 1");
  EXPECT_THROWS_MESSAGE(scale.get_input_port().Eval(*context), std::logic_error,
                        "is not connected and has no fixed value");
  EXPECT_THROWS_MESSAGE(
      scale.get_input_port().FixValue(nullptr, 1.0), std::logic_error,
      "the Context is null; it must be an object; pass the Context");
}

TEST(DiagramContextErrors, SubsystemsMustExist) {
  const Pair p;
  const auto& context = dynamic_cast<DiagramContext<double>&>(*p.context);
  EXPECT_THROWS_MESSAGE(context.GetSubsystemContext(SubsystemIndex(2)),
                        std::out_of_range, "has no subsystem 2; it has 2");
  EXPECT_THROWS_MESSAGE(
      p.diagram->GetSubsystemContext(Scale<double>(1.0), *p.context),
      std::logic_error, "is not within ::pair");
}

TEST(SystemErrors, PortsAreNamedByWhatThereIs) {
  const Pair p;
  EXPECT_THROWS_MESSAGE(p.scale->get_input_port(1), std::out_of_range,
                        "has no input port 1; it has 1");
  EXPECT_THROWS_MESSAGE(p.scale->get_output_port(-1), std::out_of_range,
                        "has no output port -1; it has 1");
  EXPECT_THROWS_MESSAGE(p.scale->GetInputPort("v"), std::logic_error,
                        "has no input port named 'v'; it has");
  EXPECT_THROWS_MESSAGE(p.scale->GetOutputPort("v"), std::logic_error,
                        "has no output port named 'v'; it has");
  EXPECT_THROWS_MESSAGE(p.mass->get_input_port(), std::logic_error,
                        "has 0 input ports; pass an index");
  EXPECT_THROWS_MESSAGE(p.mass->get_output_port(), std::logic_error,
                        "has 0 output ports; pass an index");
  EXPECT_THROWS_MESSAGE(p.scale->get_cache_entry(CacheIndex(1000)),
                        std::out_of_range, "has no cache entry 1000");
}

TEST(SystemErrors, NullPointersAreRefused) {
  const Pair p;
  EXPECT_THROWS_MESSAGE(p.mass->SetDefaultContext(nullptr), std::logic_error,
                        "null Context");
  EXPECT_THROWS_MESSAGE(p.diagram->CalcTimeDerivatives(*p.context, nullptr),
                        std::logic_error,
                        "CalcTimeDerivatives(): System ::pair");
}

TEST(SystemErrors, InputsAreCopiedBetweenEqualsOnly) {
  const Pair p;
  auto context = p.diagram->CreateDefaultContext();
  const Scale<double> scale(1.0);
  EXPECT_THROWS_MESSAGE(
      p.diagram->FixInputPortsFrom(scale, *scale.CreateDefaultContext(),
                                   context.get()),
      std::logic_error, "the Systems must correspond");
}

TEST(SystemErrors, AConstraintMustComputeWhatItBounds) {
  const FreeMass<double> mass;
  const auto context = mass.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      SystemConstraint<double>(&mass, ContextConstraintCalc<double>(),
                               SystemConstraintBounds::Equality(1), "none")
          .size(),
      std::logic_error, "constraint 'none'");
  const SystemConstraint<double> wrong(
      &mass, [](const Context<double>&, VectorXd* value) { value->setZero(2); },
      SystemConstraintBounds::Equality(1), "wrong");
  VectorXd value;
  EXPECT_THROWS_MESSAGE(wrong.Calc(*context, &value), std::logic_error,
                        "computed 2 values; its bounds have 1");
}

// Offers the misuses that a derived class can commit.
class Careless final : public LeafSystem<double> {
 public:
  Careless() { DeclareVectorInputPort("u", 1); }
  void DeclareTwice() { DeclareVectorInputPort("u", 2); }
  void DeclareUnnamed() { DeclareVectorInputPort("", 2); }
  void DeclareNegativeState() { DeclareDiscreteState(-1); }
  void DeclareBadPartition() {
    DeclareContinuousState(BasicVector<double>(3), 1, 1, 0);
  }
  void DeclareNullHandler() {
    EventStatus (Careless::*none)(const Context<double>&) const = nullptr;
    DeclarePerStepPublishEvent(none);
  }
  void DeclareEntryOfNothing() {
    DeclareCacheEntry("entry", &Careless::Calc, {});
  }
  void Calc(const Context<double>&, double* value) const { *value = 1.0; }
  double Witness(const Context<double>&) const { return 1.0; }
  std::unique_ptr<WitnessFunction<double>> MakeWitness() const {
    return MakeWitnessFunction("w", WitnessFunctionDirection::kCrossesZero,
                               &Careless::Witness);
  }

 private:
  void DoCalcNextUpdateTime(const Context<double>&,
                            CompositeEventCollection<double>*,
                            double* time) const final {
    *time = 5.0;
  }
};

TEST(LeafSystemErrors, DeclarationsAreChecked) {
  Careless c;
  EXPECT_THROWS_MESSAGE(c.DeclareTwice(), std::logic_error,
                        "already has an input port named 'u'");
  EXPECT_THROWS_MESSAGE(c.DeclareUnnamed(), std::logic_error,
                        "was given an empty name");
  EXPECT_THROWS_MESSAGE(c.DeclareNegativeState(), std::logic_error,
                        "size is -1; it must be at least 0");
  EXPECT_THROWS_MESSAGE(c.DeclareBadPartition(), std::logic_error,
                        "1 q, 1 v and 0 z for a vector of 3");
  EXPECT_THROWS_MESSAGE(c.DeclareNullHandler(), std::logic_error,
                        "declares a null or empty function");
  EXPECT_THROWS_MESSAGE(c.DeclareEntryOfNothing(), std::logic_error,
                        "must say so with nothing_ticket()");
}

// A vector that is 0 or more.
class NonNegative final : public BasicVector<double> {
 public:
  explicit NonNegative(int size) : BasicVector<double>(VectorXd::Zero(size)) {}
  void GetElementBounds(VectorXd* lower, VectorXd* upper) const final {
    *lower = VectorXd::Zero(size());
    *upper = VectorXd::Constant(size(), kInf);
  }

 private:
  NonNegative* DoClone() const final { return new NonNegative(size()); }
};

// Declares its continuous state as often as it is told to.
class Declarer final : public LeafSystem<double> {
 public:
  using LeafSystem<double>::DeclareContinuousState;
  using LeafSystem<double>::DeclareEqualityConstraint;
};

TEST(LeafSystem, AContinuousStateDeclaredAgainHasItsOwnBoundsAlone) {
  Declarer system;
  system.DeclareContinuousState(NonNegative(2));
  system.DeclareEqualityConstraint(
      [](const Context<double>& context, VectorXd* value) {
        *value = VectorXd::Constant(1, context.get_time());
      },
      1, "time is 0");
  const auto is_satisfied_at = [&system](const VectorXd& x) {
    const auto context = system.CreateDefaultContext();
    context->SetContinuousState(x);
    return system.CheckSystemConstraintsSatisfied(*context, 1e-9);
  };
  EXPECT_FALSE(is_satisfied_at(VectorXd::Constant(2, -1.0)));
  // This state has another size and no bounds.
  system.DeclareContinuousState(1);
  EXPECT_TRUE(is_satisfied_at(VectorXd::Constant(1, -1.0)));
  // With bounds again. The other constraint has its number still.
  system.DeclareContinuousState(NonNegative(3));
  EXPECT_FALSE(is_satisfied_at(VectorXd::Constant(3, -1.0)));
  EXPECT_TRUE(is_satisfied_at(VectorXd::Constant(3, 1.0)));
  EXPECT_EQ(system.num_constraints(), 2);
  EXPECT_EQ(system.get_constraint(SystemConstraintIndex(0)).size(), 3);
  EXPECT_EQ(system.get_constraint(SystemConstraintIndex(1)).description(),
            "time is 0");
}

TEST(LeafSystemErrors, AnUpdateTimeNeedsAnEvent) {
  const Careless c;
  const auto context = c.CreateDefaultContext();
  const auto events = c.AllocateCompositeEventCollection();
  EXPECT_THROWS_MESSAGE(c.CalcNextUpdateTime(*context, events.get()),
                        std::logic_error,
                        "gave the next update time 5 and no event");
  EXPECT_THROWS_MESSAGE(c.EvalUniquePeriodicDiscreteUpdate(*context),
                        std::logic_error, "has no periodic discrete update");
}

TEST(LeafSystemErrors, AWitnessIsAskedOfItsOwnSystem) {
  const Careless one, other;
  const auto witness = one.MakeWitness();
  EXPECT_EQ(one.CalcWitnessValue(*one.CreateDefaultContext(), *witness), 1.0);
  EXPECT_THROWS_MESSAGE(
      other.CalcWitnessValue(*other.CreateDefaultContext(), *witness),
      std::logic_error, "the witness function 'w' is not of");
}

TEST(EventErrors, ACompositeNeedsATrigger) {
  const PublishEvent<double> event;
  EXPECT_THROWS_MESSAGE(event.AddToComposite(TriggerType::kTimed, nullptr),
                        std::logic_error, "events is null");
  LeafCompositeEventCollection<double> events;
  EXPECT_THROWS_MESSAGE(event.AddToComposite(&events), std::logic_error,
                        "the trigger type is unknown");
  const PublishEvent<double> forced(TriggerType::kForced);
  EXPECT_THROWS_MESSAGE(forced.AddToComposite(TriggerType::kTimed, &events),
                        std::logic_error, "another than the event already has");
  event.AddToComposite(TriggerType::kTimed, &events);
  EXPECT_TRUE(events.HasPublishEvents());
}

TEST(EventErrors, AnEventBelongsToALeaf) {
  DiagramEventCollection<PublishEvent<double>> events(2);
  EXPECT_THROWS_MESSAGE(events.AddEvent(PublishEvent<double>()),
                        std::logic_error, "an event belongs to a leaf System");
}

TEST(EventErrors, ACollectionIsAPartOnce) {
  LeafEventCollection<PublishEvent<double>> part;
  DiagramEventCollection<PublishEvent<double>> one(1), other(2);
  EXPECT_THROWS_MESSAGE(one.set_subevent_collection(0, nullptr),
                        std::logic_error, "for subsystem 0 is null");
  one.set_subevent_collection(0, &part);
  EXPECT_THROWS_MESSAGE(other.set_subevent_collection(1, &part),
                        std::logic_error,
                        "for subsystem 1 is in a Diagram's collection already");
}

TEST(EventCollection, MakesAForcedEvent) {
  const auto events =
      LeafEventCollection<PublishEvent<double>>::MakeForcedEventCollection();
  ASSERT_EQ(events->get_events().size(), 1);
  EXPECT_EQ(events->get_events()[0]->get_trigger_type(), TriggerType::kForced);
}

TEST(DiagramErrors, LookingForWhatIsNotThere) {
  const Pair p;
  EXPECT_THROWS_MESSAGE(p.diagram->GetSubsystemByName("scales"),
                        std::logic_error,
                        "has no subsystem named 'scales'; it has");
  EXPECT_THROWS_MESSAGE(
      p.diagram->GetDowncastSubsystemByName<FreeMass>("scale"),
      std::logic_error, "name its own type");
  const Scale<double> stranger(1.0);
  EXPECT_THROWS_MESSAGE(p.diagram->GetSystemIndex(&stranger), std::logic_error,
                        "is not a direct subsystem of");
}

TEST(DiagramBuilderErrors, ConnectionsAreCheckedBothWays) {
  DiagramBuilder<double> builder;
  builder.set_throws_at_once(true);
  auto* a = builder.AddNamedSystem<Scale>("a", 1.0);
  auto* b = builder.AddNamedSystem<Scale>("b", 1.0);
  EXPECT_THROWS_MESSAGE(
      builder.Disconnect(a->get_output_port(), b->get_input_port()),
      std::logic_error, "are not connected");
  builder.Connect(*a, *b);
  builder.Disconnect(*a, *b);
  EXPECT_FALSE(builder.IsConnectedOrExported(b->get_input_port()));
  EXPECT_THROWS_MESSAGE(builder.ConnectInput("u", b->get_input_port()),
                        std::logic_error, "no input port named 'u'");
  EXPECT_THROWS_MESSAGE(
      builder.ConnectInput(InputPortIndex(0), b->get_input_port()),
      std::logic_error, "has no input port 0; it has 0");
  builder.ExportInput(a->get_input_port(), "u");
  EXPECT_THROWS_MESSAGE(builder.ExportInput(b->get_input_port(), "u"),
                        std::logic_error, "the name 'u' is");
}

TEST(DiagramBuilderErrors, SystemsAreAddedOnceAndFoundByName) {
  DiagramBuilder<double> builder;
  auto shared = std::make_shared<Scale<double>>(1.0);
  shared->set_name("shared");
  builder.AddSystem(shared);
  EXPECT_THROWS_MESSAGE(builder.AddSystem(shared), std::logic_error,
                        "System 'shared' has been added already");
  EXPECT_THROWS_MESSAGE(builder.AddSystem(std::unique_ptr<Scale<double>>()),
                        std::logic_error, "a pointer is null");
  EXPECT_THROWS_MESSAGE(builder.GetSubsystemByName("other"), std::logic_error,
                        "0 Systems are named 'other'");
  EXPECT_THROWS_MESSAGE(builder.GetDowncastSubsystemByName<FreeMass>("shared"),
                        std::logic_error, "name its own type");
  EXPECT_EQ(&builder.GetMutableSubsystemByName("shared"), shared.get());
  EXPECT_EQ(builder.GetSystems().size(), 1);
  EXPECT_EQ(builder.GetMutableSystems().front(), shared.get());
}

}  // namespace framework_errors_test
}  // namespace wyvern::systems
