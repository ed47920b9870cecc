#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
namespace {

// Counts how often each of its entries computes.
class Counter final : public LeafSystem<double> {
 public:
  Counter() {
    DeclareVectorInputPort("u", 1);
    DeclareContinuousState(1, 1, 1);
    xd0 = DeclareDiscreteState(1);
    xd1 = DeclareDiscreteState(1);
    xa = DeclareAbstractState(Value<int>(3));
    pn = NumericParameterIndex(DeclareNumericParameter(BasicVector<double>(1)));
    Declare(&on_time, time_ticket());
    Declare(&on_q, q_ticket());
    Declare(&on_v, v_ticket());
    Declare(&on_xc, xc_ticket());
    Declare(&on_xd0, discrete_state_ticket(xd0));
    Declare(&on_xd, xd_ticket());
    Declare(&on_xa, xa_ticket());
    Declare(&on_parameter, pn_ticket());
    Declare(&on_input, input_port_ticket(InputPortIndex(0)));
    Declare(&on_nothing, nothing_ticket());
    Declare(&on_configuration, configuration_ticket());
    Declare(&on_kinematics, kinematics_ticket());
    Declare(&on_accuracy, accuracy_ticket());
    Declare(&on_q_entry, on_q.entry->ticket());
  }
  struct Counted {
    CacheEntry* entry{};
    mutable int count{0};
  };
  int Eval(const Counted& c, const Context<double>& context) const {
    c.entry->Eval<int>(context);
    return c.count;
  }

  DiscreteStateIndex xd0, xd1;
  AbstractStateIndex xa;
  NumericParameterIndex pn;
  Counted on_time, on_q, on_v, on_xc, on_xd0, on_xd, on_xa, on_parameter,
      on_input, on_nothing, on_configuration, on_kinematics, on_accuracy,
      on_q_entry;
  std::vector<Counted*> all;

 private:
  void Declare(Counted* c, DependencyTicket ticket) {
    c->entry = &DeclareCacheEntry(
        "counted",
        ValueProducer(0,
                      [c](const ContextBase&, AbstractValue* value) {
                        value->set_value(++c->count);
                      }),
        {ticket});
    all.push_back(c);
  }
};

class CacheTest : public ::testing::Test {
 protected:
  CacheTest() : context_(system_.CreateDefaultContext()) { EvalAll(); }
  void EvalAll() {
    for (const auto* c : system_.all) system_.Eval(*c, *context_);
  }
  // Which entries compute again after `change`.
  std::vector<const Counter::Counted*> Recomputed(
      const std::function<void()>& change) {
    std::vector<int> before;
    for (const auto* c : system_.all) before.push_back(c->count);
    change();
    EvalAll();
    std::vector<const Counter::Counted*> result;
    for (size_t i = 0; i < before.size(); ++i) {
      if (system_.all[i]->count != before[i]) result.push_back(system_.all[i]);
    }
    return result;
  }
  using Entries = std::vector<const Counter::Counted*>;
  Counter system_;
  std::unique_ptr<Context<double>> context_;
};

TEST_F(CacheTest, NothingComputesTwiceWithoutAChange) {
  EXPECT_EQ(Recomputed([] {}), Entries{});
}

TEST_F(CacheTest, TimeReachesOnlyWhatDependsOnTime) {
  EXPECT_EQ(Recomputed([&] { context_->SetTime(1.0); }),
            Entries{&system_.on_time});
}

TEST_F(CacheTest, ContinuousStateReachesPositionsVelocitiesAndTheirEntries) {
  EXPECT_EQ(Recomputed([&] { context_->get_mutable_continuous_state(); }),
            (Entries{&system_.on_q, &system_.on_v, &system_.on_xc,
                     &system_.on_configuration, &system_.on_kinematics,
                     &system_.on_q_entry}));
}

TEST_F(CacheTest, VelocitiesAloneLeaveTheConfigurationAlone) {
  EXPECT_EQ(Recomputed([&] { context_->GetMutableVZVectors(); }),
            (Entries{&system_.on_v, &system_.on_xc, &system_.on_configuration,
                     &system_.on_kinematics}));
}

TEST_F(CacheTest, OneDiscreteGroupDoesNotReachAnother) {
  EXPECT_EQ(
      Recomputed([&] { context_->get_mutable_discrete_state(system_.xd1); }),
      (Entries{&system_.on_xd, &system_.on_configuration,
               &system_.on_kinematics}));
}

TEST_F(CacheTest, ParametersReachTheirTicketAndTheConfiguration) {
  EXPECT_EQ(
      Recomputed([&] { context_->get_mutable_numeric_parameter(system_.pn); }),
      (Entries{&system_.on_parameter, &system_.on_configuration,
               &system_.on_kinematics}));
}

TEST_F(CacheTest, AFixedInputReachesItsReaders) {
  FixedInputPortValue& value =
      system_.get_input_port(0).FixValue(context_.get(), 1.0);
  EvalAll();
  EXPECT_EQ(Recomputed([&] {
              value.GetMutableVectorData<double>()->SetAtIndex(0, 2.0);
            }),
            Entries{&system_.on_input});
}

TEST_F(CacheTest, DisabledCachingComputesEveryTime) {
  context_->DisableCaching();
  EXPECT_EQ(Recomputed([] {}).size(), system_.all.size());
  context_->EnableCaching();
  EvalAll();
  EXPECT_EQ(Recomputed([] {}), Entries{});
}

TEST_F(CacheTest, AFrozenCacheRefusesToCompute) {
  context_->FreezeCache();
  EXPECT_EQ(Recomputed([] {}), Entries{});
  context_->SetTime(2.0);
  EXPECT_THROWS_MESSAGE(system_.Eval(system_.on_time, *context_),
                        std::logic_error, "frozen");
  context_->UnfreezeCache();
  EXPECT_EQ(Recomputed([] {}), Entries{&system_.on_time});
}

TEST_F(CacheTest, ACloneKeepsWhatIsUpToDateAndThenGoesItsOwnWay) {
  const auto clone = context_->Clone();
  const int before = system_.on_q.count;
  EXPECT_EQ(system_.Eval(system_.on_q, *clone), before);
  clone->get_mutable_continuous_state();
  EXPECT_EQ(system_.Eval(system_.on_q, *context_), before);
  EXPECT_EQ(system_.Eval(system_.on_q, *clone), before + 1);
}

TEST_F(CacheTest, AnotherSystemsContextIsRefused) {
  const Counter other;
  const auto foreign = other.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(system_.Eval(system_.on_q, *foreign), std::logic_error,
                        "another System");
}

TEST_F(CacheTest, InvalidationAllocatesNothing) {
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  const ::wyvern::test::AllocationGuard guard;
  context_->SetTime(3.0);
  context_->get_mutable_continuous_state();
  EvalAll();
  EXPECT_EQ(guard.count(), 0);
}

// An entry that asks for itself, and one whose computation throws.
class Odd final : public LeafSystem<double> {
 public:
  Odd() {
    self_entry = &DeclareCacheEntry(
        "self", ValueProducer(0, [this](const ContextBase& c, AbstractValue*) {
          self_entry->Eval<int>(c);
        }));
    thrower = &DeclareCacheEntry(
        "thrower",
        ValueProducer(0, [this](const ContextBase&, AbstractValue* value) {
          if (angry) throw std::runtime_error("angry");
          value->set_value(7);
        }));
  }
  bool angry{true};
  CacheEntry* self_entry{};
  CacheEntry* thrower{};
};

TEST(CacheEntry, AskingForItsOwnResultThrows) {
  const Odd system;
  const auto context = system.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(system.self_entry->Eval<int>(*context),
                        std::logic_error, "self");
}

TEST(CacheEntry, StaysStaleWhenItsComputationThrows) {
  Odd system;
  const auto context = system.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(system.thrower->Eval<int>(*context), std::runtime_error,
                        "angry");
  EXPECT_TRUE(system.thrower->is_out_of_date(*context));
  system.angry = false;
  EXPECT_EQ(system.thrower->Eval<int>(*context), 7);
}

}  // namespace
}  // namespace wyvern::systems
