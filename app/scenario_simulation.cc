#include "wyvern/app/scenario_simulation.h"

#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/app/disturbance_source.h"
#include "wyvern/app/live_numbers.h"
#include "wyvern/app/log_files.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_models.h"
#include "wyvern/multibody/recording/record_plant.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/viewing/live_simulation.h"
#include "wyvern/systems/blocks/make_diagram.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/framework/diagram_builder.h"

/* From plain data to a run: models, drivers, sensors, blocks and logs into one
diagram; then the simulator, whose monitor asks after each step whether to
end. Logs are closed however a run ends, so that their files are whole. */

namespace wyvern::app {

using multibody::MultibodyPlant;
using systems::Context;
using systems::EventStatus;
using systems::OutputPort;
using systems::System;

namespace {

bool HasVectors(const OutputPort<double>& port) {
  return port.get_data_type() == systems::kVectorValued;
}

// The port of a name "system/port", one of those that `is_one` is true of,
// which are called `kind`, in a
// builder or a diagram.
template <typename Systems>
const OutputPort<double>& FindOutputPort(
    const Systems& builder, const std::string& name, const char* kind,
    const std::function<bool(const OutputPort<double>&)>& is_one) {
  const std::size_t slash = name.rfind('/');
  const std::string owner = name.substr(0, std::min(slash, name.size()));
  if (slash == name.npos || !builder.HasSubsystemNamed(owner)) {
    std::string known;
    for (const System<double>* system : builder.GetSystems()) {
      known += (known.empty() ? "" : ", ") + system->get_name();
    }
    throw std::logic_error(fmt::format(
        "there is no port '{}'; give 'system/port' of one of the systems {}.",
        name, known));
  }
  const System<double>& system = builder.GetSubsystemByName(owner);
  const std::string port_name = name.substr(slash + 1);
  std::string known;
  for (systems::OutputPortIndex i(0); i < system.num_output_ports(); ++i) {
    const OutputPort<double>& port = system.get_output_port(i);
    if (!is_one(port)) continue;
    if (port.get_name() == port_name) return port;
    known += (known.empty() ? "" : ", ") + port.get_name();
  }
  throw std::logic_error(
      fmt::format("the system '{}' has no {} '{}'; those are {}.", owner, kind,
                  port_name, known));
}

Eigen::VectorXd GetGains(const TunableGain& tunable,
                         const Context<double>& root) {
  return tunable.block->GetMyContextFromRoot(root)
      .get_numeric_parameter(tunable.parameter)
      .value();
}

// Puts the files of models into a log that holds files.
void AddFiles(const multibody::FileRecord& record, const Log& log,
              systems::Recorder<double>* recorder) {
  if (std::filesystem::path(log.file).extension() == ".csv") return;
  PackedFiles packed =
      PackFiles(record, static_cast<std::uint64_t>(log.largest_file));
  recorder->SetAttribute(kFileList, packed.list);
  for (auto& [path, contents] : packed.contents) {
    recorder->AddFile(path, std::move(contents));
  }
}

}  // namespace

ScenarioSimulation::ScenarioSimulation(
    const Scenario& scenario, const std::filesystem::path& folder,
    bool with_logs, const Additions& additions,
    std::shared_ptr<multibody::FileRecord> record)
    : duration_(scenario.simulation_duration) {
  internal::RequireNotNan("Scenario", "simulation_duration", duration_);
  if (duration_ < 0) {
    internal::RequireNonNegative("Scenario", "simulation_duration", duration_);
  }
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = multibody::AddMultibodyPlant(
      scenario.plant_config, scenario.scene_graph_config, &builder);
  plant_ = &plant;
  if (record == nullptr) record = std::make_shared<multibody::FileRecord>();
  const AddedModels added =
      AddModels(scenario, folder, plant_, &scene_graph, record);
  UseScenarioFiles(scenario, folder, record.get());
  warnings_ = added.warnings;
  tunables_ = FindTunables(
      scenario,
      AddModelDrivers(scenario, folder, added.facts, plant_, &builder), plant);
  if (!scenario.disturbances.empty()) {
    auto* source = builder.AddNamedSystem<DisturbanceSource>(
        "disturbances", scenario.disturbances, plant);
    builder.Connect(source->get_output_port(),
                    plant.get_applied_spatial_force_input_port());
  }
  sensors_ = AddSensors(scenario, plant, &builder);
  AddBlocks(scenario.blocks, scenario.connections, systems::BlockSite(folder),
            &builder);
  AddConditions(scenario, builder);
  if (with_logs) AddLogs(scenario, folder, *record, &builder);
  if (additions) additions(*plant_, &builder);
  diagram_ = builder.Build();
  diagram_->set_name("scenario");
  simulator_ = std::make_unique<systems::Simulator<double>>(*diagram_);
  ApplySimulatorConfig(scenario.simulator_config, simulator_.get());
  RandomGenerator generator(scenario.random_seed);
  diagram_->SetRandomContext(&simulator_->get_mutable_context(), &generator);
  ApplyModelParameters(scenario, *diagram_, &simulator_->get_mutable_context());
  for (const TunableGain& one : tunables_) {
    first_gains_.push_back(GetGains(one, simulator_->get_context()));
  }
}

std::vector<std::string> ScenarioSimulation::MakeTunedSettings() const {
  std::vector<std::string> settings;
  for (std::size_t i = 0; i < tunables_.size(); ++i) {
    const Eigen::VectorXd gains =
        GetGains(tunables_[i], simulator_->get_context());
    if (gains == first_gains_[i]) continue;
    std::vector<std::string> texts;
    for (const double gain : gains) {
      texts.push_back(fmt::format("{}", gain));
    }
    const Tunable& wanted = tunables_[i].wanted;
    settings.push_back(fmt::format("model_drivers.{}.{}=[{}]", wanted.model,
                                   wanted.gain, fmt::join(texts, ", ")));
  }
  return settings;
}

void ScenarioSimulation::AddSliders(systems::LiveSimulation* live) const {
  internal::RequireNotNull("ScenarioSimulation::AddSliders", "live", live);
  for (const TunableGain& one : tunables_) {
    const Tunable& wanted = one.wanted;
    live->AddTunable(*one.block, one.parameter,
                     {.min = wanted.min,
                      .max = wanted.max,
                      .step = (wanted.max - wanted.min) / 1000,
                      .name = fmt::format("{} {}", wanted.model, wanted.gain),
                      .element_names = one.element_names});
  }
}

ScenarioSimulation::~ScenarioSimulation() = default;

const Context<double>& ScenarioSimulation::plant_context() const {
  return plant_->GetMyContextFromRoot(simulator_->get_context());
}

const OutputPort<double>& ScenarioSimulation::GetVectorPort(
    const std::string& name) const {
  return FindOutputPort(*diagram_, name, "vector port", &HasVectors);
}

std::vector<std::string> ScenarioSimulation::GetElementNames(
    const OutputPort<double>& port) const {
  std::vector<std::string> names = FindElementNames(port);
  for (int i = static_cast<int>(names.size()); i < port.size(); ++i) {
    names.push_back(fmt::format("{}[{}]", port.get_name(), i));
  }
  return names;
}

std::vector<std::string> ScenarioSimulation::FindElementNames(
    const systems::PortBase& port) const {
  const auto found =
      sensors_.find(dynamic_cast<const OutputPort<double>*>(&port));
  return found != sensors_.end() ? found->second.names
                                 : multibody::GetElementNames(port, *plant_);
}

std::vector<std::string> ScenarioSimulation::GetElementUnits(
    const OutputPort<double>& port) const {
  const auto found = sensors_.find(&port);
  if (found != sensors_.end()) return found->second.units;
  return port.units().empty() ? std::vector<std::string>(port.size())
                              : port.units();
}

void ScenarioSimulation::AddLogs(const Scenario& scenario,
                                 const std::filesystem::path& folder,
                                 const multibody::FileRecord& record,
                                 systems::DiagramBuilder<double>* builder) {
  for (std::size_t i = 0; i < scenario.logs.size(); ++i) {
    const Log& log = scenario.logs[i];
    const std::string who = fmt::format("Scenario (logs[{}])", i);
    internal::RequirePositive(who, "period", log.period);
    internal::RequireNotEmpty(who, "file", log.file.empty());
    internal::RequireAtLeast(who, "largest_file", log.largest_file, 0);
    for (std::size_t j = 0; j < i; ++j) {
      if (scenario.logs[j].file != log.file) continue;
      throw std::logic_error(fmt::format(
          "{}: its file '{}' is that of logs[{}]; give each a file of its own.",
          who, log.file, j));
    }
    try {
      std::vector<const OutputPort<double>*> ports;
      for (const std::string& name : log.port_names()) {
        ports.push_back(&FindOutputPort(*builder, name, "port for logs",
                                        [this](const OutputPort<double>& port) {
                                          return multibody::CanRecordPort(
                                              port, *plant_);
                                        }));
      }
      auto recorder = std::make_unique<systems::Recorder<double>>(log.file);
      recorder->set_name(fmt::format("log_{}", i));
      recorder->SetAttribute("scenario", SaveScenario(scenario));
      recorder->SetAttribute(
          "folder", internal::MakeAbsolute("ScenarioSimulation",
                                           folder.empty() ? "." : folder));
      AddFiles(record, log, recorder.get());
      logs_.push_back(builder->AddSystem(std::move(recorder)));
      for (const OutputPort<double>* port : ports) {
        RecordPort(*port, *plant_, log.period, logs_.back(), builder,
                   FindElementNames(*port));
      }
    } catch (const std::logic_error& error) {
      throw std::logic_error(fmt::format("{}: {}", who, error.what()));
    }
  }
}

void ScenarioSimulation::AddConditions(
    const Scenario& scenario, const systems::DiagramBuilder<double>& builder) {
  for (std::size_t i = 0; i < scenario.stop_conditions.size(); ++i) {
    const StopCondition& condition = scenario.stop_conditions[i];
    const std::string who = fmt::format("Scenario (stop_conditions[{}])", i);
    try {
      const OutputPort<double>& port =
          FindOutputPort(builder, condition.port, "vector port", &HasVectors);
      internal::RequireIndex(who, "index", condition.index, port.size());
      conditions_.push_back({&port, condition});
    } catch (const std::out_of_range&) {
      throw;
    } catch (const std::logic_error& error) {
      throw std::logic_error(fmt::format("{}: {}", who, error.what()));
    }
    if (!condition.above && !condition.below) {
      throw std::logic_error(fmt::format(
          "{}: there is neither 'above' nor 'below'; give a bound.", who));
    }
  }
}

std::string ScenarioSimulation::Condition::Describe(double value) const {
  const bool is_above = wanted.above && value > *wanted.above;
  return fmt::format("{}[{}] is {:.6g}, {} {:.6g}", wanted.port, wanted.index,
                     value, is_above ? "above" : "below",
                     is_above ? *wanted.above : *wanted.below);
}

// All of them, whatever is wrong with one, which is then thrown.
void ScenarioSimulation::CloseLogs(
    const std::map<std::string, std::string>& statistics) {
  std::exception_ptr error;
  for (systems::Recorder<double>* log : logs_) {
    try {
      log->Close(statistics);
    } catch (...) {
      if (error == nullptr) error = std::current_exception();
    }
  }
  if (error != nullptr) std::rethrow_exception(error);
}

RunSummary ScenarioSimulation::Run(const std::function<bool()>& should_stop,
                                   const std::function<void(double)>& advance) {
  RunSummary summary{.reason = "the duration is over"};
  const auto monitor_before = simulator_->get_monitor();
  simulator_->set_monitor([&](const Context<double>& root) {
    const EventStatus status =
        monitor_before ? monitor_before(root) : EventStatus::DidNothing();
    if (should_stop && should_stop()) {
      summary.reason = "it was told to stop";
      return EventStatus::ReachedTermination(diagram_.get(), summary.reason);
    }
    for (const Condition& condition : conditions_) {
      const StopCondition& wanted = condition.wanted;
      const System<double>& system = condition.port->get_system();
      const double value =
          condition.port->Eval(system.GetMyContextFromRoot(root))[wanted.index];
      if (!(wanted.above && value > *wanted.above) &&
          !(wanted.below && value < *wanted.below)) {
        continue;
      }
      summary.reason = condition.Describe(value);
      return EventStatus::ReachedTermination(diagram_.get(), summary.reason);
    }
    return status;
  });
  const auto began = std::chrono::steady_clock::now();
  const double start = simulator_->get_context().get_time();
  try {
    if (advance) {
      advance(start + duration_);
    } else {
      simulator_->AdvanceTo(start + duration_);
    }
  } catch (...) {
    simulator_->set_monitor(monitor_before);
    // Why the run ended says more than what a log then could not do.
    try {
      CloseLogs();
    } catch (const std::exception&) {
    }
    throw;
  }
  simulator_->set_monitor(monitor_before);
  summary.end_time = simulator_->get_context().get_time();
  summary.num_steps = simulator_->get_num_steps_taken();
  summary.wall_time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began)
          .count();
  CloseLogs({{"reason", summary.reason},
             {"end_time", fmt::format("{}", summary.end_time)},
             {"wall_time", fmt::format("{}", summary.wall_time)},
             {"num_steps", fmt::format("{}", summary.num_steps)}});
  return summary;
}

}  // namespace wyvern::app
