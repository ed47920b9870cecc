// The final name is claimed in a set of this process, by its canonical form,
// and then the partial file is opened. A row is formatted into a buffer for the
// longest numbers there are, all of it checked before any is written, so that a
// bad number leaves no half a row. Close() flushes, closes and renames. The
// destructor does so only if no write failed and no exception is on its way,
// which it tells by comparing their count with that at construction: a run that
// broke off must not look complete. Names of columns are quoted by RFC 4180.

#include "wyvern/systems/primitives/csv_writer.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::systems {

namespace {

// The longest shortest form is "-2.2250738585072014e-308", and a separator.
constexpr int kCharsPerNumber = 25;
constexpr std::size_t kStreamBufferSize = 1 << 16;

// The files that this process has open, by canonical name.
struct OpenFiles {
  std::mutex mutex;
  std::set<std::string> names;
};

OpenFiles& TheOpenFiles() {
  static OpenFiles& files = *new OpenFiles;
  return files;
}

void ClaimFile(const std::string& filename, const std::string& canonical) {
  OpenFiles& files = TheOpenFiles();
  const std::lock_guard lock(files.mutex);
  if (!files.names.insert(canonical).second) {
    throw std::logic_error(fmt::format(
        "CsvWriter: '{}' is being written by another CsvWriter of this "
        "process; give each its own file.",
        filename));
  }
}

void ReleaseFile(const std::string& canonical) {
  OpenFiles& files = TheOpenFiles();
  const std::lock_guard lock(files.mutex);
  files.names.erase(canonical);
}

void RequireColumnNames(const std::string& filename,
                        const std::vector<std::string>& names) {
  if (names.empty()) {
    throw std::logic_error(fmt::format(
        "CsvWriter: '{}' was given no column names; give one per column.",
        filename));
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const char* problem = nullptr;
    if (name.empty()) problem = "is empty";
    if (name.find_first_of("\n\r") != name.npos) problem = "has a line break";
    if (!seen.insert(name).second) problem = "is a repetition";
    if (problem == nullptr) continue;
    throw std::logic_error(fmt::format(
        "CsvWriter: column name {} of '{}', '{}', {}; names must be distinct "
        "and of one line.",
        i, filename, name, problem));
  }
}

// A name as RFC 4180 has it: in quotes, doubled inside, if it has a comma or a
// quote.
std::string QuoteName(const std::string& name) {
  if (name.find_first_of(",\"") == name.npos) return name;
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

CsvWriter::CsvWriter(std::string filename,
                     const std::vector<std::string>& column_names)
    : filename_(std::move(filename)),
      partial_name_(filename_ + ".partial"),
      column_names_(column_names),
      num_exceptions_at_start_(std::uncaught_exceptions()) {
  RequireColumnNames(filename_, column_names_);
  std::error_code ignored;
  canonical_name_ = std::filesystem::weakly_canonical(
                        std::filesystem::absolute(filename_, ignored), ignored)
                        .string();
  ClaimFile(filename_, canonical_name_);
  try {
    row_buffer_.resize(kCharsPerNumber * column_names_.size());
    stream_buffer_.resize(kStreamBufferSize);
    file_.reset(std::fopen(partial_name_.c_str(), "wb"));
    if (file_ == nullptr) ThrowIoError("open", errno);
    std::setvbuf(file_.get(), stream_buffer_.data(), _IOFBF,
                 stream_buffer_.size());
    std::string header;
    for (const std::string& name : column_names_) {
      header += (header.empty() ? "" : ",") + QuoteName(name);
    }
    header += '\n';
    Put(header.data(), header.size());
  } catch (...) {
    ReleaseFile(canonical_name_);
    throw;
  }
}

CsvWriter::~CsvWriter() {
  const bool is_unwinding =
      std::uncaught_exceptions() > num_exceptions_at_start_;
  try {
    if (!has_failed_ && !is_unwinding) Close();
  } catch (const std::exception&) {
    // The rows are in the partial file; a destructor has no one to tell.
  }
  if (file_ != nullptr) {
    file_.reset();
    ReleaseFile(canonical_name_);
  }
}

void CsvWriter::WriteRow(const Eigen::Ref<const Eigen::VectorXd>& row) {
  if (!is_open()) {
    throw std::logic_error(fmt::format(
        "CsvWriter::WriteRow(): '{}' was closed already; write before "
        "calling Close().",
        filename_));
  }
  wyvern::internal::RequireSize("CsvWriter::WriteRow()", "row", row.size(),
                                column_names_.size());
  char* end = row_buffer_.data();
  for (int i = 0; i < row.size(); ++i) {
    if (!std::isfinite(row[i])) {
      throw std::runtime_error(fmt::format(
          "CsvWriter::WriteRow(): '{}', row {}: {} is {}; only finite numbers "
          "are written.",
          filename_, num_rows_ + 1, column_names_[i], row[i]));
    }
    end = std::to_chars(end, end + kCharsPerNumber, row[i]).ptr;
    *end++ = i + 1 < row.size() ? ',' : '\n';
  }
  Put(row_buffer_.data(), end - row_buffer_.data());
  ++num_rows_;
}

void CsvWriter::Flush() {
  if (!is_open()) return;
  if (std::fflush(file_.get()) != 0) ThrowIoError("write", errno);
}

void CsvWriter::Close() {
  if (!is_open()) return;
  Flush();
  // The names are this one's until the file is in place.
  const char* failed = nullptr;
  std::error_code error;
  if (std::fclose(file_.release()) != 0) {
    failed = "write";
    error = {errno, std::generic_category()};
  } else {
    std::filesystem::rename(partial_name_, filename_, error);
    if (error) failed = "rename";
  }
  ReleaseFile(canonical_name_);
  if (failed != nullptr) ThrowIoError(failed, error.value());
}

void CsvWriter::Put(const char* data, std::size_t size) {
  if (std::fwrite(data, 1, size, file_.get()) != size) {
    ThrowIoError("write", errno);
  }
}

void CsvWriter::ThrowIoError(const char* doing, int error_number) {
  has_failed_ = true;
  throw std::runtime_error(
      fmt::format("CsvWriter: cannot {} '{}' (to become '{}'): {}.", doing,
                  partial_name_, filename_, std::strerror(error_number)));
}

}  // namespace wyvern::systems
