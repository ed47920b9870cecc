#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/app/sweep.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/file_lock.h"

namespace wyvern::app {

/** Says what failed, and the system's reason in errno. */
[[noreturn]] void ThrowSweepSystemError(const std::string& what);

/** The folder of a sweep, locked while this lives; whose results it has. */
class SweepFolder {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SweepFolder);

  /** Makes what is missing of it. Ranks other than 0 come into a folder that
  rank 0 has made.
  @throws std::runtime_error if a sweep is running in it, it has results that
  the options do not resume, or those of another study; or naming the file that
  cannot be written, and why. */
  SweepFolder(const SweepStudy& study, const SweepOptions& options);
  ~SweepFolder();

  /** Returns the folder, that of the shard if there are shards. */
  const std::filesystem::path& path() const { return folder_; }
  /** Returns the text that distinguishes the study from others. */
  std::string ReadDescription() const;
  /** How many samples have a row. */
  SweepRanks::Counts Count() const;
  /** Each row that is there. */
  void Read(
      const std::function<void(std::uint64_t, std::string_view)>& take) const;
  /** All rows, in the order of the samples, below one of names.
  @returns the file. */
  std::filesystem::path WriteTable(const SweepStudy& study) const;

 private:
  void Lock(const std::filesystem::path& folder, internal::FileLock::Kind kind);
  void RequireSameStudy(const std::filesystem::path& folder,
                        const std::string& description) const;

  const SweepOptions& options_;
  std::filesystem::path folder_;
  std::vector<std::unique_ptr<internal::FileLock>> locks_;
};

}  // namespace wyvern::app
