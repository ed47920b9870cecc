#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::multibody {

/** The files that a Parser used: model files, those that they include, and the
meshes that they name, also meshes that nobody has read yet. A PackageMap hands
it to the readers; see PackageMap::SetFileRecord(). A record belongs to the
parsers of one thread. */
class FileRecord final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FileRecord);

  FileRecord() = default;
  /** Makes a record that reads no file outside of a folder, for files that come
  from a log. @param root absolute folder that stands for "/": it has each file
  at the file's own absolute path. */
  explicit FileRecord(std::filesystem::path root);
  ~FileRecord() = default;

  /** Returns the path to read instead of `path`: itself without a root, or if
  it is below the root; otherwise its place below the root, which may not exist.
   */
  std::filesystem::path Locate(const std::filesystem::path& path) const;
  /** Records a file, if it exists. @returns Locate(path). */
  std::filesystem::path Use(const std::filesystem::path& path);
  /** Records that a URL named a package, and its folder. */
  void UsePackage(const std::string& name, const std::string& folder);

  /** Absolute paths, without "." and "..". */
  const std::set<std::filesystem::path>& files() const { return files_; }
  /** Folders of packages by name. */
  const std::map<std::string, std::string>& packages() const {
    return packages_;
  }

 private:
  const std::filesystem::path root_;
  std::set<std::filesystem::path> files_;
  std::map<std::string, std::string> packages_;
};

}  // namespace wyvern::multibody
