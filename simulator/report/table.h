#pragma once

#include <string>
#include <vector>

namespace wyvern::report {

/** A table of texts: one heading per column, rows of as many cells. The first
column is aligned left, the others right. */
struct Table {
  /** Heading of each column. */
  std::vector<std::string> headings{};
  /** Cells of each row, as many as there are headings. */
  std::vector<std::vector<std::string>> rows{};
};

/** The table for a terminal: columns padded, a rule under the headings.
@throws std::logic_error naming the row that has not as many cells as there are
headings. */
std::string FormatTable(const Table& table);

namespace internal {
/** @throws std::logic_error as FormatTable(). */
void RequireWholeRows(const char* who, const Table& table);
}  // namespace internal

}  // namespace wyvern::report
