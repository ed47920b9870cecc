#include "wyvern/simulator/analysis/simulator_config_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <typeinfo>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/simulator/integrators/bogacki_shampine3_integrator.h"
#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta2_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta5_integrator.h"
#include "wyvern/simulator/integrators/semi_explicit_euler_integrator.h"
#include "wyvern/simulator/odeint/bulirsch_stoer_integrator.h"
#include "wyvern/simulator/odeint/cash_karp5_integrator.h"
#include "wyvern/simulator/odeint/dormand_prince5_integrator.h"
#include "wyvern/simulator/odeint/fehlberg78_integrator.h"
#include "wyvern/simulator/stiff/convex_integrator.h"
#include "wyvern/simulator/stiff/implicit_euler_integrator.h"
#include "wyvern/simulator/stiff/radau_integrator.h"
#include "wyvern/simulator/stiff/rosenbrock4_integrator.h"
#include "wyvern/simulator/stiff/velocity_implicit_euler_integrator.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/diagram.h"

/* One table has every integrator by its name in a SimulatorConfig, how a
Simulator is given it, and its type, by which the name is found again. Some
have constructors with a step size, others are told theirs afterwards. */

namespace wyvern::systems {
namespace {

template <typename T>
struct Scheme {
  const char* name;
  IntegratorBase<T>& (*reset)(Simulator<T>*, const T& max_step_size);
  const std::type_info& type;
};

template <typename T, template <typename> class Integrator>
Scheme<T> Make(const char* name) {
  const auto reset = [](Simulator<T>* simulator,
                        const T& max_step_size) -> IntegratorBase<T>& {
    if constexpr (std::is_constructible_v<Integrator<T>, const System<T>&,
                                          const T&, Context<T>*>) {
      return simulator->template reset_integrator<Integrator<T>>(max_step_size);
    } else {
      auto& result = simulator->template reset_integrator<Integrator<T>>();
      result.set_maximum_step_size(max_step_size);
      return result;
    }
  };
  return {name, reset, typeid(Integrator<T>)};
}

template <typename T>
using Radau1Integrator = RadauIntegrator<T, 1>;
template <typename T>
using Radau3Integrator = RadauIntegrator<T, 2>;
template <typename T>
using Radau5Integrator = RadauIntegrator<T, 3>;

// By name in alphabetical order.
template <typename T>
const std::array<Scheme<T>, 17>& Schemes() {
  static const std::array<Scheme<T>, 17> schemes{
      Make<T, BogackiShampine3Integrator>("bogacki_shampine3"),
      Make<T, BulirschStoerIntegrator>("bulirsch_stoer"),
      Make<T, CashKarp5Integrator>("cash_karp5"),
      Make<T, ConvexIntegrator>("convex"),
      Make<T, DormandPrince5Integrator>("dormand_prince5"),
      Make<T, ExplicitEulerIntegrator>("explicit_euler"),
      Make<T, Fehlberg78Integrator>("fehlberg78"),
      Make<T, ImplicitEulerIntegrator>("implicit_euler"),
      Make<T, Radau1Integrator>("radau1"),
      Make<T, Radau3Integrator>("radau3"),
      Make<T, Radau5Integrator>("radau5"),
      Make<T, Rosenbrock4Integrator>("rosenbrock4"),
      Make<T, RungeKutta2Integrator>("runge_kutta2"),
      Make<T, RungeKutta3Integrator>("runge_kutta3"),
      Make<T, RungeKutta5Integrator>("runge_kutta5"),
      Make<T, SemiExplicitEulerIntegrator>("semi_explicit_euler"),
      Make<T, VelocityImplicitEulerIntegrator>("velocity_implicit_euler")};
  return schemes;
}

// The System of path "a::b" within `root`, which is `root` for an empty path.
template <typename T>
const System<T>& FindSystem(const System<T>& root, const std::string& path) {
  const System<T>* result = &root;
  for (size_t start = 0; start < path.size();) {
    const size_t end = std::min(path.find("::", start), path.size());
    const auto* diagram = dynamic_cast<const Diagram<T>*>(result);
    if (diagram == nullptr) {
      throw std::logic_error(fmt::format(
          "ApplySimulatorConfig(): tolerances name the system '{}', but '{}' "
          "has no subsystems; use a name of a system in the diagram, or an "
          "empty one for the whole.",
          path, result->GetSystemPathname()));
    }
    result = &diagram->GetSubsystemByName(path.substr(start, end - start));
    start = end + 2;
  }
  return *result;
}

Eigen::VectorXd AsVector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(
      values.data(), static_cast<Eigen::Index>(values.size()));
}

template <typename T>
void ApplyTolerances(const SimulatorConfig& config, const System<T>& system,
                     IntegratorBase<T>* integrator) {
  if (config.relative_tolerance) {
    integrator->set_relative_tolerance(*config.relative_tolerance);
  }
  if (config.absolute_tolerance) {
    integrator->set_absolute_tolerance(*config.absolute_tolerance);
  }
  if (!config.tolerances) return;
  for (const StateTolerance& tolerance : *config.tolerances) {
    const System<T>& part = FindSystem(system, tolerance.system);
    if (tolerance.relative) {
      integrator->set_relative_tolerance(part, AsVector(*tolerance.relative));
    }
    if (tolerance.absolute) {
      integrator->set_absolute_tolerance(part, AsVector(*tolerance.absolute));
    }
  }
}

// The path of `part` within `root`, as FindSystem() takes it.
template <typename T>
std::string NameWithin(const System<T>& root, const System<T>* part) {
  if (part == nullptr || part == &root) return "";
  return part->GetSystemPathname().substr(root.GetSystemPathname().size() + 2);
}

template <typename T>
void ExtractTolerances(const IntegratorBase<T>& integrator,
                       SimulatorConfig* config) {
  for (const auto& setting : integrator.get_tolerance_settings()) {
    StateTolerance tolerance;
    tolerance.system = NameWithin(integrator.get_system(), setting.part);
    const std::vector<double> values(
        setting.values.data(), setting.values.data() + setting.values.size());
    const bool is_relative =
        setting.kind == internal::ErrorScales<T>::Kind::kRelative;
    (is_relative ? tolerance.relative : tolerance.absolute) = values;
    if (!config->tolerances) config->tolerances.emplace();
    config->tolerances->push_back(tolerance);
  }
}

}  // namespace

const std::vector<std::string>& GetIntegrationSchemes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const auto& scheme : Schemes<double>()) result.push_back(scheme.name);
    return result;
  }();
  return names;
}

template <typename T>
IntegratorBase<T>& ResetIntegratorFromFlags(Simulator<T>* simulator,
                                            const std::string& scheme,
                                            const T& max_step_size) {
  wyvern::internal::RequireNotNull("ResetIntegratorFromFlags", "simulator",
                                   simulator);
  for (const Scheme<T>& candidate : Schemes<T>()) {
    if (scheme == candidate.name) {
      return candidate.reset(simulator, max_step_size);
    }
  }
  throw std::logic_error(fmt::format(
      "ResetIntegratorFromFlags(): there is no integration scheme '{}'; choose "
      "from: {}.",
      scheme, fmt::join(GetIntegrationSchemes(), ", ")));
}

template <typename T>
void ApplySimulatorConfig(const SimulatorConfig& config,
                          Simulator<T>* simulator) {
  wyvern::internal::RequireNotNull("ApplySimulatorConfig", "simulator",
                                   simulator);
  IntegratorBase<T>& integrator = ResetIntegratorFromFlags(
      simulator, config.integration_scheme, T(config.max_step_size));
  if (integrator.supports_error_estimation()) {
    integrator.set_target_accuracy(config.accuracy);
    integrator.set_fixed_step_mode(!config.use_error_control);
  }
  ApplyTolerances(config, simulator->get_system(), &integrator);
  if constexpr (std::is_same_v<T, double>) {
    // The default, like a new Simulator's.
    auto* rk3 = dynamic_cast<RungeKutta3Integrator<T>*>(&integrator);
    if (rk3 != nullptr) rk3->set_changes_method_when_stiff(true);
  }
  simulator->get_mutable_context().SetTime(T(config.start_time));
  simulator->set_target_realtime_rate(config.target_realtime_rate);
  simulator->set_publish_at_initialization(config.publish_at_initialization);
  simulator->set_publish_every_time_step(config.publish_every_time_step);
}

template <typename T>
SimulatorConfig ExtractSimulatorConfig(const Simulator<T>& simulator) {
  const IntegratorBase<T>& integrator = simulator.get_integrator();
  SimulatorConfig config;
  config.integration_scheme.clear();
  for (const Scheme<T>& candidate : Schemes<T>()) {
    if (typeid(integrator) == candidate.type) {
      config.integration_scheme = candidate.name;
    }
  }
  if (config.integration_scheme.empty()) {
    throw std::logic_error(fmt::format(
        "ExtractSimulatorConfig(): the integrator {} has no name among: {}.",
        NiceTypeName::Get(integrator),
        fmt::join(GetIntegrationSchemes(), ", ")));
  }
  config.max_step_size = ToDouble(integrator.get_maximum_step_size());
  if (integrator.supports_error_estimation()) {
    config.use_error_control = !integrator.get_fixed_step_mode();
    const double accuracy = integrator.get_target_accuracy();
    if (!std::isnan(accuracy)) config.accuracy = accuracy;
  }
  ExtractTolerances(integrator, &config);
  config.start_time = ToDouble(simulator.get_context().get_time());
  config.target_realtime_rate = simulator.get_target_realtime_rate();
  config.publish_at_initialization = simulator.get_publish_at_initialization();
  config.publish_every_time_step = simulator.get_publish_every_time_step();
  return config;
}

#define WYVERN_INSTANTIATE_CONFIG_FUNCTIONS(T)                  \
  template IntegratorBase<T>& ResetIntegratorFromFlags<T>(      \
      Simulator<T>*, const std::string&, const T&);             \
  template void ApplySimulatorConfig<T>(const SimulatorConfig&, \
                                        Simulator<T>*);         \
  template SimulatorConfig ExtractSimulatorConfig<T>(const Simulator<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_CONFIG_FUNCTIONS)
#undef WYVERN_INSTANTIATE_CONFIG_FUNCTIONS

}  // namespace wyvern::systems
