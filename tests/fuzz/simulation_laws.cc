#include "tests/fuzz/simulation_laws.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/fuzz/fuzz.h"
#include "wyvern/simulator/simulator_serialization.h"

namespace wyvern::fuzz {
namespace {

using systems::Context;
using systems::Simulator;
using systems::System;

// Time, states, derivatives and vector outputs, in a row.
std::vector<double> NumbersOf(const System<double>& system,
                              const Context<double>& context) {
  std::vector<double> numbers{context.get_time()};
  const auto add = [&numbers](const auto& vector) {
    for (int i = 0; i < vector.size(); ++i) numbers.push_back(vector[i]);
  };
  add(context.get_continuous_state_vector().CopyToVector());
  add(system.EvalTimeDerivatives(context).CopyToVector());
  for (int i = 0; i < context.num_discrete_state_groups(); ++i) {
    add(context.get_discrete_state(i).value());
  }
  for (int i = 0; i < system.num_output_ports(); ++i) {
    const auto& port = system.get_output_port(i);
    if (port.get_data_type() == systems::kVectorValued) add(port.Eval(context));
  }
  return numbers;
}

// Bit for bit: 0 is not -0.
void RequireSame(const std::vector<double>& a, const std::vector<double>& b,
                 const char* what) {
  Require(a.size() == b.size(), fmt::format("{}: as many numbers", what));
  for (size_t i = 0; i < a.size(); ++i) {
    Require(std::bit_cast<uint64_t>(a[i]) == std::bit_cast<uint64_t>(b[i]),
            fmt::format("{}: number {} is {} and {}", what, i, a[i], b[i]));
  }
}

struct Run {
  std::vector<double> middle;
  std::vector<double> end;
  std::unique_ptr<Context<double>> copy;
  std::unique_ptr<Context<double>> last;
  std::string saved;
  std::string error;
};

void SetStep(double fixed_step, Simulator<double>* simulator) {
  if (fixed_step == 0) return;
  simulator->get_mutable_integrator().set_maximum_step_size(fixed_step);
  simulator->get_mutable_integrator().set_fixed_step_mode(true);
}

Run RunOnce(const System<double>& system, const Context<double>& start,
            double end, double fixed_step) {
  Run run;
  try {
    Simulator<double> simulator(system, start.Clone());
    SetStep(fixed_step, &simulator);
    simulator.AdvanceTo(0.5 * end);
    run.middle = NumbersOf(system, simulator.get_context());
    run.copy = simulator.get_context().Clone();
    std::stringstream stream;
    systems::SaveSimulation(simulator, &stream);
    run.saved = stream.str();
    simulator.AdvanceTo(end);
    run.end = NumbersOf(system, simulator.get_context());
    run.last = simulator.get_context().Clone();
  } catch (const std::exception& error) {
    Refused(error);
    run.error = error.what();
  }
  for (const double number : run.end) {
    Require(std::isfinite(number), "every number is finite");
  }
  return run;
}

}  // namespace

std::unique_ptr<Context<double>> RequireSimulationLaws(
    const System<double>& system, const Context<double>& start, double end,
    double fixed_step) {
  Run first = RunOnce(system, start, end, fixed_step);
  const Run second = RunOnce(system, start, end, fixed_step);
  Require(first.error == second.error,
          fmt::format("a second run ends as the first: '{}' and '{}'",
                      first.error, second.error));
  RequireSame(first.middle, second.middle, "a second run, half way");
  RequireSame(first.end, second.end, "a second run");
  if (first.copy != nullptr) {
    RequireSame(first.middle, NumbersOf(system, *first.copy), "a copy");
  }
  if (!first.error.empty()) return nullptr;
  Simulator<double> loaded(system);
  SetStep(fixed_step, &loaded);
  std::stringstream stream(first.saved);
  systems::LoadSimulation(&stream, &loaded);
  loaded.AdvanceTo(end);
  RequireSame(first.end, NumbersOf(system, loaded.get_context()),
              "saved and loaded");
  Accepted();
  return std::move(first.last);
}

}  // namespace wyvern::fuzz
