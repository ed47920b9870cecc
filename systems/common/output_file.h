#pragma once

/** @file
How the library writes files. One process writes a file at a time, and no
half-written file ever has the file's own name. A symbolic link stays, and the
file that it leads to is written. A device or a pipe is written to, not
replaced. */

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

/** Closes a stream of the C library. */
struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/** Owns a stream of the C library. To see whether the last bytes were written,
release the stream and close it. */
using UniqueFile = std::unique_ptr<std::FILE, FileCloser>;

/** Reports an operation that failed on a file that is being written, and the
reason. */
class OutputFileError final : public std::runtime_error {
 public:
  OutputFileError(const std::string& text, std::string why)
      : std::runtime_error(text), reason_(std::move(why)) {}
  /** Returns the reason alone, as "No space left on device". */
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/** A file that is being written: `<filename>.partial` until Finish() gives the
file its own name and replaces an older file. If `filename` is a symbolic link,
both names are those of the file that it leads to. Some files are written in
place, without a partial file and a lock: devices, pipes, and the file that is
this process's standard output. */
class OutputFile {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(OutputFile);

  /** Makes the partial file, empty, and locks it.
  @param who subject of messages: "CsvWriter"
  @throws std::logic_error if the name is empty, or this process is writing that
  file already.
  @throws OutputFileError if another process is writing that file, the name is a
  folder's, or the file cannot be opened. */
  OutputFile(std::string who, std::string filename);
  /** Unlocks the file, and keeps the written text in the partial file. */
  ~OutputFile();

  const std::string& filename() const { return filename_; }
  /** Returns the path to write to until Finish(). */
  const std::string& partial_name() const { return partial_name_; }
  /** Returns whether the file is written in place, as a device or a pipe is. */
  bool is_in_place() const { return lock_ == nullptr; }

  /** Returns a stream that writes to the file; close it before Finish().
  @throws OutputFileError if there are too many open files. */
  std::FILE* OpenStream();

  /** Gives the file its name and the access rights of the file that it
  replaces, and unlocks it. Close the file before the call.
  @throws OutputFileError if that fails. */
  void Finish();
  /** Unlocks the file, and keeps the partial file. */
  void Release();
  /** Removes the partial file, and unlocks it. */
  void Discard();

  /** Returns "CsvWriter: cannot open 'x.partial' (to become 'x'): reason." */
  [[noreturn]] void ThrowIoError(const char* doing,
                                 const std::string& reason) const;
  [[noreturn]] void ThrowIoError(const char* doing, int error_number) const;

 private:
  void OpenInPlace();
  void ClaimInThisProcess();
  void LockPartialFile();

  const std::string who_;
  const std::string filename_;
  // The file's own name: filename_, or the end of its symbolic links.
  std::string target_;
  std::string partial_name_;
  // The name by which this process claims the file; empty without a claim.
  std::string canonical_name_;
  // Null if the file is written in place.
  std::unique_ptr<FileLock> lock_;
  int descriptor_in_place_{-1};
};

/** Writes a whole file through an OutputFile.
@param who subject of messages: "SaveYamlFile()"
@throws std::logic_error as OutputFile(), and std::runtime_error if the file
cannot be written; no part of it remains then. */
void WriteWholeFile(const std::string& who, const std::filesystem::path& path,
                    std::string_view contents);

/** Tells whether an exception is in flight that was not when this object was
made. A destructor must not make an interrupted run look complete then. */
class UnwindingWatch {
 public:
  UnwindingWatch();
  bool is_unwinding() const;

 private:
  int count_at_start_{};
};

}  // namespace wyvern::internal
