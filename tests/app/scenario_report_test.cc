// Reports of runs and sweeps as a reader finds them: units, sensors, no numbers
// that are none.
#include "wyvern/app/scenario_report.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wyvern/app/command.h"
#include "wyvern/app/report_plots.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/sweep_page.h"
#include "wyvern/geometry/viewer/viewer.h"

namespace wyvern::app {
namespace scenario_report_test {

namespace fs = std::filesystem;
using plotting::Plot;

const fs::path kScenarios = fs::path(WYVERN_SOURCE_DIR) / "app/scenarios";

std::string Slurp(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The report without its replays, which have texts of their own.
std::string WithoutReplays(const std::string& html) {
  std::string rest;
  for (std::size_t at = 0; at < html.size();) {
    const std::size_t begin = std::min(html.find("srcdoc=\"", at), html.size());
    rest += html.substr(at, begin - at);
    at = begin == html.size() ? begin : html.find('"', begin + 8);
  }
  return rest;
}

std::string ReportOf(const std::string& scenario,
                     const std::vector<std::string>& settings) {
  const fs::path file = fs::path(testing::TempDir()) / "wyvern_report.html";
  std::vector<std::string> arguments{"run", (kScenarios / scenario).string(),
                                     "--report", file.string()};
  for (const std::string& setting : settings) {
    arguments.insert(arguments.end(), {"--set", setting});
  }
  std::ostringstream out, err;
  EXPECT_EQ(RunCommand(arguments, out, err), 0) << err.str();
  return WithoutReplays(Slurp(file));
}

std::set<std::string> TitlesOf(const std::vector<Plot>& plots) {
  std::set<std::string> titles;
  for (const Plot& plot : plots) titles.insert(plot.title + " " + plot.y_label);
  return titles;
}

TEST(ReportPlots, AJointHasAPlotAndAQuaternionOneOfItsOwn) {
  const ScenarioSimulation simulation(
      LoadScenario(kScenarios / "quadruped_drop.yaml", {"logs=[]"}),
      kScenarios);
  const auto& plant = simulation.plant();
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(3, 0, 1);
  const Eigen::MatrixXd q =
      Eigen::MatrixXd::Random(plant.num_positions(), times.size());
  const auto positions = PlotPositions(plant, times, q);
  std::set<int> rows;
  int num_quaternions = 0, num_places = 0;
  for (const Plot& plot : positions) {
    const bool is_quaternion = plot.title.ends_with(" (quaternion)");
    num_quaternions += is_quaternion ? 1 : 0;
    num_places += plot.series.size() == 3 && plot.y_label == "[m]" ? 1 : 0;
    EXPECT_EQ(plot.y_label.empty(), is_quaternion) << plot.title;
    for (const auto& series : plot.series) {
      // No quaternion is among angles.
      EXPECT_EQ(series.label.starts_with("q"), is_quaternion) << series.label;
      for (int i = 0; i < q.rows(); ++i) {
        if (series.y == q.row(i).transpose()) rows.insert(i);
      }
    }
  }
  EXPECT_EQ(num_quaternions, 1);
  EXPECT_EQ(num_places, 1);
  EXPECT_EQ(static_cast<int>(rows.size()), plant.num_positions());
}

TEST(ReportPlots, UnitsFollowTheJoint) {
  const ScenarioSimulation simulation(
      LoadScenario(kScenarios / "cart_pole_lqr.yaml",
                   {"logs=[]", "model_drivers={}"}),
      kScenarios);
  const auto& plant = simulation.plant();
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(3, 0, 1);
  const Eigen::MatrixXd two = Eigen::MatrixXd::Zero(2, 3);
  EXPECT_EQ(TitlesOf(PlotPositions(plant, times, two)),
            (std::set<std::string>{"rail [m]", "pin [rad]"}));
  EXPECT_EQ(TitlesOf(PlotVelocities(plant, times, two)),
            (std::set<std::string>{"rail [m/s]", "pin [rad/s]"}));
  const auto efforts = PlotEfforts(plant, times, two.topRows(1));
  ASSERT_EQ(efforts.size(), 1u);
  EXPECT_EQ(efforts[0].y_label, "[N]");
}

TEST(ScenarioReport, HasSensorsAndLoggedPortsWithUnits) {
  const std::string folder = testing::TempDir();
  const std::string html = ReportOf(
      "pendulum_sensors.yaml",
      {"simulation_duration=0.1",
       fmt::format("logs=[{{file: {}/report_log.csv, ports: [plant/state, "
                   "encoder_ideal/y0, accelerometer/y]}}]",
                   folder)});
  for (const char* text :
       {"\"title\":\"accelerometer\",\"x\":\"time [s]\",\"y\":\"[m/s²]\"",
        "\"title\":\"gyroscope\",\"x\":\"time [s]\",\"y\":\"[rad/s]\"",
        "\"title\":\"encoder\",\"x\":\"time [s]\",\"y\":\"[rad]\"",
        "\"title\":\"pin_force\",\"x\":\"time [s]\",\"y\":\"[N·m]\"",
        "\"title\":\"pin_force\",\"x\":\"time [s]\",\"y\":\"[N]\"",
        "\"title\":\"encoder_ideal/y0\"", "Logged ports</h2>"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
  // No sensor and no state is plotted twice.
  EXPECT_EQ(html.find("\"title\":\"accelerometer/y\""), std::string::npos);
  EXPECT_EQ(html.find("\"title\":\"plant/state\""), std::string::npos);
}

TEST(ScenarioReport, TakesNoStepsOfItsOwn) {
  for (const double time_step : {0.001, 0.003, 0.05}) {
    const Scenario scenario =
        LoadScenario(kScenarios / "arm_sway.yaml",
                     {fmt::format("plant_config.time_step={}", time_step),
                      "simulation_duration=0.6", "logs=[]"});
    const RunSummary bare = ScenarioSimulation(scenario, kScenarios).Run();
    ScenarioReport report(scenario, "arm");
    const RunSummary reported =
        ScenarioSimulation(scenario, kScenarios, true, report.Additions())
            .Run();
    EXPECT_EQ(reported.num_steps, bare.num_steps) << time_step;
    EXPECT_GE(bare.num_steps, 12);
  }
}

TEST(ScenarioReport, HasNeitherNanNorNamesOfClasses) {
  for (const char* step : {"0", "0.001"}) {
    for (const char* duration : {"0", "0.05"}) {
      const std::string html = ReportOf(
          "arm_sway.yaml",
          {fmt::format("plant_config.time_step={}", step),
           fmt::format("simulation_duration={}", duration), "logs=[]"});
      const std::regex bad(
          ">(nan|-nan|inf|-inf)<|wyvern::|Integrator&lt;|"
          "<double>|&lt;double");
      std::smatch match;
      EXPECT_FALSE(std::regex_search(html, match, bad))
          << step << " " << duration << " " << match.str();
    }
  }
}

TEST(SweepPage, HasTheTableAScatterPlotAndTheWorstRuns) {
  const fs::path folder = fs::path(testing::TempDir()) / "wyvern_sweep_page";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "results.csv")
      << "sample,status,angle,random_seed,gain,note\n"
         "0,ok,1,11,[50],done\n1,ok,3,12,[100],done\n"
         "2,failed,,13,[200],<b>broken</b>\n3,ok,2,14,[400],done\n"
         "4,failed,,15,[800],its process was ended by signal 11 (fault)\n";
  SaveSweepPage(
      {.title = "study",
       .table = folder / "results.csv",
       .num_outputs = 1,
       .rerun = [](auto i) { return fmt::format("again {}", i); },
       .replay = [](auto i) { return fmt::format("<p>replay {}</p>", i); }},
      folder / "page.html");
  const std::string html = Slurp(folder / "page.html");
  for (const char* text :
       {"5 runs, of which 2 failed.",
        "\"names\":[\"sample\",\"angle\",\"gain\"],\"x\":2,\"y\":1,"
        "\"columns\":[[0,1,null,3,null],[1,3,null,2,null],[50,100,null,400,"
        "null]]",
        "<td>0</td><td>least angle</td><td>again 0</td>",
        "<td>1</td><td>most angle</td><td>again 1</td>",
        "<td>2</td><td>failed</td><td>again 2</td>",
        "<td>4</td><td>failed</td><td>again 4</td>",
        "Sample 1: most angle</h2>", "<p>replay 2</p>",
        "&lt;b&gt;broken&lt;/b&gt;"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(html.find("<b>broken"), std::string::npos);
  // A sample that ended its process would end this one, too.
  EXPECT_EQ(html.find("<p>replay 4</p>"), std::string::npos);
}

TEST(SweepPage, TheBinsOfADistributionHoldAllRuns) {
  const fs::path folder = fs::path(testing::TempDir()) / "wyvern_sweep_bins";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream table(folder / "results.csv");
  table << "sample,status,square,flat,random_seed,note\n";
  for (int i = 0; i < 100; ++i) {
    table << fmt::format("{},ok,{},7,{},\n", i, i * i, i);
  }
  table.close();
  SaveSweepPage({.title = "study",
                 .table = folder / "results.csv",
                 .num_outputs = 2,
                 .rerun = [](auto) { return std::string("again"); }},
                folder / "page.html");
  const std::string html = Slurp(folder / "page.html");
  const auto sum_of_bins = [&html](const std::string& title) {
    const std::size_t at = html.find("{\"title\":\"" + title + "\"");
    const std::size_t begin = html.find("\"y\":[", at) + 5;
    std::istringstream numbers(
        html.substr(begin, html.find(']', begin) - begin));
    double sum = 0, number{};
    char comma{};
    while (numbers >> number) {
      sum += number;
      numbers >> comma;
    }
    return sum / 2;  // Each step has two corners.
  };
  EXPECT_EQ(sum_of_bins("square"), 100);
  EXPECT_EQ(sum_of_bins("flat"), 100);
}

TEST(SweepPage, TheCommandWritesItWithReplays) {
  const fs::path folder = fs::path(testing::TempDir()) / "wyvern_sweep_report";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const fs::path page = folder / "page.html";
  std::ostringstream out, err;
  EXPECT_EQ(
      RunCommand({"sweep", (kScenarios / "pendulum_sensors.yaml").string(),
                  "--set", "simulation_duration=0.02", "--param",
                  "initial_position.pendulum.pin=[[0.1], [0.2]]", "--output",
                  "plant/state[0]", "--folder", (folder / "study").string(),
                  "--report", page.string()},
                 out, err),
      0)
      << err.str();
  const std::string html = Slurp(page);
  EXPECT_NE(html.find("Worst runs</h2>"), std::string::npos);
  EXPECT_NE(html.find("pendulum_pin_q"), std::string::npos);
  EXPECT_EQ(html.find("<iframe") != std::string::npos,
            geometry::Viewer::IsAvailable());
}

// The rows are there already, so that the limit acts on the replays alone.
TEST(SweepPage, AReplayTakesNoLongerThanARunMay) {
  if (!geometry::Viewer::IsAvailable()) GTEST_SKIP() << "No viewer here.";
  const fs::path folder = fs::path(testing::TempDir()) / "wyvern_sweep_cut";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const fs::path page = folder / "page.html";
  std::vector<std::string> sweep{
      "sweep",    (kScenarios / "pendulum_sensors.yaml").string(),
      "--set",    "simulation_duration=0.02",
      "--param",  "initial_position.pendulum.pin=[[0.1], [0.2]]",
      "--folder", (folder / "study").string()};
  std::ostringstream out, err;
  ASSERT_EQ(RunCommand(sweep, out, err), 0) << err.str();
  sweep.insert(sweep.end(),
               {"--resume", "--report", page.string(), "--timeout", "1e-9"});
  ASSERT_EQ(RunCommand(sweep, out, err), 0) << err.str();
  EXPECT_NE(Slurp(page).find("took more than --timeout 1e-09 s"),
            std::string::npos);
}

}  // namespace scenario_report_test
}  // namespace wyvern::app
