#include "wyvern/simulator/simulator_print_stats.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems {
namespace {

template <typename Value>
void AddLine(StatisticsGroup* group, const char* name, const Value& value) {
  // NaN stands for a figure that there is not yet, as of steps not taken.
  const bool is_there = !std::isnan(static_cast<double>(value));
  group->figures.emplace_back(name,
                              is_there ? fmt::format("{}", value) : "none");
}

template <typename T>
void AddStepSizes(const IntegratorBase<T>& integrator, StatisticsGroup* group) {
  const auto number = [](const T& x) { return ToDouble(x); };
  AddLine(group, "Maximum step size [s]",
          number(integrator.get_maximum_step_size()));
  AddLine(group, "Largest step size taken [s]",
          number(integrator.get_largest_step_size_taken()));
  if (integrator.get_fixed_step_mode()) return;
  AddLine(group, "Smallest adapted step size taken [s]",
          number(integrator.get_smallest_adapted_step_size_taken()));
  AddLine(group, "Initial step size taken [s]",
          number(integrator.get_actual_initial_step_size_taken()));
  AddLine(group, "Accuracy", integrator.get_accuracy_in_use());
  AddLine(group, "Step shrinkages from error control",
          integrator.get_num_step_shrinkages_from_error_control());
  AddLine(group, "Step shrinkages from failures",
          integrator.get_num_step_shrinkages_from_substep_failures());
}

}  // namespace

template <typename T>
std::vector<StatisticsGroup> CollectStatistics(const Simulator<T>& simulator) {
  const IntegratorBase<T>& integrator = simulator.get_integrator();
  StatisticsGroup general{.name = "Simulation"};
  AddLine(&general, "Time reached [s]",
          ToDouble(simulator.get_context().get_time()));
  AddLine(&general, "Real-time rate", simulator.get_actual_realtime_rate());
  AddLine(&general, "Steps", simulator.get_num_steps_taken());
  AddLine(&general, "Publishes", simulator.get_num_publishes());
  AddLine(&general, "Discrete updates", simulator.get_num_discrete_updates());
  AddLine(&general, "Unrestricted updates",
          simulator.get_num_unrestricted_updates());
  StatisticsGroup steps{.name = "Integrator " + NiceTypeName::Get(integrator)};
  if (simulator.get_context().num_continuous_states() > 0) {
    AddLine(&steps, "Steps", integrator.get_num_steps_taken());
    AddLine(&steps, "Derivative evaluations",
            integrator.get_num_derivative_evaluations());
    AddLine(&steps, "Failed substeps", integrator.get_num_substep_failures());
    AddStepSizes(integrator, &steps);
  }
  return {general, steps};
}

// "Name ........ value".
template <typename T>
std::string FormatSimulatorStatistics(const Simulator<T>& simulator) {
  std::string text;
  for (const StatisticsGroup& group : CollectStatistics(simulator)) {
    text += group.name + "\n";
    if (group.figures.empty()) {
      text += "  idle: there is no continuous state\n";
    }
    for (const auto& [name, value] : group.figures) {
      fmt::format_to(std::back_inserter(text), "  {:.<45} {}\n", name + " ",
                     value);
    }
  }
  return text;
}

template <typename T>
void PrintSimulatorStatistics(const Simulator<T>& simulator) {
  fmt::print("{}", FormatSimulatorStatistics(simulator));
}

#define WYVERN_INSTANTIATE_STATISTICS(T)                                  \
  template std::vector<StatisticsGroup> CollectStatistics<T>(             \
      const Simulator<T>&);                                               \
  template std::string FormatSimulatorStatistics<T>(const Simulator<T>&); \
  template void PrintSimulatorStatistics<T>(const Simulator<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_STATISTICS)
#undef WYVERN_INSTANTIATE_STATISTICS

}  // namespace wyvern::systems
