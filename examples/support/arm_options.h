#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace wyvern::examples {

/// Options of the arm example's command line.
struct ArmOptions {
  /// The robot.
  std::filesystem::path urdf{WYVERN_MODELS_DIR "/arm.urdf"};
  /// Empty: those of our own arm; for another robot a tour of its ranges.
  std::filesystem::path waypoints{};
  /// An actuator for every joint that can have one, whatever the file says.
  bool actuate_all{false};
  /// Where the report and the log go.
  std::filesystem::path out{"out/arm_tracking"};
  /// How long to simulate, s; the whole trajectory if absent.
  std::optional<double> time{};
  /// Time step of the discrete plant, s.
  double time_step{1e-3};
  /// Natural frequency of each joint under PD control, rad/s.
  double bandwidth{60.0};
  /// Largest tracking error that is a success, rad or m.
  double bound{5e-3};
  /// The command line as it was given, for the report.
  std::string command{};
};

/// Reads the command line. If the program shall end at once (help was asked for
/// and printed, or there is an error, printed too), returns no options and
/// sets *exit_code.
std::optional<ArmOptions> ParseArmOptions(int argc, char** argv,
                                          int* exit_code);

}  // namespace wyvern::examples
