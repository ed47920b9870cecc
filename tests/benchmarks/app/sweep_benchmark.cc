// Cost of handing out samples: samples that do nothing, through one
// coordinator.
#include <cstdlib>
#include <filesystem>

#include <benchmark/benchmark.h>

#include "wyvern/app/sweep.h"

namespace wyvern::app {

// The argument is the number of samples handed out at once, at most.
void EmptySamples(benchmark::State& state) {
  constexpr int kNumSamples = 20000;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "wyvern_sweep_benchmark";
  const SweepStudy study{
      .plan = SweepPlan({ParseSweepParameter("x=!Uniform {min: 0, max: 1}")},
                        kNumSamples, 0),
      .outputs = {"x"},
      .function = [](const SweepSample&, const auto&) {
        return SampleResult{{1.0}, ""};
      }};
  for (auto _ : state) {
    std::filesystem::remove_all(folder);
    RunSweep(study, {.folder = folder,
                     .chunk = static_cast<std::uint64_t>(state.range(0))});
  }
  std::filesystem::remove_all(folder);
  state.SetItemsProcessed(state.iterations() * kNumSamples);
}
BENCHMARK(EmptySamples)->Arg(1)->Arg(1000)->UseRealTime();

}  // namespace wyvern::app

BENCHMARK_MAIN();
