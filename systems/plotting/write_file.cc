#include "wyvern/systems/plotting/write_file.h"

#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace wyvern::plotting {

namespace fs = std::filesystem;

void WriteFile(const fs::path& path, const std::string& content) {
  std::error_code error;
  if (path.has_parent_path()) {
    fs::create_directories(path.parent_path(), error);
  }
  fs::path partial = path;
  partial += ".partial";
  std::ofstream file(partial, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  const bool written = !error && file.good();
  if (written) fs::rename(partial, path, error);
  if (!written || error) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw std::runtime_error(fmt::format(
        "WriteFile(): cannot write '{}'; give a folder that can be written "
        "to.",
        path.string()));
  }
}

void RequireWritable(const fs::path& folder) {
  const fs::path probe = folder / ".wyvern_probe";
  WriteFile(probe, "\n");
  std::error_code ignored;
  fs::remove(probe, ignored);
}

}  // namespace wyvern::plotting
