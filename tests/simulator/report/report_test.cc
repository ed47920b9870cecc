// Laws of a report: text stays text, no network, bounded size, gaps.
#include "wyvern/simulator/report/report.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace wyvern::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const char kEvil[] = "</script><script>alert(1)</script>\"'&";

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

plotting::Plot MakePlot(const std::vector<double>& values,
                        const std::string& name = "y") {
  const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(
      values.data(), static_cast<Eigen::Index>(values.size()));
  return {.title = name,
          .x_label = name,
          .y_label = name,
          .series = {{name, Eigen::VectorXd::LinSpaced(y.size(), 0, 1), y}}};
}

TEST(FormatTable, PadsColumnsByVisibleWidth) {
  EXPECT_EQ(FormatTable({{"joint", "µ"}, {{"elbow", "1.5"}, {"b<a", "10.25"}}}),
            "joint      µ\n"
            "------------\n"
            "elbow    1.5\n"
            "b<a    10.25\n");
}

TEST(Report, HoldsWhatWasAddedInOrder) {
  Report report("A & B", "sub");
  report.AddFacts({{"error", "2 mrad", "bound 3"}});
  report.AddTable("Per joint", {{"joint", "x"}, {{"b<a", "1"}}});
  report.AddPlots("Positions", "note", {MakePlot({1, 2, 3}, "desired")});
  report.AddStatistics({{"Steps of it", {{"Rejected", "17"}}}});
  report.AddWarnings({"mass is zero"});
  report.AddText("Scenario", "a: 1\nb: 2\n");
  const std::string html = report.ToHtml();
  size_t at = 0;
  for (const char* text :
       {"<title>A &amp; B</title>", "<h1>A &amp; B</h1>", "2 mrad",
        "<td>b&lt;a</td>", "Positions</h2>", "desired</li>", "<svg",
        "Steps of it", "Rejected", "17", "mass is zero", "2 lines", "a: 1"}) {
    at = html.find(text, at);
    ASSERT_NE(at, std::string::npos) << text;
  }
}

TEST(Report, TextFromOutsideIsText) {
  Report report(kEvil, kEvil);
  const size_t before = Count(report.ToHtml(), "<script");
  report.AddFacts({{kEvil, kEvil, kEvil}});
  report.AddChecks({{kEvil, kEvil, kEvil, true}});
  report.AddTable(kEvil, {{kEvil}, {{kEvil}}});
  report.AddText(kEvil, kEvil);
  report.AddStatistics({{kEvil, {{kEvil, kEvil}}}});
  report.AddWarnings({kEvil});
  EXPECT_EQ(Count(report.ToHtml(), "<script"), before);
  EXPECT_EQ(Count(report.ToHtml(), "alert(1)</script"), 0u);
  // The data of a plot are in a script's element, with one that draws them.
  report.AddPlots(kEvil, kEvil, {MakePlot({1, 2}, kEvil)});
  EXPECT_EQ(Count(report.ToHtml(), "<script>alert"), 0u);
  EXPECT_EQ(Count(report.ToHtml(), "<script"),
            before + (Report::HasScript() ? 2 : 1));
}

TEST(Report, PlotsWithTheSameCurvesShareAKey) {
  Report same("t", "s"), different("t", "s");
  same.AddPlots("p", "", {MakePlot({1, 2}, "a"), MakePlot({1, 2}, "a")});
  different.AddPlots("p", "", {MakePlot({1, 2}, "a"), MakePlot({1, 2}, "b")});
  EXPECT_EQ(Count(same.ToHtml(), "<ul class=key>"), 1u);
  EXPECT_EQ(Count(different.ToHtml(), "<ul class=key>"), 2u);
}

TEST(Report, AScatterPlotLeavesOutRowsWithoutANumber) {
  Eigen::MatrixXd values(3, 2);
  values << 2, 10, 1, 20, 3, kNan;
  Report report("t", "s");
  report.AddScatter("p", "", {"a", kEvil}, values, 0, 1);
  const std::string html = report.ToHtml();
  // All columns for the menus, and two points in the order of x.
  EXPECT_NE(html.find("\"columns\":[[2,1,3],[10,20,null]]"), std::string::npos);
  EXPECT_NE(html.find("\"x\":[1,2],\"y\":[20,10]"), std::string::npos);
  EXPECT_EQ(Count(html, "h0"), 2u);
  EXPECT_EQ(Count(html, "<script>alert"), 0u);
}

TEST(Report, AScatterPlotIsBounded) {
  Report report("t", "s");
  report.AddScatter("p", "", {"a", "b"}, Eigen::MatrixXd::Random(200'000, 2), 0,
                    1);
  EXPECT_LT(report.ToHtml().size(), 1'000'000u);
  Report nothing("t", "s");
  nothing.AddScatter("p", "", {"a"}, Eigen::MatrixXd(0, 1), 0, 0);
  EXPECT_EQ(Count(nothing.ToHtml(), "h0"), 0u);
  EXPECT_THROW(report.AddScatter("p", "", {"a"}, Eigen::MatrixXd(2, 2), 0, 0),
               std::logic_error);
  EXPECT_THROW(report.AddScatter("p", "", {"a"}, Eigen::MatrixXd(2, 1), 0, 1),
               std::out_of_range);
}

TEST(Report, AReplayStaysInItsFrame) {
  Report report("t", "s");
  report.AddReplay("");
  EXPECT_EQ(Count(report.ToHtml(), "<iframe"), 0u);
  report.AddReplay("<p title=\"a\">&lt;</p>");
  EXPECT_NE(report.ToHtml().find(
                "srcdoc=\"<p title=&quot;a&quot;>&amp;lt;</p>\"></iframe>"),
            std::string::npos);
  EXPECT_EQ(Count(report.ToHtml(), "allow-same-origin"), 0u);
}

TEST(Report, AsksTheNetworkForNothing) {
  Report report("t", "s");
  report.AddPlots("p", "", {MakePlot({1, 2})});
  const std::string html = report.ToHtml();
  for (const char* text :
       {"src=", "href=\"http", "@import", "url(", "fetch(", "XMLHttpRequest"}) {
    EXPECT_EQ(html.find(text), std::string::npos) << text;
  }
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
}

TEST(Report, ANumberThatIsNoneIsAGap) {
  Report report("t", "s");
  report.AddPlots("p", "", {MakePlot({1, 2, kNan, 3, HUGE_VAL, 4})});
  const std::string html = report.ToHtml();
  EXPECT_NE(html.find("\"y\":[1,2,null,3,null,4]"), std::string::npos);
  EXPECT_EQ(Count(html, "<polyline"), 3u);
  Report nothing("t", "s");
  nothing.AddPlots("p", "", {MakePlot({kNan, kNan})});
  EXPECT_EQ(Count(nothing.ToHtml(), "<polyline"), 0u);
}

TEST(Report, SizeIsBoundedAndExtremesStay) {
  std::vector<double> y(1'000'000);
  for (int i = 0; i < 1'000'000; ++i) y[i] = std::sin(1e-5 * i);
  y[123'457] = 7.5;
  y[654'321] = -8.25;
  y[777'777] = kNan;
  Report report("t", "s");
  report.AddPlots("p", "", {MakePlot(y)});
  report.AddText("text", std::string(10'000'000, 'x'));
  const std::string html = report.ToHtml();
  EXPECT_LT(html.size(), 600'000u);
  for (const char* text : {",7.5,", ",-8.25,", "null", "first 256 kB"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
}

TEST(Report, SaysWhetherItsChecksHavePassed) {
  Report report("t", "s");
  EXPECT_EQ(report.ToHtml().find("class=\"verdict"), std::string::npos);
  report.AddChecks({{"a", "1", "2", true}, {"b", "1", "2", true}});
  EXPECT_NE(report.ToHtml().find("all 2 checks passed"), std::string::npos);
  report.AddChecks({{"c", "3", "2", false}});
  EXPECT_NE(report.ToHtml().find("1 of 3 checks failed"), std::string::npos);
}

TEST(Report, RefusesWhatCannotBeDrawn) {
  Report report("t", "s");
  EXPECT_THROW(report.AddTable("t", {{"a", "b"}, {{"1"}}}), std::logic_error);
  plotting::Plot plot = MakePlot({1, 2});
  plot.series[0].x[0] = kNan;
  EXPECT_THROW(report.AddPlots("p", "", {plot}), std::logic_error);
  plot = MakePlot({1, 2});
  plot.series[0].y.resize(3);
  EXPECT_THROW(report.AddPlots("p", "", {plot}), std::logic_error);
  // And what was refused leaves nothing.
  EXPECT_EQ(report.ToHtml().find("<h2"), std::string::npos);
}

}  // namespace
}  // namespace wyvern::report
