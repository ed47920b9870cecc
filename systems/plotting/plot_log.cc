#include "wyvern/systems/plotting/plot_log.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::plotting {

using systems::VectorLog;

namespace {

[[noreturn]] void Refuse(const std::string& title, const std::string& what) {
  throw std::logic_error(fmt::format("PlotLogs(): plot '{}': {}", title, what));
}

void RequireLog(const LoggedRows& rows, const std::string& title) {
  if (rows.log == nullptr) Refuse(title, "a log is null; give VectorLogs.");
  const VectorLog<double>& log = *rows.log;
  const auto num_names = static_cast<int64_t>(rows.names.size());
  if (num_names != log.get_input_size()) {
    Refuse(title, fmt::format("there are {} names for the {} rows of a log; "
                              "give each row one.",
                              num_names, log.get_input_size()));
  }
  if (num_names == 0) Refuse(title, "a log has no rows; log a larger port.");
  if (log.num_samples() == 0) {
    Refuse(title, fmt::format("the log of '{}' has no samples; simulate first, "
                              "and find the log in the Context that the "
                              "simulator has.",
                              rows.names.front()));
  }
}

void RequireSamples(const VectorLog<double>& log, int row,
                    const std::string& name, const std::string& title) {
  for (int k = 0; k < log.num_samples(); ++k) {
    const double value = log.data()(row, k);
    if (std::isfinite(value)) continue;
    Refuse(title, fmt::format("'{}' is {} at time {} s; log finite values.",
                              name, value, log.sample_times()[k]));
  }
}

}  // namespace

Plot PlotLog(const VectorLog<double>& log,
             const std::vector<std::string>& names, const std::string& title,
             const std::string& y_label) {
  return PlotLogs({{&log, names}}, title, y_label);
}

Plot PlotLogs(const std::vector<LoggedRows>& logs, const std::string& title,
              const std::string& y_label) {
  Plot plot{.title = title,
            .x_label = "time [s]",
            .y_label = y_label,
            .width = 640,
            .height = 320};
  if (logs.empty()) Refuse(title, "there is no log; give at least one.");
  for (const LoggedRows& rows : logs) {
    RequireLog(rows, title);
    for (int row = 0; row < rows.log->get_input_size(); ++row) {
      RequireSamples(*rows.log, row, rows.names[row], title);
      plot.series.push_back(
          {.label = rows.names[row],
           .x = rows.log->sample_times(),
           .y = rows.log->data().row(row),
           .color = static_cast<int>(plot.series.size()) % kNumSeriesColors});
    }
  }
  return plot;
}

}  // namespace wyvern::plotting
