#include "wyvern/systems/plotting/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/plotting/write_file.h"

/* From data to text: the ranges of all series, and of the limits, give two
linear axes to pixels; curves are moved into pixels, simplified there, and
written as polylines. Pixels of y grow downwards, so that axis has its low
end at the larger pixel. A range that is nearly one value is widened, since
an axis divides by its length. The colours are one table and the rules one
text with names in it, which become CSS variables on a page, light or dark,
and plain light colours in a picture.

A plot is drawn in pixels of its own size: the title and the label of y above
it, the axes at x = 52 and 34 pixels above the lower edge, then the curves,
and the limits over them. What has a colour says so by its class; the rules
for the classes are PlotStyle()'s on a page, and inside of a picture. */

namespace wyvern::plotting {
namespace {

// Distance in pixels below which a point adds nothing to a curve.
constexpr double kTolerance = 0.15;

struct Range {
  double low{};
  double high{};
};

// From data coordinates to pixels.
struct Axis {
  Range data;
  double pixel_low{};
  double pixel_high{};
  double operator()(double value) const {
    const double share = (value - data.low) / (data.high - data.low);
    return pixel_low + share * (pixel_high - pixel_low);
  }
};

struct Point {
  double x{};
  double y{};
};

void RequireDrawable(const Plot& plot) {
  for (const double limit : plot.limits) {
    wyvern::internal::RequireFinite(
        wyvern::internal::Caller("RenderSvg").Of("plot", plot.title), "a limit",
        limit);
  }
  for (const Series& series : plot.series) {
    const std::string where =
        fmt::format("{}' of plot '{}", series.label, plot.title);
    const auto who = wyvern::internal::Caller("RenderSvg").Of("series", where);
    wyvern::internal::RequireSize(who, "y", series.y.size(), series.x.size());
    wyvern::internal::RequireFinite(who, "x", series.x);
    wyvern::internal::RequireFinite(who, "y", series.y);
    wyvern::internal::RequireInRange(who, "color", series.color, 0,
                                     kNumSeriesColors - 1);
  }
}

// The span of the values, widened where it is (nearly) a single value.
Range RangeOf(const Plot& plot, bool of_x) {
  Range range{HUGE_VAL, -HUGE_VAL};
  const auto include = [&range](double value) {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  };
  for (const Series& series : plot.series) {
    const Eigen::VectorXd& values = of_x ? series.x : series.y;
    std::for_each(values.begin(), values.end(), include);
  }
  if (!of_x) {
    std::for_each(plot.limits.begin(), plot.limits.end(), include);
  }
  if (range.low > range.high) return {0.0, 1.0};
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  const double least = size > 0 ? 1e-6 * size : 1.0;
  if (range.high - range.low < least) {
    return {range.low - least, range.high + least};
  }
  const double margin = of_x ? 0.0 : 0.06 * (range.high - range.low);
  return {range.low - margin, range.high + margin};
}

double DistanceToSegment(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length2 = dx * dx + dy * dy;
  const double along =
      length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0.0;
  const double s = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

// Douglas and Peucker's simplification: keeps the point farthest from the
// chord and treats both halves alike, until all are within the tolerance.
std::vector<Point> Simplify(const std::vector<Point>& points) {
  if (points.size() < 3) return points;
  std::vector<bool> keep(points.size(), false);
  keep.front() = keep.back() = true;
  std::vector<std::pair<size_t, size_t>> open{{0, points.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    double worst = kTolerance;
    size_t split = first;
    for (size_t i = first + 1; i < last; ++i) {
      const double d =
          DistanceToSegment(points[i], points[first], points[last]);
      if (d > worst) {
        worst = d;
        split = i;
      }
    }
    if (split == first) continue;
    keep[split] = true;
    open.emplace_back(first, split);
    open.emplace_back(split, last);
  }
  std::vector<Point> kept;
  for (size_t i = 0; i < points.size(); ++i) {
    if (keep[i]) kept.push_back(points[i]);
  }
  return kept;
}

// A number as short as it can be at the precision of the step between ticks.
std::string TickLabel(double value, double step) {
  const double size = std::max(std::abs(value), step);
  const int step_power = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  const int decimals = std::max(0, -step_power);
  // Where zeros would be many: as many digits as tell neighbours apart.
  const int digits =
      static_cast<int>(std::floor(std::log10(size))) - step_power + 1;
  std::string label = size >= 1e5 || step < 1e-4
                          ? fmt::format("{:.{}g}", value, std::max(4, digits))
                          : fmt::format("{:.{}f}", value, decimals);
  if (label.starts_with('-')) label.replace(0, 1, "\u2212");
  return label;
}

using Out = std::back_insert_iterator<std::string>;

void DrawAxes(const Axis& x, const Axis& y, const Plot& plot, Out out) {
  const auto ticks_of = [](const Axis& axis, int pixels_per_tick) {
    const double pixels = std::abs(axis.pixel_high - axis.pixel_low);
    return MakeTicks(axis.data.low, axis.data.high,
                     std::max(2, static_cast<int>(pixels / pixels_per_tick)));
  };
  const auto step_of = [](const std::vector<double>& ticks) {
    return ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0;
  };
  const std::vector<double> y_ticks = ticks_of(y, 36);
  for (const double tick : y_ticks) {
    fmt::format_to(
        out,
        "<line class='grid' x1='{:.0f}' x2='{:.0f}' y1='{:.1f}' y2='{:.1f}' />"
        "<text class='tick' x='{:.0f}' y='{:.1f}' text-anchor='end'>{}"
        "</text>\n",
        x.pixel_low, x.pixel_high, y(tick), y(tick), x.pixel_low - 6,
        y(tick) + 3.5, TickLabel(tick, step_of(y_ticks)));
  }
  const std::vector<double> x_ticks = ticks_of(x, 60);
  for (const double tick : x_ticks) {
    fmt::format_to(
        out,
        "<line class='axis' x1='{:.1f}' x2='{:.1f}' y1='{:.0f}' y2='{:.0f}' />"
        "<text class='tick' x='{:.1f}' y='{:.0f}' text-anchor='middle'>{}"
        "</text>\n",
        x(tick), x(tick), y.pixel_low, y.pixel_low + 4, x(tick),
        y.pixel_low + 16, TickLabel(tick, step_of(x_ticks)));
  }
  fmt::format_to(
      out,
      "<line class='axis' x1='{:.0f}' x2='{:.0f}' y1='{:.0f}' y2='{:.0f}' />"
      "<text class='label' x='{:.0f}' y='{}' text-anchor='end'>{}</text>\n",
      x.pixel_low, x.pixel_high, y.pixel_low, y.pixel_low, x.pixel_high,
      plot.height - 6, EscapeHtml(plot.x_label));
}

std::string ClassOf(const Series& series) {
  const char* const stroke = series.stroke == Stroke::kBand     ? "band"
                             : series.stroke == Stroke::kPoints ? "dots"
                                                                : "line";
  return fmt::format("{} c{}", stroke, series.color);
}

// A dot is a line of no length with round ends.
void DrawDots(const Series& series, const std::vector<Point>& points, Out out) {
  fmt::format_to(out, "<path class='{}' d='", ClassOf(series));
  for (const Point& point : points) {
    fmt::format_to(out, "M{:.1f},{:.1f}h0", point.x, point.y);
  }
  fmt::format_to(out, "'><title>{}</title></path>\n", EscapeHtml(series.label));
}

void DrawSeries(const Series& series, const Axis& x, const Axis& y, Out out) {
  std::vector<Point> points(series.x.size());
  for (int i = 0; i < series.x.size(); ++i) {
    points[i] = {x(series.x[i]), y(series.y[i])};
  }
  if (series.stroke == Stroke::kPoints) {
    DrawDots(series, points, out);
    return;
  }
  // A line of no length is a dot.
  if (points.size() == 1) points.push_back(points.front());
  fmt::format_to(out, "<polyline class='{}' points='", ClassOf(series));
  for (const Point& point : Simplify(points)) {
    fmt::format_to(out, "{:.1f},{:.1f} ", point.x, point.y);
  }
  fmt::format_to(out, "'><title>{}</title></polyline>\n",
                 EscapeHtml(series.label));
}

void DrawLimits(const Plot& plot, const Axis& x, const Axis& y, Out out) {
  for (const double limit : plot.limits) {
    fmt::format_to(
        out,
        "<line class='limit' x1='{:.0f}' x2='{:.0f}' y1='{:.1f}' y2='{:.1f}'>"
        "<title>limit {:g}</title></line>\n",
        x.pixel_low, x.pixel_high, y(limit), y(limit), limit);
  }
}

void DrawPlot(const Plot& plot, Out out) {
  const Axis x{RangeOf(plot, true), 52.0, plot.width - 16.0};
  const Axis y{RangeOf(plot, false), plot.height - 34.0, 30.0};
  fmt::format_to(out,
                 "<text class='title' x='4' y='15'>{}</text>"
                 "<text class='label' x='{}' y='15' text-anchor='end'>{}"
                 "</text>\n",
                 EscapeHtml(plot.title), plot.width - 10,
                 EscapeHtml(plot.y_label));
  DrawAxes(x, y, plot, out);
  for (const Series& series : plot.series) DrawSeries(series, x, y, out);
  DrawLimits(plot, x, y, out);
}

// Draws the labels below the plot, as many in a line as there is room for, and
// returns the height of the whole.
int DrawLegend(const Plot& plot, Out out) {
  constexpr int kLeft = 52, kKey = 28, kCharacter = 7, kGap = 16, kLine = 18;
  int x = kLeft;
  int y = plot.height + 6;
  const auto add = [&](const std::string& line, const std::string& label) {
    const auto characters =
        std::ranges::count_if(label, [](char c) { return (c & 0xC0) != 0x80; });
    const int width = kKey + kCharacter * static_cast<int>(characters);
    if (x > kLeft && x + width > plot.width) {
      x = kLeft;
      y += kLine;
    }
    fmt::format_to(out,
                   "<line class='{}' x1='{}' x2='{}' y1='{}' y2='{}' />"
                   "<text x='{}' y='{}'>{}</text>\n",
                   line, x, x + kKey - 6, y, y, x + kKey, y + 4,
                   EscapeHtml(label));
    x += width + kGap;
  };
  for (const Series& series : plot.series) add(ClassOf(series), series.label);
  if (!plot.limits.empty()) add("limit", "limit");
  return y + kLine;
}

// The colours by name: on a light page and on a dark one.
struct Color {
  std::string_view name, light, dark;
};
constexpr Color kColors[] = {
    {"card", "#fff", "#1f1f1e"},     {"ink", "#1b1b1a", "#ecebe7"},
    {"soft", "#6a6a66", "#a2a19b"},  {"grid", "#ececea", "#2c2c2a"},
    {"limit", "#c8372d", "#f0736a"}, {"c0", "#1f6fd0", "#63a4f4"},
    {"c1", "#d9601f", "#f0894e"},    {"c2", "#178a5f", "#44bb8c"},
    {"c3", "#8b5cd6", "#b194f2"},    {"c4", "#b98500", "#dcaa34"},
    {"c5", "#c53f83", "#ea7db4"},    {"c6", "#2b94a8", "#5cc0d3"},
    {"c7", "#75756f", "#a2a19b"}};

// A colour is named $so.
constexpr std::string_view kRules =
    "svg text { font: 11px system-ui, sans-serif; fill: $soft; }\n"
    "svg .title { font-size: 12.5px; font-weight: 600; fill: $ink; }\n"
    ".grid { stroke: $grid; } .axis { stroke: $soft; }\n"
    ".limit { stroke: $limit; stroke-dasharray: 5 4; }\n"
    ".line, .band, .dots { fill: none; stroke-linejoin: round;\n"
    "  stroke-linecap: round; }\n"
    ".line { stroke-width: 1.6; }\n"
    ".band { stroke-width: 5; opacity: .32; }\n"
    ".dots { stroke-width: 5; opacity: .7; }\n"
    ".card { fill: $card; }\n"
    ".c0 { stroke: $c0; } .c1 { stroke: $c1; } .c2 { stroke: $c2; }\n"
    ".c3 { stroke: $c3; } .c4 { stroke: $c4; } .c5 { stroke: $c5; }\n"
    ".c6 { stroke: $c6; } .c7 { stroke: $c7; }\n";

// The rules with each colour as `write` has it.
template <typename Write>
std::string MakeRules(Write&& write) {
  std::string rules(kRules);
  for (const Color& color : kColors) {
    const std::string name = fmt::format("${};", color.name);
    for (size_t at = rules.find(name); at != std::string::npos;
         at = rules.find(name, at)) {
      rules.replace(at, name.size() - 1, write(color));
    }
  }
  return rules;
}

}  // namespace

std::string EscapeHtml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::vector<double> MakeTicks(double low, double high, int target) {
  if (!(low < high) || !std::isfinite(low) || !std::isfinite(high)) {
    throw std::logic_error(fmt::format(
        "MakeTicks(): the range [{}, {}] is not one; give finite low < high.",
        low, high));
  }
  const double rough = (high - low) / std::max(1, target);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double step = power * (share < 1.5   ? 1.0
                               : share < 3.0 ? 2.0
                               : share < 7.0 ? 5.0
                                             : 10.0);
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  const double first = std::ceil((low - slack) / step);
  // Counted: where a step is less than the rounding of numbers there, first + i
  // may stay what it is.
  for (int i = 0; i <= 10 * std::max(1, target); ++i) {
    const double k = first + i;
    if (k * step > high + slack) break;
    if (i > 0 && k * step <= ticks.back()) continue;
    ticks.push_back(k == 0 ? 0.0 : k * step);
  }
  return ticks;
}

std::string RenderSvg(const Plot& plot) {
  RequireDrawable(plot);
  std::string svg =
      fmt::format("<svg viewBox='0 0 {} {}' role='img' aria-label=\"{}\">\n",
                  plot.width, plot.height, EscapeHtml(plot.title));
  DrawPlot(plot, std::back_inserter(svg));
  return svg + "</svg>\n";
}

std::string PlotStyle() {
  std::string light, dark;
  for (const Color& color : kColors) {
    light += fmt::format(" --{}: {};", color.name, color.light);
    dark += fmt::format(" --{}: {};", color.name, color.dark);
  }
  return fmt::format(
      ":root {{ color-scheme: light dark;{} }}\n"
      "@media (prefers-color-scheme: dark) {{ :root {{{} }} }}\n{}",
      light, dark, MakeRules([](const Color& color) {
        return fmt::format("var(--{})", color.name);
      }));
}

std::string MakeSvgPicture(const Plot& plot) {
  RequireDrawable(plot);
  std::string drawing;
  DrawPlot(plot, std::back_inserter(drawing));
  const int height = DrawLegend(plot, std::back_inserter(drawing));
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' "
      "viewBox='0 0 {0} {1}'>\n<style>\n{2}</style>\n"
      "<rect class='card' width='{0}' height='{1}' />\n{3}</svg>\n",
      plot.width, height,
      MakeRules([](const Color& color) { return color.light; }), drawing);
}

void WriteSvgPicture(const Plot& plot, const std::filesystem::path& file) {
  WriteFile(file, MakeSvgPicture(plot));
}

}  // namespace wyvern::plotting
