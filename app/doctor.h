#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wyvern::app {

/** The surroundings that `wyvern doctor` looks at. */
struct DoctorParams {
  /** Folders of programs, separated by ':', as the variable PATH. */
  std::string program_path{};
  /** Folders of ROS packages, separated by ':', as ROS_PACKAGE_PATH. */
  std::string package_path{};
  /** Whether the environment has a display (DISPLAY or WAYLAND_DISPLAY). */
  bool has_display{false};
  /** Folder where logs and reports would go. */
  std::filesystem::path working_folder{"."};
  /** Folder with `scenarios`, `examples` and such, as installed; may be
  missing. */
  std::filesystem::path share_folder{};

  /** The parameters of this process. */
  static DoctorParams FromEnvironment();
};

/** One line of a diagnosis. */
struct DoctorFinding {
  /** How good the news is. */
  enum class Level {
    kGood,
    /** An optional part is not there. */
    kMissing,
    /** Something does not work. */
    kFault,
  };
  /** How good the news is. */
  Level level{Level::kGood};
  /** The part, such as "HDF5". */
  std::string name{};
  /** The state of the part, with versions. */
  std::string value{};
  /** Advice; empty if the level is kGood. */
  std::string fix{};
};

/** Looks at the build, the processor, the programs and the folders that the
commands use. It starts no program and leaves no file. */
std::vector<DoctorFinding> Diagnose(const DoctorParams& params);

/** The diagnosis for a person: a line or two for each finding, and a sum. */
std::string ToText(const std::vector<DoctorFinding>& findings);
/** An array of objects with the fields level ("ok", "missing", "fault"), name,
value and fix. */
std::string ToJson(const std::vector<DoctorFinding>& findings);

}  // namespace wyvern::app
