#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/output_file.h"

namespace wyvern::systems {

namespace internal {

/** A text as RFC 4180 has it: in quotes, doubled inside, if it has a comma, a
quote or a line break. */
std::string QuoteCsvText(std::string_view text);

}  // namespace internal

/** Writes a CSV file row by row in a fixed amount of memory.

Rows go to `<filename>.partial`; Close() gives the file its name and replaces an
older one. If an error occurs before, no half-written file has the name
`filename`, and the rows so far stay in the partial file. Links are followed,
and devices are written in place: see OutputFile.

The first line has the column names, quoted where necessary. Numbers are the
shortest text that reads back as the same double. */
class CsvWriter {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(CsvWriter);

  /** Opens the partial file and writes the header line.
  @throws std::logic_error if there is no column, if a name is empty, repeated
  or has a line break, or if this process is writing that file already.
  @throws std::runtime_error with the file's name if it cannot be opened, or
  another process is writing it. */
  CsvWriter(std::string filename, const std::vector<std::string>& column_names);
  /** Opens the partial file alone: WriteHeader() comes next. */
  explicit CsvWriter(std::string filename);

  /** Closes as Close() does if nothing failed and no exception is on its way;
  else leaves the partial file. Errors are lost here: call Close(). */
  ~CsvWriter();

  /** Writes the header line, once, where the constructor did not.
  @throws as the constructor, of column names. */
  void WriteHeader(const std::vector<std::string>& column_names);

  /** Appends one row. Allocates nothing.
  @throws std::logic_error on a wrong size, or after Close().
  @throws std::runtime_error if an entry is not finite, naming its column, or if
  the file cannot be written. */
  void WriteRow(const Eigen::Ref<const Eigen::VectorXd>& row);

  /** Hands the rows so far to the operating system.
  @throws std::runtime_error if the file cannot be written. */
  void Flush();

  /** Removes the partial file, without giving it a name. */
  void Discard();

  /** Flushes, closes and gives the file its final name; a second call does
  nothing. @throws std::runtime_error if that fails. */
  void Close();

  /** True until Close() or Discard(). */
  bool is_open() const { return file_ != nullptr; }
  /** The name that Close() gives to the file. */
  const std::string& filename() const { return output_.filename(); }
  /** Rows after the header. */
  int64_t num_rows() const { return num_rows_; }

 private:
  void Put(const char* data, std::size_t size);
  [[noreturn]] void ThrowIoError(const char* doing, int error_number);

  wyvern::internal::OutputFile output_;
  std::vector<std::string> column_names_;
  // Buffers of one row's text, and of the stream.
  std::vector<char> row_buffer_;
  std::vector<char> stream_buffer_;
  wyvern::internal::UniqueFile file_;
  int64_t num_rows_{0};
  bool has_failed_{false};
  wyvern::internal::UnwindingWatch unwinding_;
};

}  // namespace wyvern::systems
