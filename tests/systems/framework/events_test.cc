#include <limits>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/systems/framework/test_systems.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_events.h"

namespace wyvern::systems {
namespace events_test {

using test::Ticker;
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(NextSample, IsExactlyOffsetPlusMultipleOfPeriod) {
  PeriodicEventData when;
  when.set_period_sec(0.1);
  when.set_offset_sec(0.03);
  double t = 0;
  for (int k = 0; k < 100000; ++k) {
    t = internal::NextSample(when, t, nullptr);
    ASSERT_EQ(t, 0.03 + k * 0.1);
  }
}

TEST(NextSample, ATickAtTimeZeroIsDueOnlyAtTheTrueTime) {
  PeriodicEventData when;
  when.set_period_sec(0.25);
  EXPECT_EQ(internal::NextSample(when, 0.0, nullptr), 0.25);
  const double zero = 0.0;
  EXPECT_EQ(internal::NextSample(when, -1e-16, &zero), 0.0);
}

TEST(NextSample, AShortOffsetIsNotLostForALongPeriod) {
  // The tolerance of one moment depends on the time, not on the period.
  PeriodicEventData when;
  when.set_period_sec(1e6);
  when.set_offset_sec(1e-10);
  EXPECT_EQ(internal::NextSample(when, 0.0, nullptr), 1e-10);
  const double now = 1e-10;
  EXPECT_EQ(internal::NextSample(when, std::nextafter(now, 0), &now), now);
  EXPECT_EQ(internal::NextSample(when, now, nullptr), 1e6 + 1e-10);
}

TEST(NextSample, APeriodBelowTheResolutionOfTimeIsRefused) {
  PeriodicEventData when;
  when.set_period_sec(1e-9);
  EXPECT_THROWS_MESSAGE(internal::NextSample(when, 1e9, nullptr),
                        std::runtime_error, "too short");
}

TEST(Events, MalformedPeriodsAreRefusedWhenDeclared) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double period : {0.0, -1.0, nan, kInf}) {
    EXPECT_THROWS_MESSAGE(Ticker(period, 0), std::logic_error, "period");
  }
  for (const double offset : {-1.0, nan, kInf}) {
    EXPECT_THROWS_MESSAGE(Ticker(1.0, offset), std::logic_error, "offset");
  }
}

TEST(Events, SimultaneousTicksOfDifferentPeriodsComeTogether) {
  DiagramBuilder<double> builder;
  builder.AddNamedSystem<Ticker>("fast", 1.0 / 200, 0.0);
  builder.AddNamedSystem<Ticker>("slow", 1.0 / 60, 0.0);
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  const auto events = diagram->AllocateCompositeEventCollection();
  // In 100 s there are 20000 and 6000 ticks, of which every tenth and third
  // coincide: 20000 + 6000 - 2000 moments, and no two nearer than 1/600 s.
  int moments = 0;
  double t = 0;
  while (true) {
    context->SetTime(t);
    const double next = diagram->CalcNextUpdateTime(*context, events.get());
    if (next > 100 + 1e-9) break;
    ASSERT_GT(next - t, 1.0 / 601);
    t = next;
    ++moments;
  }
  EXPECT_EQ(moments, 24000);
}

// 70 leaves, in Diagrams of two levels, get and lose events at random.
TEST(Events, ADiagramsCollectionKnowsWhichPartsHaveEvents) {
  using Leaf = LeafEventCollection<PublishEvent<double>>;
  using Whole = DiagramEventCollection<PublishEvent<double>>;
  constexpr int kNumLeaves = 70;
  const PublishEvent<double> event;
  std::vector<std::unique_ptr<Leaf>> leaves;
  auto inner = std::make_unique<Whole>(kNumLeaves);
  for (int i = 0; i < kNumLeaves; ++i) {
    leaves.push_back(std::make_unique<Leaf>());
    if (i % 3 == 0) leaves[i]->AddEventReference(&event);
    inner->set_subevent_collection(i, leaves[i].get());
  }
  Whole outer(2);
  for (int i = 0; i < kNumLeaves; ++i) leaves[i]->AddEvent(event);
  outer.set_and_own_subevent_collection(0, Leaf::MakeForcedEventCollection());
  outer.set_subevent_collection(1, inner.get());
  outer.get_mutable_subevent_collection(0).Clear();
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    Leaf& leaf = *leaves[random() % kNumLeaves];
    if (random() % 8 == 0) {
      leaf.AddEvent(event);
    } else {
      leaf.Clear();
    }
    std::vector<int> expected, found;
    for (int k = 0; k < kNumLeaves; ++k) {
      if (!leaves[k]->get_events().empty()) expected.push_back(k);
    }
    for (int k = inner->FindEvents(0); k < kNumLeaves;
         k = inner->FindEvents(k + 1)) {
      found.push_back(k);
    }
    ASSERT_EQ(found, expected);
    ASSERT_EQ(inner->HasEvents(), !expected.empty());
    ASSERT_EQ(outer.FindEvents(0), expected.empty() ? 2 : 1);
  }
}

TEST(Events, APartThatIsDestroyedOrReplacedHasNoEvents) {
  using Leaf = LeafEventCollection<PublishEvent<double>>;
  DiagramEventCollection<PublishEvent<double>> whole(2);
  auto part = Leaf::MakeForcedEventCollection();
  whole.set_subevent_collection(1, part.get());
  EXPECT_EQ(whole.FindEvents(0), 1);
  part.reset();
  EXPECT_FALSE(whole.HasEvents());
  part = Leaf::MakeForcedEventCollection();
  whole.set_subevent_collection(1, part.get());
  Leaf other;
  whole.set_subevent_collection(1, &other);
  EXPECT_FALSE(whole.HasEvents());
  part->Clear();  // It is no part any more.
  other.AddEvent(PublishEvent<double>());
  EXPECT_EQ(whole.FindEvents(0), 1);
  EXPECT_EQ(whole.FindEvents(2), 2);
}

TEST(Events, DiscreteUpdateIsComputedThenApplied) {
  const Ticker ticker(0.5, 0.0);
  const auto context = ticker.CreateDefaultContext();
  const auto events = ticker.AllocateCompositeEventCollection();
  EXPECT_EQ(ticker.CalcNextUpdateTime(*context, events.get()), 0.5);
  ASSERT_TRUE(events->HasDiscreteUpdateEvents());
  ASSERT_TRUE(events->HasPublishEvents());
  const auto xd = ticker.AllocateDiscreteVariables();
  const auto& updates = events->get_discrete_update_events();
  EXPECT_TRUE(ticker.CalcDiscreteVariableUpdate(*context, updates, xd.get())
                  .succeeded());
  EXPECT_EQ(context->get_discrete_state(0)[0], 0);
  ticker.ApplyDiscreteVariableUpdate(updates, xd.get(), context.get());
  EXPECT_EQ(context->get_discrete_state(0)[0], 1);
}

TEST(Events, ForcedInitializationAndPerStepEventsAreKeptApart) {
  const Ticker ticker(0.5, 0.0);
  const auto context = ticker.CreateDefaultContext();
  ticker.ExecuteForcedEvents(context.get());
  EXPECT_EQ(context->get_discrete_state(0)[0], 10);
  ticker.ExecuteInitializationEvents(context.get());
  EXPECT_EQ(context->get_discrete_state(0)[0], 20);
  EXPECT_TRUE(ticker.times.empty());
  const auto events = ticker.AllocateCompositeEventCollection();
  ticker.GetPerStepEvents(*context, events.get());
  EXPECT_FALSE(events->HasDiscreteUpdateEvents());
  ticker.Publish(*context, events->get_publish_events());
  EXPECT_EQ(ticker.times.size(), 1);
}

TEST(Events, UniquePeriodicUpdateIsFoundThroughADiagram) {
  DiagramBuilder<double> builder;
  auto* one = builder.AddNamedSystem<Ticker>("one", 0.1, 0.0);
  auto* two = builder.AddNamedSystem<Ticker>("two", 0.1, 0.0);
  const auto diagram = builder.Build();
  const auto timing = diagram->GetUniquePeriodicDiscreteUpdateAttribute();
  ASSERT_TRUE(timing.has_value());
  EXPECT_EQ(timing->period_sec(), 0.1);
  const auto context = diagram->CreateDefaultContext();
  const auto& next = diagram->EvalUniquePeriodicDiscreteUpdate(*context);
  EXPECT_EQ(diagram->GetSubsystemDiscreteValues(*one, next)[0], 1);
  EXPECT_EQ(diagram->GetSubsystemDiscreteValues(*two, next)[0], 1);
}

TEST(Events, DifferentTimingsAreNotUnique) {
  DiagramBuilder<double> builder;
  builder.AddNamedSystem<Ticker>("one", 0.1, 0.0);
  builder.AddNamedSystem<Ticker>("two", 0.2, 0.0);
  const auto diagram = builder.Build();
  EXPECT_FALSE(diagram->GetUniquePeriodicDiscreteUpdateAttribute().has_value());
  const auto context = diagram->CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(diagram->EvalUniquePeriodicDiscreteUpdate(*context),
                        std::logic_error, "differ");
}

TEST(Events, LookingForEventsAllocatesNothingTheSecondTime) {
  const Ticker ticker(0.5, 0.0);
  const auto context = ticker.CreateDefaultContext();
  const auto events = ticker.AllocateCompositeEventCollection();
  ticker.CalcNextUpdateTime(*context, events.get());
  const ::wyvern::test::AllocationGuard guard;
  ticker.CalcNextUpdateTime(*context, events.get());
  EXPECT_EQ(guard.count(), 0);
}

// A discrete update that fails, or writes what is not a number.
class Bad final : public LeafSystem<double> {
 public:
  explicit Bad(bool fails) : fails_(fails) {
    set_name("bad");
    DeclareDiscreteState(2);
    DeclareForcedDiscreteUpdateEvent(&Bad::Update);
  }

 private:
  EventStatus Update(const Context<double>&, DiscreteValues<double>* xd) const {
    if (fails_) return EventStatus::Failed(this, "no luck");
    (*xd)[1] = std::numeric_limits<double>::quiet_NaN();
    return EventStatus::Succeeded();
  }
  bool fails_;
};

TEST(Events, AFailureSaysWhoAndWhy) {
  const Bad system(true);
  const auto context = system.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(system.ExecuteForcedEvents(context.get()),
                        std::runtime_error, "no luck");
}

TEST(Events, ANewValueThatIsNotFiniteIsRefusedAndTheOldOneKept) {
  const Bad system(false);
  const auto context = system.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(system.ExecuteForcedEvents(context.get()),
                        std::runtime_error,
                        "element 1 of discrete state group 0");
  EXPECT_EQ(context->get_discrete_state(0)[1], 0);
}

}  // namespace events_test
}  // namespace wyvern::systems
