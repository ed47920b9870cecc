#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

// Diagrams of as many blocks as fit in memory, in one chain: the stack does not
// overflow.

namespace wyvern::systems {
namespace long_chain_test {

constexpr int kLong = 50000;

/** y = u + 1. */
class AddOne final : public LeafSystem<double> {
 public:
  AddOne() {
    DeclareVectorInputPort("u", 1);
    DeclareVectorOutputPort("y", 1, &AddOne::Calc);
  }
  mutable int num_calls{0};

 private:
  void Calc(const Context<double>& context, BasicVector<double>* y) const {
    ++num_calls;
    (*y)[0] = get_input_port(0).Eval(context)[0] + 1;
  }
};

/** A chain of `length` blocks between an input and an output port. Beside it
are as many blocks that read values between two blocks of the chain. */
std::unique_ptr<Diagram<double>> MakeChain(int length, bool has_readers) {
  DiagramBuilder<double> builder;
  std::vector<AddOne*> blocks;
  for (int i = 0; i < length; ++i) {
    blocks.push_back(builder.AddSystem<AddOne>());
    if (i == 0) {
      builder.ExportInput(blocks[0]->get_input_port(0), "u");
    } else {
      builder.Connect(*blocks[i - 1], *blocks[i]);
    }
    if (!has_readers) continue;
    builder.Connect(*blocks[i], *builder.AddSystem<AddOne>());
  }
  builder.ExportOutput(blocks.back()->get_output_port(0), "y");
  return builder.Build();
}

double EvalAt(const Diagram<double>& diagram, Context<double>* context,
              double u) {
  diagram.get_input_port(0).FixValue(context, u);
  return diagram.get_output_port(0).Eval(*context)[0];
}

TEST(LongChain, IsEvaluatedAndInvalidatedWithoutOverflow) {
  const auto diagram = MakeChain(kLong, false);
  auto context = diagram->CreateDefaultContext();
  EXPECT_EQ(EvalAt(*diagram, context.get(), 3), 3 + kLong);
  EXPECT_EQ(EvalAt(*diagram, context.get(), -8), -8 + kLong);
  const auto clone = context->Clone();
  EXPECT_EQ(diagram->get_output_port(0).Eval(*clone)[0], -8 + kLong);
}

TEST(LongChain, WithAReaderAtEachPlaceIsInvalidatedWithoutOverflow) {
  const auto diagram = MakeChain(kLong, true);
  auto context = diagram->CreateDefaultContext();
  diagram->get_input_port(0).FixValue(context.get(), 5.0);
  for (const System<double>* block : diagram->GetSystems()) {
    block->get_output_port(0).Eval(
        diagram->GetSubsystemContext(*block, *context));
  }
  EXPECT_EQ(EvalAt(*diagram, context.get(), 3), 3 + kLong);
}

TEST(LongChain, ComputesEachBlockOnce) {
  const auto diagram = MakeChain(3000, false);
  auto context = diagram->CreateDefaultContext();
  EvalAt(*diagram, context.get(), 3);
  for (const System<double>* block : diagram->GetSystems()) {
    EXPECT_EQ(dynamic_cast<const AddOne&>(*block).num_calls, 1);
  }
}

TEST(LongChain, AllocatesNothingWhenItIsEvaluatedAgain) {
  const auto diagram = MakeChain(3000, true);
  auto context = diagram->CreateDefaultContext();
  EvalAt(*diagram, context.get(), 3);
  auto& fixed = diagram->get_input_port(0).FixValue(context.get(), 5.0);
  diagram->get_output_port(0).Eval(*context);
  wyvern::test::AllocationGuard guard;
  fixed.GetMutableVectorData<double>()->SetAtIndex(0, 6);
  const double y = diagram->get_output_port(0).Eval(*context)[0];
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(y, 3006);
}

TEST(LongChain, WithoutCachingIsRefusedInsteadOfOverflowing) {
  const auto diagram = MakeChain(kLong, false);
  auto context = diagram->CreateDefaultContext();
  context->DisableCaching();
  EXPECT_THROWS_MESSAGE(EvalAt(*diagram, context.get(), 3), std::runtime_error,
                        "wait for one another");
  context->EnableCaching();
  EXPECT_EQ(EvalAt(*diagram, context.get(), 3), 3 + kLong);
}

/** Reads one of its inputs. */
class Chooser final : public LeafSystem<double> {
 public:
  Chooser() {
    DeclareVectorInputPort("read", 1);
    DeclareVectorInputPort("unread", 1);
    DeclareVectorOutputPort("y", 1, &Chooser::Calc);
  }

 private:
  void Calc(const Context<double>& context, BasicVector<double>* y) const {
    (*y)[0] = get_input_port(0).Eval(context)[0] + 1;
  }
};

class Thrower final : public LeafSystem<double> {
 public:
  Thrower() { DeclareVectorOutputPort("y", 1, &Thrower::Calc); }

 private:
  void Calc(const Context<double>&, BasicVector<double>*) const {
    throw std::runtime_error("what this says");
  }
};

// The throwing block is at the ports that are read, or not.
std::unique_ptr<Diagram<double>> MakeChoosers(int length, bool is_read) {
  DiagramBuilder<double> builder;
  auto* thrower = builder.AddSystem<Thrower>();
  auto* before = builder.AddSystem<Chooser>();
  builder.ExportInput(before->get_input_port(is_read ? 1 : 0), "u");
  builder.Connect(thrower->get_output_port(0),
                  before->get_input_port(is_read ? 0 : 1));
  for (int i = 1; i < length; ++i) {
    auto* block = builder.AddSystem<Chooser>();
    builder.Connect(before->get_output_port(0), block->get_input_port(0));
    builder.Connect(thrower->get_output_port(0), block->get_input_port(1));
    before = block;
  }
  builder.ExportOutput(before->get_output_port(0), "y");
  return builder.Build();
}

TEST(LongChain, WhatIsNotReadNeedNotHaveAValue) {
  const auto diagram = MakeChoosers(1000, false);
  auto context = diagram->CreateDefaultContext();
  EXPECT_EQ(EvalAt(*diagram, context.get(), 0), 1000);
}

TEST(LongChain, ThrowsWhatABlockFarBelowThrows) {
  const auto diagram = MakeChoosers(20000, true);
  auto context = diagram->CreateDefaultContext();
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROWS_MESSAGE(EvalAt(*diagram, context.get(), 0),
                          std::runtime_error, "what this says");
  }
}

TEST(DiagramBuilderNames, FollowRenamingAndRemoval) {
  DiagramBuilder<double> builder;
  auto* first = builder.AddSystem<AddOne>();
  EXPECT_EQ(first->get_name(), "AddOne_0");
  const std::string next = "AddOne_1";
  first->set_name(next);
  EXPECT_TRUE(builder.HasSubsystemNamed(next));
  auto* second = builder.AddSystem<AddOne>();
  EXPECT_NE(second->get_name(), next);
  builder.RemoveSystem(*first);
  EXPECT_FALSE(builder.HasSubsystemNamed(next));
  EXPECT_EQ(builder.AddSystem<AddOne>()->get_name(), next);
}

TEST(DiagramBuilderNames, OfASystemInTwoBuildersAreKnownToBoth) {
  const auto shared = std::make_shared<AddOne>();
  DiagramBuilder<double> one;
  {
    DiagramBuilder<double> other;
    one.AddSystem(shared);
    other.AddSystem(shared);
    shared->set_name("shared");
    EXPECT_TRUE(one.HasSubsystemNamed("shared"));
    EXPECT_TRUE(other.HasSubsystemNamed("shared"));
  }
  shared->set_name("again");
  EXPECT_TRUE(one.HasSubsystemNamed("again"));
}

}  // namespace long_chain_test
}  // namespace wyvern::systems
