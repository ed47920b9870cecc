// A System never changes once built, so each thread may use a Context of its
// own. Meant to be run with the thread sanitizer too.
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
namespace {

// y = 2 u + x + t; x counts the updates.
class Stage final : public LeafSystem<double> {
 public:
  Stage() {
    DeclareVectorInputPort("u", 1);
    DeclareDiscreteState(1);
    DeclarePeriodicDiscreteUpdateEvent(0.1, 0.0, &Stage::Update);
    DeclareVectorOutputPort("y", 1, &Stage::CalcY);
  }

 private:
  void CalcY(const Context<double>& context, BasicVector<double>* y) const {
    (*y)[0] = 2 * get_input_port(0).Eval(context)[0] +
              context.get_discrete_state(0)[0] + context.get_time();
  }
  EventStatus Update(const Context<double>& context,
                     DiscreteValues<double>* xd) const {
    (*xd)[0] = context.get_discrete_state(0)[0] + 1;
    return EventStatus::Succeeded();
  }
};

std::unique_ptr<Diagram<double>> MakeChain(int length) {
  DiagramBuilder<double> builder;
  const Stage* last = builder.AddSystem<Stage>();
  builder.ExportInput(last->get_input_port(0));
  for (int i = 1; i < length; ++i) {
    const Stage* next = builder.AddSystem<Stage>();
    builder.Connect(last->get_output_port(0), next->get_input_port(0));
    last = next;
  }
  builder.ExportOutput(last->get_output_port(0));
  return builder.Build();
}

// Makes a Context, and lets it go through updates, changes and evaluations.
double Simulate(const Diagram<double>& diagram) {
  auto context = diagram.CreateDefaultContext();
  diagram.get_input_port(0).FixValue(context.get(), 1.0);
  auto updated = diagram.AllocateDiscreteVariables();
  auto events = diagram.AllocateCompositeEventCollection();
  double sum = 0;
  for (int i = 0; i < 50; ++i) {
    const double next = diagram.CalcNextUpdateTime(*context, events.get());
    context->SetTime(next);
    const auto& updates = events->get_discrete_update_events();
    diagram.CalcDiscreteVariableUpdate(*context, updates, updated.get());
    diagram.ApplyDiscreteVariableUpdate(updates, updated.get(), context.get());
    if (i % 10 == 0) context = context->Clone();
    sum += diagram.get_output_port(0).Eval(*context)[0];
  }
  return sum;
}

TEST(Threads, ContextsOfOneDiagramDoNotDisturbEachOther) {
  const auto diagram = MakeChain(5);
  std::vector<double> results(4, 0.0);
  std::vector<std::thread> threads;
  for (double& result : results) {
    threads.emplace_back([&] { result = Simulate(*diagram); });
  }
  for (std::thread& thread : threads) thread.join();
  // Equal computations in equal order give equal bits.
  const double alone = Simulate(*diagram);
  for (double result : results) EXPECT_EQ(result, alone);
}

}  // namespace
}  // namespace wyvern::systems
