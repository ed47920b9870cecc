#pragma once

#include <string>
#include <vector>

#include "wyvern/systems/plotting/svg_plot.h"

namespace wyvern::examples {

/// A table of texts: one heading per column, rows of as many cells. The first
/// column is aligned left, the others right.
struct Table {
  std::vector<std::string> headings{};
  std::vector<std::vector<std::string>> rows{};
};

/// The table for a terminal: columns padded, a rule under the headings.
std::string FormatTable(const Table& table);

/// A figure that the reader should see first.
struct Fact {
  std::string label{};
  std::string value{};
  std::string note{};
};

/// A web page in one file that needs no network: style, tables and plots are
/// all inside. It follows the reader's light or dark preference.
class HtmlReport {
 public:
  HtmlReport(const std::string& title, const std::string& subtitle);

  /// A row of large figures.
  void AddFacts(const std::vector<Fact>& facts);

  void AddTable(const std::string& heading, const Table& table);

  /// A grid of plots that share one legend, that of the first; `note` says in a
  /// sentence what to look at.
  void AddPlots(const std::string& heading, const std::string& note,
                const std::vector<plotting::Plot>& plots);

  /// The whole page.
  std::string ToHtml() const;

 private:
  std::string title_;
  std::string body_;
};

}  // namespace wyvern::examples
