#include "wyvern/app/sweep_report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "wyvern/app/sweep_records.h"
#include "wyvern/systems/yaml/yaml_scalars.h"

namespace wyvern::app {

namespace {

double InterpolateQuantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<SweepStatistics> ComputeStatistics(
    const std::filesystem::path& table, int num_outputs) {
  std::vector<SweepStatistics> result(num_outputs);
  std::vector<std::vector<double>> columns(num_outputs);
  bool is_header = true;
  ReadSweepTable(table, [&](const std::vector<std::string>& row) {
    if (static_cast<int>(row.size()) < 2 + num_outputs) return true;
    for (int i = 0; i < num_outputs; ++i) {
      SweepStatistics& s = result[i];
      const std::string& field = row[2 + i];
      if (is_header) {
        s.name = field;
        continue;
      }
      const double value =
          row[1] == "ok" ? yaml::internal::ToDouble(field).value_or(NAN) : NAN;
      if (!std::isfinite(value)) continue;
      const std::uint64_t sample = std::strtoull(row[0].c_str(), nullptr, 10);
      if (columns[i].empty() || value < s.min) {
        s.min = value;
        s.min_sample = sample;
      }
      if (columns[i].empty() || value > s.max) {
        s.max = value;
        s.max_sample = sample;
      }
      columns[i].push_back(value);
    }
    is_header = false;
    return true;
  });
  for (int i = 0; i < num_outputs; ++i) {
    std::vector<double>& values = columns[i];
    SweepStatistics& s = result[i];
    s.count = values.size();
    if (values.empty()) continue;
    double sum = 0.0;
    for (const double value : values) sum += value;
    s.mean = sum / static_cast<double>(s.count);
    double squares = 0.0;
    for (const double value : values) {
      squares += (value - s.mean) * (value - s.mean);
    }
    if (s.count > 1) {
      s.stddev = std::sqrt(squares / static_cast<double>(s.count - 1));
    }
    std::sort(values.begin(), values.end());
    s.quantile_05 = InterpolateQuantile(values, 0.05);
    s.median = InterpolateQuantile(values, 0.5);
    s.quantile_95 = InterpolateQuantile(values, 0.95);
  }
  return result;
}

std::vector<std::uint64_t> FindFailed(const std::filesystem::path& table,
                                      int most) {
  std::vector<std::uint64_t> failed;
  ReadSweepTable(table, [&](const std::vector<std::string>& row) {
    if (row.size() > 1 && row[1] == "failed") {
      failed.push_back(std::strtoull(row[0].c_str(), nullptr, 10));
    }
    return static_cast<int>(failed.size()) < most;
  });
  return failed;
}

std::map<std::uint64_t, std::string> FindWorst(
    const std::vector<SweepStatistics>& statistics,
    const std::vector<std::uint64_t>& failed) {
  std::map<std::uint64_t, std::string> worst;
  const auto add = [&worst](std::uint64_t sample, const std::string& why) {
    std::string& text = worst[sample];
    text += (text.empty() ? "" : ", ") + why;
  };
  for (const SweepStatistics& s : statistics) {
    if (s.count == 0 || s.min == s.max) continue;
    add(s.min_sample, "least " + s.name);
    add(s.max_sample, "most " + s.name);
  }
  for (const std::uint64_t sample : failed) add(sample, "failed");
  return worst;
}

std::string ToText(const std::vector<SweepStatistics>& statistics,
                   const std::vector<std::uint64_t>& failed,
                   const std::function<std::string(std::uint64_t)>& rerun) {
  std::size_t width = 6;
  for (const SweepStatistics& s : statistics) {
    width = std::max(width, s.name.size());
  }
  std::string text = fmt::format(
      "{:{}} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "output",
      width, "mean", "stddev", "min", "5 %", "median", "95 %", "max");
  for (const SweepStatistics& s : statistics) {
    if (s.count == 0) {
      text += fmt::format("{:{}} (no sample gave a number)\n", s.name, width);
      continue;
    }
    text += fmt::format(
        "{:{}} {:11.5g} {:11.5g} {:11.5g} {:11.5g} {:11.5g} {:11.5g} "
        "{:11.5g}\n",
        s.name, width, s.mean, s.stddev, s.min, s.quantile_05, s.median,
        s.quantile_95, s.max);
  }
  const auto worst = FindWorst(statistics, failed);
  if (!worst.empty()) text += "\nAlone again:\n";
  for (const auto& [sample, why] : worst) {
    text += fmt::format("# sample {}: {}\n{}\n", sample, why, rerun(sample));
  }
  return text;
}

}  // namespace wyvern::app
