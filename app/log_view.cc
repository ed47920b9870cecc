#include "wyvern/app/log_view.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/app/scenario_io.h"
#include "wyvern/multibody/visualization/visualization_config_functions.h"

namespace wyvern::app {

using geometry::Viewer;
using multibody::MultibodyPlant;

namespace {

constexpr const char* kStates = "plant/state";
constexpr double kFramesPerSecond = 64;
constexpr Eigen::Index kMostPlotted = 4096;  // That a page keeps.

}  // namespace

LogView::LogView(const std::filesystem::path& file)
    : file_(file), reader_(file.string()) {
  const auto names = reader_.GetSignalNames();
  if (std::ranges::find(names, kStates) == names.end()) {
    throw std::runtime_error(fmt::format(
        "{} has no signal '{}', which says where bodies are; log that port.",
        file.string(), kStates));
  }
  states_ = reader_.ReadSignal(kStates);
  const std::string scenario = reader_.GetAttribute("scenario");
  if (scenario.empty()) {
    throw std::runtime_error(fmt::format(
        "{} does not say what was simulated: it has no attribute 'scenario', "
        "as logs of `wyvern run` have.",
        file.string()));
  }
  scenario_ = LoadScenarioFromString(scenario, {},
                                     file.string() + ", attribute scenario");
  folder_ = reader_.GetAttribute("folder");
  // A replay sets the states, so that nothing has to act on the plant.
  scenario_.model_drivers.clear();
  scenario_.sensors.clear();
  scenario_.disturbances.clear();
  scenario_.tunables.clear();
  scenario_.stop_conditions.clear();
  const std::string list = reader_.GetAttribute(kFileList);
  if (list.empty()) return;
  files_ = std::make_unique<const UnpackedFiles>(
      PackedFiles{list, reader_.ReadFiles()}, file.string());
  scenario_.packages = files_->packages();
}

LogView::~LogView() = default;

void LogView::Show(const std::shared_ptr<Viewer>& viewer) const {
  // Forces depend on more than the states, so they are not shown.
  visualization::VisualizationConfig config;
  config.publish_contacts = false;
  ScenarioSimulation simulation(
      scenario_, folder_, false,
      [&](const MultibodyPlant<double>&,
          systems::DiagramBuilder<double>* builder) {
        visualization::ApplyVisualizationConfig(config, builder, nullptr,
                                                nullptr, nullptr, viewer);
      },
      files_ == nullptr ? nullptr : files_->MakeRecord());
  const MultibodyPlant<double>& plant = simulation.plant();
  if (states_.values.rows() != plant.num_multibody_states()) {
    throw std::runtime_error(fmt::format(
        "{}: its states have {} numbers, and the plant of its scenario has {}; "
        "the models' files in '{}' have changed since.",
        file_.string(), states_.values.rows(), plant.num_multibody_states(),
        folder_.string()));
  }
  for (const std::string& name : reader_.GetSignalNames()) {
    const systems::RecordedSignal signal = reader_.ReadSignal(name);
    viewer->SetSignal(name, signal.element_names, signal.unit);
    const Eigen::Index count = signal.times.size();
    const Eigen::Index stride = (count + kMostPlotted - 1) / kMostPlotted;
    for (Eigen::Index i = 0; i < count; i += stride) {
      viewer->AddSample(name, signal.times[i], signal.values.col(i));
    }
  }

  auto& root = simulation.simulator().get_mutable_context();
  const systems::Diagram<double>& diagram = simulation.diagram();
  diagram.ExecuteInitializationEvents(&root);
  viewer->StartRecording(kFramesPerSecond);
  double next = -std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < states_.times.size(); ++i) {
    const double time = states_.times[i];
    if (time < next && i + 1 < states_.times.size()) continue;
    next = time + 0.999 / kFramesPerSecond;
    root.SetTime(time);
    plant.SetPositionsAndVelocities(&plant.GetMyMutableContextFromRoot(&root),
                                    states_.values.col(i));
    diagram.ForcedPublish(root);
  }
  for (const systems::RecordedEvent& event : reader_.ReadEvents()) {
    viewer->MarkRecording(event.text, event.time);
  }
  if (states_.times.size() == 0) return;
  const std::string reason = reader_.GetStatistic("reason");
  viewer->MarkRecording(
      reason.empty() ? "the log ends: the run was killed, or goes on" : reason,
      states_.times[states_.times.size() - 1]);
}

}  // namespace wyvern::app
