#include "examples/support/arm_options.h"

#include <cmath>
#include <string>

#include <CLI/CLI.hpp>

namespace wyvern::examples {
namespace {

// CLI11's own check for positive numbers lets nan and inf through.
const CLI::Validator kPositive(
    [](std::string& text) -> std::string {
      double value = 0.0;
      const bool good = CLI::detail::lexical_cast(text, value) &&
                        std::isfinite(value) && value > 0.0;
      return good ? "" : "'" + text + "' is not a positive, finite number";
    },
    "POSITIVE");

}  // namespace

std::optional<ArmOptions> ParseArmOptions(int argc, char** argv,
                                          int* exit_code) {
  ArmOptions options;
  double time = -1.0;
  CLI::App app(
      "A robot arm under PD control, with feed-forward by its model, follows "
      "way-points. Prints a table, writes report.html and log.csv, and fails "
      "if the tracking error is above the bound.");
  app.add_option("--urdf", options.urdf, "The robot, a URDF or SDFormat file")
      ->capture_default_str();
  app.add_option("--waypoints", options.waypoints,
                 "CSV file 'time, joint, ...' of way-points (default: those of "
                 "our own arm, or a tour of the joints' ranges)");
  app.add_flag("--actuate-all", options.actuate_all,
               "An actuator for every joint of one degree of freedom (done too "
               "if the file has no transmission)");
  app.add_option("--out", options.out, "Folder for the report and the log")
      ->capture_default_str();
  const auto* time_option =
      app.add_option("--time", time,
                     "Simulated time in s (default: until the last way-point)")
          ->check(kPositive);
  app.add_option("--time-step", options.time_step,
                 "Time step of the plant in s")
      ->check(kPositive)
      ->capture_default_str();
  app.add_option("--bandwidth", options.bandwidth,
                 "Natural frequency of the controlled joints in rad/s")
      ->check(kPositive)
      ->capture_default_str();
  app.add_option("--bound", options.bound,
                 "Largest tracking error that passes, in rad (or m)")
      ->check(kPositive)
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    *exit_code = app.exit(error);
    return std::nullopt;
  }
  if (*time_option) options.time = time;
  options.command = std::filesystem::path(argv[0]).filename().string();
  for (int i = 1; i < argc; ++i) options.command += std::string(" ") + argv[i];
  return options;
}

}  // namespace wyvern::examples
