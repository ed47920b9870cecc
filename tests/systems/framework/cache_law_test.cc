// The law of caching: whatever was evaluated and changed before, an output is
// what a fresh Context with the same values, and no cache, computes.
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
namespace {

class Dice {
 public:
  explicit Dice(int seed) : generator_(seed) {}
  int Below(int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(generator_);
  }
  double Number() {
    return std::uniform_real_distribution<double>(-1, 1)(generator_);
  }

 private:
  std::mt19937 generator_;
};

// Has random states, parameters and inputs; each output, and an entry that
// outputs may use, reads a random choice of them, declares just these, and
// reads the later ones only if the first is positive.
class Block final : public LeafSystem<double> {
 public:
  explicit Block(Dice* dice) {
    AddSource(time_ticket(), [](const auto& c) { return c.get_time(); });
    AddSource(accuracy_ticket(),
              [](const auto& c) { return c.get_accuracy().value_or(0); });
    DeclareStates(dice);
    for (int i = dice->Below(4); i > 0; --i) {
      const auto& port = DeclareVectorInputPort(kUseDefaultName, 1);
      AddSource(port.ticket(), [&port](const auto& c) {
        return port.HasValue(c) ? port.Eval(c)[0] : 0.0;
      });
    }
    const Choice choice = Choose(dice);
    const CacheEntry& entry = DeclareCacheEntry(
        "part",
        ValueProducer(0.0,
                      [this, choice](const ContextBase& c, AbstractValue* v) {
                        v->set_value(Read(choice, c));
                      }),
        choice.tickets);
    AddSource(entry.ticket(),
              [&entry](const auto& c) { return entry.Eval<double>(c); });
    for (int i = 1 + dice->Below(2); i > 0; --i) {
      const Choice of_port = Choose(dice);
      DeclareVectorOutputPort(
          kUseDefaultName, 1,
          [this, of_port](const Context<double>& c, BasicVector<double>* y) {
            (*y)[0] = Read(of_port, c);
          },
          of_port.tickets);
    }
  }

 private:
  using Reader = std::function<double(const Context<double>&)>;
  struct Source {
    DependencyTicket ticket;
    Reader read;
  };
  struct Choice {
    std::vector<int> sources;
    std::set<DependencyTicket> tickets;
  };

  void AddSource(DependencyTicket ticket, Reader read) {
    sources_.push_back({ticket, std::move(read)});
  }
  void DeclareStates(Dice* dice) {
    if (dice->Below(2) == 0) {
      DeclareContinuousState(1, 1, 1);
      const DependencyTicket tickets[] = {q_ticket(), v_ticket(), z_ticket()};
      for (int i = 0; i < 3; ++i) {
        AddSource(tickets[i], [i](const auto& c) {
          return c.get_continuous_state_vector()[i];
        });
      }
    }
    for (int i = dice->Below(3); i > 0; --i) {
      const auto group = DeclareDiscreteState(1);
      AddSource(discrete_state_ticket(group), [group](const auto& c) {
        return c.get_discrete_state(group)[0];
      });
    }
    for (int i = dice->Below(2); i > 0; --i) {
      const auto state = DeclareAbstractState(Value<double>(0.5));
      AddSource(abstract_state_ticket(state), [state](const auto& c) {
        return c.template get_abstract_state<double>(state);
      });
    }
    for (int i = dice->Below(3); i > 0; --i) {
      const NumericParameterIndex p(
          DeclareNumericParameter(BasicVector<double>({0.3})));
      AddSource(numeric_parameter_ticket(p),
                [p](const auto& c) { return c.get_numeric_parameter(p)[0]; });
    }
  }
  Choice Choose(Dice* dice) const {
    Choice result;
    for (int i = 1 + dice->Below(4); i > 0; --i) {
      const int s = dice->Below(static_cast<int>(sources_.size()));
      result.sources.push_back(s);
      result.tickets.insert(sources_[s].ticket);
    }
    return result;
  }
  double Read(const Choice& choice, const ContextBase& context_base) const {
    const auto& context = static_cast<const Context<double>&>(context_base);
    double sum = 0;
    for (int s : choice.sources) {
      sum = std::sin(1 + s + 2 * sum + sources_[s].read(context));
      if (sum < 0) break;
    }
    return sum;
  }
  void DoCalcTimeDerivatives(const Context<double>&,
                             ContinuousState<double>* xdot) const final {
    xdot->SetFromVector(Eigen::Vector3d::Zero());
  }

  std::vector<Source> sources_;
};

// A Block, or a Diagram of such things, each fed by those before it; inputs
// that nothing feeds and all outputs are exported.
std::unique_ptr<System<double>> MakeSystem(Dice* dice, int depth,
                                           std::vector<const Block*>* blocks) {
  if (depth == 0) {
    auto block = std::make_unique<Block>(dice);
    blocks->push_back(block.get());
    return block;
  }
  DiagramBuilder<double> builder;
  std::vector<const OutputPort<double>*> outputs;
  for (int i = 2 + dice->Below(4); i > 0; --i) {
    const int below = depth - 1 - dice->Below(depth);
    const auto* system = builder.AddSystem(MakeSystem(dice, below, blocks));
    for (int p = 0; p < system->num_input_ports(); ++p) {
      if (!outputs.empty() && dice->Below(4) > 0) {
        const int from = dice->Below(static_cast<int>(outputs.size()));
        builder.Connect(*outputs[from], system->get_input_port(p));
      } else {
        builder.ExportInput(system->get_input_port(p));
      }
    }
    for (int p = 0; p < system->num_output_ports(); ++p) {
      outputs.push_back(&system->get_output_port(p));
    }
  }
  for (const auto* port : outputs) builder.ExportOutput(*port);
  return builder.Build();
}

class CacheLaw : public ::testing::TestWithParam<int> {
 protected:
  CacheLaw()
      : dice_(GetParam()),
        system_(MakeSystem(&dice_, 3, &blocks_)),
        context_(system_->CreateDefaultContext()) {}

  const Block& AnyBlock() {
    return *blocks_[dice_.Below(static_cast<int>(blocks_.size()))];
  }
  void ChangeRoot() {
    const VectorX<double> xc = VectorX<double>::NullaryExpr(
        context_->num_continuous_states(), [this] { return dice_.Number(); });
    switch (dice_.Below(8)) {
      case 0:
        return context_->SetTime(dice_.Number());
      case 1:
        return context_->SetAccuracy(1.5 + dice_.Number());
      case 2:
        return context_->SetContinuousState(xc);
      case 3:
        return context_->SetTimeAndContinuousState(dice_.Number(), xc);
      case 4: {
        auto& q = context_->SetTimeAndGetMutableQVector(dice_.Number());
        for (int i = 0; i < q.size(); ++i) q[i] = dice_.Number();
        return;
      }
      case 5: {
        auto& z = *context_->GetMutableVZVectors().second;
        for (int i = 0; i < z.size(); ++i) z[i] = dice_.Number();
        return;
      }
      case 6:
        return context_->SetAllCacheEntriesOutOfDate();
      default:
        context_ = context_->Clone();
    }
  }
  // Nothing happens if the block has not what was chosen.
  void ChangeBlock() {
    const Block& block = AnyBlock();
    Context<double>& c = block.GetMyMutableContextFromRoot(context_.get());
    switch (dice_.Below(8)) {
      case 0:
        if (c.num_continuous_states() == 0) return;
        c.get_mutable_continuous_state_vector()[dice_.Below(3)] =
            dice_.Number();
        return;
      case 1:
        if (c.num_discrete_state_groups() == 0) return;
        c.get_mutable_discrete_state(
            dice_.Below(c.num_discrete_state_groups()))[0] = dice_.Number();
        return;
      case 2:
        if (c.num_abstract_states() == 0) return;
        return c.SetAbstractState(0, dice_.Number());
      case 3:
        if (c.num_numeric_parameter_groups() == 0) return;
        c.get_mutable_numeric_parameter(
            dice_.Below(c.num_numeric_parameter_groups()))[0] = dice_.Number();
        return;
      case 4:
        return ChangeInput(block, &c);
      case 5:
        return AnyEntry(block)
            .get_mutable_cache_entry_value(c)
            .mark_out_of_date();
      case 6:
        return AnyEntry(block).disable_caching(c);
      default:
        return AnyEntry(block).enable_caching(c);
    }
  }
  void ChangeInput(const Block& block, Context<double>* c) {
    if (block.num_input_ports() == 0) return;
    const int port = dice_.Below(block.num_input_ports());
    FixedInputPortValue* fixed = c->MaybeGetMutableFixedInputPortValue(port);
    if (fixed != nullptr) {
      (*fixed->GetMutableVectorData<double>())[0] = dice_.Number();
    } else if (dice_.Below(3) == 0) {
      block.get_input_port(port).FixValue(c, dice_.Number());
    }
  }
  const CacheEntry& AnyEntry(const Block& block) {
    return block.get_cache_entry(
        CacheIndex(dice_.Below(block.num_cache_entries())));
  }
  void EvalSome() {
    for (int i = 0; i < 3; ++i) {
      const Block& block = AnyBlock();
      const auto& c = block.GetMyContextFromRoot(*context_);
      block.get_output_port(dice_.Below(block.num_output_ports())).Eval(c);
    }
  }
  std::unique_ptr<Context<double>> MakeFresh() const {
    auto fresh = system_->CreateDefaultContext();
    fresh->SetTimeStateAndParametersFrom(*context_);
    for (const Block* block : blocks_) {
      const auto& c = block->GetMyContextFromRoot(*context_);
      for (int i = 0; i < block->num_input_ports(); ++i) {
        const auto* fixed = c.MaybeGetFixedInputPortValue(i);
        if (fixed == nullptr) continue;
        block->get_input_port(i).FixValue(
            &block->GetMyMutableContextFromRoot(fresh.get()),
            fixed->get_vector_value<double>());
      }
    }
    fresh->DisableCaching();
    return fresh;
  }
  void ExpectTheLaw() {
    const auto fresh = MakeFresh();
    for (int i = 0; i < system_->num_output_ports(); ++i) {
      const auto& port = system_->get_output_port(i);
      // Equal computations on equal numbers give equal bits.
      EXPECT_EQ(port.Eval(*context_)[0], port.Eval(*fresh)[0]) << i;
    }
  }

  Dice dice_;
  std::vector<const Block*> blocks_;
  std::unique_ptr<System<double>> system_;
  std::unique_ptr<Context<double>> context_;
};

TEST_P(CacheLaw, OutputsAreThoseOfAFreshContextWithoutCache) {
  for (int i = 0; i < 100; ++i) {
    for (int k = dice_.Below(4); k >= 0; --k) {
      dice_.Below(2) == 0 ? ChangeRoot() : ChangeBlock();
      if (dice_.Below(2) == 0) EvalSome();
    }
    ExpectTheLaw();
    if (HasFailure()) FAIL() << "after " << i << " rounds of changes";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CacheLaw, ::testing::Range(0, 40));

}  // namespace
}  // namespace wyvern::systems
