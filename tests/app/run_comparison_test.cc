// Differences of two runs by closed forms, and what cannot be compared.
#include "wyvern/app/run_comparison.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/app/command.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"

namespace wyvern::app {
namespace run_comparison_test {

namespace fs = std::filesystem;

fs::path Put(const std::string& name, const std::string& text) {
  const fs::path file = fs::path(testing::TempDir()) / "wyvern_compare" / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

// y(t) = a + b t at n + 1 times from 0 to 1 s.
std::string Line(const std::string& name, double a, double b, int n) {
  std::string text = "time," + name + "\n";
  for (int i = 0; i <= n; ++i) {
    const double t = static_cast<double>(i) / n;
    text += fmt::format("{},{}\n", t, a + b * t);
  }
  return text;
}

TEST(RunComparison, ALineThatTurnsHasTheNormOfItsSlope) {
  // Sampled otherwise; a line is interpolated exactly. The difference is t.
  const auto result = CompareRuns(Put("a.csv", Line("x", 1, 2, 10)),
                                  Put("b.csv", Line("x", 1, 3, 7)));
  ASSERT_EQ(result.columns.size(), 1u);
  const ColumnComparison& x = result.columns[0];
  EXPECT_EQ(x.times.size(), 11);
  EXPECT_NEAR(x.largest, 1, 1e-12);
  EXPECT_NEAR(x.time_of_largest, 1, 1e-12);
  // The sum of k^2 from 0 to 10 is 385.
  EXPECT_NEAR(x.rms, std::sqrt(385.0 / 100 / 11), 1e-12);
  EXPECT_NEAR(x.first_period, 0.1, 1e-12);
  EXPECT_NEAR(x.second_period, 1.0 / 7, 1e-12);
}

TEST(RunComparison, OnlyTimesInCommonCount) {
  const auto result = CompareRuns(Put("a.csv", "t,x\n0,9\n1,1\n2,1\n3,9\n"),
                                  Put("b.csv", "t,x\n0.5,2\n2.5,2\n"));
  EXPECT_EQ(result.columns[0].times, Eigen::Vector2d(1, 2));
  EXPECT_EQ(result.columns[0].largest, 1);
}

TEST(RunComparison, ValuesOfAnySizeHaveAFiniteDifference) {
  const auto result = CompareRuns(Put("a.csv", "t,x\n0,1e300\n1,1e300\n"),
                                  Put("b.csv", "t,x\n0,-1e300\n1,-1e300\n"));
  EXPECT_DOUBLE_EQ(result.columns[0].rms, 2e300);
  EXPECT_THROWS_MESSAGE(CompareRuns(Put("a.csv", "t,x\n0,1e308\n"),
                                    Put("b.csv", "t,x\n0,-1e308\n")),
                        std::runtime_error, "too large for a number");
}

TEST(RunComparison, MeasuredColumnsMatchByTheirLastWordOrAsTold) {
  const fs::path log =
      Put("a.csv", "time,plant/state/elbow_q,plant/state/elbow_w\n0,1,2\n");
  const fs::path measured =
      Put("b.csv", "\xef\xbb\xbf# logger\r\nt, elbow_q ,speed\r\n0,1.5,2\r\n");
  auto result = CompareRuns(log, measured);
  ASSERT_EQ(result.columns.size(), 1u);
  EXPECT_EQ(result.columns[0].name, "plant/state/elbow_q = elbow_q");
  EXPECT_EQ(result.columns[0].largest, 0.5);
  EXPECT_EQ(result.only_first, std::vector<std::string>{"plant/state/elbow_w"});
  EXPECT_EQ(result.only_second, std::vector<std::string>{"speed"});
  result = CompareRuns(log, measured,
                       {.matches = {{"plant/state/elbow_w", "speed"}}});
  ASSERT_EQ(result.columns.size(), 2u);
  EXPECT_EQ(result.columns[1].largest, 0);
  // Elements of two ports with the same name are two things.
  EXPECT_THROWS_MESSAGE(CompareRuns(Put("c.csv", "t,a/y/x\n0,1\n"),
                                    Put("d.csv", "t,b/y/x\n0,1\n")),
                        std::runtime_error,
                        "have no column in common: the first has a/y/x, the "
                        "second has b/y/x; give --match FIRST=SECOND.");
}

TEST(RunComparison, WhatIsMissingIsNamed) {
  const fs::path a = Put("a.csv", "t,elbow\n0,1\n"),
                 b = Put("b.csv", "t,elbow,wrist\n0,1,2\n");
  EXPECT_THROWS_MESSAGE(CompareRuns(a, b, {.columns = {"elbw"}}),
                        std::runtime_error,
                        "a.csv has no column 'elbw'; did you mean 'elbow'?");
  EXPECT_THROWS_MESSAGE(CompareRuns(b, a, {.columns = {"wrist"}}),
                        std::runtime_error,
                        "a.csv has no column 'wrist'; it has elbow. Give "
                        "--match 'wrist=COLUMN'.");
  EXPECT_THROWS_MESSAGE(CompareRuns(a, b, {.matches = {{"elbow", "wist"}}}),
                        std::runtime_error, "did you mean 'wrist'?");
}

TEST(RunComparison, FilesThatAreNoTablesAreErrors) {
  const fs::path good = Put("good.csv", "t,x\n0,1\n");
  const auto compare = [&good](const std::string& text) {
    CompareRuns(good, Put("bad.csv", text));
  };
  EXPECT_THROWS_MESSAGE(compare(""), std::runtime_error, "bad.csv is empty");
  EXPECT_THROWS_MESSAGE(compare("t,x\n"), std::runtime_error,
                        "there are no rows below the names");
  EXPECT_THROWS_MESSAGE(compare("t,x\n1,1\n0,1\n"), std::runtime_error,
                        "the time 0 follows 1; sort the rows");
  EXPECT_THROWS_MESSAGE(compare("t,x,x\n0,1,2\n"), std::runtime_error,
                        "has two columns 'x'; rename one of them.");
  EXPECT_THROWS_MESSAGE(compare("t,x\n0,1,2\n"), std::runtime_error,
                        "there are 2 names, and rows of 3 numbers");
  EXPECT_THROWS_MESSAGE(compare("t,x\n0,nan\n"), std::runtime_error,
                        "bad.csv:2: nan is not a finite number");
  EXPECT_THROWS_MESSAGE(compare("t;x\n0;1\n"), std::runtime_error,
                        "bad.csv:2: this is no row of numbers");
  EXPECT_THROWS_MESSAGE(compare("t,x\n5,1\n6,1\n"), std::runtime_error,
                        "no sample between 5 s and 6 s");
  EXPECT_THROWS_MESSAGE(CompareRuns(good, "no_such.csv"), std::runtime_error,
                        "no_such.csv does not exist");
  EXPECT_THROWS_MESSAGE(CompareRuns(good, Put("x.mcap", "\x89MCAP0\r\n")),
                        std::runtime_error, "`wyvern compare` does not take");
}

TEST(RunComparison, ALogEqualsItselfInBothFormats) {
  if (!systems::Hdf5RecordingSink::is_available()) {
    GTEST_SKIP() << "This library was built without HDF5.";
  }
  const fs::path folder = Put("x", "").parent_path();
  const fs::path scenarios = fs::path(WYVERN_SOURCE_DIR) / "app/scenarios";
  Scenario scenario =
      LoadScenario(scenarios / "cart_pole_lqr.yaml",
                   {"simulation_duration=0.1", "model_drivers={}"});
  scenario.logs = {{.file = (folder / "run.h5").string()},
                   {.file = (folder / "run.csv").string()}};
  ScenarioSimulation(scenario, scenarios).Run();
  const auto result = CompareRuns(folder / "run.h5", folder / "run.csv");
  EXPECT_EQ(result.columns.size(), 4u);
  for (const ColumnComparison& column : result.columns) {
    EXPECT_EQ(column.largest, 0) << column.name;
    EXPECT_EQ(column.times.size(), 11) << column.name;
  }
  EXPECT_TRUE(result.only_first.empty() && result.only_second.empty());
}

TEST(RunComparison, TheCommandFailsAboveItsToleranceAndWritesAPage) {
  const std::string a = Put("a.csv", Line("<b>", 0, 1, 10)).string(),
                    b = Put("b.csv", Line("<b>", 0.25, 0.75, 10)).string();
  const fs::path page = Put("page.html", "");
  std::ostringstream out, err;
  EXPECT_EQ(RunCommand({"compare", a, b, "--tolerance", "0.3", "--report",
                        page.string()},
                       out, err),
            0)
      << err.str();
  EXPECT_NE(out.str().find("0.25"), std::string::npos) << out.str();
  std::stringstream html;
  html << std::ifstream(page).rdbuf();
  for (const char* text : {"second - first", "&lt;b&gt;", "Difference"}) {
    EXPECT_NE(html.str().find(text), std::string::npos) << text;
  }
  EXPECT_EQ(html.str().find("<td><b>"), std::string::npos);
  EXPECT_EQ(RunCommand({"compare", a, b, "--tolerance", "0.2"}, out, err), 1);
  EXPECT_EQ(err.str(),
            "wyvern: <b> differs by 0.25 at 0 s, more than --tolerance 0.2.\n");
  err.str("");
  EXPECT_EQ(RunCommand({"compare", a, b, "--match", "x"}, out, err), 1);
  EXPECT_NE(err.str().find("--match x: give FIRST=SECOND"), std::string::npos);
}

}  // namespace run_comparison_test
}  // namespace wyvern::app
