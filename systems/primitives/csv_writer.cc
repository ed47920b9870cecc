#include "wyvern/systems/primitives/csv_writer.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <exception>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

/* An OutputFile handles the names of the file. A row is formatted into a buffer
for the longest possible numbers and checked completely before it is written,
so a bad number leaves no half a row. Close() flushes, closes and renames.
The destructor does so only if no write failed and no exception is in flight:
an interrupted run must not look complete. Names of columns are quoted by RFC
4180. */

namespace wyvern::systems {

namespace {

// The longest shortest form is "-2.2250738585072014e-308", and a separator.
constexpr int kCharsPerNumber = 25;
constexpr std::size_t kStreamBufferSize = 1 << 16;

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

}  // namespace

namespace internal {

std::string QuoteCsvText(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace internal

CsvWriter::CsvWriter(std::string filename,
                     const std::vector<std::string>& column_names)
    : CsvWriter((RequireColumnNames(filename, column_names), filename)) {
  WriteHeader(column_names);
}

CsvWriter::CsvWriter(std::string filename)
    : output_("CsvWriter", std::move(filename)),
      stream_buffer_(kStreamBufferSize),
      file_(output_.OpenStream()) {
  std::setvbuf(file_.get(), stream_buffer_.data(), _IOFBF,
               stream_buffer_.size());
}

void CsvWriter::WriteHeader(const std::vector<std::string>& column_names) {
  RequireColumnNames(filename(), column_names);
  if (!column_names_.empty()) {
    throw std::logic_error(fmt::format(
        "CsvWriter::WriteHeader(): '{}' has a header already.", filename()));
  }
  column_names_ = column_names;
  row_buffer_.resize(kCharsPerNumber * column_names_.size());
  std::string header;
  for (const std::string& name : column_names_) {
    header += (header.empty() ? "" : ",") + internal::QuoteCsvText(name);
  }
  header += '\n';
  Put(header.data(), header.size());
}

CsvWriter::~CsvWriter() {
  try {
    const bool is_whole = !has_failed_ && !column_names_.empty();
    if (is_whole && !unwinding_.is_unwinding()) Close();
  } catch (const std::exception&) {
    // The rows are in the partial file; a destructor has no one to tell.
  }
}

void CsvWriter::WriteRow(const Eigen::Ref<const Eigen::VectorXd>& row) {
  if (!is_open()) {
    throw std::logic_error(fmt::format(
        "CsvWriter::WriteRow(): '{}' was closed already; write before "
        "calling Close().",
        filename()));
  }
  wyvern::internal::RequireSize("CsvWriter::WriteRow()", "row", row.size(),
                                column_names_.size());
  char* end = row_buffer_.data();
  for (int i = 0; i < row.size(); ++i) {
    if (!std::isfinite(row[i])) {
      throw std::runtime_error(fmt::format(
          "CsvWriter::WriteRow(): '{}', row {}: {} is {}; only finite numbers "
          "are written.",
          filename(), num_rows_ + 1, column_names_[i], row[i]));
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
  if (std::fclose(file_.release()) != 0) {
    const int error_number = errno;
    output_.Release();
    ThrowIoError("write", error_number);
  }
  output_.Finish();
}

void CsvWriter::Discard() {
  file_.reset();
  output_.Discard();
}

void CsvWriter::Put(const char* data, std::size_t size) {
  if (std::fwrite(data, 1, size, file_.get()) != size) {
    ThrowIoError("write", errno);
  }
}

void CsvWriter::ThrowIoError(const char* doing, int error_number) {
  has_failed_ = true;
  output_.ThrowIoError(doing, error_number);
}

}  // namespace wyvern::systems
