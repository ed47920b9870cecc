#include "wyvern/systems/plotting/write_file.h"

#include <system_error>

#include "wyvern/systems/common/output_file.h"

namespace wyvern::plotting {

namespace fs = std::filesystem;

void WriteFile(const fs::path& path, const std::string& content) {
  if (path.has_parent_path()) {
    // An error about the folder is reported with the file's name.
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
  }
  wyvern::internal::WriteWholeFile("WriteFile()", path, content);
}

void RequireWritable(const fs::path& folder) {
  const fs::path probe = folder / ".wyvern_probe";
  WriteFile(probe, "\n");
  std::error_code ignored;
  fs::remove(probe, ignored);
}

}  // namespace wyvern::plotting
