#include "wyvern/app/run_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/app/file_kind.h"
#include "wyvern/app/scenario_models.h"
#include "wyvern/simulator/report/report.h"
#include "wyvern/systems/primitives/csv_table.h"
#include "wyvern/systems/recording/hdf5_recording_reader.h"

/* Both files become columns with times. A column is compared at the times of
the first file between the first and the last time of the second, which is
interpolated there:
  d_k = y2(t_k) - y1_k,  rms = sqrt(sum d_k^2 / n),  largest = max |d_k|. */

namespace wyvern::app {

namespace fs = std::filesystem;
using plotting::Plot;
using plotting::Stroke;

namespace {

constexpr std::size_t kMostComparisonPlots = 48;  // Of a section.
constexpr std::size_t kMostNames = 8;             // In a message.

std::vector<std::string> NamesOf(const std::vector<RunColumn>& columns) {
  std::vector<std::string> names;
  for (const RunColumn& column : columns) names.push_back(column.name);
  return names;
}

// The first of the names, and how many more there are.
std::string ListNames(const std::vector<std::string>& names) {
  const std::size_t count = std::min(names.size(), kMostNames);
  const std::string text = fmt::format(
      "{}",
      fmt::join(names.begin(),
                names.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  return count == names.size()
             ? text
             : fmt::format("{} and {} more", text, names.size() - count);
}

std::vector<RunColumn> ReadHdf5Columns(const fs::path& file) {
  const systems::Hdf5RecordingReader reader(file.string());
  std::vector<RunColumn> columns;
  for (const std::string& name : reader.GetSignalNames()) {
    const systems::RecordedSignal signal = reader.ReadSignal(name);
    if (signal.times.size() == 0) continue;
    for (Eigen::Index i = 0; i < signal.values.rows(); ++i) {
      columns.push_back({name + "/" + signal.element_names.at(i), signal.unit,
                         signal.times, signal.values.row(i)});
    }
  }
  return columns;
}

std::vector<RunColumn> ReadCsvColumns(const fs::path& file) {
  const systems::CsvTable table = systems::ReadCsvTable(file);
  if (static_cast<Eigen::Index>(table.names.size()) !=
      table.values.cols() + 1) {
    throw std::runtime_error(fmt::format(
        "{}: there are {} names, and rows of {} numbers; give a name for each "
        "column.",
        file.string(), table.names.size(), table.values.cols() + 1));
  }
  for (Eigen::Index i = 1; i < table.times.size(); ++i) {
    if (table.times[i] >= table.times[i - 1]) continue;
    throw std::runtime_error(fmt::format(
        "{}: the time {} follows {}; sort the rows by the first column, which "
        "has the times.",
        file.string(), table.times[i], table.times[i - 1]));
  }
  std::vector<RunColumn> columns;
  for (Eigen::Index i = 0; i < table.values.cols(); ++i) {
    columns.push_back(
        {table.names[i + 1], "", table.times, table.values.col(i)});
  }
  return columns;
}

// The last word of "plant/state/shoulder_q".
std::string LastWord(const std::string& name) {
  return name.substr(name.rfind('/') + 1);
}

// Linear interpolation; t is within the column's times.
double Interpolate(const RunColumn& column, double t) {
  const auto begin = column.times.begin();
  const Eigen::Index above =
      std::lower_bound(begin, column.times.end(), t) - begin;
  if (above == 0 || column.times[above] == t) return column.values[above];
  const double before = column.times[above - 1];
  const double share = (t - before) / (column.times[above] - before);
  return (1 - share) * column.values[above - 1] + share * column.values[above];
}

double MeanPeriod(const RunColumn& column) {
  const Eigen::Index last = column.times.size() - 1;
  return last == 0 ? 0.0
                   : (column.times[last] - column.times[0]) /
                         static_cast<double>(last);
}

ColumnComparison CompareColumns(const RunColumn& first, const RunColumn& second,
                                const RunComparison& files) {
  ColumnComparison result{.name = first.name,
                          .unit = first.unit.empty() ? second.unit : first.unit,
                          .first_period = MeanPeriod(first),
                          .second_period = MeanPeriod(second)};
  if (second.name != first.name) result.name += " = " + second.name;
  const double begin = second.times[0];
  const double end = second.times[second.times.size() - 1];
  std::vector<Eigen::Index> inside;
  for (Eigen::Index i = 0; i < first.times.size(); ++i) {
    if (first.times[i] >= begin && first.times[i] <= end) inside.push_back(i);
  }
  if (inside.empty()) {
    throw std::runtime_error(fmt::format(
        "column '{}': {} has no sample between {} s and {} s, the times of {}; "
        "give files with times in common.",
        first.name, files.first_file, begin, end, files.second_file));
  }
  result.times = first.times(inside);
  result.first = first.values(inside);
  result.second.resize(result.times.size());
  for (Eigen::Index i = 0; i < result.times.size(); ++i) {
    result.second[i] = Interpolate(second, result.times[i]);
  }
  const VectorX<double> difference = result.second - result.first;
  Eigen::Index where{};
  result.largest = difference.cwiseAbs().maxCoeff(&where);
  result.time_of_largest = result.times[where];
  // Scaled, so that squares do not overflow.
  const double scale = result.largest > 0 ? result.largest : 1.0;
  result.rms = scale * (difference / scale).norm() /
               std::sqrt(static_cast<double>(difference.size()));
  if (!std::isfinite(result.largest) || !std::isfinite(result.rms)) {
    throw std::runtime_error(fmt::format(
        "column '{}': the difference of its values in {} and {} is too large "
        "for a number; leave the column out.",
        first.name, files.first_file, files.second_file));
  }
  return result;
}

/** Finds pairs of columns. */
class ColumnMatcher {
 public:
  ColumnMatcher(const RunComparison& files, const std::vector<RunColumn>& first,
                const std::vector<RunColumn>& second)
      : files_(files), first_(first), second_(second) {}

  // The column of a name that the command line gives.
  const RunColumn& FindFirst(const std::string& name) const {
    return Find(first_, files_.first_file, name);
  }
  const RunColumn& FindSecond(const std::string& name) const {
    return Find(second_, files_.second_file, name);
  }

  // The column of the second file that has this name, or alone has its last
  // word; null if none has.
  const RunColumn* FindPartner(const RunColumn& column) const {
    const auto same = std::ranges::find(second_, column.name, &RunColumn::name);
    if (same != second_.end()) return &*same;
    const std::string word = LastWord(column.name);
    const auto has_word = [&word](const RunColumn& one) {
      return LastWord(one.name) == word;
    };
    if (std::ranges::count_if(first_, has_word) != 1 ||
        std::ranges::count_if(second_, has_word) != 1) {
      return nullptr;
    }
    const auto found = std::ranges::find_if(second_, has_word);
    // Two ports with the same element are two things.
    const bool is_plain =
        column.name == word || found->name == LastWord(found->name);
    return is_plain ? &*found : nullptr;
  }

 private:
  static const RunColumn& Find(const std::vector<RunColumn>& columns,
                               const std::string& file,
                               const std::string& name) {
    const auto found = std::ranges::find(columns, name, &RunColumn::name);
    if (found != columns.end()) return *found;
    const std::vector<std::string> names = NamesOf(columns);
    std::string nearest = SuggestName(name, names);
    if (nearest.empty()) nearest = "; it has " + ListNames(names) + ".";
    throw std::runtime_error(
        fmt::format("{} has no column '{}'{}", file, name, nearest));
  }

  const RunComparison& files_;
  const std::vector<RunColumn>& first_;
  const std::vector<RunColumn>& second_;
};

report::Table MakeTable(const RunComparison& comparison) {
  report::Table table{.headings = {"column", "unit", "rms", "largest", "at [s]",
                                   "samples", "period [s]", "period 2 [s]"}};
  for (const ColumnComparison& c : comparison.columns) {
    table.rows.push_back({c.name, c.unit, fmt::format("{:.5g}", c.rms),
                          fmt::format("{:.5g}", c.largest),
                          fmt::format("{:.5g}", c.time_of_largest),
                          fmt::format("{}", c.times.size()),
                          fmt::format("{:.4g}", c.first_period),
                          fmt::format("{:.4g}", c.second_period)});
  }
  return table;
}

// Remarks on columns that are in one file alone.
std::vector<std::string> MakeComparisonRemarks(const RunComparison& runs) {
  std::vector<std::string> remarks;
  for (const auto& [file, names] :
       {std::pair{&runs.first_file, &runs.only_first},
        {&runs.second_file, &runs.only_second}}) {
    if (names->empty()) continue;
    remarks.push_back(fmt::format("only in {}: {}", *file, ListNames(*names)));
  }
  return remarks;
}

}  // namespace

std::vector<RunColumn> ReadRunColumns(const fs::path& file) {
  RequireFileKind(file, "compare", {FileKind::kHdf5, FileKind::kCsv});
  std::vector<RunColumn> columns = FindFileKind(file) == FileKind::kHdf5
                                       ? ReadHdf5Columns(file)
                                       : ReadCsvColumns(file);
  if (columns.empty()) {
    throw std::runtime_error(fmt::format(
        "{} has no samples of numbers; give the log of a run that took a step.",
        file.string()));
  }
  std::set<std::string> names;
  for (const RunColumn& column : columns) {
    if (names.insert(column.name).second) continue;
    throw std::runtime_error(
        fmt::format("{} has two columns '{}'; rename one of them.",
                    file.string(), column.name));
  }
  return columns;
}

RunComparison CompareRuns(const fs::path& first, const fs::path& second,
                          const ComparisonOptions& options) {
  RunComparison result{.first_file = first.string(),
                       .second_file = second.string()};
  const std::vector<RunColumn> first_columns = ReadRunColumns(first);
  const std::vector<RunColumn> second_columns = ReadRunColumns(second);
  const ColumnMatcher matcher(result, first_columns, second_columns);
  std::map<const RunColumn*, const RunColumn*> pairs;
  for (const auto& [name, other] : options.matches) {
    pairs[&matcher.FindFirst(name)] = &matcher.FindSecond(other);
  }
  std::set<const RunColumn*> wanted;
  for (const std::string& name : options.columns) {
    const RunColumn& column = matcher.FindFirst(name);
    wanted.insert(&column);
    if (pairs.contains(&column) || matcher.FindPartner(column) != nullptr) {
      continue;
    }
    throw std::runtime_error(fmt::format(
        "{} has no column '{}'; it has {}. Give --match '{}=COLUMN'.",
        result.second_file, name, ListNames(NamesOf(second_columns)), name));
  }
  std::set<const RunColumn*> seen;
  for (const RunColumn& column : first_columns) {
    const auto given = pairs.find(&column);
    const RunColumn* const partner =
        given != pairs.end() ? given->second : matcher.FindPartner(column);
    if (partner == nullptr) {
      result.only_first.push_back(column.name);
      continue;
    }
    seen.insert(partner);
    if (!wanted.empty() && !wanted.contains(&column)) continue;
    result.columns.push_back(CompareColumns(column, *partner, result));
  }
  for (const RunColumn& column : second_columns) {
    if (!seen.contains(&column)) result.only_second.push_back(column.name);
  }
  if (result.columns.empty()) {
    throw std::runtime_error(fmt::format(
        "{} and {} have no column in common: the first has {}, the second has "
        "{}; give --match FIRST=SECOND.",
        result.first_file, result.second_file, ListNames(result.only_first),
        ListNames(result.only_second)));
  }
  return result;
}

std::string ToText(const RunComparison& comparison) {
  std::string text = report::FormatTable(MakeTable(comparison));
  for (const std::string& remark : MakeComparisonRemarks(comparison)) {
    text += remark + "\n";
  }
  return text;
}

void SaveComparison(const RunComparison& comparison, const fs::path& file) {
  report::Report report(
      fmt::format("{} and {}",
                  fs::path(comparison.first_file).filename().string(),
                  fs::path(comparison.second_file).filename().string()),
      fmt::format("{} columns at the times of the first file; the second file "
                  "is interpolated linearly.",
                  comparison.columns.size()));
  report.AddTable("Differences", MakeTable(comparison));
  std::vector<Plot> overlays, differences;
  for (const ColumnComparison& c : comparison.columns) {
    if (overlays.size() == kMostComparisonPlots) break;
    Plot plot{.title = c.name,
              .x_label = "time [s]",
              .y_label = c.unit.empty() ? "" : "[" + c.unit + "]"};
    plot.series = {{"first", c.times, c.first, 0, Stroke::kBand},
                   {"second", c.times, c.second, 1}};
    overlays.push_back(plot);
    plot.series = {{"second - first", c.times, c.second - c.first, 2}};
    differences.push_back(plot);
  }
  const std::string note =
      overlays.size() < comparison.columns.size()
          ? fmt::format("The first {} of {} columns.", overlays.size(),
                        comparison.columns.size())
          : "All columns.";
  report.AddPlots("Both", note, overlays);
  report.AddPlots("Difference", note, differences);
  report.AddWarnings(MakeComparisonRemarks(comparison));
  report.Save(file);
}

}  // namespace wyvern::app
