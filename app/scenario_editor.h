#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "wyvern/app/scenario_simulation.h"
#include "wyvern/app/yaml_text.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_link.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::app {

/** Lets pages edit the blocks and connections of a scenario that runs: add,
change and remove blocks, add and remove wires, run the result, save it.

The edits are made in a draft, a text in memory in which comments stay. A
mistake is shown on the page with file, line and column, and leaves the draft
and the running simulation as they are. The file is only written when a page
says "save".

Pages are not trusted. A request is one of a fixed list, with short texts; 32
requests wait at most, and further ones are dropped. Blocks that read files are
refused. All functions belong to the simulation's thread. */
class ScenarioEditor final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ScenarioEditor);

  /** Throws if the text of a scenario cannot be run. */
  using Check = std::function<void(const std::string& text)>;

  /** @param file of the scenario. @param out gets a line for each file written;
  it must outlive this. @throws std::runtime_error if the file cannot be read.
*/
  ScenarioEditor(std::shared_ptr<geometry::Viewer> viewer, std::string file,
                 Check check, std::ostream* out);
  ~ScenarioEditor();

  /** Begins a run: pages may wire its plant and sensors. Reads the file again
  if there are no edits. */
  void Begin(const Scenario& scenario, const ScenarioSimulation& simulation);
  /** Does one of the requests of pages. Call it between two steps. */
  void Update();
  /** Whether a page wants to run the draft, which has passed the check. */
  bool WantsRun() const { return wants_run_; }
  /** Text of the scenario that runs, or is to run; null: that of the file. */
  const std::optional<std::string>& running_text() const { return running_; }
  /** Tells that numbers were saved in the file, which was `before`. */
  void NoteSavedNumbers(const std::string& before, const std::string& after,
                        const std::vector<std::string>& settings);

 private:
  // A request of a page: a word, and texts.
  struct Request {
    std::string action;
    std::vector<std::string> texts;
  };
  // A system whose ports can be wired.
  struct Ports {
    std::string name;
    std::string type;
    std::string fields;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
  };

  void Receive(const geometry::internal::PageMessage& message);
  void Do(const Request& request);
  void Edit(const Request& request, YamlText* text) const;
  yaml::internal::NodePtr MakeBlock(const std::string& name,
                                    const std::string& type,
                                    const std::string& fields) const;
  std::vector<Ports> FindBlocks(const std::string& text) const;
  void Accept(std::string text);
  void Save();
  void ShowTypes();
  void Show();

  const std::shared_ptr<geometry::Viewer> viewer_;
  const std::string file_;
  const Check check_;
  std::ostream& out_;

  std::string saved_;  // Text of the file when it was read or written.
  std::string draft_;
  std::vector<std::string> history_;  // Drafts before the last edits.
  std::optional<std::string> running_;
  std::string run_text_;  // Text of the present run.
  bool wants_run_{false};
  std::vector<Ports> blocks_;  // Of the draft.
  std::vector<Ports> others_;  // Plant and sensors.
  // Shown on pages: the last error, the text that it is about, and a note.
  std::string error_;
  std::string refused_;
  std::string note_;

  std::mutex mutex_;
  std::deque<Request> requests_;
  geometry::internal::ViewerLink link_;  // Ends first.
};

}  // namespace wyvern::app
