// The body grows by one piece of HTML a call, and ToHtml() puts the style and
// the head around it. All text from outside goes through EscapeHtml(). The
// table for a terminal counts characters, not bytes, as units are UTF-8.

#include "examples/support/html_report.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace wyvern::examples {

using plotting::EscapeHtml;
using plotting::Plot;
using plotting::Series;
using plotting::Stroke;

namespace {

constexpr std::string_view kStyle = R"(
:root { --page: #fbfbfa; --rule: #e4e4e0; }
@media (prefers-color-scheme: dark) { :root {
  --page: #161615; --rule: #353532; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 28px 20px 60px; max-width: 1120px;
  background: var(--page); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 25px; margin: 0 0 2px; }
h2 { font-size: 17px; margin: 34px 0 4px; }
p { margin: 0 0 10px; color: var(--soft); }
.facts { display: grid; gap: 10px; margin-top: 20px;
  grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); }
.card { background: var(--card); border: 1px solid var(--rule);
  border-radius: 6px; padding: 10px 12px; }
.facts span { display: block; color: var(--soft); font-size: 13px; }
.facts b { display: block; font-size: 23px; font-weight: 600; }
.plots { display: grid; gap: 10px;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--w)), 1fr)); }
.plots .card { padding: 8px 8px 2px; }
.scroll { overflow-x: auto; padding: 0; }
table { border-collapse: collapse; width: 100%;
  font-variant-numeric: tabular-nums; }
th, td { padding: 5px 12px; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { color: var(--soft); font-weight: 500; font-size: 13px; }
td { border-top: 1px solid var(--rule); }
ul { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px;
  margin: 0 0 10px; padding: 0; font-size: 13px; color: var(--soft); }
li svg { display: inline-block; width: 22px; height: 10px;
  vertical-align: middle; margin-right: 6px; }
svg { display: block; width: 100%; height: auto; }
)";

std::string LegendOf(const Plot& plot) {
  std::string html = "<ul>";
  constexpr std::string_view kKey =
      "<li><svg viewBox=\"0 0 22 10\"><line class=\"{}\" x1=1 x2=21 y1=5 y2=5 "
      "/></svg>{}</li>";
  for (const Series& series : plot.series) {
    const bool band = series.stroke == Stroke::kBand;
    html += fmt::format(
        kKey, fmt::format("{} c{}", band ? "band" : "line", series.color),
        EscapeHtml(series.label));
  }
  if (!plot.limits.empty()) html += fmt::format(kKey, "limit", "limit");
  return html + "</ul>\n";
}

// Characters that a terminal shows: UTF-8 continuation bytes take no room.
size_t WidthOf(const std::string& text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (c & 0xC0) != 0x80; });
}

}  // namespace

std::string FormatTable(const Table& table) {
  std::vector<size_t> widths;
  for (size_t c = 0; c < table.headings.size(); ++c) {
    size_t width = WidthOf(table.headings[c]);
    for (const auto& row : table.rows) {
      width = std::max(width, WidthOf(row.at(c)));
    }
    widths.push_back(width);
  }
  std::string text;
  const auto add_row = [&](const std::vector<std::string>& cells) {
    for (size_t c = 0; c < widths.size(); ++c) {
      const std::string padding(widths[c] - WidthOf(cells[c]), ' ');
      text += c == 0 ? cells[c] + padding : "  " + padding + cells[c];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  add_row(table.headings);
  size_t total = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (const size_t width : widths) total += width;
  text += std::string(total, '-') + '\n';
  for (const auto& row : table.rows) add_row(row);
  return text;
}

HtmlReport::HtmlReport(const std::string& title, const std::string& subtitle)
    : title_(EscapeHtml(title)),
      body_(fmt::format("<h1>{}</h1>\n<p>{}</p>\n", title_,
                        EscapeHtml(subtitle))) {}

void HtmlReport::AddFacts(const std::vector<Fact>& facts) {
  body_ += "<div class=facts>\n";
  for (const Fact& fact : facts) {
    body_ += fmt::format(
        "<div class=card><span>{}</span><b>{}</b><span>{}</span></div>\n",
        EscapeHtml(fact.label), EscapeHtml(fact.value), EscapeHtml(fact.note));
  }
  body_ += "</div>\n";
}

void HtmlReport::AddTable(const std::string& heading, const Table& table) {
  const auto row_of = [](const std::vector<std::string>& cells,
                         std::string_view tag) {
    std::string row = "<tr>";
    for (const std::string& cell : cells) {
      row += fmt::format("<{0}>{1}</{0}>", tag, EscapeHtml(cell));
    }
    return row + "</tr>\n";
  };
  body_ += fmt::format("<h2>{}</h2>\n<div class=\"card scroll\"><table>\n",
                       EscapeHtml(heading));
  body_ += row_of(table.headings, "th");
  for (const auto& row : table.rows) body_ += row_of(row, "td");
  body_ += "</table></div>\n";
}

void HtmlReport::AddPlots(const std::string& heading, const std::string& note,
                          const std::vector<Plot>& plots) {
  body_ += fmt::format("<h2>{}</h2>\n<p>{}</p>\n", EscapeHtml(heading),
                       EscapeHtml(note));
  if (plots.empty()) return;
  body_ += LegendOf(plots.front());
  body_ += fmt::format("<div class=plots style=\"--w:{}px\">\n",
                       plots.front().width);
  for (const Plot& plot : plots) {
    body_ += fmt::format("<div class=card>{}</div>\n", RenderSvg(plot));
  }
  body_ += "</div>\n";
}

std::string HtmlReport::ToHtml() const {
  return fmt::format(
      "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}{}</style>\n{}</html>\n",
      title_, plotting::PlotStyle(), kStyle, body_);
}

}  // namespace wyvern::examples
