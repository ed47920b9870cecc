#include "wyvern/systems/plotting/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::plotting {
namespace {

using Eigen::VectorXd;

Plot PlotOf(const VectorXd& x, const VectorXd& y) {
  return {.title = "t", .series = {{"s", x, y}}};
}

int Count(const std::string& text, const std::string& what) {
  int count = 0;
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

int NumPoints(const std::string& svg) {
  const size_t start = svg.find("points='");
  return Count(svg.substr(start, svg.find("'>", start) - start), ",");
}

TEST(MakeTicks, AreRoundMultiplesInsideTheRange) {
  EXPECT_EQ(MakeTicks(0.0, 10.0, 5), std::vector<double>({0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(MakeTicks(-1.1, 1.1, 4),
            std::vector<double>({-1, -0.5, 0.0, 0.5, 1}));
  EXPECT_EQ(MakeTicks(120.0, 480.0, 4), std::vector<double>({200, 300, 400}));
}

TEST(MakeTicks, EndWhereNumbersAreFartherApartThanTicks) {
  const std::vector<double> ticks = MakeTicks(1e16, 1e16 + 2, 100);
  ASSERT_FALSE(ticks.empty());
  EXPECT_LE(ticks.size(), 1001u);
  EXPECT_TRUE(std::ranges::is_sorted(ticks, std::less_equal<>()));
}

TEST(RenderSvg, RefusesALimitThatIsNotFinite) {
  const VectorXd x = VectorXd::LinSpaced(10, 0.0, 1.0);
  Plot plot = PlotOf(x, x);
  plot.limits = {1.0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROWS_MESSAGE(RenderSvg(plot), std::logic_error, "a limit is nan");
}

TEST(MakeTicks, RefusesAnEmptyOrInfiniteRange) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THROWS_MESSAGE(MakeTicks(1.0, 1.0, 4), std::logic_error,
                        "range [1, 1]");
  EXPECT_THROWS_MESSAGE(MakeTicks(0.0, inf, 4), std::logic_error, "inf");
}

TEST(RenderSvg, StraightLineNeedsTwoPoints) {
  const VectorXd x = VectorXd::LinSpaced(1000, 0.0, 1.0);
  EXPECT_EQ(NumPoints(RenderSvg(PlotOf(x, 3.0 * x))), 2);
}

TEST(RenderSvg, CurveKeepsEnoughPointsToLookSmooth) {
  const VectorXd x = VectorXd::LinSpaced(5000, 0.0, 6.0);
  const int points = NumPoints(RenderSvg(PlotOf(x, x.array().sin())));
  EXPECT_GT(points, 20);
  EXPECT_LT(points, 200);
}

TEST(RenderSvg, KeepsASpikeOfOneSample) {
  const VectorXd x = VectorXd::LinSpaced(1001, 0.0, 1.0);
  VectorXd y = VectorXd::Zero(1001);
  y[500] = 1.0;
  EXPECT_EQ(NumPoints(RenderSvg(PlotOf(x, y))), 5);
}

TEST(RenderSvg, LimitsAreInsideThePlot) {
  Plot plot = PlotOf(VectorXd::LinSpaced(2, 0.0, 1.0), VectorXd::Zero(2));
  plot.limits = {-100.0, 100.0};
  const std::string svg = RenderSvg(plot);
  EXPECT_EQ(Count(svg, "class='limit'"), 2);
  EXPECT_EQ(Count(svg, ">100</text>"), 1);
}

TEST(RenderSvg, DrawsConstantAndEmptySeries) {
  const VectorXd x = VectorXd::LinSpaced(3, 0.0, 1.0);
  EXPECT_EQ(NumPoints(RenderSvg(PlotOf(x, VectorXd::Constant(3, 7.0)))), 2);
  EXPECT_EQ(NumPoints(RenderSvg(PlotOf(VectorXd(0), VectorXd(0)))), 0);
}

TEST(RenderSvg, EscapesTexts) {
  Plot plot = PlotOf(VectorXd::Zero(1), VectorXd::Zero(1));
  plot.title = "a<b & \"c\"";
  const std::string svg = RenderSvg(plot);
  EXPECT_NE(svg.find("a&lt;b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_EQ(svg.find("a<b"), std::string::npos);
}

TEST(RenderSvg, RefusesUnequalSizesAndNonFiniteValues) {
  EXPECT_THROWS_MESSAGE(RenderSvg(PlotOf(VectorXd::Zero(2), VectorXd::Zero(3))),
                        std::logic_error,
                        "series 's' of plot 't': y has size 3");
  const VectorXd nan = VectorXd::Constant(2, std::nan(""));
  EXPECT_THROWS_MESSAGE(RenderSvg(PlotOf(VectorXd::Zero(2), nan)),
                        std::logic_error, "y[0] is nan; it must be finite");
}

TEST(RenderSvg, DrawsASingleSampleAsADot) {
  EXPECT_EQ(NumPoints(RenderSvg(PlotOf(VectorXd::Zero(1), VectorXd::Ones(1)))),
            2);
}

TEST(RenderSvg, RefusesAColourThatThereIsNot) {
  Plot plot = PlotOf(VectorXd::Zero(1), VectorXd::Zero(1));
  plot.series[0].color = kNumSeriesColors;
  EXPECT_THROWS_MESSAGE(RenderSvg(plot), std::logic_error,
                        "series 's' of plot 't': color is 8; it must be from "
                        "0 to 7");
}

// A page takes its colours from variables that PlotStyle() sets.
TEST(PlotStyle, SetsTheVariablesThatItUses) {
  const std::string style = PlotStyle();
  EXPECT_EQ(style.find('$'), std::string::npos);
  for (size_t at = style.find("var("); at != std::string::npos;
       at = style.find("var(", at + 1)) {
    const std::string name = style.substr(at + 4, style.find(')', at) - at - 4);
    EXPECT_EQ(Count(style, name + ": "), 2) << name;
  }
}

TEST(SvgPicture, PutsLongLegendsOnSeveralLines) {
  Plot plot{.title = "t"};
  const auto height_of = [&plot] {
    const std::string svg = MakeSvgPicture(plot);
    return std::stoi(svg.substr(svg.find("height='") + 8));
  };
  plot.series = {{"short", VectorXd::Zero(1), VectorXd::Zero(1)}};
  const int one_line = height_of();
  EXPECT_GT(one_line, plot.height);
  for (int i = 0; i < 7; ++i) {
    plot.series.push_back({"a rather long name of a row", VectorXd::Zero(1),
                           VectorXd::Zero(1), i});
  }
  EXPECT_GE(height_of(), one_line + 3 * 18);
}

TEST(SvgPicture, IsWrittenToAFile) {
  const std::string file = ::testing::TempDir() + "svg_picture/line.svg";
  const Plot plot =
      PlotOf(VectorXd::LinSpaced(2, 0, 1), VectorXd::LinSpaced(2, 0, 1));
  WriteSvgPicture(plot, file);
  std::ifstream stream(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}),
            MakeSvgPicture(plot));
  EXPECT_THROWS_MESSAGE(WriteSvgPicture(plot, "/proc/no/line.svg"),
                        std::runtime_error, "/proc/no/line.svg");
}

// The labels of the ticks of an axis, or of both.
std::vector<std::string> TickLabels(const std::string& svg) {
  std::vector<std::string> labels;
  for (size_t at = svg.find("class='tick'"); at != std::string::npos;
       at = svg.find("class='tick'", at + 1)) {
    const size_t begin = svg.find('>', at) + 1;
    labels.push_back(svg.substr(begin, svg.find('<', begin) - begin));
  }
  return labels;
}

TEST(RenderSvg, LabelsOfNeighbouringTicksDiffer) {
  for (const double offset : {0.0, 1.0, -1.0, 1e5, -1e5, 123456.0, 1e9}) {
    for (const double span : {1e-5, 3e-4, 1e-2, 20.0, 5e5}) {
      const double size = std::max(std::abs(offset), span);
      if (span < 1e-5 * size) continue;
      const VectorXd y{{offset, offset + span}};
      std::vector<std::string> labels =
          TickLabels(RenderSvg(PlotOf(VectorXd{{0, 1}}, y)));
      // Labels of y come first: as many as there are lines of the grid.
      labels.resize(Count(RenderSvg(PlotOf(VectorXd{{0, 1}}, y)), "'grid'"));
      EXPECT_GE(labels.size(), 2u);
      std::ranges::sort(labels);
      EXPECT_EQ(std::ranges::adjacent_find(labels), labels.end())
          << offset << " + " << span;
    }
  }
}

}  // namespace
}  // namespace wyvern::plotting
