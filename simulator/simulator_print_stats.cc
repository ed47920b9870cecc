#include "wyvern/simulator/simulator_print_stats.h"

#include <iterator>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"
#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::systems {
namespace {

// "Name ........ value".
template <typename Value>
void AddLine(std::string* text, const char* name, const Value& value) {
  fmt::format_to(std::back_inserter(*text), "  {:.<45} {}\n",
                 std::string(name) + " ", value);
}

template <typename T>
void AddStepSizes(const IntegratorBase<T>& integrator, std::string* text) {
  const auto number = [](const T& x) { return ExtractDoubleOrThrow(x); };
  AddLine(text, "Maximum step size [s]",
          number(integrator.get_maximum_step_size()));
  AddLine(text, "Largest step size taken [s]",
          number(integrator.get_largest_step_size_taken()));
  if (integrator.get_fixed_step_mode()) return;
  AddLine(text, "Smallest adapted step size taken [s]",
          number(integrator.get_smallest_adapted_step_size_taken()));
  AddLine(text, "Initial step size taken [s]",
          number(integrator.get_actual_initial_step_size_taken()));
  AddLine(text, "Accuracy", integrator.get_accuracy_in_use());
  AddLine(text, "Step shrinkages from error control",
          integrator.get_num_step_shrinkages_from_error_control());
  AddLine(text, "Step shrinkages from failures",
          integrator.get_num_step_shrinkages_from_substep_failures());
}

}  // namespace

template <typename T>
std::string FormatSimulatorStatistics(const Simulator<T>& simulator) {
  const IntegratorBase<T>& integrator = simulator.get_integrator();
  std::string text = "Simulation\n";
  AddLine(&text, "Time reached [s]",
          ExtractDoubleOrThrow(simulator.get_context().get_time()));
  AddLine(&text, "Real-time rate", simulator.get_actual_realtime_rate());
  AddLine(&text, "Steps", simulator.get_num_steps_taken());
  AddLine(&text, "Publishes", simulator.get_num_publishes());
  AddLine(&text, "Discrete updates", simulator.get_num_discrete_updates());
  AddLine(&text, "Unrestricted updates",
          simulator.get_num_unrestricted_updates());
  text += fmt::format("Integrator {}\n", NiceTypeName::Get(integrator));
  if (simulator.get_context().num_continuous_states() == 0) {
    return text + "  idle: there is no continuous state\n";
  }
  AddLine(&text, "Steps", integrator.get_num_steps_taken());
  AddLine(&text, "Derivative evaluations",
          integrator.get_num_derivative_evaluations());
  AddLine(&text, "Failed substeps", integrator.get_num_substep_failures());
  AddStepSizes(integrator, &text);
  return text;
}

template <typename T>
void PrintSimulatorStatistics(const Simulator<T>& simulator) {
  fmt::print("{}", FormatSimulatorStatistics(simulator));
}

#define WYVERN_INSTANTIATE_STATISTICS(T)                                  \
  template std::string FormatSimulatorStatistics<T>(const Simulator<T>&); \
  template void PrintSimulatorStatistics<T>(const Simulator<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_STATISTICS)
#undef WYVERN_INSTANTIATE_STATISTICS

}  // namespace wyvern::systems
