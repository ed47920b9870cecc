#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace wyvern::examples {

/// How a series is drawn. kBand is a wide pale line to lie under another.
enum class Stroke { kLine, kBand };

/// One curve of a plot; x and y have the same size.
struct Series {
  std::string label{};
  Eigen::VectorXd x{};
  Eigen::VectorXd y{};
  /// Which of the page's eight series colours, 0 to 7.
  int color{0};
  Stroke stroke{Stroke::kLine};
};

/// A line plot, drawn as SVG for a page with the style of HtmlReport.
struct Plot {
  std::string title{};
  std::string x_label{};
  std::string y_label{};
  std::vector<Series> series{};
  /// Dashed horizontal lines (limits); always inside the plot's range.
  std::vector<double> limits{};
  /// Size in pixels.
  int width{340};
  int height{210};
};

/// The positions of round-numbered ticks (steps of 1, 2 or 5 times a power of
/// ten) inside [low, high], about `target` of them.
/// @throws std::logic_error unless low < high, both finite.
std::vector<double> MakeTicks(double low, double high, int target);

/// The plot as an <svg> element. Points that the eye cannot tell from the
/// curve are left out, which keeps the page small.
/// @throws std::logic_error if a series has x and y of different sizes or a
/// value that is not finite.
std::string RenderSvg(const Plot& plot);

/// Replaces the characters that HTML gives a meaning.
std::string EscapeHtml(const std::string& text);

}  // namespace wyvern::examples
