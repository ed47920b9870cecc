#include "wyvern/systems/common/file_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wyvern::internal {

namespace {

// Limit for renames of a file between its opening and its locking.
constexpr int kMostTries = 16;

// Returns 0, or an errno.
int TryLock(int descriptor, FileLock::Kind kind) {
  struct flock whole {};
  whole.l_type = kind == FileLock::Kind::kShared ? F_RDLCK : F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(descriptor, F_OFD_SETLK, &whole) == 0) return 0;
  const bool is_taken = errno == EAGAIN || errno == EACCES;
  return is_taken ? EWOULDBLOCK : 0;
}

// Returns whether the path still leads to the file. The process that had the
// lock before may have renamed it.
bool IsAt(const std::string& path, int descriptor) {
  struct stat opened {};
  struct stat named {};
  return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

FileLock::FileLock(const std::string& path, Kind kind) {
  for (int i = 0; i < kMostTries; ++i) {
    // Without O_NONBLOCK, opening a pipe would wait for a reader.
    const int opened =
        open(path.c_str(),
             O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
             0666);
    if (opened < 0) {
      error_ = errno;
      return;
    }
    struct stat about {};
    const bool is_file = fstat(opened, &about) == 0 && S_ISREG(about.st_mode);
    error_ = is_file ? TryLock(opened, kind) : EINVAL;
    if (error_ == 0 && IsAt(path, opened)) {
      descriptor_ = opened;
      return;
    }
    close(opened);
    if (error_ != 0) return;
  }
  error_ = EWOULDBLOCK;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace wyvern::internal
