#pragma once

/** @file
How the library writes files. One process writes a file at a time, and no
half-written file is ever found under the file's own name. A symbolic link
stays, and the file that it leads to is written. A device or a pipe is written
to, not replaced. */

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/file_lock.h"

namespace wyvern::internal {

/** Says what could not be done with a file that is being written, and why. */
class OutputFileError final : public std::runtime_error {
 public:
  OutputFileError(const std::string& text, std::string why)
      : std::runtime_error(text), reason_(std::move(why)) {}
  /** The reason alone, as "No space left on device". */
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/** A file that is being written: `<filename>.partial` until Finish() gives the
file its own name and replaces an older file. If `filename` is a symbolic link,
both names are those of the file that it leads to. A device, a pipe, or the file
that this process has as its standard output, is written in place: it has no
partial file, and no lock. */
class OutputFile {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(OutputFile);

  /** Makes the partial file, empty, and locks it.
  @param who as messages begin: "CsvWriter"
  @throws std::logic_error if the name is empty, or this process is writing that
  file already.
  @throws OutputFileError if another process is writing that file, the name is
  a folder's, or the file cannot be opened. */
  OutputFile(std::string who, std::string filename);
  /** Unlocks the file, and leaves what was written in the partial file. */
  ~OutputFile();

  const std::string& filename() const { return filename_; }
  /** Where to write until Finish(). */
  const std::string& partial_name() const { return partial_name_; }
  /** Whether this is no file to be replaced, but a device or a pipe. */
  bool is_in_place() const { return lock_ == nullptr; }

  /** A stream that writes to the file; to be closed before Finish().
  @throws OutputFileError if there are too many open files. */
  std::FILE* OpenStream();

  /** Gives the file its name and the access rights of the file that it
  replaces, and unlocks it. Call it after the file was closed.
  @throws OutputFileError if that fails. */
  void Finish();
  /** Unlocks the file, and leaves the partial file. */
  void Release();
  /** Removes the partial file, and unlocks it. */
  void Discard();

  /** "CsvWriter: cannot open 'x.partial' (to become 'x'): reason." */
  [[noreturn]] void ThrowIoError(const char* doing,
                                 const std::string& reason) const;
  [[noreturn]] void ThrowIoError(const char* doing, int error_number) const;

 private:
  void OpenInPlace();
  void ClaimInThisProcess();
  void LockPartialFile();

  const std::string who_;
  const std::string filename_;
  // The file's own name: filename_, or where that leads to.
  std::string target_;
  std::string partial_name_;
  // By which this process knows the file; empty without a claim.
  std::string canonical_name_;
  // Null in place.
  std::unique_ptr<FileLock> lock_;
  int descriptor_in_place_{-1};
};

/** Writes a whole file by way of an OutputFile.
@param who as messages begin: "SaveYamlFile()"
@throws std::logic_error as OutputFile(), and std::runtime_error if the file
cannot be written; nothing of it is left then. */
void WriteWholeFile(const std::string& who, const std::filesystem::path& path,
                    std::string_view contents);

/** Whether an exception is on its way now that was not when this was made: then
a destructor must not make a broken run look complete. */
class UnwindingWatch {
 public:
  UnwindingWatch();
  bool is_unwinding() const;

 private:
  int count_at_start_{};
};

}  // namespace wyvern::internal
