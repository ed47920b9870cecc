#pragma once

#include <string>
#include <vector>

#include "wyvern/systems/plotting/svg_plot.h"
#include "wyvern/systems/primitives/vector_log.h"

namespace wyvern::plotting {

/** A log, and what its rows are called in a legend. */
struct LoggedRows {
  /** The log; must not be null. */
  const systems::VectorLog<double>* log{};
  /** One for each row of the log. */
  std::vector<std::string> names{};
};

/** A plot of what was logged over time, a curve for each row:

    const auto& samples = sink->FindLog(simulator.get_context());
    WriteSvgPicture(
        PlotLog(samples, {"shoulder", "elbow"}, "Joints", "angle [rad]"),
        "joints.svg");

What it returns can be changed before it is drawn: its size, limits, colours.
The colours repeat after eight curves.
@param y_label the quantity with its unit; time is in seconds.
@throws std::logic_error naming plot and row if the log has no rows or no
samples, the names are not as many as its rows, or a sample is not finite. */
Plot PlotLog(const systems::VectorLog<double>& log,
             const std::vector<std::string>& names, const std::string& title,
             const std::string& y_label);

/** Plots several logs in one plot, each with its own sample times.
@throws std::logic_error also if there is no log, or one is null. */
Plot PlotLogs(const std::vector<LoggedRows>& logs, const std::string& title,
              const std::string& y_label);

}  // namespace wyvern::plotting
