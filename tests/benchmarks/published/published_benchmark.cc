/** @file
Error against work and time of the problems in tests/published, one row of CSV
for each run: problem, program, method, tolerance, error, evaluations of the
derivatives, milliseconds of processor time (the least of three runs). */

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/published/mechanisms.h"
#include "tests/published/problem_system.h"

namespace wyvern {
namespace {

constexpr int kRuns = 3;
constexpr int64_t kMostEvaluations = 3'000'000;

double ProcessorTime() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Row {
  double error{};
  int64_t evaluations{};
  double time{};
};

// Runs `simulator` to `end`, unless that takes too many evaluations.
template <typename CalcErrorFunction>
Row Run(double end, systems::Simulator<double>* simulator,
        const CalcErrorFunction& calc_error) {
  const systems::IntegratorBase<double>& integrator =
      simulator->get_integrator();
  simulator->set_warning_handler(nullptr);
  simulator->set_monitor([&integrator](const systems::Context<double>&) {
    return integrator.get_num_derivative_evaluations() > kMostEvaluations
               ? systems::EventStatus::ReachedTermination(nullptr, "too long")
               : systems::EventStatus::DidNothing();
  });
  simulator->Initialize();
  const double start = ProcessorTime();
  simulator->AdvanceTo(end);
  Row row{calc_error(simulator->get_context()),
          integrator.get_num_derivative_evaluations(), ProcessorTime() - start};
  if (simulator->get_context().get_time() < end) row.error = std::nan("");
  return row;
}

void Print(const std::string& problem, const std::string& method,
           double tolerance, const Row& row) {
  fmt::print("{},Wyvern,{},{:.0e},{:.3e},{},{:.4f}\n", problem, method,
             tolerance, row.error, row.evaluations, row.time);
  std::fflush(stdout);
}

// Calls `run` several times and prints the row of the fastest one.
template <typename RunFunction>
void Measure(const std::string& problem, const std::string& method,
             double tolerance, const RunFunction& run) {
  try {
    Row best = run();
    for (int i = 1; i < kRuns && best.time < 1000; ++i) {
      best.time = std::min(best.time, run().time);
    }
    Print(problem, method, tolerance, best);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{} by {} at {}: {}\n", problem, method, tolerance,
               error.what());
    Print(problem, method, tolerance, {std::nan(""), 0, std::nan("")});
  }
}

void MeasureInitialValueProblems() {
  for (const auto& problem : test::GetInitialValueProblems()) {
    const test::ProblemSystem system(problem);
    for (const char* method :
         {"runge_kutta3", "runge_kutta5", "radau5", "rosenbrock4"}) {
      const bool is_explicit = std::string(method) == "runge_kutta5";
      if (is_explicit != (problem.name == "Arenstorf")) continue;
      for (int digits = 3; digits <= 10; ++digits) {
        const double r = std::pow(10, -digits);
        Measure(problem.name, method, r, [&]() {
          systems::Simulator<double> simulator(system);
          ApplySimulatorConfig(test::MakeConfig(problem, method, r),
                               &simulator);
          simulator.get_mutable_integrator().request_initial_step_size_target(
              std::min(1e-6, 1e-8 * problem.end));
          return Run(problem.end, &simulator, [&](const auto& context) {
            return system.CalcErrorOf(context);
          });
        });
      }
    }
  }
}

void MeasureMechanisms() {
  for (const test::Mechanism& mechanism : test::GetMechanisms()) {
    for (const char* method : {"runge_kutta3", "runge_kutta5", "radau5"}) {
      for (int digits = 3; digits <= 10; ++digits) {
        systems::SimulatorConfig config;
        config.integration_scheme = method;
        config.accuracy = std::pow(10, -digits);
        Measure(mechanism.name, method, config.accuracy, [&]() {
          systems::Simulator<double> simulator(*mechanism.plant);
          mechanism.start(&simulator.get_mutable_context());
          ApplySimulatorConfig(config, &simulator);
          return Run(mechanism.end, &simulator, mechanism.calc_error);
        });
      }
    }
  }
}

}  // namespace
}  // namespace wyvern

int main() {
  fmt::print("problem,program,method,tolerance,error,evaluations,ms\n");
  wyvern::MeasureInitialValueProblems();
  wyvern::MeasureMechanisms();
}
