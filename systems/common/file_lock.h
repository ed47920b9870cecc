#pragma once

#include <string>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::internal {

/** A file that is open for reading and writing. While this object lives, the
file is locked against other processes, and against other locks of this process.
The operating system unlocks the file of a killed process.

The lock belongs to an open file description (`F_OFD_SETLK`). A library that
opens the same file, such as HDF5, therefore neither meets nor removes it. File
systems without locks grant every lock. */
class FileLock {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FileLock);

  /** A shared lock allows other shared locks; an exclusive lock allows none. */
  enum class Kind { kShared, kExclusive };

  /** Opens the file, or makes it, and tries to lock it. Never waits, and
  follows no symbolic link at the end of the path. */
  FileLock(const std::string& path, Kind kind);
  ~FileLock();

  /** Returns the descriptor of the open file, which the destructor closes; -1
  without the lock. */
  int descriptor() const { return descriptor_; }
  /** Returns the errno that explains a missing lock, or 0 with the lock.
  EWOULDBLOCK means that another process or lock holds it. */
  int error() const { return error_; }

 private:
  int descriptor_{-1};
  int error_{0};
};

}  // namespace wyvern::internal
