#include "wyvern/simulator/report/table.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::report {
namespace {

// Characters that a terminal shows: UTF-8 continuation bytes take no room.
size_t WidthOf(const std::string& text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
}

}  // namespace

void internal::RequireWholeRows(const char* who, const Table& table) {
  for (size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].size() == table.headings.size()) continue;
    throw std::logic_error(fmt::format(
        "{}(): row {} of the table has {} cells, and there are {} headings; "
        "give one for each.",
        who, i, table.rows[i].size(), table.headings.size()));
  }
}

std::string FormatTable(const Table& table) {
  internal::RequireWholeRows("FormatTable", table);
  std::vector<size_t> widths;
  for (size_t c = 0; c < table.headings.size(); ++c) {
    size_t width = WidthOf(table.headings[c]);
    for (const auto& row : table.rows) {
      width = std::max(width, WidthOf(row[c]));
    }
    widths.push_back(width);
  }
  std::string text;
  const auto add_row = [&](const std::vector<std::string>& cells) {
    for (size_t c = 0; c < widths.size(); ++c) {
      const std::string padding(widths[c] - WidthOf(cells[c]), ' ');
      text += c == 0 ? cells[c] + padding : "  " + padding + cells[c];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  add_row(table.headings);
  size_t total = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (const size_t width : widths) total += width;
  text += std::string(total, '-') + '\n';
  for (const auto& row : table.rows) add_row(row);
  return text;
}

}  // namespace wyvern::report
