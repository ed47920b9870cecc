// A setting that a System holds outside its Contexts acts at once in every
// Context: on the System's own results and on everything that depends on them.
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
namespace settings_change_test {

// y = factor (u or 1), computed in a cache entry; the factor of a follower is
// another block's.
class Amplifier final : public LeafSystem<double> {
 public:
  explicit Amplifier(const Amplifier* leader = nullptr) : leader_(leader) {
    if (leader != nullptr) FollowSettingsOf(*leader);
    DeclareVectorInputPort("u", 1);
    const CacheEntry& entry = DeclareCacheEntry(
        "product", 0.0, &Amplifier::CalcProduct, {all_input_ports_ticket()});
    DeclareVectorOutputPort(
        "y", 1,
        [&entry](const Context<double>& context, BasicVector<double>* y) {
          (*y)[0] = entry.Eval<double>(context);
        },
        {entry.ticket()});
  }
  void set_factor(double factor) {
    factor_ = factor;
    NoteSettingsChange();
  }
  double factor() const { return leader_ ? leader_->factor() : factor_; }

 private:
  void CalcProduct(const Context<double>& context, double* product) const {
    const auto& u = get_input_port();
    *product = factor() * (u.HasValue(context) ? u.Eval(context)[0] : 1.0);
  }
  const Amplifier* const leader_;
  double factor_{1};
};

// Two blocks in a row, the second in a Diagram of its own.
struct Chain {
  Chain() {
    DiagramBuilder<double> inner, outer;
    second = inner.AddSystem<Amplifier>();
    inner.ExportInput(second->get_input_port(), "u");
    inner.ExportOutput(second->get_output_port(), "y");
    first = outer.AddSystem<Amplifier>();
    auto* inside = outer.AddSystem(inner.Build());
    outer.Connect(first->get_output_port(), inside->get_input_port(0));
    outer.ExportOutput(inside->get_output_port(0), "y");
    diagram = outer.Build();
  }
  double Output(const Context<double>& context) const {
    return diagram->get_output_port(0).Eval(context)[0];
  }
  Amplifier* first{};
  Amplifier* second{};
  std::unique_ptr<Diagram<double>> diagram;
};

TEST(SettingsChange, ActsInEveryContextAndOnWhatFollows) {
  Chain chain;
  const auto one = chain.diagram->CreateDefaultContext();
  EXPECT_EQ(chain.Output(*one), 1);
  auto gone = chain.diagram->CreateDefaultContext();
  const auto copy = one->Clone();
  gone.reset();
  const int64_t changes = one->num_changes();
  chain.first->set_factor(3);
  EXPECT_EQ(chain.Output(*one), 3);
  EXPECT_EQ(chain.Output(*copy), 3);
  EXPECT_GT(one->num_changes(), changes);
  chain.second->set_factor(5);
  EXPECT_EQ(chain.Output(*one), 15);
  EXPECT_EQ(chain.Output(*copy), 15);
}

TEST(SettingsChange, ActsOnASystemThatFollows) {
  std::optional<Amplifier> leader(std::in_place), gone(std::in_place, &*leader);
  const Amplifier follower(&*leader);
  const auto context = follower.CreateDefaultContext();
  EXPECT_EQ(follower.get_output_port().Eval(*context)[0], 1);
  gone.reset();
  leader->set_factor(7);
  EXPECT_EQ(follower.get_output_port().Eval(*context)[0], 7);
}

TEST(SettingsChange, AContextMayOutliveItsSystem) {
  auto system = std::make_unique<Amplifier>();
  const auto context = system->CreateDefaultContext();
  system.reset();
  EXPECT_EQ(context->num_input_ports(), 1);
}

// The thread sanitizer checks this test.
TEST(SettingsChange, ContextsAreMadeAndDestroyedInSeveralThreads) {
  Chain chain;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&chain] {
      for (int k = 0; k < 50; ++k) {
        const auto context = chain.diagram->CreateDefaultContext();
        EXPECT_EQ(chain.Output(*context->Clone()), 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  chain.first->set_factor(2);
  EXPECT_EQ(chain.Output(*chain.diagram->CreateDefaultContext()), 2);
}

class LateBlock final : public LeafSystem<double> {
 public:
  using LeafSystem::DeclareAbstractParameter;
  using LeafSystem::DeclareAbstractState;
  using LeafSystem::DeclareContinuousState;
  using LeafSystem::DeclareDiscreteState;
  using LeafSystem::DeclareNumericParameter;
  using LeafSystem::DeclareVectorInputPort;
  using LeafSystem::DeclareVectorOutputPort;
};

// A Context would lack them, and reading them would run past its end.
TEST(SettingsChange, NothingIsDeclaredThatAContextWouldLack) {
  LateBlock block;
  auto context = block.CreateDefaultContext();
  const auto nothing = [](const auto&, auto*) {};
  const char* const message = "has a Context already, which would lack what";
#define EXPECT_TOO_LATE(call) \
  EXPECT_THROWS_MESSAGE(block.call, std::logic_error, message)
  EXPECT_TOO_LATE(DeclareVectorInputPort("u", 1));
  EXPECT_TOO_LATE(DeclareVectorOutputPort("y", 1, nothing));
  EXPECT_TOO_LATE(DeclareContinuousState(1));
  EXPECT_TOO_LATE(DeclareDiscreteState(1));
  EXPECT_TOO_LATE(DeclareAbstractState(Value<int>(1)));
  EXPECT_TOO_LATE(DeclareNumericParameter(BasicVector<double>(1)));
  EXPECT_TOO_LATE(DeclareAbstractParameter(Value<int>(1)));
#undef EXPECT_TOO_LATE
  context.reset();
  block.DeclareDiscreteState(1);
  EXPECT_EQ(block.CreateDefaultContext()->num_discrete_state_groups(), 1);
}

}  // namespace settings_change_test
}  // namespace wyvern::systems
