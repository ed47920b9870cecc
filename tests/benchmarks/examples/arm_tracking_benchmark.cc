// Steps per second of the main job: 7 joints, implicit PD, gravity
// compensation, a trajectory source and three logs at 100 Hz.
#include <benchmark/benchmark.h>

#include "examples/support/arm_experiment.h"

namespace wyvern::examples {
namespace {

void ArmTracking(benchmark::State& state) {
  ArmExperiment experiment(ArmOptions{});
  double t = 0.0;
  for ([[maybe_unused]] auto _ : state) {
    t += 0.1;
    experiment.AdvanceTo(t);
  }
  state.counters["steps/s"] =
      benchmark::Counter(static_cast<double>(experiment.MakeLog().num_steps),
                         benchmark::Counter::kIsRate);
}
BENCHMARK(ArmTracking)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wyvern::examples

BENCHMARK_MAIN();
