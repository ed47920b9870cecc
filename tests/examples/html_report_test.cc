#include "examples/support/html_report.h"

#include <gtest/gtest.h>

namespace wyvern::examples {
namespace {

const Table kTable{{"joint", "µ"}, {{"elbow", "1.5"}, {"b<a", "10.25"}}};

TEST(FormatTable, PadsColumnsByVisibleWidth) {
  EXPECT_EQ(FormatTable(kTable),
            "joint      µ\n"
            "------------\n"
            "elbow    1.5\n"
            "b<a    10.25\n");
}

TEST(HtmlReport, HoldsWhatWasAddedInOrder) {
  HtmlReport report("A & B", "sub");
  report.AddFacts({{"error", "2 mrad", "bound 3"}});
  report.AddTable("Per joint", kTable);
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(2, 0.0, 1.0);
  report.AddPlots(
      "Positions", "note",
      {plotting::Plot{.title = "elbow", .series = {{"desired", x, x}}}});
  const std::string html = report.ToHtml();
  size_t at = 0;
  for (const char* text :
       {"<title>A &amp; B</title>", "<h1>A &amp; B</h1>", "2 mrad",
        "<td>b&lt;a</td>", "<h2>Positions</h2>", "desired</li>", "<svg"}) {
    at = html.find(text, at);
    ASSERT_NE(at, std::string::npos) << text;
  }
}

TEST(HtmlReport, AsksTheNetworkForNothing) {
  const std::string html = HtmlReport("t", "s").ToHtml();
  for (const char* text : {"http", "src=", "@import", "url(", "<script"}) {
    EXPECT_EQ(html.find(text), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace wyvern::examples
