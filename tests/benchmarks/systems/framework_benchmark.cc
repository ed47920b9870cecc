// Overhead of a diagram's step, apart from the blocks' own computations. The
// file drake_framework.py has the same diagrams; compare.py runs both in turn.
#include <string>

#include <benchmark/benchmark.h>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/linear/affine_system.h"
#include "wyvern/systems/primitives/saturation.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Advances in pieces of one second; an item is a step.
void AdvanceSeconds(benchmark::State& state, Simulator<double>* simulator) {
  simulator->Initialize();
  simulator->AdvanceTo(1.0);
  simulator->ResetStatistics();
  double t = 1.0;
  for (auto _ : state) {
    t += 1.0;
    simulator->AdvanceTo(t);
  }
  state.SetItemsProcessed(simulator->get_num_steps_taken());
}

void DiscreteCounter(benchmark::State& state) {
  const MatrixXd one = MatrixXd::Ones(1, 1);
  const MatrixXd none(1, 0);
  const AffineSystem<double> counter(one, none, VectorXd::Ones(1), one, none,
                                     VectorXd::Zero(1), 0.001);
  Simulator<double> simulator(counter);
  AdvanceSeconds(state, &simulator);
}
BENCHMARK(DiscreteCounter)->Unit(benchmark::kMicrosecond);

void GainCascade(benchmark::State& state) {
  DiagramBuilder<double> builder;
  const auto* integrator = builder.AddSystem<Integrator>(1);
  const System<double>* last = integrator;
  for (int i = 0; i < 50; ++i) {
    const auto* gain = builder.AddSystem<Gain>(i == 0 ? -1.0 : 1.0, 1);
    builder.Connect(*last, *gain);
    last = gain;
  }
  builder.Connect(*last, *integrator);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_context().SetContinuousState(VectorXd::Ones(1));
  simulator.get_mutable_integrator().set_fixed_step_mode(true);
  simulator.get_mutable_integrator().set_maximum_step_size(0.01);
  AdvanceSeconds(state, &simulator);
}
BENCHMARK(GainCascade)->Unit(benchmark::kMicrosecond);

void FiveRates(benchmark::State& state) {
  const double periods[] = {0.001, 0.002, 0.005, 0.01, 0.02};
  DiagramBuilder<double> builder;
  const System<double>* last =
      builder.AddSystem<ConstantVectorSource>(VectorXd::Ones(1));
  for (int i = 0; i < 40; ++i) {
    const auto* hold = builder.AddSystem<ZeroOrderHold>(periods[i % 5], 1);
    builder.Connect(*last, *hold);
    last = hold;
    for (int k = 0; k < 4; ++k) {
      const auto* gain = builder.AddSystem<Gain>(1.0, 1);
      builder.Connect(*last, *gain);
      last = gain;
    }
  }
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  AdvanceSeconds(state, &simulator);
}
BENCHMARK(FiveRates)->Unit(benchmark::kMicrosecond);

// Cells of five blocks in a row, until there are as many blocks as the argument
// says. An item is a step of 0.01 s, with three evaluations of the derivatives
// and an update of each delay.
void Cells(benchmark::State& state) {
  DiagramBuilder<double> builder;
  const System<double>* last =
      builder.AddSystem<ConstantVectorSource>(VectorXd::Ones(1));
  for (int i = 0; i < state.range(0) / 5; ++i) {
    const auto* gain = builder.AddSystem<Gain>(-0.5, 1);
    const auto* delay = builder.AddSystem<DiscreteTimeDelay>(0.01, 1, 1);
    const auto* sum = builder.AddSystem<Adder>(2, 1);
    const auto* limit = builder.AddSystem<Saturation>(-1.0, 1.0);
    const auto* integrator = builder.AddSystem<Integrator>(1);
    builder.Connect(*last, *gain);
    builder.Connect(*last, *delay);
    builder.Connect(gain->get_output_port(), sum->get_input_port(0));
    builder.Connect(delay->get_output_port(), sum->get_input_port(1));
    builder.Connect(*sum, *limit);
    builder.Connect(*limit, *integrator);
    last = integrator;
  }
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_integrator().set_fixed_step_mode(true);
  simulator.get_mutable_integrator().set_maximum_step_size(0.01);
  AdvanceSeconds(state, &simulator);
}
BENCHMARK(Cells)
    ->RangeMultiplier(10)
    ->Range(100, 10000)
    ->Unit(benchmark::kMicrosecond);

// An item is one change of state and one evaluation of the last output.
void DeepOutput(benchmark::State& state) {
  DiagramBuilder<double> builder;
  const auto* integrator = builder.AddSystem<Integrator>(1);
  const System<double>* last = integrator;
  for (int i = 0; i < state.range(0); ++i) {
    const auto* gain = builder.AddSystem<Gain>(1.0, 1);
    builder.Connect(*last, *gain);
    last = gain;
  }
  builder.ExportInput(integrator->get_input_port());
  builder.ExportOutput(last->get_output_port());
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  VectorXd x = VectorXd::Zero(1);
  double sum = 0;
  for (auto _ : state) {
    x[0] += 1;
    context->SetContinuousState(x);
    sum += diagram->get_output_port().Eval(*context)[0];
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(DeepOutput)->Arg(1)->Arg(30);

}  // namespace
}  // namespace wyvern::systems

BENCHMARK_MAIN();
