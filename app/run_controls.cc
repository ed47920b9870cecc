#include "wyvern/app/run_controls.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/app/scenario_io.h"
#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/yaml/yaml_io.h"

/* A slider belongs to a path of the scenario. Live numbers are set in the
Context between two steps; the others count from the next run on. Restart and
Save take all numbers that differ from the start of the run, as settings of the
form path=value, which LoadScenario() and EditScenarioText() understand. */

namespace wyvern::app {

namespace {

constexpr const char* kRestart = "Restart";
constexpr const char* kSave = "Save tuned numbers";

// Adds settings; a setting of the same path goes.
std::vector<std::string> WithSettings(std::vector<std::string> settings,
                                      const std::vector<std::string>& more) {
  for (const std::string& one : more) {
    const std::string path = one.substr(0, one.find('=') + 1);
    std::erase_if(settings, [&path](const std::string& old) {
      return old.starts_with(path);
    });
    settings.push_back(one);
  }
  return settings;
}

}  // namespace

RunControls::RunControls(std::shared_ptr<geometry::Viewer> viewer,
                         std::string file, std::ostream* out)
    : viewer_(std::move(viewer)), file_(std::move(file)), out_(*out) {
  viewer_->AddButton(kRestart, "KeyR");
  if (!file_.empty()) viewer_->AddButton(kSave, "KeyW");
}

void RunControls::Begin(const Scenario& scenario,
                        ScenarioSimulation* simulation,
                        systems::LiveSimulation* live) {
  num_restarts_ = viewer_->GetButtonClicks(kRestart);
  simulation_ = simulation;
  gravity_ = simulation->plant().gravity_field().gravity_vector();
  simulation->AddSliders(live);
  for (const Tunable& wanted : scenario.tunables) {
    if (!wanted.path.empty()) AddSlider(wanted, scenario, simulation);
  }
  if (editor_ != nullptr) editor_->Begin(scenario, *simulation);
  live->AddListener(
      [this](systems::Context<double>* root) { return Update(root); });
}

void RunControls::RequireTunables(const Scenario& scenario,
                                  ScenarioSimulation* simulation) {
  for (const Tunable& wanted : scenario.tunables) {
    if (!wanted.path.empty()) FindNumber(wanted.path, scenario, simulation);
  }
}

// The number at a path; without a setter if it counts from the next run on.
LiveNumber RunControls::FindNumber(const std::string& path,
                                   const Scenario& scenario,
                                   ScenarioSimulation* simulation) {
  auto live = FindLiveNumber(path, simulation->diagram(),
                             simulation->simulator().get_context());
  if (live.has_value()) return std::move(*live);
  return {
      .name = path, .value = GetScenarioNumber(scenario, path), .set = nullptr};
}

void RunControls::AddSlider(const Tunable& wanted, const Scenario& scenario,
                            ScenarioSimulation* simulation) {
  LiveNumber number = FindNumber(wanted.path, scenario, simulation);
  const double first =
      viewer_->AddSlider(number.name, wanted.min, wanted.max,
                         (wanted.max - wanted.min) / 1000, number.value);
  sliders_.push_back({.path = wanted.path,
                      .name = std::move(number.name),
                      .first = first,
                      .set = std::move(number.set),
                      .last = first});
}

void RunControls::LetPagesEdit(ScenarioEditor::Check check) {
  editor_ =
      std::make_unique<ScenarioEditor>(viewer_, file_, std::move(check), &out_);
}

const std::string* RunControls::edited_text() const {
  const bool is_edited =
      editor_ != nullptr && editor_->running_text().has_value();
  return is_edited ? &*editor_->running_text() : nullptr;
}

void RunControls::End() {
  settings_before_ = std::exchange(settings_, MakeSettings());
  for (const Slider& slider : sliders_) viewer_->DeleteSlider(slider.name);
  sliders_.clear();
  simulation_ = nullptr;
}

bool RunControls::WantsRestart() const {
  return viewer_->GetButtonClicks(kRestart) > num_restarts_ ||
         (editor_ != nullptr && editor_->WantsRun());
}

bool RunControls::Update(systems::Context<double>* root) {
  bool has_changed = false;
  for (Slider& slider : sliders_) {
    if (slider.set == nullptr) continue;
    const double value = viewer_->GetSliderValue(slider.name);
    if (value == slider.last) continue;
    try {
      slider.set(value, root);
      slider.last = value;
    } catch (const std::logic_error& error) {
      Tell(error.what());
      // The page shows the number that counts.
      slider.last = viewer_->SetSliderValue(slider.name, slider.last);
      slider.set(slider.last, root);
    }
    has_changed = true;
  }
  if (editor_ != nullptr) editor_->Update();
  if (file_.empty()) return has_changed;
  const int clicks = viewer_->GetButtonClicks(kSave);
  if (clicks == std::exchange(num_saves_, clicks)) return has_changed;
  try {
    Save();
  } catch (const std::exception& error) {
    Tell(error.what());
  }
  return has_changed;
}

std::vector<std::string> RunControls::MakeSettings() const {
  std::vector<std::string> settings = settings_;
  if (simulation_ != nullptr) {
    settings = WithSettings(settings, simulation_->MakeTunedSettings());
  }
  for (const Slider& slider : sliders_) {
    const double value = viewer_->GetSliderValue(slider.name);
    if (value == slider.first) continue;
    settings = WithSettings(settings,
                            {FindGravityAxis(slider.path).has_value()
                                 ? MakeGravitySetting()
                                 : fmt::format("{}={}", slider.path, value)});
  }
  return settings;
}

// All of the vector, which a scenario need not have.
std::string RunControls::MakeGravitySetting() const {
  Eigen::Vector3d gravity = gravity_;
  for (const Slider& slider : sliders_) {
    const auto axis = FindGravityAxis(slider.path);
    if (!axis.has_value()) continue;
    const double value = viewer_->GetSliderValue(slider.name);
    if (value != slider.first) gravity[*axis] = value;
  }
  return fmt::format("gravity=[{}, {}, {}]", gravity.x(), gravity.y(),
                     gravity.z());
}

void RunControls::Save() {
  const std::vector<std::string> settings = MakeSettings();
  if (settings.empty()) {
    Tell(fmt::format("{}: nothing was tuned, so nothing is saved", file_));
    return;
  }
  const std::string before = yaml::internal::ReadFile(file_);
  const std::string text = EditScenarioText(before, settings, file_);
  LoadScenarioFromString(text, {}, file_);  // It stays a scenario.
  internal::WriteWholeFile("RunControls", file_, text);
  if (editor_ != nullptr) editor_->NoteSavedNumbers(before, text, settings);
  std::string saved;
  for (const std::string& one : settings) saved += "\n  " + one;
  Tell(fmt::format("{}: saved{}", file_, saved));
}

// On the timeline, too: a person at the page does not see a terminal.
void RunControls::Tell(const std::string& text) {
  out_ << text << "\n" << std::flush;
  if (simulation_ == nullptr) return;
  viewer_->MarkRecording(text, simulation_->plant_context().get_time());
}

}  // namespace wyvern::app
