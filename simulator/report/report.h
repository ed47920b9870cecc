#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/simulator/report/table.h"
#include "wyvern/simulator/statistics_group.h"
#include "wyvern/systems/plotting/svg_plot.h"

namespace wyvern::report {

/** A figure that the reader should see first. */
struct Fact {
  /** Meaning of the figure. */
  std::string label{};
  /** The figure with its unit. */
  std::string value{};
  /** A remark in small print; may be empty. */
  std::string note{};
};

/** Requirement on a run, and whether the run met it. */
struct Check {
  /** The requirement. */
  std::string name{};
  /** Value that the run gave, and its limit. */
  std::string value{};
  /** The limit in words, such as "at most 1e-8 J". */
  std::string bound{};
  /** True if the run met the requirement. */
  bool passed{};
};

/** Report of a run, as a web page in one file:

@code
Simulator<double> simulator(plant);
simulator.AdvanceTo(10);
report::Report report("Pendulum", "Ten swings without friction.");
report.AddChecks({{"Energy drift", "2e-9 J", "at most 1e-8 J", true}});
report.AddStatistics(systems::CollectStatistics(simulator));
report.Save("pendulum.html");
@endcode

The page opens from disk and asks no network for anything. It follows the
reader's preference for light or dark, and fits a phone. Sections come in the
order of the calls; nothing added is HTML except a replay: `<b>` is text. Plots
zoom; where scripts do not run, or the library was built without Node.js, they
are still pictures.

What is added is bounded: of a curve at most 2000 points are kept, its extremes
among them, and of a text the first 256 kB. */
class Report {
 public:
  /** The subtitle says in a sentence or two what was simulated. */
  Report(const std::string& title, const std::string& subtitle);

  /** Whether plots zoom, for which the library has to be built with Node.js. */
  static bool HasScript();

  /** A row of large figures. */
  void AddFacts(const std::vector<Fact>& facts);
  /** A line a check; the page's head says whether all have passed. */
  void AddChecks(const std::vector<Check>& checks);
  /** Adds a table below a heading.
  @throws std::logic_error naming the row that has not as many cells as
  there are headings. */
  void AddTable(const std::string& heading, const Table& table);
  /** A grid of plots; `note` says in a sentence what to look at. A value that
  is not finite is a gap in its curve. Plots of one call zoom together, and
  share a key if their curves have the same names.
  @throws std::logic_error if a series has x and y of different sizes, an x that
  is not finite, or a colour that there is not. */
  void AddPlots(const std::string& heading, const std::string& note,
                const std::vector<plotting::Plot>& plots);
  /** A scatter plot of two columns of a table, with menus that choose others.
  At most 5000 rows are kept, evenly apart; a row is left out of a plot if one
  of its two values is not finite.
  @param names of the columns.
  @param values a column for each name. @param x, y the columns at first.
  @throws std::logic_error if there are not as many columns as names.
  @throws std::out_of_range if x or y is not a column. */
  void AddScatter(const std::string& heading, const std::string& note,
                  const std::vector<std::string>& names,
                  const Eigen::MatrixXd& values, int x, int y);
  /** Lines as they are, such as a scenario, folded until the reader opens it.
   */
  void AddText(const std::string& heading, const std::string& text);
  /** Adds counters, such as those that systems::CollectStatistics() returns for
  a simulation; an empty list adds nothing. */
  void AddStatistics(const std::vector<systems::StatisticsGroup>& groups);
  /** Remarks; a sentence that there are none if it is empty. */
  void AddWarnings(const std::vector<std::string>& warnings);
  /** A page that plays, as Viewer::StaticHtml() gives it: it runs its script,
  without access to the report around it. Nothing is added if it is empty. */
  void AddReplay(std::string_view html, const std::string& heading = "Replay");

  /** The whole page. */
  std::string ToHtml() const;
  /** Writes the page to a file; a failure leaves no partial file.
  @throws std::runtime_error naming the file if it cannot be written. */
  void Save(const std::filesystem::path& file) const;

 private:
  void Begin(const std::string& heading);

  std::string title_;
  std::string subtitle_;
  std::vector<std::string> headings_;
  std::string body_;
  int num_checks_{0};
  int num_passed_{0};
  bool has_plots_{false};
};

}  // namespace wyvern::report
