#include "wyvern/simulator/analysis/monte_carlo.h"

#include <condition_variable>
#include <deque>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

/* Monte Carlo simulation by threads, with the results of one thread. The
calling thread draws all random numbers, in the order of the samples: it copies
the generator, makes the Simulator and sets the random Context. Workers take
prepared Simulators from a queue that has at most as many places as there are
threads, advance them and evaluate the output. Advancing uses no random numbers,
so the order in which samples end does not matter. A sample that throws keeps
its exception. With one thread there is no queue. */

namespace wyvern::systems::analysis {
namespace {

using SimulatorPtr = std::unique_ptr<Simulator<double>>;
using Result = RandomSimulationResult;

void RequireFunctions(const char* function,
                      const SimulatorFactory& make_simulator,
                      const ScalarSystemFunction& output) {
  wyvern::internal::RequireNotEmpty(function, "make_simulator",
                                    !make_simulator);
  wyvern::internal::RequireNotEmpty(function, "output", !output);
}

// All that is random.
SimulatorPtr Prepare(const SimulatorFactory& make_simulator,
                     RandomGenerator* generator) {
  SimulatorPtr simulator = make_simulator(generator);
  if (simulator == nullptr) {
    throw std::logic_error(
        "RandomSimulation(): make_simulator returned null; it must make a "
        "Simulator.");
  }
  simulator->get_system().SetRandomContext(&simulator->get_mutable_context(),
                                           generator);
  return simulator;
}

double Run(const ScalarSystemFunction& output, double final_time,
           Simulator<double>* simulator) {
  simulator->AdvanceTo(final_time);
  return output(simulator->get_system(), simulator->get_context());
}

// Records the exception being handled; `simulator` may be null.
void RecordFailure(const Simulator<double>* simulator, Result* result) {
  Result::Failure failure;
  failure.exception = std::current_exception();
  failure.time = simulator != nullptr && simulator->has_context()
                     ? simulator->get_context().get_time()
                     : std::numeric_limits<double>::quiet_NaN();
  try {
    throw;
  } catch (const std::exception& e) {
    failure.message = e.what();
  } catch (...) {
    failure.message = "an exception that is not a std::exception";
  }
  result->output = std::numeric_limits<double>::quiet_NaN();
  result->failure = std::move(failure);
}

SimulatorPtr TryPrepare(const SimulatorFactory& make_simulator,
                        RandomGenerator* generator, Result* result) {
  try {
    return Prepare(make_simulator, generator);
  } catch (...) {
    RecordFailure(nullptr, result);
    return nullptr;
  }
}

void TryRun(const ScalarSystemFunction& output, double final_time,
            Simulator<double>* simulator, Result* result) {
  try {
    result->output = Run(output, final_time, simulator);
  } catch (...) {
    RecordFailure(simulator, result);
  }
}

// Threads that run what is put to them, in any order. Holds a queue of at most
// as many samples as there are threads.
class Workers {
 public:
  Workers(int num_threads, const ScalarSystemFunction& output,
          double final_time)
      : capacity_(num_threads) {
    threads_.reserve(num_threads);
    for (int i = 0; i < num_threads; ++i) {
      try {
        threads_.emplace_back(
            [this, &output, final_time] { Work(output, final_time); });
      } catch (const std::system_error&) {
        // Fewer threads than asked for will do, as long as there is one.
        if (threads_.empty()) throw;
        break;
      }
    }
  }
  // Waits until all is done.
  ~Workers() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_closed_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Workers);

  void Put(SimulatorPtr simulator, Result* result) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(
        lock, [this] { return static_cast<int>(waiting_.size()) < capacity_; });
    waiting_.push_back({std::move(simulator), result});
    changed_.notify_all();
  }

 private:
  struct Sample {
    SimulatorPtr simulator;
    Result* result{};
  };

  void Work(const ScalarSystemFunction& output, double final_time) {
    Sample sample;
    while (Take(&sample)) {
      TryRun(output, final_time, sample.simulator.get(), sample.result);
      sample.simulator.reset();
    }
  }

  // @returns false if there is nothing more to come.
  bool Take(Sample* sample) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return is_closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return false;
    *sample = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    return true;
  }

  const int capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Sample> waiting_;
  bool is_closed_{false};
  std::vector<std::thread> threads_;
};

}  // namespace

double RandomSimulation(const SimulatorFactory& make_simulator,
                        const ScalarSystemFunction& output, double final_time,
                        RandomGenerator* generator) {
  RequireFunctions("RandomSimulation", make_simulator, output);
  wyvern::internal::RequireNotNull("RandomSimulation", "generator", generator);
  const SimulatorPtr simulator = Prepare(make_simulator, generator);
  return Run(output, final_time, simulator.get());
}

std::vector<RandomSimulationResult> MonteCarloSimulation(
    const SimulatorFactory& make_simulator, const ScalarSystemFunction& output,
    double final_time, int num_samples, RandomGenerator* generator,
    Parallelism parallelism) {
  RequireFunctions("MonteCarloSimulation", make_simulator, output);
  if (num_samples < 0) {
    throw std::logic_error(fmt::format(
        "MonteCarloSimulation(): {} samples were asked for; give a number that "
        "is not negative.",
        num_samples));
  }
  RandomGenerator own;
  if (generator == nullptr) generator = &own;

  // Places for the results, which stay where they are.
  std::vector<Result> results(num_samples, Result(*generator));
  std::optional<Workers> workers;
  if (parallelism.num_threads() > 1) {
    workers.emplace(parallelism.num_threads(), output, final_time);
  }
  for (Result& result : results) {
    result.generator_snapshot = *generator;
    SimulatorPtr simulator = TryPrepare(make_simulator, generator, &result);
    if (simulator == nullptr) continue;
    if (workers.has_value()) {
      workers->Put(std::move(simulator), &result);
    } else {
      TryRun(output, final_time, simulator.get(), &result);
    }
  }
  workers.reset();
  return results;
}

}  // namespace wyvern::systems::analysis
