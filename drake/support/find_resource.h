#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/file_paths.h"

namespace wyvern {

constexpr char kDrakeResourceRootEnvironmentVariableName[] =
    "DRAKE_RESOURCE_ROOT";
constexpr char kResourcePathEnvironmentVariableName[] = "WYVERN_RESOURCE_PATH";

/** Where a file was found, or why it was not. */
class FindResourceResult {
 public:
  static FindResourceResult make_success(const std::string& resource_path,
                                         const std::string& absolute_path) {
    FindResourceResult result;
    result.resource_path_ = resource_path;
    result.absolute_path_ = absolute_path;
    return result;
  }
  static FindResourceResult make_error(const std::string& resource_path,
                                       const std::string& message) {
    FindResourceResult result;
    result.resource_path_ = resource_path;
    result.error_message_ = message;
    return result;
  }

  std::optional<std::string> get_absolute_path() const {
    return absolute_path_;
  }
  /** Returns the absolute path.
  @throws std::runtime_error if it was not found. */
  std::string get_absolute_path_or_throw() const {
    if (!absolute_path_) throw std::runtime_error(error_message_.value_or(""));
    return *absolute_path_;
  }
  std::optional<std::string> get_error_message() const {
    return error_message_;
  }
  std::string get_resource_path() const { return resource_path_; }

 private:
  std::string resource_path_;
  std::optional<std::string> absolute_path_;
  std::optional<std::string> error_message_;
};

/** Looks for a file by a path like "drake/examples/pendulum/Pendulum.urdf" in
the folder that DRAKE_RESOURCE_ROOT names, then in those of the colon-parted
list WYVERN_RESOURCE_PATH. Wyvern has none of Drake's files. */
inline FindResourceResult FindResource(const std::string& resource_path) {
  if (resource_path.empty() ||
      std::filesystem::path(resource_path).is_absolute()) {
    return FindResourceResult::make_error(
        resource_path,
        fmt::format("FindResource(): the path '{}' is empty or absolute; give "
                    "a relative one, such as drake/model.urdf.",
                    resource_path));
  }
  std::string folders;
  for (const char* variable : {kDrakeResourceRootEnvironmentVariableName,
                               kResourcePathEnvironmentVariableName}) {
    const char* value = std::getenv(variable);
    if (value != nullptr) folders += std::string(value) + ":";
  }
  std::istringstream list(folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    if (folder.empty()) continue;
    const auto candidate = std::filesystem::path(folder) / resource_path;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(candidate, ignored)) {
      return FindResourceResult::make_success(
          resource_path,
          wyvern::internal::MakeAbsolute("FindResource()", candidate).string());
    }
  }
  return FindResourceResult::make_error(
      resource_path,
      fmt::format("FindResource(): '{}' is in none of the folders [{}]; set "
                  "{} or {} to a folder that has it, such as that of a copy of "
                  "Drake's sources or share/drake's parent.",
                  resource_path, folders,
                  kDrakeResourceRootEnvironmentVariableName,
                  kResourcePathEnvironmentVariableName));
}

/** The absolute path of that file.
@throws std::runtime_error if there is none. */
inline std::string FindResourceOrThrow(const std::string& resource_path) {
  return FindResource(resource_path).get_absolute_path_or_throw();
}

}  // namespace wyvern
