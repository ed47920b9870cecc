#include "wyvern/app/sweep_page.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "wyvern/app/sweep_records.h"
#include "wyvern/app/sweep_report.h"
#include "wyvern/simulator/report/report.h"
#include "wyvern/systems/yaml/yaml_scalars.h"

/* The table is read once: its texts for the list of runs, and as numbers, NaN
where there are none, for plots. A histogram of n values has ceil(sqrt(n))
bins, 5 to 40, drawn as a line of steps. */

namespace wyvern::app {

using plotting::Plot;

namespace {

constexpr std::size_t kMostListed = 500;
constexpr int kMostReplays = 4;
constexpr std::size_t kMostHistograms = 24;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/** Columns of numbers, by name. */
struct NumericTable {
  std::vector<std::string> names;
  // By column.
  std::vector<std::vector<double>> values;
  std::size_t num_rows{};
  std::size_t num_failed{};
  // Samples whose process died or took too long.
  std::set<std::uint64_t> killed;
};

// A number, or the only number of a list: "[50]".
double ReadCell(std::string_view text) {
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
    text = text.substr(1, text.size() - 2);
  }
  const double value =
      yaml::internal::ToDouble(std::string(text)).value_or(kNoNumber);
  return std::isfinite(value) ? value : kNoNumber;
}

// Reads the numbers, and the first rows as texts.
NumericTable ReadNumericTable(const std::filesystem::path& file,
                              report::Table* listed) {
  NumericTable table;
  ReadSweepTable(file, [&](const std::vector<std::string>& row) {
    if (table.names.empty()) {
      table.names = row;
      table.values.resize(row.size());
      listed->headings = row;
      return true;
    }
    if (row.size() != table.names.size()) return true;
    if (listed->rows.size() < kMostListed) listed->rows.push_back(row);
    ++table.num_rows;
    const bool is_good = row[1] == "ok";
    if (!is_good) ++table.num_failed;
    if (!is_good && IsNoteOfKilledProcess(row.back())) {
      table.killed.insert(std::strtoull(row[0].c_str(), nullptr, 10));
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      table.values[i].push_back(is_good ? ReadCell(row[i]) : kNoNumber);
    }
    return true;
  });
  // Columns without numbers, and seeds, are not plotted.
  for (std::size_t i = table.names.size(); i-- > 0;) {
    const bool has_numbers = std::ranges::any_of(
        table.values[i], [](double x) { return std::isfinite(x); });
    if (has_numbers && table.names[i] != "random_seed") continue;
    table.names.erase(table.names.begin() + static_cast<std::ptrdiff_t>(i));
    table.values.erase(table.values.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return table;
}

Plot PlotHistogram(const std::string& name, std::vector<double> values) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  const auto [low, high] = std::ranges::minmax(values);
  const int num_bins =
      std::clamp(static_cast<int>(
                     std::ceil(std::sqrt(static_cast<double>(values.size())))),
                 5, 40);
  // Halve before subtracting, because high - low may overflow. Equal values get
  // a range of their own size around them.
  const double middle = low / 2 + high / 2;
  double half = high / 2 - low / 2;
  if (half <= 1e-9 * std::abs(middle)) {
    half = middle == 0 ? 1.0 : 0.1 * std::abs(middle);
  }
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(num_bins);
  for (const double value : values) {
    const double share = 0.5 + (value / 2 - middle / 2) / half;
    counts[std::clamp(static_cast<int>(share * num_bins), 0, num_bins - 1)] +=
        1;
  }
  Eigen::VectorXd x(2 * num_bins + 2), y(2 * num_bins + 2);
  for (int i = 0; i <= num_bins; ++i) {
    const double edge =
        middle + half * (2.0 * static_cast<double>(i) / num_bins - 1);
    x.segment<2>(2 * i).setConstant(edge);
    y[2 * i] = i == 0 ? 0 : counts[i - 1];
    y[2 * i + 1] = i == num_bins ? 0 : counts[i];
  }
  return {.title = name,
          .x_label = name,
          .y_label = "[runs]",
          .series = {{"runs", x, y, 0}}};
}

void AddStatisticsTable(const std::vector<SweepStatistics>& statistics,
                        report::Report* report) {
  report::Table table{.headings = {"output", "runs", "mean", "stddev", "min",
                                   "5 %", "median", "95 %", "max"}};
  for (const SweepStatistics& s : statistics) {
    std::vector<std::string> row{s.name, fmt::format("{}", s.count)};
    for (const double figure : {s.mean, s.stddev, s.min, s.quantile_05,
                                s.median, s.quantile_95, s.max}) {
      row.push_back(s.count > 0 ? fmt::format("{:.5g}", figure) : "none");
    }
    table.rows.push_back(std::move(row));
  }
  report->AddTable("Statistics", table);
}

void AddScatterPlot(const NumericTable& table, int num_outputs,
                    report::Report* report) {
  const auto count = static_cast<int>(table.names.size());
  if (count < 2) return;
  Eigen::MatrixXd values(static_cast<Eigen::Index>(table.num_rows), count);
  for (int i = 0; i < count; ++i) {
    values.col(i) = Eigen::Map<const Eigen::VectorXd>(table.values[i].data(),
                                                      values.rows());
  }
  // The first parameter, or else the sample, and the first output.
  const int first_parameter = 1 + num_outputs;
  report->AddScatter("Scatter", "One point for each run that succeeded.",
                     table.names, values,
                     first_parameter < count ? first_parameter : 0, 1);
}

void AddHistograms(const NumericTable& table, report::Report* report) {
  std::vector<Plot> plots;
  for (std::size_t i = 1; i < table.names.size(); ++i) {
    if (plots.size() == kMostHistograms) break;
    plots.push_back(PlotHistogram(table.names[i], table.values[i]));
  }
  if (plots.empty()) return;
  report->AddPlots("Distribution", "Number of runs by value.", plots);
}

// A killed sample is not replayed: the replay runs in this process, which it
// would end or hold up, too.
void AddWorstRuns(const SweepPage& page,
                  const std::vector<SweepStatistics>& statistics,
                  const std::set<std::uint64_t>& killed,
                  report::Report* report) {
  const auto worst = FindWorst(statistics, FindFailed(page.table, 3));
  if (worst.empty()) return;
  report::Table table{.headings = {"sample", "why", "command"}};
  for (const auto& [sample, why] : worst) {
    table.rows.push_back({fmt::format("{}", sample), why, page.rerun(sample)});
  }
  report->AddTable("Worst runs", table);
  if (!page.replay) return;
  int num_replays = 0;
  for (const auto& [sample, why] : worst) {
    if (killed.contains(sample)) continue;
    if (++num_replays > kMostReplays) break;
    report->AddReplay(page.replay(sample),
                      fmt::format("Sample {}: {}", sample, why));
  }
}

}  // namespace

void SaveSweepPage(const SweepPage& page, const std::filesystem::path& file) {
  report::Table listed;
  const NumericTable table = ReadNumericTable(page.table, &listed);
  const auto statistics = ComputeStatistics(page.table, page.num_outputs);
  report::Report report(
      page.title, fmt::format("{} runs, of which {} failed.", table.num_rows,
                              table.num_failed));
  AddStatisticsTable(statistics, &report);
  const auto num_numeric_outputs = static_cast<int>(std::ranges::count_if(
      statistics, [](const SweepStatistics& s) { return s.count > 0; }));
  AddScatterPlot(table, num_numeric_outputs, &report);
  AddHistograms(table, &report);
  AddWorstRuns(page, statistics, table.killed, &report);
  report.AddTable(table.num_rows > kMostListed
                      ? fmt::format("The first {} runs", kMostListed)
                      : "Runs",
                  listed);
  report.Save(file);
}

}  // namespace wyvern::app
