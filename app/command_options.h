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
  std::string scenario;
  std::string model;
  std::vector<std::string> settings;
  double until{-1};
  double realtime{-1};
  std::string log;
  bool is_json{false};
  bool is_dot{false};
  std::string format{"text"};
  bool prints_scenario{false};
  std::string target;
  bool is_lossy{false};
  std::string report;
  // These options apply only to models shown in a browser.
  bool is_viewed{false};
  bool opens_browser{false};
  // Whether a viewed run begins paused, or without waiting for a page.
  bool is_paused{false};
  bool does_not_wait{false};
  std::optional<int> port;
  std::optional<std::string> host;
  ModelOptions simulated;
  // Whether `wyvern view` simulates a model.
  bool has_physics{false};
  std::vector<std::string> packages;
  // Files, columns and limit of a comparison.
  std::string first_log;
  std::string second_log;
  std::vector<std::string> columns;
  std::vector<std::string> matches;
  double tolerance{-1};
  // Folder of a new project.
  std::string project;
  SweepCommand sweep;
};

/** Adds the commands of the program `wyvern` with their options and examples.
@param options written when `app` parses; it must outlive `app`. */
void AddCommands(CLI::App* app, CommandOptions* options);

}  // namespace wyvern::app
