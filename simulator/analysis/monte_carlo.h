#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/common/parallelism.h"
#include "wyvern/systems/common/random.h"

namespace wyvern::systems::analysis {

/** Makes a Simulator whose System may itself be random, by the generator
alone. */
using SimulatorFactory =
    std::function<std::unique_ptr<Simulator<double>>(RandomGenerator*)>;
/** A number to be learned from the System and the Context at the end. */
using ScalarSystemFunction = std::function<double(
    const System<double>& system, const Context<double>& context)>;

/** One random simulation: makes a Simulator, gives its Context random values by
System::SetRandomContext(), advances it to `final_time` [s] (or until something
ends it earlier), and returns `output` there.
@throws std::logic_error if a function or the generator is null, or if the
factory returns null; and what the simulation throws. */
double RandomSimulation(const SimulatorFactory& make_simulator,
                        const ScalarSystemFunction& output, double final_time,
                        RandomGenerator* generator);

/** Result of MonteCarloSimulation() for one sample. */
struct RandomSimulationResult {
  /** An exception that ended the sample. */
  struct Failure {
    /** Its words. */
    std::string message;
    /** Where the Context stood [s]; NaN if there was none yet. */
    double time{};
    /** The exception itself, to be thrown again. */
    std::exception_ptr exception;
  };

  /** Copies the generator; the value is that of a sample that succeeded. */
  explicit RandomSimulationResult(const RandomGenerator& generator,
                                  double value = 0.0)
      : generator_snapshot(generator), output(value) {}

  /** The generator before the sample: RandomSimulation() with a copy of it is
  the same simulation once more. */
  RandomGenerator generator_snapshot;
  /** NaN if the sample failed. */
  double output{};
  /** Empty if the sample succeeded. Not in Drake, where a failure ends it all.
   */
  std::optional<Failure> failure;
};

/** The results of `num_samples` calls of RandomSimulation() one after another,
with one generator: `generator`, or, if that is null, a new one with the default
seed. A sample that throws is recorded as failed, and the others go on.

All random numbers are drawn by the calling thread in the order of the samples;
`make_simulator` is called there too. Each Simulator is then advanced, and
`output` called, by one thread. So results are the same, to the last bit, for
any `parallelism`. With several threads, `output` and what Simulators share must
stand concurrent use; at most twice as many Simulators as threads exist at once.

@throws std::logic_error if a function is null or `num_samples` is negative. */
std::vector<RandomSimulationResult> MonteCarloSimulation(
    const SimulatorFactory& make_simulator, const ScalarSystemFunction& output,
    double final_time, int num_samples, RandomGenerator* generator = nullptr,
    Parallelism parallelism = false);

}  // namespace wyvern::systems::analysis
