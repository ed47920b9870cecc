#include "wyvern/app/scenario_report.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/app/replay.h"
#include "wyvern/app/report_plots.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/simulator/report/report.h"
#include "wyvern/simulator/simulator_print_stats.h"

/* Logs of the plant's state, of the efforts of its actuators, of each sensor
and of each vector port that the scenario logs go into the diagram, and a
viewer that records. After the run the logs become plots (report_plots). */

namespace wyvern::app {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::Viewer;
using multibody::ModelInstanceIndex;
using multibody::MultibodyPlant;
using plotting::Plot;
using systems::OutputPort;

namespace {

constexpr double kWantedPeriod = 0.01;  // Of the plots' samples [s].
constexpr std::size_t kMaxPlots = 48;   // Of a section.

// Today, as "2026-01-31".
std::string Today() {
  const std::chrono::year_month_day date(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// "1 joint", "2 joints".
std::string Count(int number, const char* one, const char* several) {
  return fmt::format("{} {}", number, number == 1 ? one : several);
}

void AddSection(const std::string& heading, std::vector<Plot> plots,
                double period, report::Report* report) {
  if (plots.empty()) return;
  std::string note = fmt::format("Sampled every {:g} s.", period);
  if (plots.size() > kMaxPlots) {
    note += fmt::format(" The first {} of {} plots.", kMaxPlots, plots.size());
    plots.resize(kMaxPlots);
  }
  report->AddPlots(heading, note, plots);
}

// The states and efforts of the plant and of its models have plots by joint.
bool IsPlottedByJoint(const OutputPort<double>& port,
                      const MultibodyPlant<double>& plant) {
  bool is_one = &port == &plant.get_state_output_port() ||
                &port == &plant.get_net_actuation_output_port();
  for (ModelInstanceIndex i(0); i < plant.num_model_instances(); ++i) {
    is_one = is_one || &port == &plant.get_state_output_port(i) ||
             &port == &plant.get_net_actuation_output_port(i);
  }
  return is_one;
}

// A number, or a word for one that a run did not give.
std::string ToFigure(double value) {
  return std::isfinite(value) ? fmt::format("{:.2g}", value) : "none";
}

std::vector<systems::StatisticsGroup> CollectRunStatistics(
    const Scenario& scenario, ScenarioSimulation* simulation) {
  auto statistics = systems::CollectStatistics(simulation->simulator());
  // A reader knows the integrator by its name in the scenario.
  std::erase_if(statistics, [](const auto& g) { return g.figures.empty(); });
  for (systems::StatisticsGroup& group : statistics) {
    if (!group.name.starts_with("Integrator ")) continue;
    group.name = "Integrator " + scenario.simulator_config.integration_scheme;
  }
  const auto& solver =
      simulation->plant().GetSolverStatistics(simulation->plant_context());
  if (solver.num_solves == 0) return statistics;
  statistics.push_back(
      {.name = "Solver of steps",
       .figures = {
           {"Steps solved", fmt::format("{}", solver.num_solves)},
           {"Iterations",
            fmt::format("{} ({:.2f} a step, at most {})", solver.num_iterations,
                        static_cast<double>(solver.num_iterations) /
                            static_cast<double>(solver.num_solves),
                        solver.max_iterations)},
           {"Worst residual, relative", ToFigure(solver.worst_residual)}}});
  return statistics;
}

}  // namespace

ScenarioReport::ScenarioReport(Scenario scenario, std::string name,
                               std::shared_ptr<Viewer> viewer)
    : scenario_(std::move(scenario)),
      name_(std::move(name)),
      viewer_(std::move(viewer)),
      is_viewer_own_(viewer_ == nullptr) {}

ScenarioReport::~ScenarioReport() = default;

const ScenarioReport::Sink* ScenarioReport::AddSink(
    const OutputPort<double>& port,
    systems::DiagramBuilder<double>* builder) const {
  std::string name =
      "report of " + port.get_system().get_name() + "/" + port.get_name();
  while (builder->HasSubsystemNamed(name)) name += "'";
  auto* sink = LogVectorOutput(port, builder, period_);
  sink->set_name(name);
  return sink;
}

void ScenarioReport::AddPortLogs(const MultibodyPlant<double>& plant,
                                 systems::DiagramBuilder<double>* builder) {
  for (const auto& [name, sensor] : scenario_.sensors) {
    const auto& port = builder->GetSubsystemByName(name).GetOutputPort("y");
    sensors_.push_back({name, &port, AddSink(port, builder)});
  }
  for (const Log& log : scenario_.logs) {
    for (const std::string& name : log.port_names()) {
      const std::size_t slash = name.rfind('/');
      // A bad name was an error when the log was added.
      const auto& port = builder->GetSubsystemByName(name.substr(0, slash))
                             .GetOutputPort(name.substr(slash + 1));
      const auto is_it = [&port](const PortLog& one) {
        return one.port == &port;
      };
      if (port.get_data_type() != systems::kVectorValued ||
          IsPlottedByJoint(port, plant) ||
          std::ranges::any_of(sensors_, is_it) ||
          std::ranges::any_of(ports_, is_it)) {
        continue;
      }
      ports_.push_back({name, &port, AddSink(port, builder)});
    }
  }
}

ScenarioSimulation::Additions ScenarioReport::Additions() {
  return [this](const MultibodyPlant<double>& plant,
                systems::DiagramBuilder<double>* builder) {
    period_ = AlignPeriod(kWantedPeriod, plant.time_step());
    if (plant.num_multibody_states() > 0) {
      states_ = AddSink(plant.get_state_output_port(), builder);
    }
    if (plant.num_actuated_dofs() > 0) {
      efforts_ = AddSink(plant.get_net_actuation_output_port(), builder);
    }
    AddPortLogs(plant, builder);
    if (is_viewer_own_) viewer_ = AddReplayViewer(plant.time_step(), builder);
  };
}

void ScenarioReport::AddPlotsOfPlant(const ScenarioSimulation& simulation,
                                     const systems::Context<double>& root,
                                     report::Report* report) const {
  if (states_ == nullptr) return;
  const MultibodyPlant<double>& plant = simulation.plant();
  const auto& log = states_->FindLog(root);
  const VectorXd times = log.sample_times();
  const MatrixXd states = log.data();
  if (times.size() == 0) return;
  AddSection("Positions",
             PlotPositions(plant, times, states.topRows(plant.num_positions())),
             period_, report);
  AddSection(
      "Velocities",
      PlotVelocities(plant, times, states.bottomRows(plant.num_velocities())),
      period_, report);
  MatrixXd efforts(0, times.size());
  if (efforts_ != nullptr) {
    efforts = efforts_->FindLog(root).data();
    AddSection(
        "Efforts",
        PlotEfforts(plant, efforts_->FindLog(root).sample_times(), efforts),
        period_, report);
  }
  report->AddPlots(
      "Energy",
      "The sum gains what actuators and other forces put in, and loses "
      "what damping, friction and contact take.",
      {PlotEnergy(plant, times, states, efforts)});
}

void ScenarioReport::Save(const std::filesystem::path& file,
                          ScenarioSimulation* simulation,
                          const RunSummary& summary) const {
  const MultibodyPlant<double>& plant = simulation->plant();
  const double start = scenario_.simulator_config.start_time;
  const double duration = summary.end_time - start;
  report::Report report(
      name_,
      fmt::format(
          "{}, {} and {}. {}. Wyvern {}, seed {}, {}.",
          Count(plant.num_bodies() - 1, "body", "bodies"),
          Count(plant.num_joints(), "joint", "joints"),
          Count(plant.num_actuators(), "actuator", "actuators"),
          plant.is_discrete()
              ? fmt::format("A discrete plant with steps of {:g} ms",
                            1e3 * plant.time_step())
              : fmt::format("A continuous plant under {}",
                            scenario_.simulator_config.integration_scheme),
          WYVERN_VERSION, scenario_.random_seed, Today()));
  report.AddFacts(
      {{"Simulated", fmt::format("{:.6g} s", duration), summary.reason},
       {"Steps", fmt::format("{}", summary.num_steps),
        summary.wall_time > 0
            ? fmt::format(
                  "{:.0f} a second",
                  static_cast<double>(summary.num_steps) / summary.wall_time)
            : ""},
       {"Wall time", fmt::format("{:.3g} s", summary.wall_time),
        summary.wall_time > 0 ? fmt::format("{:.3g} times real time",
                                            duration / summary.wall_time)
                              : ""}});
  const systems::Context<double>& root = simulation->simulator().get_context();
  report.AddReplay(
      FinishReplay(viewer_.get(), summary.reason, summary.end_time));
  AddPlotsOfPlant(*simulation, root, &report);
  for (const auto& [heading, logs] :
       {std::pair{"Sensors", &sensors_}, {"Logged ports", &ports_}}) {
    std::vector<Plot> plots;
    for (const PortLog& one : *logs) {
      const auto& log = one.sink->FindLog(root);
      if (log.num_samples() == 0) continue;
      std::ranges::move(PlotElements(one.name, log.sample_times(), log.data(),
                                     simulation->GetElementNames(*one.port),
                                     simulation->GetElementUnits(*one.port)),
                        std::back_inserter(plots));
    }
    AddSection(heading, std::move(plots), period_, &report);
  }
  report.AddStatistics(CollectRunStatistics(scenario_, simulation));
  report.AddWarnings(simulation->warnings());
  report.AddText("Scenario", SaveScenario(scenario_));
  report.Save(file);
}

}  // namespace wyvern::app
