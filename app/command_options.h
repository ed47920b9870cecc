#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wyvern/app/model_scenario.h"
#include "wyvern/app/sweep_command.h"

namespace CLI {
class App;
}  // namespace CLI

namespace wyvern::app {

/** Values of the command line's options. Times are in s; -1 stands for an
option that is not given. */
struct CommandOptions {
  /** The scenario, or a model to be run. */
  std::string scenario;
  /** The model, or what `wyvern view` shows. */
  std::string model;
  /** Each --set, as "path=value". */
  std::vector<std::string> settings;
  /** --until: the time at which to stop; -1: the scenario's duration. */
  double until{-1};
  /** --realtime: simulated seconds per second; 0: as fast as possible. */
  double realtime{-1};
  /** --log; empty: none. */
  std::string log;
  /** --json */
  bool is_json{false};
  /** --dot */
  bool is_dot{false};
  /** --format of a diagram. */
  std::string format{"text"};
  /** --print */
  bool prints_scenario{false};
  /** The file that `wyvern convert` writes. */
  std::string target;
  /** --lossy */
  bool is_lossy{false};
  /** --report of a run or a comparison; empty: none. */
  std::string report;
  // These options apply only to models shown in a browser.
  bool is_viewed{false};
  /** --open */
  bool opens_browser{false};
  // Whether a viewed run begins paused, or without waiting for a page.
  bool is_paused{false};
  /** --no-wait */
  bool does_not_wait{false};
  /** --port; null: the first free one. */
  std::optional<int> port;
  /** --host; null: localhost. */
  std::optional<std::string> host;
  /** --time-step, --contact-model and --base. */
  ModelOptions simulated;
  // Whether `wyvern view` simulates a model.
  bool has_physics{false};
  /** Each --package, as "NAME=DIR". */
  std::vector<std::string> packages;
  // Shared libraries with blocks.
  std::vector<std::string> plugins;
  // Files, columns and limit of a comparison.
  std::string first_log;
  /** The second file of a comparison. */
  std::string second_log;
  /** Each --column. */
  std::vector<std::string> columns;
  /** Each --match, as "FIRST=SECOND". */
  std::vector<std::string> matches;
  /** --tolerance; -1: none. */
  double tolerance{-1};
  // Folder of a new project.
  std::string project;
  /** Options of `wyvern sweep`. */
  SweepCommand sweep;
};

/** Adds the commands of the program `wyvern` with their options and examples.
@param options written when `app` parses; it must outlive `app`. */
void AddCommands(CLI::App* app, CommandOptions* options);

}  // namespace wyvern::app
