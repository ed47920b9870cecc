#include "wyvern/multibody/parsing/file_record.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "wyvern/systems/common/file_paths.h"

namespace wyvern::multibody {

namespace fs = std::filesystem;

FileRecord::FileRecord(fs::path root) : root_(std::move(root)) {}

fs::path FileRecord::Locate(const fs::path& path) const {
  if (root_.empty()) return path;
  const fs::path whole =
      wyvern::internal::MakeAbsolute("FileRecord", path).lexically_normal();
  const bool is_below =
      std::mismatch(root_.begin(), root_.end(), whole.begin(), whole.end())
          .first == root_.end();
  return is_below ? whole : root_ / whole.relative_path();
}

fs::path FileRecord::Use(const fs::path& path) {
  fs::path place = Locate(path);
  std::error_code error;
  if (fs::is_regular_file(place, error)) {
    files_.insert(
        wyvern::internal::MakeAbsolute("FileRecord", place).lexically_normal());
  }
  return place;
}

void FileRecord::UsePackage(const std::string& name,
                            const std::string& folder) {
  packages_[name] = folder;
}

}  // namespace wyvern::multibody
