// Two logs go into the diagram, of the plant's state and of what its actuators
// do, and the systems that show it to a viewer, which records. After the run
// the logs become plots: positions and velocities, a plot of each joint's, in
// groups of as many curves as there are colours; efforts; and the energies,
// which the plant calculates from the states.
#include "wyvern/app/scenario_report.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/app/scenario_io.h"
#include "wyvern/multibody/visualization/visualization_config_functions.h"
#include "wyvern/simulator/report/report.h"
#include "wyvern/simulator/simulator_print_stats.h"

namespace wyvern::app {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::Viewer;
using multibody::MultibodyPlant;
using plotting::Plot;

namespace {

constexpr double kPeriod = 0.01;          // Of the plots' samples [s].
constexpr double kFramePeriod = 1 / 30.;  // Of the replay [s].
constexpr int kMaxPlots = 12;             // Of a section.

// Today, as "2026-01-31".
std::string Today() {
  const std::chrono::year_month_day date(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// Rows of a log, as many a plot as there are colours.
std::vector<Plot> PlotRows(const VectorXd& times, const MatrixXd& rows,
                           const std::vector<std::string>& names,
                           const std::string& what) {
  std::vector<Plot> plots;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const int color = static_cast<int>(i % plotting::kNumSeriesColors);
    if (color == 0) {
      if (plots.size() == kMaxPlots) break;
      plots.push_back({.title = fmt::format("{} {} to {}", what, i,
                                            std::min(rows.rows() - 1, i + 7)),
                       .x_label = "time [s]",
                       .width = 520,
                       .height = 250});
    }
    plots.back().series.push_back({names.at(i), times, rows.row(i), color});
  }
  if (plots.size() == 1) plots[0].title = what;
  return plots;
}

std::string NoteOf(Eigen::Index num_rows) {
  const Eigen::Index most = kMaxPlots * plotting::kNumSeriesColors;
  if (num_rows <= most) {
    return fmt::format("Sampled every {:g} s.", kPeriod);
  }
  return fmt::format("Sampled every {:g} s; the first {} of {}.", kPeriod, most,
                     num_rows);
}

// Kinetic and potential energy, and the work of actuators since the start, by
// the trapezoidal rule.
Plot PlotEnergy(const MultibodyPlant<double>& plant, const VectorXd& times,
                const MatrixXd& states, const MatrixXd& efforts) {
  const auto context = plant.CreateDefaultContext();
  const bool has_efforts = efforts.rows() > 0 && efforts.cols() == times.size();
  VectorXd kinetic(times.size()), potential(times.size());
  VectorXd power = VectorXd::Zero(times.size());
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    plant.SetPositionsAndVelocities(context.get(), states.col(k));
    kinetic[k] = plant.EvalKineticEnergy(*context);
    potential[k] = plant.EvalPotentialEnergy(*context);
    if (!has_efforts) continue;
    power[k] = states.col(k)
                   .tail(plant.num_velocities())
                   .dot(plant.CalcActuationMatrix(*context) * efforts.col(k));
  }
  if (times.size() > 0) potential.array() -= potential[0];
  Plot plot{.title = "Energy",
            .x_label = "time [s]",
            .y_label = "[J]",
            .series = {{"kinetic", times, kinetic, 0},
                       {"potential, from its start", times, potential, 2},
                       {"sum", times, kinetic + potential, 1}},
            .width = 1060,
            .height = 280};
  if (!has_efforts) return plot;
  VectorXd work = VectorXd::Zero(times.size());
  for (Eigen::Index k = 1; k < times.size(); ++k) {
    work[k] = work[k - 1] +
              0.5 * (power[k - 1] + power[k]) * (times[k] - times[k - 1]);
  }
  plot.series.push_back({"work of the actuators", times, work, 3});
  return plot;
}

}  // namespace

ScenarioReport::ScenarioReport(Scenario scenario, std::string name,
                               std::shared_ptr<Viewer> viewer)
    : scenario_(std::move(scenario)),
      name_(std::move(name)),
      viewer_(std::move(viewer)),
      is_viewer_own_(viewer_ == nullptr) {
  if (is_viewer_own_ && Viewer::IsAvailable()) {
    viewer_ = std::make_shared<Viewer>();
  }
}

ScenarioReport::~ScenarioReport() = default;

ScenarioSimulation::Additions ScenarioReport::Additions() {
  return [this](const MultibodyPlant<double>& plant,
                systems::DiagramBuilder<double>* builder) {
    if (plant.num_multibody_states() > 0) {
      states_ =
          LogVectorOutput(plant.get_state_output_port(), builder, kPeriod);
    }
    if (plant.num_actuated_dofs() > 0) {
      efforts_ = LogVectorOutput(plant.get_net_actuation_output_port(), builder,
                                 kPeriod);
    }
    if (!is_viewer_own_ || viewer_ == nullptr) return;
    visualization::ApplyVisualizationConfig({.publish_period = kFramePeriod},
                                            builder, nullptr, nullptr, nullptr,
                                            viewer_);
    viewer_->StartRecording(1 / kFramePeriod);
  };
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
          "{} bodies, {} joints and {} actuators. {}. Wyvern {}, seed "
          "{}, {}.",
          plant.num_bodies() - 1, plant.num_joints(), plant.num_actuators(),
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
  if (viewer_ != nullptr) {
    viewer_->MarkRecording(summary.reason, summary.end_time);
    viewer_->PublishRecording();
    report.AddReplay(viewer_->StaticHtml());
  }
  if (states_ != nullptr) {
    const auto& log = states_->FindLog(root);
    const VectorXd times = log.sample_times();
    const MatrixXd states = log.data();
    const auto names =
        simulation->GetElementNames(plant.get_state_output_port());
    const int nq = plant.num_positions(), nv = plant.num_velocities();
    if (times.size() > 0) {
      report.AddPlots("Positions", NoteOf(nq),
                      PlotRows(times, states.topRows(nq), names, "Positions"));
      report.AddPlots(
          "Velocities", NoteOf(nv),
          PlotRows(times, states.bottomRows(nv),
                   {names.begin() + nq, names.end()}, "Velocities"));
      MatrixXd efforts(0, times.size());
      if (efforts_ != nullptr) {
        const auto& port = plant.get_net_actuation_output_port();
        efforts = efforts_->FindLog(root).data();
        report.AddPlots("Efforts", NoteOf(efforts.rows()),
                        PlotRows(efforts_->FindLog(root).sample_times(),
                                 efforts, simulation->GetElementNames(port),
                                 "Efforts of the actuators"));
      }
      report.AddPlots(
          "Energy",
          "The sum gains what actuators and other forces put in, and loses "
          "what damping, friction and contact take.",
          {PlotEnergy(plant, times, states, efforts)});
    }
  }
  auto statistics = systems::CollectStatistics(simulation->simulator());
  const auto& solver = plant.GetSolverStatistics(simulation->plant_context());
  if (solver.num_solves > 0) {
    statistics.push_back(
        {.name = "Solver of steps",
         .figures = {{"Steps solved", fmt::format("{}", solver.num_solves)},
                     {"Iterations",
                      fmt::format("{} ({:.2f} a step, at most {})",
                                  solver.num_iterations,
                                  static_cast<double>(solver.num_iterations) /
                                      static_cast<double>(solver.num_solves),
                                  solver.max_iterations)},
                     {"Worst residual, relative",
                      fmt::format("{:.2g}", solver.worst_residual)}}});
  }
  report.AddStatistics(statistics);
  report.AddWarnings(simulation->warnings());
  report.AddText("Scenario", SaveScenario(scenario_));
  report.Save(file);
}

}  // namespace wyvern::app
