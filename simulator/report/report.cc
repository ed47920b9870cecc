#include "wyvern/simulator/report/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "wyvern/simulator/report/report_script.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/plotting/write_file.h"

/* The body grows by one section a call, and ToHtml() puts the head, the style
and the script around it. All text from outside goes through EscapeHtml(),
and what a script reads is JSON without '<', in an element of its own.

A plot is there twice: as SVG, which every browser shows, and as its data,
from which the script makes a plot that zooms in place of the picture. Curves
are thinned for both: of each stretch of samples the first, the least, the
largest and a gap stay. */

namespace wyvern::report {

using plotting::EscapeHtml;
using plotting::Plot;
using plotting::Series;
using plotting::Stroke;

namespace {

constexpr int kMaxPoints = 2000;
constexpr Eigen::Index kMaxDots = 5000;
constexpr size_t kMaxText = 256 * 1024;

constexpr std::string_view kStyle = R"css(
:root { --page: #f6f6f4; --rule: #e2e2de; --good: #12805c; --bad: #c8372d;
  --accent: #0f8b8d; }
@media (prefers-color-scheme: dark) { :root { --page: #131312;
  --rule: #343431; --good: #4cc38a; --bad: #f0736a; --accent: #3fb6b8; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 60px; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
header, main, footer { max-width: 1160px; margin: 0 auto;
  padding: 0 max(16px, env(safe-area-inset-left)); }
header { padding-top: 26px; }
.brand { display: flex; align-items: center; gap: 8px; font-size: 13px;
  font-weight: 600; letter-spacing: .02em; color: var(--accent); }
.brand svg { width: 18px; height: 18px; fill: currentColor; }
h1 { font-size: clamp(24px, 4.4vw, 34px); line-height: 1.15; margin: 8px 0 6px;
  letter-spacing: -.015em; display: flex; flex-wrap: wrap; gap: 6px 14px;
  align-items: center; overflow-wrap: anywhere; }
h2 { font-size: 19px; margin: 40px 0 4px; letter-spacing: -.01em; }
p { margin: 0 0 12px; color: var(--soft); max-width: 75ch;
  overflow-wrap: anywhere; }
.verdict { font-size: 13px; font-weight: 600; letter-spacing: 0;
  padding: 3px 12px; border-radius: 99px; border: 1px solid currentColor; }
.good { color: var(--good); } .bad { color: var(--bad); }
nav { position: sticky; top: 0; z-index: 5; background: var(--page);
  border-bottom: 1px solid var(--rule); margin-top: 14px; }
nav div { max-width: 1160px; margin: 0 auto; padding: 0 8px; display: flex;
  overflow-x: auto; scrollbar-width: none; }
nav a { color: var(--soft); text-decoration: none; font-size: 14px;
  padding: 11px 10px; white-space: nowrap; }
nav a:hover, nav a:focus-visible { color: var(--ink); }
.facts { display: grid; gap: 12px; margin-top: 22px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 150px), 1fr)); }
.box { background: var(--card); border: 1px solid var(--rule);
  border-radius: 10px; padding: 12px 14px; }
.facts span { display: block; color: var(--soft); font-size: 13px; }
.facts b { display: block; font-size: 25px; font-weight: 650; line-height: 1.3;
  letter-spacing: -.015em; overflow-wrap: anywhere; }
.plots { display: grid; gap: 12px;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--w)), 1fr)); }
.plot { padding: 8px 8px 4px; min-width: 0; }
.plot > svg { display: block; width: 100%; height: auto; }
.key { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px;
  margin: 0 0 10px; padding: 0; font-size: 13px; color: var(--soft); }
.key svg { display: inline-block; width: 22px; height: 10px;
  vertical-align: middle; margin-right: 6px; }
.scroll { overflow-x: auto; padding: 0; }
table { border-collapse: collapse; width: 100%;
  font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { padding: 7px 14px; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { color: var(--soft); font-weight: 500; font-size: 13px; }
tr + tr td, thead + tbody td { border-top: 1px solid var(--rule); }
.checks td { text-align: left; white-space: normal; }
.checks td:first-child { width: 1%; font-weight: 700; white-space: nowrap; }
.figures { columns: 2 340px; column-gap: 34px; }
.figures div { display: flex; justify-content: space-between; gap: 16px;
  padding: 5px 0; border-bottom: 1px solid var(--rule); font-size: 14px;
  break-inside: avoid; }
.figures span { color: var(--soft); }
.figures b { font-weight: 500; font-variant-numeric: tabular-nums;
  text-align: right; overflow-wrap: anywhere; }
.group + .group { margin-top: 12px; }
h3 { font-size: 14px; font-weight: 600; margin: 0 0 4px;
  overflow-wrap: anywhere; }
details { padding: 0; } summary { cursor: pointer; padding: 11px 14px;
  color: var(--soft); } summary:hover { color: var(--ink); }
pre { margin: 0; padding: 4px 14px 14px; overflow: auto; max-height: 70vh;
  font: 12.5px/1.5 ui-monospace, monospace; }
.warnings { margin: 0; padding: 10px 14px 10px 32px; }
.warnings li { padding: 2px 0; overflow-wrap: anywhere; }
.replay { padding: 0; overflow: hidden; }
.replay iframe { display: block; border: 0; width: 100%;
  height: clamp(320px, 62vh, 640px); }
footer { padding-top: 34px; padding-bottom: 44px; color: var(--soft);
  font-size: 13px; }
@media (max-width: 600px) { header { padding-top: 18px; }
  h2 { margin-top: 30px; } th, td { padding: 6px 10px; } }
@media print { nav, .replay { display: none; } .box { break-inside: avoid; } }
)css";

constexpr std::string_view kLogo =
    "<svg viewBox=\"0 0 16 16\" aria-hidden=true><path "
    "d=\"M1 3l4 3 3-4 3 4 4-3-3 10-4 2-4-2z\"/></svg>";

// Content security policy of the page; a replay inside is bound by it, too.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src "
    "'unsafe-inline'; img-src data: blob:; media-src blob:; connect-src data: "
    "blob:";

// The samples that stay, by their numbers, in order.
std::vector<Eigen::Index> Thin(const Series& series) {
  const Eigen::Index n = series.y.size();
  std::vector<Eigen::Index> kept;
  if (n <= kMaxPoints) {
    for (Eigen::Index i = 0; i < n; ++i) kept.push_back(i);
    return kept;
  }
  // Four of a stretch, and the last of all.
  const Eigen::Index num_stretches = (kMaxPoints - 1) / 4;
  for (Eigen::Index k = 0; k < num_stretches; ++k) {
    const Eigen::Index begin = k * n / num_stretches;
    const Eigen::Index end = (k + 1) * n / num_stretches;
    Eigen::Index least = -1, largest = -1, gap = -1;
    for (Eigen::Index i = begin; i < end; ++i) {
      const double y = series.y[i];
      if (!std::isfinite(y)) {
        gap = i;
        continue;
      }
      if (least < 0 || y < series.y[least]) least = i;
      if (largest < 0 || y > series.y[largest]) largest = i;
    }
    std::array<Eigen::Index, 4> few{begin, least, largest, gap};
    std::ranges::sort(few);
    for (const Eigen::Index i : few) {
      if (i >= 0 && (kept.empty() || i > kept.back())) kept.push_back(i);
    }
  }
  if (kept.back() != n - 1) kept.push_back(n - 1);
  return kept;
}

Series Pick(const Series& series, const std::vector<Eigen::Index>& which) {
  Series result{.label = series.label,
                .x = series.x(which),
                .y = series.y(which),
                .color = series.color,
                .stroke = series.stroke};
  return result;
}

void RequireDrawable(const Series& series, const Plot& plot) {
  const std::string where =
      fmt::format("{}' of plot '{}", series.label, plot.title);
  const auto who =
      wyvern::internal::Caller("Report::AddPlots").Of("series", where);
  wyvern::internal::RequireSize(who, "y", series.y.size(), series.x.size());
  wyvern::internal::RequireFinite(who, "x", series.x);
}

// The plot without what is not finite: a curve for each stretch between gaps.
Plot WithoutGaps(const Plot& plot) {
  Plot result = plot;
  result.series.clear();
  for (const Series& series : plot.series) {
    std::vector<Eigen::Index> stretch;
    const auto end_stretch = [&] {
      if (!stretch.empty()) result.series.push_back(Pick(series, stretch));
      stretch.clear();
    };
    for (Eigen::Index i = 0; i < series.y.size(); ++i) {
      if (std::isfinite(series.y[i])) {
        stretch.push_back(i);
      } else {
        end_stretch();
      }
    }
    end_stretch();
  }
  return result;
}

void AppendNumbers(const Eigen::VectorXd& numbers, int digits,
                   std::string* json) {
  *json += '[';
  for (Eigen::Index i = 0; i < numbers.size(); ++i) {
    if (i > 0) *json += ',';
    if (std::isfinite(numbers[i])) {
      fmt::format_to(std::back_inserter(*json), "{:.{}g}", numbers[i], digits);
    } else {
      *json += "null";
    }
  }
  *json += ']';
}

// Without '<', which only texts have: a script's element would end there.
std::string EscapeScriptData(const std::string& json) {
  std::string safe;
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string ToJson(const Plot& plot) {
  using wyvern::internal::JsonString;
  std::string json = fmt::format(
      R"({{"title":{},"x":{},"y":{},"width":{},"height":{},"limits":)",
      JsonString(plot.title), JsonString(plot.x_label),
      JsonString(plot.y_label), plot.width, plot.height);
  AppendNumbers(
      Eigen::Map<const Eigen::VectorXd>(
          plot.limits.data(), static_cast<Eigen::Index>(plot.limits.size())),
      7, &json);
  json += ",\"series\":[";
  for (const Series& series : plot.series) {
    if (&series != &plot.series.front()) json += ',';
    json += fmt::format(R"({{"label":{},"color":{},"band":{},"dots":{},"x":)",
                        JsonString(series.label), series.color,
                        series.stroke == Stroke::kBand,
                        series.stroke == Stroke::kPoints);
    AppendNumbers(series.x, 10, &json);
    json += ",\"y\":";
    AppendNumbers(series.y, 7, &json);
    json += '}';
  }
  return EscapeScriptData(json + "]}");
}

// Whether one key above all plots says what each of them shows.
bool HaveSameKey(const std::vector<Plot>& plots) {
  return std::ranges::all_of(plots, [&plots](const Plot& plot) {
    return std::ranges::equal(plot.series, plots.front().series,
                              [](const Series& a, const Series& b) {
                                return a.label == b.label &&
                                       a.color == b.color &&
                                       a.stroke == b.stroke;
                              });
  });
}

std::string KeyOf(const Plot& plot) {
  std::string html = "<ul class=key>";
  constexpr std::string_view kKey =
      "<li><svg viewBox=\"0 0 22 10\"><line class=\"{}\" x1=1 x2=21 y1=5 y2=5 "
      "/></svg>{}</li>";
  for (const Series& series : plot.series) {
    const char* const stroke = series.stroke == Stroke::kBand     ? "band"
                               : series.stroke == Stroke::kPoints ? "dots"
                                                                  : "line";
    html += fmt::format(kKey, fmt::format("{} c{}", stroke, series.color),
                        EscapeHtml(series.label));
  }
  if (!plot.limits.empty()) html += fmt::format(kKey, "limit", "limit");
  return html + "</ul>\n";
}

}  // namespace

Report::Report(const std::string& title, const std::string& subtitle)
    : title_(EscapeHtml(title)), subtitle_(EscapeHtml(subtitle)) {}

bool Report::HasScript() { return !internal::ReportScript().empty(); }

// Each section has a heading, except that facts and checks need none.
void Report::Begin(const std::string& heading) {
  headings_.push_back(EscapeHtml(heading));
  body_ += fmt::format("<h2 id=s{}>{}</h2>\n", headings_.size() - 1,
                       headings_.back());
}

void Report::AddFacts(const std::vector<Fact>& facts) {
  body_ += "<div class=facts>\n";
  for (const Fact& fact : facts) {
    body_ += fmt::format(
        "<div class=box><span>{}</span><b>{}</b><span>{}</span></div>\n",
        EscapeHtml(fact.label), EscapeHtml(fact.value), EscapeHtml(fact.note));
  }
  body_ += "</div>\n";
}

void Report::AddChecks(const std::vector<Check>& checks) {
  Begin("Checks");
  body_ += "<div class=\"box scroll\"><table class=checks>\n";
  for (const Check& check : checks) {
    ++num_checks_;
    if (check.passed) ++num_passed_;
    body_ += fmt::format(
        "<tr><td class={}>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        check.passed ? "good" : "bad", check.passed ? "✓ passed" : "✗ failed",
        EscapeHtml(check.name), EscapeHtml(check.value),
        EscapeHtml(check.bound));
  }
  body_ += "</table></div>\n";
}

void Report::AddTable(const std::string& heading, const Table& table) {
  internal::RequireWholeRows("Report::AddTable", table);
  Begin(heading);
  const auto row_of = [](const std::vector<std::string>& cells,
                         std::string_view tag) {
    std::string row = "<tr>";
    for (const std::string& cell : cells) {
      row += fmt::format("<{0}>{1}</{0}>", tag, EscapeHtml(cell));
    }
    return row + "</tr>\n";
  };
  body_ += "<div class=\"box scroll\"><table>\n";
  body_ += "<thead>" + row_of(table.headings, "th") + "</thead><tbody>\n";
  for (const auto& row : table.rows) body_ += row_of(row, "td");
  body_ += "</tbody></table></div>\n";
}

void Report::AddPlots(const std::string& heading, const std::string& note,
                      const std::vector<Plot>& plots) {
  std::string cards;
  const bool has_one_key = HaveSameKey(plots);
  for (const Plot& plot : plots) {
    Plot thinned = plot;
    for (Series& series : thinned.series) {
      RequireDrawable(series, plot);
      series = Pick(series, Thin(series));
    }
    cards += fmt::format(
        "<div class=\"box plot\">{}{}<script type=\"application/json\">{}"
        "</script></div>\n",
        RenderSvg(WithoutGaps(thinned)), has_one_key ? "" : KeyOf(plot),
        ToJson(thinned));
  }
  Begin(heading);
  body_ += fmt::format("<p>{}</p>\n", EscapeHtml(note));
  if (plots.empty()) return;
  has_plots_ = true;
  if (has_one_key) body_ += KeyOf(plots.front());
  body_ += fmt::format("<div class=plots style=\"--w:{}px\">\n{}</div>\n",
                       plots.front().width, cards);
}

void Report::AddScatter(const std::string& heading, const std::string& note,
                        const std::vector<std::string>& names,
                        const Eigen::MatrixXd& values, int x, int y) {
  const auto who = wyvern::internal::Caller("Report::AddScatter");
  const auto count = static_cast<int>(names.size());
  wyvern::internal::RequireSize(who, "values", values.cols(), count);
  wyvern::internal::RequireIndex(who, "x", x, count);
  wyvern::internal::RequireIndex(who, "y", y, count);
  Begin(heading);
  body_ += fmt::format("<p>{}</p>\n", EscapeHtml(note));
  // Rows that are evenly apart, if there are too many.
  const Eigen::Index stride = (values.rows() + kMaxDots - 1) / kMaxDots;
  const Eigen::Index num_rows =
      stride == 0 ? 0 : (values.rows() + stride - 1) / stride;
  const Eigen::MatrixXd kept = values(
      Eigen::seqN(0, num_rows, std::max<Eigen::Index>(stride, 1)), Eigen::all);
  std::vector<Eigen::Index> drawn;
  std::string json = "{\"names\":[";
  for (const std::string& name : names) {
    if (&name != &names.front()) json += ',';
    json += wyvern::internal::JsonString(name);
  }
  json += fmt::format("],\"x\":{},\"y\":{},\"columns\":[", x, y);
  for (int i = 0; i < count; ++i) {
    if (i > 0) json += ',';
    AppendNumbers(kept.col(i), 7, &json);
  }
  json += "]}";
  for (Eigen::Index i = 0; i < num_rows; ++i) {
    if (std::isfinite(kept(i, x)) && std::isfinite(kept(i, y))) {
      drawn.push_back(i);
    }
  }
  std::ranges::stable_sort(drawn, {},
                           [&](Eigen::Index i) { return kept(i, x); });
  const Plot plot{.title = fmt::format("{} over {}", names[y], names[x]),
                  .x_label = names[x],
                  .series = {{names[y], kept(drawn, x), kept(drawn, y), 0,
                              Stroke::kPoints}},
                  .width = 1060,
                  .height = 360};
  has_plots_ = true;
  body_ += fmt::format(
      "<div class=scatter><script type=\"application/json\">{}</script>"
      "<div class=plots style=\"--w:{}px\"><div class=\"box plot\">{}"
      "<script type=\"application/json\">{}</script></div></div></div>\n",
      EscapeScriptData(json), plot.width, RenderSvg(plot), ToJson(plot));
}

void Report::AddText(const std::string& heading, const std::string& text) {
  Begin(heading);
  size_t size = std::min(text.size(), kMaxText);
  // Not in the middle of a character.
  while (size > 0 && size < text.size() && (text[size] & 0xC0) == 0x80) --size;
  body_ += fmt::format(
      "<details class=box><summary>{} lines{}</summary><pre>{}</pre></details>"
      "\n",
      std::ranges::count(text, '\n') + (text.ends_with('\n') ? 0 : 1),
      size < text.size()
          ? fmt::format(", of which the first {} kB", size / 1024)
          : "",
      EscapeHtml(text.substr(0, size)));
}

void Report::AddStatistics(
    const std::vector<systems::StatisticsGroup>& groups) {
  if (groups.empty()) return;
  Begin("Statistics");
  for (const systems::StatisticsGroup& group : groups) {
    body_ +=
        fmt::format("<div class=\"box group\"><h3>{}</h3><div class=figures>\n",
                    EscapeHtml(group.name));
    if (group.figures.empty()) body_ += "<span>idle</span>";
    for (const auto& [label, value] : group.figures) {
      body_ += fmt::format("<div><span>{}</span><b>{}</b></div>\n",
                           EscapeHtml(label), EscapeHtml(value));
    }
    body_ += "</div></div>\n";
  }
}

void Report::AddWarnings(const std::vector<std::string>& warnings) {
  Begin("Warnings");
  if (warnings.empty()) {
    body_ += "<p>None.</p>\n";
    return;
  }
  body_ += "<div class=box style=\"padding:0\"><ul class=warnings>\n";
  for (const std::string& warning : warnings) {
    body_ += fmt::format("<li>{}</li>\n", EscapeHtml(warning));
  }
  body_ += "</ul></div>\n";
}

void Report::AddReplay(std::string_view html, const std::string& heading) {
  if (html.empty()) return;
  Begin(heading);
  std::string escaped;
  escaped.reserve(html.size() + html.size() / 8);
  for (const char c : html) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  body_ += fmt::format(
      "<div class=\"box replay\"><iframe title=\"{}\" sandbox=\""
      "allow-scripts allow-downloads\" allowfullscreen srcdoc=\"{}\"></iframe>"
      "</div>\n",
      headings_.back(), escaped);
}

std::string Report::ToHtml() const {
  std::string verdict;
  if (num_checks_ > 0) {
    const bool is_good = num_passed_ == num_checks_;
    verdict = fmt::format(
        "<span class=\"verdict {}\">{}</span>", is_good ? "good" : "bad",
        is_good ? (num_checks_ == 1
                       ? std::string("✓ check passed")
                       : fmt::format("✓ all {} checks passed", num_checks_))
                : fmt::format("✗ {} of {} checks failed",
                              num_checks_ - num_passed_, num_checks_));
  }
  std::string links;
  for (size_t i = 0; i < headings_.size(); ++i) {
    links += fmt::format("<a href=\"#s{}\">{}</a>", i, headings_[i]);
  }
  const bool has_script = has_plots_ && HasScript();
  std::string script;
  if (has_script) {
    script = fmt::format("<script>{}</script>\n", internal::ReportScript());
  }
  return fmt::format(
      "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<title>{}</title>\n<style>{}{}{}</style>\n</head>\n<body>\n"
      "<header><div class=brand>{}Wyvern</div><h1>{}{}</h1><p>{}</p></header>\n"
      "{}<main>\n{}</main>\n<footer>Made by Wyvern. This file needs no "
      "network.{}</footer>\n{}</body>\n</html>\n",
      kPolicy, title_, plotting::PlotStyle(),
      has_script ? internal::ReportScriptStyle() : "", kStyle, kLogo, title_,
      verdict, subtitle_,
      links.empty() ? "" : fmt::format("<nav><div>{}</div></nav>\n", links),
      body_,
      has_script ? " Drag across a plot, or pinch, to zoom; double-click, or "
                   "double-tap, for the whole."
                 : "",
      script);
}

void Report::Save(const std::filesystem::path& file) const {
  plotting::WriteFile(file, ToHtml());
}

}  // namespace wyvern::report
