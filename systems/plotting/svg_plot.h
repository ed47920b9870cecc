#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::plotting {

/** How a series is drawn. kBand is a wide pale line to lie under another;
kPoints are dots without a line. */
enum class Stroke { kLine, kBand, kPoints };

/** How many colours there are. */
inline constexpr int kNumSeriesColors = 8;

/** One curve of a plot; x and y have the same size. */
struct Series {
  /** Name of the series in the legend. */
  std::string label{};
  /** Horizontal coordinates, finite. */
  Eigen::VectorXd x{};
  /** Vertical coordinates, finite. */
  Eigen::VectorXd y{};
  /** Which of the colours, from 0. */
  int color{0};
  /** How the series is drawn. */
  Stroke stroke{Stroke::kLine};
};

/** A line plot. */
struct Plot {
  /** Heading of the plot. */
  std::string title{};
  /** Label of the axis, with its unit: "time [s]". */
  std::string x_label{};
  /** Label of the vertical axis, with its unit. */
  std::string y_label{};
  /** The curves; later ones are drawn above earlier ones. */
  std::vector<Series> series{};
  /** Dashed horizontal lines (limits); always inside the plot's range. */
  std::vector<double> limits{};
  /** Size in pixels, without a legend. */
  int width{340};
  /** Height in pixels, without a legend. */
  int height{210};
};

/** The positions of round-numbered ticks (steps of 1, 2 or 5 times a power of
ten) inside [low, high], about `target` of them.
@throws std::logic_error unless low < high, both finite. */
std::vector<double> MakeTicks(double low, double high, int target);

/** The plot as an `svg` element without legend, for a web page that has
PlotStyle(). Points that the eye cannot tell from the curve are left out, which
keeps the page small.
@throws std::logic_error if a series has x and y of different sizes, a value
that is not finite, or a colour that there is not. */
std::string RenderSvg(const Plot& plot);

/** The CSS of plots on a web page, by the reader's light or dark preference. */
std::string PlotStyle();

/** The plot as a picture of its own: an SVG document with a legend below it.
@throws std::logic_error as RenderSvg() does. */
std::string MakeSvgPicture(const Plot& plot);

/** Writes MakeSvgPicture() to a file, say "speed.svg".
@throws std::logic_error as RenderSvg() does.
@throws std::runtime_error naming the file if it cannot be written. */
void WriteSvgPicture(const Plot& plot, const std::filesystem::path& file);

/** Replaces the characters that HTML and SVG give a meaning. */
std::string EscapeHtml(const std::string& text);

}  // namespace wyvern::plotting
