#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems {

/** A CSV file of numbers: times in the first column. */
struct CsvTable {
  /** Names of all columns, the first one among them. */
  std::vector<std::string> names;
  /** The first column. */
  VectorX<double> times;
  /** A row for each time, a column for each name but the first. */
  MatrixX<double> values;
};

/** Reads a CSV file: a line of names, then rows of finite numbers. Empty lines
and lines that begin with '#' are skipped.
@throws std::runtime_error with file and line if the file cannot be read, has no
rows, a row is not made of numbers or has not as many as the rows above. */
CsvTable ReadCsvTable(const std::filesystem::path& file);

/** Returns the fields of a row. A field in quotes may have commas in it; two
quotes in it stand for one. */
std::vector<std::string> SplitCsvRow(std::string_view row);

}  // namespace wyvern::systems
