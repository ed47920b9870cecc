#include "wyvern/app/sweep_records.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "wyvern/systems/common/sealed_record.h"
#include "wyvern/systems/primitives/csv_writer.h"

namespace wyvern::app {

namespace {

constexpr std::size_t kChecksumSize = 16;

[[noreturn]] void ThrowFile(const std::filesystem::path& file,
                            const std::string& what) {
  throw std::runtime_error(
      fmt::format("{}: {}: {}.", file.string(), what, std::strerror(errno)));
}

}  // namespace

SweepRecords::SweepRecords(const std::filesystem::path& file)
    : file_(file),
      descriptor_(
          open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) ThrowFile(file_, "it cannot be opened");
  const off_t size = lseek(descriptor_, 0, SEEK_END);
  char last = '\n';
  const bool is_torn =
      size > 0 && pread(descriptor_, &last, 1, size - 1) == 1 && last != '\n';
  if (is_torn && write(descriptor_, "\n", 1) != 1) {
    const int error = errno;
    close(descriptor_);
    errno = error;
    ThrowFile(file_, "it cannot be written");
  }
}

SweepRecords::~SweepRecords() { close(descriptor_); }

void SweepRecords::Append(std::string_view row) {
  const std::string line =
      fmt::format("{:016x} {}\n", internal::HashBytes(row), row);
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count =
        write(descriptor_, line.data() + written, line.size() - written);
    if (count >= 0) {
      written += count;
    } else if (errno != EINTR) {
      ThrowFile(file_, "it cannot be written");
    }
  }
}

void ReadSweepRecords(
    const std::filesystem::path& file,
    const std::function<void(std::uint64_t, std::string_view)>& take,
    std::uint64_t tail) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) ThrowFile(file, "it cannot be read");
  const std::uint64_t size = stream.tellg();
  stream.seekg(size - std::min(size, tail));
  std::string line;
  while (std::getline(stream, line)) {
    // Without its line end a row may be cut short.
    if (stream.eof() || line.size() <= kChecksumSize) continue;
    const std::string_view row =
        std::string_view(line).substr(kChecksumSize + 1);
    if (line != fmt::format("{:016x} {}", internal::HashBytes(row), row)) {
      continue;
    }
    std::uint64_t sample{};
    const auto [end, error] =
        std::from_chars(row.data(), row.data() + row.size(), sample);
    if (error == std::errc()) take(sample, row);
  }
  if (stream.bad()) ThrowFile(file, "it cannot be read");
}

void ReadSweepTable(
    const std::filesystem::path& table,
    const std::function<bool(const std::vector<std::string>&)>& take) {
  errno = 0;
  std::ifstream stream(table);
  if (!stream) ThrowFile(table, "it cannot be read");
  std::string line;
  while (std::getline(stream, line)) {
    if (!take(SplitCsvRow(line))) return;
  }
}

std::string ToCsvField(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' '; }, ' ');
  return systems::internal::QuoteCsvText(line);
}

}  // namespace wyvern::app
