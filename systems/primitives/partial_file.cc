#include "wyvern/systems/primitives/partial_file.h"

#include <cstring>
#include <exception>
#include <filesystem>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::systems::internal {

namespace {

// The files that this process has open, by canonical name.
struct OpenFiles {
  std::mutex mutex;
  std::set<std::string> names;
};

OpenFiles& TheOpenFiles() {
  static OpenFiles& files = *new OpenFiles;
  return files;
}

}  // namespace

PartialFile::PartialFile(const char* who, std::string filename)
    : who_(who),
      filename_(std::move(filename)),
      partial_name_(filename_ + ".partial") {
  wyvern::internal::RequireNotEmpty(who, "filename", filename_.empty());
  std::error_code ignored;
  canonical_name_ = std::filesystem::weakly_canonical(
                        std::filesystem::absolute(filename_, ignored), ignored)
                        .string();
  OpenFiles& files = TheOpenFiles();
  const std::lock_guard lock(files.mutex);
  if (!files.names.insert(canonical_name_).second) {
    throw std::logic_error(fmt::format(
        "{}: '{}' is being written by another {} of this process; give each "
        "its own file.",
        who_, filename_, who_));
  }
  is_claimed_ = true;
}

PartialFile::~PartialFile() { Release(); }

void PartialFile::Release() {
  if (!is_claimed_) return;
  OpenFiles& files = TheOpenFiles();
  const std::lock_guard lock(files.mutex);
  files.names.erase(canonical_name_);
  is_claimed_ = false;
}

void PartialFile::Finish() {
  std::error_code error;
  std::filesystem::rename(partial_name_, filename_, error);
  Release();
  if (error) ThrowIoError("rename", error.value());
}

void PartialFile::ThrowIoError(const char* doing,
                               const std::string& reason) const {
  throw std::runtime_error(
      fmt::format("{}: cannot {} '{}' (to become '{}'): {}.", who_, doing,
                  partial_name_, filename_, reason));
}

void PartialFile::ThrowIoError(const char* doing, int error_number) const {
  ThrowIoError(doing, std::strerror(error_number));
}

UnwindingWatch::UnwindingWatch()
    : count_at_start_(std::uncaught_exceptions()) {}

bool UnwindingWatch::is_unwinding() const {
  return std::uncaught_exceptions() > count_at_start_;
}

}  // namespace wyvern::systems::internal
