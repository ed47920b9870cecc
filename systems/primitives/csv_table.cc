#include "wyvern/systems/primitives/csv_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace wyvern::systems {

std::vector<std::string> SplitCsvRow(std::string_view row) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char c = row[i];
    if (c == '"') {
      // Two quotes in a quoted field stand for one.
      if (is_quoted && i + 1 < row.size() && row[i + 1] == '"') {
        fields.back() += row[++i];
      } else {
        is_quoted = !is_quoted;
      }
    } else if (c == ',' && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

CsvTable ReadCsvTable(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const auto fail = [&file](int line, const std::string& what) {
    throw std::runtime_error(
        fmt::format("{}:{}: {}", file.string(), line, what));
  };
  if (!stream) fail(1, "the file cannot be read; give one that is there.");
  CsvTable table;
  std::vector<std::vector<double>> rows;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    // Spreadsheets begin a file with a mark of its encoding.
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (number == 1 && line.starts_with(kByteOrderMark)) {
      line.erase(0, kByteOrderMark.size());
    }
    const std::size_t first = line.find_first_not_of(" \r\t");
    if (first == line.npos || line[first] == '#') continue;
    line.erase(line.find_last_not_of(" \r\t") + 1);
    if (table.names.empty()) {
      table.names = SplitCsvRow(line);
      for (std::string& name : table.names) {
        const std::size_t begin = name.find_first_not_of(" \t");
        name.erase(name.find_last_not_of(" \t") + 1);
        name.erase(0, std::min(begin, name.size()));
      }
      continue;
    }
    rows.emplace_back();
    const char* at = line.data();
    const char* const end = at + line.size();
    while (at <= end) {
      while (at < end && (*at == ' ' || *at == '\t')) ++at;
      double value{};
      const auto [next, error] = std::from_chars(at, end, value);
      if (error != std::errc() || (next != end && *next != ',')) {
        fail(number, "this is no row of numbers with commas between them.");
      }
      if (!std::isfinite(value)) {
        fail(number,
             fmt::format("{} is not a finite number; leave the row out.",
                         value));
      }
      rows.back().push_back(value);
      at = next + 1;
    }
    if (rows.back().size() < 2 || rows.back().size() != rows[0].size()) {
      fail(number, fmt::format("there are {} numbers; give a time and as many "
                               "values as in the rows above.",
                               rows.back().size()));
    }
  }
  if (rows.empty()) fail(1, "there are no rows below the names; add some.");
  const auto num_rows = static_cast<Eigen::Index>(rows.size());
  const auto num_columns = static_cast<Eigen::Index>(rows[0].size());
  table.times.resize(num_rows);
  table.values.resize(num_rows, num_columns - 1);
  for (Eigen::Index i = 0; i < num_rows; ++i) {
    const auto row =
        Eigen::Map<const VectorX<double>>(rows[i].data(), num_columns);
    table.times[i] = row[0];
    table.values.row(i) = row.tail(num_columns - 1);
  }
  return table;
}

}  // namespace wyvern::systems
