#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "wyvern/app/live_numbers.h"
#include "wyvern/app/scenario_editor.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/simulator/viewing/live_simulation.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::app {

/** Buttons and sliders of a page for a whole run: start it again with the
numbers as tuned (key R), and write these numbers into the scenario's file (key
W). Pages may also edit the blocks of the scenario, see ScenarioEditor. Nothing
is written without a click or a key. All functions belong to one thread. */
class RunControls final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RunControls);

  /** Adds the buttons. @param file of the scenario; empty for a model by
  itself, which has none. @param out gets a line for each click; it must outlive
  this.
   */
  RunControls(std::shared_ptr<geometry::Viewer> viewer, std::string file,
              std::ostream* out);

  /** Lets pages edit the scenario's file, which must be a regular file.
  @param check throws if a text of the scenario cannot be run. */
  void LetPagesEdit(ScenarioEditor::Check check);

  /** Does nothing if Begin() can add the sliders of a run; throws as it does.
   */
  static void RequireTunables(const Scenario& scenario,
                              ScenarioSimulation* simulation);
  /** Adds the sliders of a run, each at the value that the scenario has.
  The pointers must outlive the run.
  @throws std::runtime_error if the scenario has no number at the path of a
  tunable; std::logic_error as LiveSimulation::AddTunable() and
  FindLiveNumber(). */
  void Begin(const Scenario& scenario, ScenarioSimulation* simulation,
             systems::LiveSimulation* live);
  /** Removes the sliders that Begin() added, and remembers their values. */
  void End();

  /** Whether somebody has pressed "Restart" since Begin(), or wants to run an
  edited scenario. */
  bool WantsRestart() const;
  /** Returns the text of the scenario that is to run, if it was edited on a
  page; null: that of the file. */
  const std::string* edited_text() const;
  /** Sets numbers that count while the scenario runs, writes tuned numbers into
  the file if somebody wants that, and does what pages edit.
  @returns whether the Context has changed. */
  bool Update(systems::Context<double>* root);
  /** Returns what was tuned in this run and those before, as settings for
  LoadScenario(). */
  std::vector<std::string> MakeSettings() const;
  /** Forgets what was tuned in the last run, which is not a valid scenario. */
  void TakeBack() { settings_ = settings_before_; }

 private:
  struct Slider {
    std::string path;
    std::string name;  // Of the page's slider.
    double first{};
    // Sets the number in the Context; null if it counts from the next run on.
    std::function<void(double, systems::Context<double>*)> set;
    double last{};  // That was set.
  };

  void AddSlider(const Tunable& wanted, const Scenario& scenario,
                 ScenarioSimulation* simulation);
  static LiveNumber FindNumber(const std::string& path,
                               const Scenario& scenario,
                               ScenarioSimulation* simulation);
  std::string MakeGravitySetting() const;
  void Save();
  void Tell(const std::string& text);

  const std::shared_ptr<geometry::Viewer> viewer_;
  const std::string file_;
  std::ostream& out_;
  // Settings of the runs before, and of the runs before the last one.
  std::vector<std::string> settings_;
  std::vector<std::string> settings_before_;
  std::vector<Slider> sliders_;
  ScenarioSimulation* simulation_{};
  Eigen::Vector3d gravity_{Eigen::Vector3d::Zero()};  // At the start.
  std::unique_ptr<ScenarioEditor> editor_;
  int num_restarts_{0};
  int num_saves_{0};
};

}  // namespace wyvern::app
