#include "wyvern/app/run_controls.h"

#include <exception>
#include <utility>

#include <fmt/format.h>

#include "wyvern/app/scenario_io.h"
#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/yaml/yaml_io.h"

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
                        const ScenarioSimulation* simulation,
                        systems::LiveSimulation* live) {
  num_restarts_ = viewer_->GetButtonClicks(kRestart);
  simulation_ = simulation;
  simulation->AddSliders(live);
  for (const Tunable& wanted : scenario.tunables) {
    if (wanted.path.empty()) continue;
    const double value = GetScenarioNumber(scenario, wanted.path);
    sliders_.push_back(
        {wanted.path,
         viewer_->AddSlider(wanted.path, wanted.min, wanted.max,
                            (wanted.max - wanted.min) / 1000, value)});
  }
  live->AddListener([this](systems::Context<double>*) {
    Update();
    return false;
  });
}

void RunControls::End() {
  settings_before_ = std::exchange(settings_, MakeSettings());
  for (const Slider& slider : sliders_) viewer_->DeleteSlider(slider.path);
  sliders_.clear();
  simulation_ = nullptr;
}

bool RunControls::WantsRestart() const {
  return viewer_->GetButtonClicks(kRestart) > num_restarts_;
}

void RunControls::Update() {
  if (file_.empty()) return;
  const int clicks = viewer_->GetButtonClicks(kSave);
  if (clicks == std::exchange(num_saves_, clicks)) return;
  try {
    Save();
  } catch (const std::exception& error) {
    Tell(error.what());
  }
}

std::vector<std::string> RunControls::MakeSettings() const {
  std::vector<std::string> settings = settings_;
  if (simulation_ != nullptr) {
    settings = WithSettings(settings, simulation_->MakeTunedSettings());
  }
  for (const Slider& slider : sliders_) {
    const double value = viewer_->GetSliderValue(slider.path);
    if (value == slider.first) continue;
    settings =
        WithSettings(settings, {fmt::format("{}={}", slider.path, value)});
  }
  return settings;
}

void RunControls::Save() {
  const std::vector<std::string> settings = MakeSettings();
  if (settings.empty()) {
    Tell(fmt::format("{}: nothing was tuned, so nothing is saved", file_));
    return;
  }
  const std::string text =
      EditScenarioText(yaml::internal::ReadFile(file_), settings, file_);
  LoadScenarioFromString(text, {}, file_);  // It stays a scenario.
  internal::WriteWholeFile("RunControls", file_, text);
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
