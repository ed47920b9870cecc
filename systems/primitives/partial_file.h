#pragma once

#include <string>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::systems::internal {

/** The names of a file that is being written: `<filename>.partial` until
Finish() gives it its own, replacing an older one. So nothing half-written is
ever found under `filename`. Who has one writes the file. */
class PartialFile {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PartialFile);

  /** Claims the name, by its canonical form.
  @param who as messages begin: "CsvWriter"; it must outlive this.
  @throws std::logic_error if the name is empty, or this process is writing that
  file already. */
  PartialFile(const char* who, std::string filename);
  /** Gives the name free. */
  ~PartialFile();

  const std::string& filename() const { return filename_; }
  const std::string& partial_name() const { return partial_name_; }

  /** Renames the file, which must be closed, and gives the name free.
  @throws std::runtime_error if that fails. */
  void Finish();
  /** Gives the name free, leaving the partial file. */
  void Release();

  /** "CsvWriter: cannot open 'x.partial' (to become 'x'): reason." */
  [[noreturn]] void ThrowIoError(const char* doing,
                                 const std::string& reason) const;
  [[noreturn]] void ThrowIoError(const char* doing, int error_number) const;

 private:
  const char* const who_;
  const std::string filename_;
  const std::string partial_name_;
  std::string canonical_name_;
  bool is_claimed_{false};
};

/** Whether an exception is on its way now that was not when this was made: then
a destructor must not make a broken run look complete. */
class UnwindingWatch {
 public:
  UnwindingWatch();
  bool is_unwinding() const;

 private:
  int count_at_start_{};
};

}  // namespace wyvern::systems::internal
