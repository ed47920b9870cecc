#pragma once

#include <filesystem>
#include <string>
#include <variant>

namespace wyvern {

/** The contents of a file, held in memory, with what a file's name tells: the
extension, and a label for messages. */
class MemoryFile {
 public:
  /** Empty. */
  MemoryFile() = default;
  /** `extension` is empty or begins with a dot; it is kept in lower case.
  @throws std::runtime_error if it does not, or the label has a line break. */
  MemoryFile(std::string contents, std::string extension,
             std::string filename_hint);
  /** Reads a file.
  @throws std::runtime_error naming it if it cannot be read. */
  static MemoryFile Make(const std::filesystem::path& path);

  /** The bytes of the file. */
  const std::string& contents() const { return contents_; }
  /** The extension in lower case, with the dot; may be empty. */
  const std::string& extension() const { return extension_; }
  /** The label for messages. */
  const std::string& filename_hint() const { return filename_hint_; }
  /** With at most `contents_limit` bytes of the contents; all, if negative. */
  std::string to_string(int contents_limit = 100) const;

 private:
  std::string contents_;
  std::string extension_;
  std::string filename_hint_;
};

/** A file on disk or in memory. */
using FileSource = std::variant<std::filesystem::path, MemoryFile>;

}  // namespace wyvern
