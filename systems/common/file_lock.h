#pragma once

#include <string>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::internal {

/** A file that is open for reading and writing and locked against other
processes, and against other locks of this process, while this lives. The
operating system unlocks the file of a process that was killed.

The lock is an open file description's (`F_OFD_SETLK`), so that a library that
opens the same file, as HDF5 does, neither meets it nor removes it. A file
system without locks grants every one. */
class FileLock {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FileLock);

  /** Who else may have the lock: others that share it, or nobody. */
  enum class Kind { kShared, kExclusive };

  /** Opens the file, or makes it, and tries to lock it. Waits for nobody, and
  follows no symbolic link at the end of the path. */
  FileLock(const std::string& path, Kind kind);
  ~FileLock();

  /** Of the open file, which is closed with this; -1 without the lock. */
  int descriptor() const { return descriptor_; }
  /** Why the lock was not had, an errno: EWOULDBLOCK if somebody else has it;
  0 if it was had. */
  int error() const { return error_; }

 private:
  int descriptor_{-1};
  int error_{0};
};

}  // namespace wyvern::internal
