#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::app {

/** One number of a run over time. */
struct RunColumn {
  /** In a log "system/port/element"; in other CSV files the column's name. */
  std::string name;
  /** Empty if the file does not say. */
  std::string unit;
  /** [s], in order. */
  VectorX<double> times;
  /** A value for each time. */
  VectorX<double> values;
};

/** Reads all numbers of a log (.h5) or of a CSV file with times in its first
column, such as measured data.
@throws std::runtime_error naming the file if it cannot be read, has no samples,
two columns have the same name, or times go back. */
std::vector<RunColumn> ReadRunColumns(const std::filesystem::path& file);

/** Selects the columns of a comparison. */
struct ComparisonOptions {
  /** Names of columns of the first file; empty: all that both files have. */
  std::vector<std::string> columns{};
  /** Columns with different names: of the first file, of the second. */
  std::vector<std::pair<std::string, std::string>> matches{};
};

/** One column in both files, at the times of the first file that the second one
covers. Values of the second are interpolated linearly. */
struct ColumnComparison {
  /** Name in the first file. */
  std::string name;
  /** Unit, if a file says it. */
  std::string unit;
  /** Times of the first file within the second one's, [s]. */
  VectorX<double> times{};
  /** Values of the first file, at `times`. */
  VectorX<double> first{};
  /** Values of the second file, interpolated to `times`. */
  VectorX<double> second{};
  /** Root of the mean square of second - first. */
  double rms{};
  /** The largest |second - first|, and when it occurs [s]. */
  double largest{};
  /** [s] */
  double time_of_largest{};
  /** Mean time between samples [s]; 0 for one sample. */
  double first_period{};
  /** [s], as first_period. */
  double second_period{};
};

/** Two files, column by column. */
struct RunComparison {
  /** Path of the first file. */
  std::string first_file;
  /** Path of the second file. */
  std::string second_file;
  /** The columns that were compared. */
  std::vector<ColumnComparison> columns{};
  /** Columns that only one file has. */
  std::vector<std::string> only_first{};
  /** Columns that only the second file has. */
  std::vector<std::string> only_second{};
};

/** Compares two files. Columns match by their names, by `matches`, or if the
name of one is the last word of the other ("shoulder_q" and
"plant/state/shoulder_q") and no other column's.
@throws std::runtime_error as ReadRunColumns(); if a wanted column is missing,
naming the nearest; if no columns match; or if the times of a column do not
overlap. */
RunComparison CompareRuns(const std::filesystem::path& first,
                          const std::filesystem::path& second,
                          const ComparisonOptions& options = {});

/** A table for a person: a line for each column, and what is in one file only.
 */
std::string ToText(const RunComparison& comparison);

/** Writes a report (.html) with the table, the columns of both files in common
plots, and their differences.
@throws std::runtime_error if the file cannot be written. */
void SaveComparison(const RunComparison& comparison,
                    const std::filesystem::path& file);

}  // namespace wyvern::app
