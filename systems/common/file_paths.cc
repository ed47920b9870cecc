#include "wyvern/systems/common/file_paths.h"

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace wyvern::internal {

namespace fs = std::filesystem;

fs::path MakeAbsolute(const std::string& who, const fs::path& path) {
  if (path.is_absolute()) return path;
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  if (!error) return folder / path;
  throw std::runtime_error(fmt::format(
      "{}: '{}' is relative to the working folder, which is gone ({}); change "
      "to a folder that exists, or give a path from the root.",
      who, path.string(), error.message()));
}

fs::path MakeCanonical(const std::string& who, const fs::path& path) {
  const fs::path absolute = MakeAbsolute(who, path);
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : canonical;
}

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool MakeFolders(const std::string& who, const fs::path& folder) {
  std::error_code error;
  const bool is_made = fs::create_directories(folder, error);
  // Before GCC 13 a link to a folder counts as an error.
  std::error_code ignored;
  if (!error || fs::is_directory(folder, ignored)) return is_made;
  throw std::runtime_error(fmt::format(
      "{}: cannot make the folder '{}': {}; give a path in a folder that may "
      "be written to.",
      who, folder.string(), error.message()));
}

std::vector<fs::path> ListFolder(const std::string& who,
                                 const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    entries.push_back(it->path());
  }
  if (error) {
    throw std::runtime_error(fmt::format(
        "{}: cannot read the folder '{}': {}; give a folder that may be read.",
        who, folder.string(), error.message()));
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace wyvern::internal
