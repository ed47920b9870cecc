// `wyvern view` and `run --report` as a person has them: a page in a browser
// without a window, with the program in a process of its own.
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wyvern/app/command.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"

namespace wyvern::app {
namespace {

namespace fs = std::filesystem;

std::string ReadAll(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The last line of what a browser says after these steps.
std::string Browse(const std::string& url,
                   const std::vector<std::string>& steps) {
  std::string command = fmt::format(
      "'{0}' '{1}/tests/geometry/viewer/page_steps.mjs' "
      "'{1}/geometry/viewer/web/node_modules/playwright-core/index.mjs' '{2}' "
      "'{3}'",
      WYVERN_NODE, WYVERN_SOURCE_DIR, WYVERN_CHROMIUM, url);
  for (const std::string& step : steps) command += " '" + step + "'";
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  EXPECT_EQ(pclose(pipe), 0) << text;
  return text;
}

constexpr const char* kModel = R"(<robot name="bar">
  <link name="base"/>
  <link name="bar"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size="0.1 0.1 1"/></geometry></visual></link>
  <joint name="lift" type="prismatic"><parent link="base"/><child link="bar"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="{}" effort="1" velocity="1"/>
  </joint></robot>)";

class ViewTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!geometry::Viewer::IsAvailable()) GTEST_SKIP() << "No viewer here.";
    if (!fs::exists(WYVERN_CHROMIUM)) {
      GTEST_SKIP() << "There is no chromium to open the page with.";
    }
    fs::create_directories(folder_);
  }
  void TearDown() override {
    if (child_ > 0) kill(child_, SIGKILL);
    fs::remove_all(folder_);
  }

  // Waits for what `file` says until it has `text`.
  std::string WaitFor(const std::string& text) {
    for (int i = 0; i < 400; ++i) {
      const std::string said = ReadAll(folder_ / "out");
      if (said.find(text) != std::string::npos) return said;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ADD_FAILURE() << "no '" << text << "' in: " << ReadAll(folder_ / "out");
    return {};
  }

  // Starts the program; returns the address that it says.
  std::string Start(const std::vector<std::string>& arguments) {
    child_ = fork();
    if (child_ == 0) {
      std::ofstream out(folder_ / "out");
      const int code = RunCommand(arguments, out, out);
      out.close();
      _exit(code);
    }
    const std::string said = WaitFor(" to see it");
    const size_t begin = said.find("http://");
    return said.substr(begin, said.find(' ', begin) - begin);
  }

  // As Ctrl-C; returns the exit code.
  int Interrupt() {
    kill(child_, SIGINT);
    int status = -1;
    waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / fmt::format("wyvern_view_{}", getpid());
  pid_t child_{-1};
};

TEST_F(ViewTest, ASliderMovesABodyAndAChangedFileIsReadAgain) {
  const fs::path model = folder_ / "bar.urdf";
  std::ofstream(model) << fmt::format(kModel, 1);
  const std::string url = Start({"view", model.string()});
  const std::string path = "/wyvern/illustration/bar/bar";
  EXPECT_EQ(Browse(url, {"wait-for=" + path, "slide=lift:0.75",
                         "wait-for-height=" + path + ":0.75"}),
            "");
  // An unreadable file is reported, and the model shown stays.
  std::ofstream(model) << "<robot";
  WaitFor("bar.urdf:");
  std::ofstream(model) << fmt::format(kModel, 2);
  WaitFor("read again");
  EXPECT_EQ(Browse(url, {"wait-for-height=" + path + ":0.75", "slide=lift:1.5",
                         "wait-for-height=" + path + ":1.5"}),
            "");
  EXPECT_EQ(Interrupt(), 0);
}

// The diagram is live, the simulation pauses, and Ctrl-C ends that, too.
TEST_F(ViewTest, ARunPausesAndStepsInThePage) {
  const std::string url =
      Start({"run", WYVERN_SOURCE_DIR "/app/scenarios/arm_sway.yaml", "--set",
             "logs=[]", "--until", "1000", "--view"});
  const std::string said = Browse(
      url, {"wait-for-time=0.1", "key=Space", "time", "time", "diagram=open"});
  std::istringstream lines(said);
  std::string first, second, diagram;
  ASSERT_TRUE(lines >> first >> second >> diagram) << said;
  EXPECT_EQ(first, second);
  EXPECT_GT(std::stod(first.substr(1)), 0.1);
  EXPECT_GT(std::stod(diagram.substr(1)), 3) << diagram;  // Blocks.
  EXPECT_EQ(Interrupt(), 0);
}

// Names of joints, from the plant, and of axes, from a sensor. Both ends of a
// wire have them.
TEST_F(ViewTest, ARunNamesTheElementsOfItsPortsOnThePage) {
  const std::string url =
      Start({"run", WYVERN_SOURCE_DIR "/app/scenarios/pendulum_sensors.yaml",
             "--set", "logs=[]", "--until", "1000", "--view"});
  const std::string said =
      Browse(url, {"size=1100x800", "wait-for-time=0.1", "diagram=open",
                   "hover=plant · state", "tip", "hover=encoder_ideal · u0",
                   "tip", "hover=accelerometer · y", "tip"});
  const std::regex wanted(
      R"x([^]*\["pendulum_pin_q [^,]* rad","pendulum_pin_w [^,]* rad/s"\])x"
      R"x([^]*\["pendulum_pin_q [^,]*","pendulum_pin_w [^,]*"\])x"
      R"x([^]*\["accelerometer_x [^,]*","accelerometer_y [^,]*",)x"
      R"x("accelerometer_z [^,]*"\]\n)x");
  EXPECT_TRUE(std::regex_match(said, wanted)) << said;
  EXPECT_EQ(Interrupt(), 0);
}

TEST_F(ViewTest, ARunWaitsForAPageAndStartsPausedIfTold) {
  const std::string url =
      Start({"run", WYVERN_SOURCE_DIR "/app/scenarios/arm_sway.yaml", "--set",
             "logs=[]", "--until", "0.3", "--view", "--paused"});
  WaitFor("The run starts when a page is open");
  const std::string said =
      Browse(url, {"time", "time", "key=Space", "wait-for-time=0.1"});
  std::istringstream lines(said);
  std::string first, second;
  ASSERT_TRUE(lines >> first >> second) << said;
  EXPECT_EQ(first, second);
  EXPECT_EQ(std::stod(first.substr(1)), 0);
  WaitFor("ended at t = 0.3 s");
  EXPECT_EQ(Interrupt(), 0);
}

TEST_F(ViewTest, APageStartsARunAgainWhileItRunsAndAfterItsEnd) {
  const std::string url =
      Start({"run", WYVERN_SOURCE_DIR "/app/scenarios/arm_sway.yaml", "--set",
             "logs=[]", "--set",
             "tunables=[{path: plant_config.time_step, min: -0.01, max: 0.01}]",
             "--until", "1.5", "--view"});
  EXPECT_EQ(Browse(url, {"wait-for-time=0.3", "press=Restart (R)"}), "");
  WaitFor("the run starts again");
  WaitFor("ended at t = 1.5 s");
  WaitFor("has a timeline");
  // A number that makes no run is said, and the numbers of before stay.
  EXPECT_EQ(Browse(url, {"slide=plant_config.time_step:-0.005",
                         "press=Restart (R)", "wait-for-time=0.1"}),
            "");
  EXPECT_NE(WaitFor("the numbers of the last run stay").find("-0.005"),
            std::string::npos);
  EXPECT_EQ(Interrupt(), 0);
}

// A person adds a block and a wire, makes a mistake, and runs the result. The
// file is written when the person says so, with its comments.
TEST_F(ViewTest, APersonEditsBlocksAndRunsThemAgain) {
  const fs::path file = folder_ / "pole.yaml";
  const fs::path scenarios = WYVERN_SOURCE_DIR "/app/scenarios";
  fs::copy(scenarios / "cart_pole.urdf", folder_ / "cart_pole.urdf");
  fs::copy(scenarios / "cart_pole_blocks.yaml", file);
  const std::string before = ReadAll(file);
  const std::string url = Start(
      {"run", file.string(), "--set", "logs=[]", "--until", "1000", "--view"});
  const std::string said = Browse(
      url, {"size=1100x800", "wait-for-time=0.1", "press=Edit",
            // A mistake is shown with its line, and the run goes on.
            "choose=Type of the block:Gain", "fill=Name of the block:trim",
            "fill=Fields of the block:kk: [0.5]", "press=Add block",
            "wait-for-text=pole.yaml:22:", "count=#editor pre .marked",
            "wait-for-time=0.8",
            // The mended block, and a wire to it.
            "fill=Fields of the block:k: [0.5]", "press=Add block",
            "wait-for-text=u0 → y0", "choose=Wire from:limit/y0",
            "choose=Wire to:trim/u0", "press=Add wire",
            "wait-for-text=limit/y0 → trim/u0", "count=#editor pre .marked",
            "press=Run edited", "wait-for-text=starts again with the edits"});
  EXPECT_EQ(said, "[1]\n[0]\n");
  WaitFor("the run starts again");
  EXPECT_EQ(ReadAll(file), before);
  EXPECT_EQ(Browse(url, {"size=1100x800", "wait-for-time=0.1", "press=Edit",
                         "press=Save to file", "wait-for-text=is saved"}),
            "");
  std::string expected = before;
  expected.insert(expected.find("connections:"), "  trim: !Gain {k: [0.5]}\n");
  expected.insert(expected.find("logs:"), "- {from: limit/y0, to: trim/u0}\n");
  EXPECT_EQ(ReadAll(file), expected);
  EXPECT_EQ(Interrupt(), 0);
}

TEST_F(ViewTest, CtrlCEndsARunThatWaitsForAPage) {
  Start({"run", WYVERN_SOURCE_DIR "/app/scenarios/arm_sway.yaml", "--set",
         "logs=[]", "--until", "0.3", "--view"});
  WaitFor("The run starts when a page is open");
  EXPECT_EQ(Interrupt(), 0);
}

TEST_F(ViewTest, ALogPlaysAsItsRunDid) {
  if (!systems::Hdf5RecordingSink::is_available()) {
    GTEST_SKIP() << "This library was built without HDF5.";
  }
  const fs::path log = folder_ / "sway.h5";
  std::ostringstream out, err;
  ASSERT_EQ(
      RunCommand({"run", WYVERN_SOURCE_DIR "/app/scenarios/arm_sway.yaml",
                  "--set", "logs=[]", "--until", "0.5", "--log", log.string()},
                 out, err),
      0)
      << err.str();
  const std::string url = Start({"view", log.string()});
  WaitFor("has a timeline");
  const std::string said =
      Browse(url, {"seek=0.25", "events", "press=Scopes", "scope=plant/state"});
  // The end of the run is an event of the log at the end of the timeline; the
  // last sample is that of 0.5 s.
  EXPECT_NE(said.find("[100]"), std::string::npos) << said;
  EXPECT_NE(said.find(",0.5,"), std::string::npos) << said;
  EXPECT_EQ(Interrupt(), 0);
}

TEST_F(ViewTest, ARunIsShownAndHasATimelineAfterwards) {
  const std::string url =
      Start({"run", WYVERN_SOURCE_DIR "/app/scenarios/arm_sway.yaml", "--set",
             "logs=[]", "--until", "0.5", "--view", "--no-wait"});
  WaitFor("has a timeline");
  EXPECT_EQ(Browse(url, {"seek=0.25"}), "");
  // Wires still show the last values.
  EXPECT_NE(Browse(url, {"diagram=open", "press=Values", "readings"}), "");
  EXPECT_EQ(Interrupt(), 0);
}

// Names of a model, a body and a joint that are made to break a page.
TEST_F(ViewTest, HostileNamesAreTextsInAReport) {
  const std::string hostile =
      " &lt;/script&gt;&lt;script&gt;window.intrusions = 1&lt;/script&gt;"
      "&lt;img src=x onerror='window.intrusions = 2'&gt;&amp;amp; \u202eabc";
  const fs::path model = folder_ / "hostile.urdf", file = folder_ / "x.html";
  std::ofstream(model) << fmt::format(
      R"(<robot name="model{0}"><link name="base"/>
  <link name="body{0}"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size="0.1 0.1 1"/></geometry></visual></link>
  <joint name="joint{0}" type="continuous"><parent link="base"/>
    <child link="body{0}"/><axis xyz="0 1 0"/></joint></robot>)",
      hostile);
  std::ostringstream out, err;
  ASSERT_EQ(RunCommand({"run", model.string(), "--base", "welded", "--until",
                        "0.2", "--report", file.string()},
                       out, err),
            0)
      << err.str();
  const std::string said =
      Browse("file://" + file.string(), {"report", "intrusions"});
  EXPECT_NE(said.find("\n[0,"), std::string::npos) << said;
}

TEST_F(ViewTest, AReportPlaysAndPlotsWithoutANetwork) {
  const fs::path file = folder_ / "arm.html";
  std::ostringstream out, err;
  ASSERT_EQ(RunCommand(
                {"run", WYVERN_SOURCE_DIR "/app/scenarios/arm_sway.yaml",
                 "--set", "logs=[]", "--until", "1", "--report", file.string()},
                out, err),
            0)
      << err.str();
  EXPECT_LT(fs::file_size(file), 2'000'000u);
  // Read the curves and samples of the first plot and the replay's length.
  const std::string said = Browse("file://" + file.string(), {"report"});
  std::istringstream stream(said);
  char mark{};
  double curves{}, samples{}, duration{};
  stream >> mark >> curves >> mark >> samples >> mark >> duration;
  EXPECT_GE(curves, 1) << said;
  EXPECT_EQ(samples, 101) << said;
  EXPECT_NEAR(duration, 1, 0.05) << said;
}

TEST(View, SaysWhatItCannotShow) {
  const auto error = [](const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    EXPECT_EQ(RunCommand(arguments, out, err), 1);
    return err.str();
  };
  const auto write = [](const char* name, const char* text) {
    const fs::path file = fs::path(testing::TempDir()) / name;
    std::ofstream(file) << text;
    return file.string();
  };
  EXPECT_NE(error({"view", "no_such.urdf"}).find("no_such.urdf does not exist"),
            std::string::npos);
  EXPECT_NE(error({"view", write("view_test_a.csv", "t,x\n")}).find("is a log"),
            std::string::npos);
  EXPECT_NE(error({"view", write("view_test_none.h5", "none")})
                .find("neither a scenario, a model nor a log"),
            std::string::npos);
  const std::string model =
      write("view_test_a.urdf", "<robot name='r'><link name='l'/></robot>");
  EXPECT_NE(error({"view", model, "--set", "x=1"}).find("--set is for"),
            std::string::npos);
}

}  // namespace
}  // namespace wyvern::app
