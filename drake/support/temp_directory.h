#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace wyvern {

/** Makes a new empty directory and returns its path. Its parent is TEST_TMPDIR
if that is set, otherwise TMPDIR, otherwise /tmp. The directory is not removed.
@throws std::runtime_error if it cannot be made. */
inline std::string temp_directory() {
  const char* parent = std::getenv("TEST_TMPDIR");
  if (parent == nullptr) parent = std::getenv("TMPDIR");
  if (parent == nullptr) parent = "/tmp";
  std::string path = (std::filesystem::path(parent) / "wyvern_XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {
    throw std::runtime_error(fmt::format(
        "temp_directory(): no directory can be made in '{}': {}; set TMPDIR to "
        "a directory that can be written.",
        parent, std::generic_category().message(errno)));
  }
  return path;
}

}  // namespace wyvern
