#include "wyvern/systems/common/output_file.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wyvern/systems/common/check_argument.h"

/* A name leads to one of three cases. A regular file, or no file, gets a
partial file beside it, which is locked and renamed at the end. Another kind
of file, such as /dev/null or a pipe, is opened in place. A folder is
refused. Symbolic links are followed by hand, because the partial file
belongs beside the file at their end, which may not exist yet.

The lock would also stop two writers in one process. A set of names stops
them first, because that is a program error and throws a different exception. */

namespace wyvern::internal {

namespace {

namespace fs = std::filesystem;

// Linux follows at most this many links.
constexpr int kMostLinks = 40;

// The files that this process has open, by canonical name.
struct OpenFiles {
  std::mutex mutex;
  std::set<std::string> names;
};

OpenFiles& TheOpenFiles() {
  static OpenFiles& files = *new OpenFiles;
  return files;
}

bool AreSameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Returns the descriptor of standard output or error if it is this file, or -1.
int FindStandardDescriptor(const struct stat& about) {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat standard {};
    if (fstat(descriptor, &standard) == 0 && AreSameFile(standard, about)) {
      return descriptor;
    }
  }
  return -1;
}

// Returns the file that symbolic links at the end of a path lead to; an empty
// path if there are too many links.
fs::path FollowLinks(fs::path path) {
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    const fs::path next = fs::read_symlink(path, error);
    if (error) return path;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return {};
}

}  // namespace

OutputFile::OutputFile(std::string who, std::string filename)
    : who_(std::move(who)), filename_(std::move(filename)) {
  RequireNotEmpty(who_, "filename", filename_.empty());
  struct stat about {};
  const bool exists = stat(filename_.c_str(), &about) == 0;
  partial_name_ = filename_;
  if (exists && S_ISDIR(about.st_mode)) {
    throw OutputFileError(
        fmt::format("{}: '{}' is a folder; give the name of a file.", who_,
                    filename_),
        "it is a folder");
  }
  target_ = FollowLinks(filename_).string();
  if (target_.empty()) ThrowIoError("open", ELOOP);
  // Some links in /proc/self/fd lead to no name of a file.
  struct stat followed {};
  const bool is_regular =
      !exists ||
      (S_ISREG(about.st_mode) && FindStandardDescriptor(about) < 0 &&
       lstat(target_.c_str(), &followed) == 0 && AreSameFile(about, followed));
  if (!is_regular) {
    OpenInPlace();
    return;
  }
  partial_name_ = target_ + ".partial";
  ClaimInThisProcess();
  try {
    LockPartialFile();
  } catch (const std::exception&) {
    Release();
    throw;
  }
}

OutputFile::~OutputFile() { Release(); }

void OutputFile::OpenInPlace() {
  struct stat about {};
  const int standard =
      stat(filename_.c_str(), &about) == 0 ? FindStandardDescriptor(about) : -1;
  // New text follows the text that was printed already.
  descriptor_in_place_ =
      standard >= 0 ? fcntl(standard, F_DUPFD_CLOEXEC, 3)
                    : open(filename_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor_in_place_ < 0) ThrowIoError("open", errno);
}

void OutputFile::ClaimInThisProcess() {
  std::error_code ignored;
  fs::path absolute = fs::absolute(target_, ignored);
  if (ignored) absolute = target_;
  fs::path canonical = fs::weakly_canonical(absolute, ignored);
  const std::string name = (ignored ? absolute : canonical).string();
  OpenFiles& files = TheOpenFiles();
  const std::lock_guard lock(files.mutex);
  if (!files.names.insert(name).second) {
    throw std::logic_error(fmt::format(
        "{}: '{}' is being written by another {} of this process; give each "
        "its own file.",
        who_, filename_, who_));
  }
  canonical_name_ = name;
}

void OutputFile::LockPartialFile() {
  lock_ = std::make_unique<FileLock>(partial_name_, FileLock::Kind::kExclusive);
  if (lock_->error() == EWOULDBLOCK) {
    throw OutputFileError(
        fmt::format("{}: '{}' is being written by another process; wait for "
                    "its end, or give another file.",
                    who_, filename_),
        "another process is writing it");
  }
  if (lock_->error() == ELOOP) {
    ThrowIoError("open", "it is a symbolic link; remove it");
  }
  if (lock_->error() == EINVAL) {
    ThrowIoError("open", "it is no regular file; remove it");
  }
  if (lock_->error() != 0) ThrowIoError("open", lock_->error());
  if (ftruncate(lock_->descriptor(), 0) != 0) ThrowIoError("empty", errno);
}

std::FILE* OutputFile::OpenStream() {
  const int from = is_in_place() ? descriptor_in_place_ : lock_->descriptor();
  const int copy = fcntl(from, F_DUPFD_CLOEXEC, 3);
  std::FILE* const stream = copy < 0 ? nullptr : fdopen(copy, "wb");
  if (stream == nullptr) {
    const int error_number = errno;
    if (copy >= 0) close(copy);
    ThrowIoError("open", error_number);
  }
  return stream;
}

void OutputFile::Finish() {
  if (is_in_place()) {
    Release();
    return;
  }
  struct stat old {};
  const bool is_there = lstat(target_.c_str(), &old) == 0;
  if (is_there && !S_ISREG(old.st_mode)) {
    Release();
    ThrowIoError("rename", "that is no regular file any more");
  }
  if (is_there) {
    // A file that others must not read stays so. Without permission to change
    // the mode, as on some file systems, the file has the mode of a new file.
    static_cast<void>(fchmod(lock_->descriptor(), old.st_mode & 0777));
  }
  std::error_code error;
  fs::rename(partial_name_, target_, error);
  Release();
  if (error) ThrowIoError("rename", error.value());
}

void OutputFile::Release() {
  if (descriptor_in_place_ >= 0) {
    close(std::exchange(descriptor_in_place_, -1));
  }
  // A free name belongs to an unlocked file.
  if (lock_ != nullptr) lock_.reset();
  if (canonical_name_.empty()) return;
  OpenFiles& files = TheOpenFiles();
  const std::lock_guard lock(files.mutex);
  files.names.erase(canonical_name_);
  canonical_name_.clear();
}

void OutputFile::Discard() {
  if (lock_ != nullptr && lock_->descriptor() >= 0) {
    std::error_code ignored;
    fs::remove(partial_name_, ignored);
  }
  Release();
}

void OutputFile::ThrowIoError(const char* doing,
                              const std::string& reason) const {
  const std::string becoming =
      partial_name_ == filename_ ? std::string()
                                 : fmt::format(" (to become '{}')", filename_);
  throw OutputFileError(fmt::format("{}: cannot {} '{}'{}: {}.", who_, doing,
                                    partial_name_, becoming, reason),
                        reason);
}

void OutputFile::ThrowIoError(const char* doing, int error_number) const {
  ThrowIoError(doing, std::strerror(error_number));
}

void WriteWholeFile(const std::string& who, const fs::path& path,
                    std::string_view contents) {
  try {
    OutputFile file(who, path.string());
    std::FILE* const stream = file.OpenStream();
    const bool is_written = std::fwrite(contents.data(), 1, contents.size(),
                                        stream) == contents.size() &&
                            std::fflush(stream) == 0;
    int error_number = errno;
    const bool is_closed = std::fclose(stream) == 0;
    if (is_written && !is_closed) error_number = errno;
    if (!is_written || !is_closed) {
      file.Discard();
      file.ThrowIoError("write", error_number);
    }
    file.Finish();
  } catch (const OutputFileError& error) {
    throw std::runtime_error(
        fmt::format("{}: cannot write '{}'; give a folder that can be written "
                    "to. The reason: {}.",
                    who, path.string(), error.reason()));
  }
}

UnwindingWatch::UnwindingWatch()
    : count_at_start_(std::uncaught_exceptions()) {}

bool UnwindingWatch::is_unwinding() const {
  return std::uncaught_exceptions() > count_at_start_;
}

}  // namespace wyvern::internal
