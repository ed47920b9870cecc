#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/app/scenario.h"
#include "wyvern/multibody/parsing/file_record.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::app {

/** Attribute of a log that has PackedFiles::list. */
inline constexpr char kFileList[] = "files";

/** The files that a run used, as a log has them. */
struct PackedFiles {
  /** YAML: each file with its absolute path, its size, a checksum (FNV-1a, 64
  bits, against accidents) and whether the log has its contents; symbolic links;
  the folders of packages. */
  std::string list;
  /** Contents by absolute path. */
  std::map<std::string, std::string> contents;
};

/** A file in PackedFiles::list. */
struct UsedFile {
  /** Absolute path where the run found it. */
  std::string path;
  /** Size, [bytes]. */
  std::uint64_t bytes{};
  /** Whether the log has the contents. */
  bool is_inside{};
};

/** Returns the files in a PackedFiles::list, in its order.
@param log names the log in messages.
@throws std::runtime_error if the list is not valid, as UnpackedFiles. */
std::vector<UsedFile> ListUsedFiles(const std::string& list,
                                    const std::string& log);

/** Packs the files of a record, with the materials and images that their meshes
name. @param largest size of files whose contents are packed [bytes]; a larger
file is only in the list.
@throws std::runtime_error naming a file that cannot be read. */
PackedFiles PackFiles(const multibody::FileRecord& record,
                      std::uint64_t largest);

/** Adds the files that a scenario names itself to a record: tables of
references. @param folder that the paths start from. */
void UseScenarioFiles(const Scenario& scenario,
                      const std::filesystem::path& folder,
                      multibody::FileRecord* record);

/** Packed files in a new folder of their own, which the destructor removes.
Files that are only in the list are taken from this machine if their checksums
are right; otherwise a warning on stderr says what is missing. */
class UnpackedFiles final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(UnpackedFiles);

  /** @param log names the log in messages.
  @throws std::runtime_error if the list is not valid: a path is not absolute or
  has "..", or sizes or checksums differ; or if the folder cannot be written. */
  UnpackedFiles(const PackedFiles& packed, const std::string& log);
  ~UnpackedFiles();

  /** Returns a record for the parser, which reads these files and no others. */
  std::shared_ptr<multibody::FileRecord> MakeRecord() const {
    return std::make_shared<multibody::FileRecord>(root_);
  }
  /** Folders of packages by name, as they were for the run. */
  const std::map<std::string, std::string>& packages() const {
    return packages_;
  }

 private:
  std::filesystem::path root_;
  std::map<std::string, std::string> packages_;
};

}  // namespace wyvern::app
