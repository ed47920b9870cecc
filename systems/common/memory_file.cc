#include "wyvern/systems/common/memory_file.h"

#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace wyvern {

MemoryFile::MemoryFile(std::string contents, std::string extension,
                       std::string filename_hint)
    : contents_(std::move(contents)),
      extension_(std::move(extension)),
      filename_hint_(std::move(filename_hint)) {
  if (!extension_.empty() && extension_[0] != '.') {
    throw std::runtime_error(fmt::format(
        "MemoryFile: the extension is '{}'; it must begin with a dot, or be "
        "empty.",
        extension_));
  }
  if (filename_hint_.find('\n') != std::string::npos) {
    throw std::runtime_error(
        "MemoryFile: the label for messages has a line break; use one line.");
  }
  for (char& c : extension_) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
}

MemoryFile MemoryFile::Make(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || !file ||
      !(contents << file.rdbuf())) {
    // An empty file gives nothing to copy, which counts as a failure above.
    if (std::filesystem::file_size(path, error) != 0 || error) {
      throw std::runtime_error(fmt::format(
          "MemoryFile::Make(): the file '{}' cannot be read; give the path of "
          "a file that exists.",
          path.string()));
    }
  }
  return MemoryFile(contents.str(), path.extension().string(), path.string());
}

std::string MemoryFile::to_string(int contents_limit) const {
  const bool cut = contents_limit >= 0 &&
                   contents_.size() > static_cast<size_t>(contents_limit);
  return fmt::format(
      "MemoryFile(contents='{}{}', extension='{}', filename_hint='{}')",
      cut ? contents_.substr(0, contents_limit) : contents_, cut ? "..." : "",
      extension_, filename_hint_);
}

}  // namespace wyvern
