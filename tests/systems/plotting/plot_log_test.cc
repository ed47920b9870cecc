#include "wyvern/systems/plotting/plot_log.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/vector_log_sink.h"

namespace wyvern::plotting {
namespace plot_log_test {

using systems::VectorLog;

// A sine and its two derivatives, the sine also logged ten times as densely.
struct SineRun {
  SineRun() {
    systems::DiagramBuilder<double> builder;
    const auto* sine =
        builder.AddSystem<systems::Sine<double>>(2.0, 3.0, 0.0, 2);
    slow = LogVectorOutput(sine->get_output_port(0), &builder, 0.1);
    fast = LogVectorOutput(sine->get_output_port(1), &builder, 0.01);
    simulator = std::make_unique<systems::Simulator<double>>(builder.Build());
    simulator->AdvanceTo(1.0);
  }
  const VectorLog<double>& Log(const systems::VectorLogSink<double>* sink) {
    return sink->FindLog(simulator->get_context());
  }
  const systems::VectorLogSink<double>*slow{}, *fast{};
  std::unique_ptr<systems::Simulator<double>> simulator;
};

TEST(PlotLog, HasACurveForEachRowOverTime) {
  SineRun run;
  const Plot plot =
      PlotLog(run.Log(run.slow), {"left", "right"}, "Wings", "angle [rad]");
  EXPECT_EQ(plot.title, "Wings");
  EXPECT_EQ(plot.x_label, "time [s]");
  EXPECT_EQ(plot.y_label, "angle [rad]");
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(plot.series[1].label, "right");
  ASSERT_EQ(plot.series[1].x.size(), 11);
  for (int k = 0; k <= 10; ++k) {
    EXPECT_NEAR(plot.series[1].x[k], 0.1 * k, 1e-15);
    EXPECT_NEAR(plot.series[1].y[k], 2 * std::sin(3 * 0.1 * k), 1e-14);
  }
}

TEST(PlotLogs, DrawsLogsOfDifferentTimesInColoursOfTheirOwn) {
  SineRun run;
  const Plot plot = PlotLogs({{&run.Log(run.slow), {"a", "b"}},
                              {&run.Log(run.fast), {"a rate", "b rate"}}},
                             "t", "y");
  ASSERT_EQ(plot.series.size(), 4u);
  EXPECT_EQ(plot.series[0].x.size(), 11);
  EXPECT_EQ(plot.series[2].x.size(), 101);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(plot.series[i].color, i);
  const std::string picture = MakeSvgPicture(plot);
  EXPECT_TRUE(picture.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"));
  for (const char* label : {">a</text>", ">b rate</text>", "c3"}) {
    EXPECT_NE(picture.find(label), std::string::npos) << label;
  }
  // Programs that draw SVG know no variables.
  EXPECT_EQ(picture.find("var("), std::string::npos);
  EXPECT_EQ(picture.find('$'), std::string::npos);
}

TEST(PlotLogs, RepeatsColoursAfterTheLast) {
  VectorLog<double> log(kNumSeriesColors + 1);
  log.AddData(0.0, Eigen::VectorXd::Zero(kNumSeriesColors + 1));
  const Plot plot = PlotLog(
      log, std::vector<std::string>(kNumSeriesColors + 1, "row"), "t", "y");
  EXPECT_EQ(plot.series.back().color, 0);
  EXPECT_NO_THROW(MakeSvgPicture(plot));
}

TEST(PlotLogs, RefusesWhatCannotBeDrawn) {
  VectorLog<double> log(1);
  EXPECT_THROWS_MESSAGE(PlotLog(log, {"v"}, "Speed", "m/s"), std::logic_error,
                        "PlotLogs(): plot 'Speed': the log of 'v' has no "
                        "samples; simulate first");
  log.AddData(0.0, Vector1<double>(1.0));
  log.AddData(0.5, Vector1<double>(std::nan("")));
  EXPECT_THROWS_MESSAGE(PlotLog(log, {"v"}, "Speed", "m/s"), std::logic_error,
                        "plot 'Speed': 'v' is nan at time 0.5 s");
  log.Clear();
  log.AddData(1.0, Vector1<double>(-std::numeric_limits<double>::infinity()));
  EXPECT_THROWS_MESSAGE(PlotLog(log, {"v"}, "Speed", "m/s"), std::logic_error,
                        "'v' is -inf at time 1 s");
  EXPECT_THROWS_MESSAGE(PlotLog(log, {"v", "w"}, "t", "y"), std::logic_error,
                        "there are 2 names for the 1 rows of a log");
  EXPECT_THROWS_MESSAGE(PlotLog(VectorLog<double>(0), {}, "t", "y"),
                        std::logic_error, "a log has no rows");
  EXPECT_THROWS_MESSAGE(PlotLogs({}, "t", "y"), std::logic_error,
                        "there is no log");
  EXPECT_THROWS_MESSAGE(PlotLogs({{nullptr, {"v"}}}, "t", "y"),
                        std::logic_error, "a log is null");
}

}  // namespace plot_log_test
}  // namespace wyvern::plotting
