// Tuned numbers of a page go into the scenario file, if somebody says so, and
// into the next run.
#include "wyvern/app/run_controls.h"

#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "tests/support/expect_throws.h"
#include "wyvern/app/scenario_io.h"

namespace wyvern::app {
namespace run_controls_test {

namespace fs = std::filesystem;
using geometry::Viewer;
using geometry::test::PageClient;

constexpr const char* kScenario = R"(# A scenario with remarks.
plant_config: {time_step: 0.01}
model_files: [{file: bar.urdf}]
actuators: {bar: {}}
model_drivers:
  bar: !PdDriver
    kp: [20]  # soft
disturbances:
- {body: 'bar::bar', force: [0, 0, 1.5], duration: 1}  # up
tunables:
- {model: bar, gain: kp, max: 100}
- {path: 'disturbances[0].force[2]', min: -5, max: 5}
)";

constexpr const char* kModel = R"(<robot name="bar">
  <link name="base"/>
  <link name="bar"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="fixed" type="fixed"><parent link="world"/><child link="base"/>
  </joint>
  <joint name="lift" type="prismatic"><parent link="base"/><child link="bar"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="1" effort="1" velocity="1"/>
  </joint></robot>)";

class RunControlsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
    fs::create_directories(folder_);
    std::ofstream(file_) << kScenario;
    std::ofstream(folder_ / "bar.urdf") << kModel;
    viewer_ = std::make_shared<Viewer>();
    page_ = std::make_unique<PageClient>(*viewer_);
    controls_.emplace(viewer_, file_.string(), &out_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Begins the run of a scenario.
  void Begin(const std::vector<std::string>& settings = {}) {
    const Scenario scenario = LoadScenario(file_.string(), settings);
    live_.reset();
    simulation_ = std::make_unique<ScenarioSimulation>(scenario, folder_);
    live_.emplace(&simulation_->simulator(), viewer_);
    controls_->Begin(scenario, simulation_.get(), &*live_);
  }
  void Slide(const std::string& name, double value) {
    page_->Send(
        nlohmann::json{{"type", "slider"}, {"path", name}, {"value", value}}
            .dump());
    Wait([&] { return viewer_->GetSliderValue(name) == value; });
  }
  void Press(const std::string& name) {
    const int before = viewer_->GetButtonClicks(name);
    page_->Send(nlohmann::json{{"type", "button"}, {"path", name}}.dump());
    Wait([&] { return viewer_->GetButtonClicks(name) > before; });
  }
  static void Wait(const std::function<bool()>& is_so) {
    for (int i = 0; i < 2000 && !is_so(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_TRUE(is_so());
  }
  std::string ReadFile() const {
    std::ifstream stream(file_);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const fs::path folder_ = fs::path(testing::TempDir()) /
                           fmt::format("wyvern_run_controls_{}", getpid());
  const fs::path file_ = folder_ / "bar.yaml";
  std::ostringstream out_;
  std::shared_ptr<Viewer> viewer_;
  std::unique_ptr<PageClient> page_;
  std::optional<RunControls> controls_;
  std::unique_ptr<ScenarioSimulation> simulation_;
  std::optional<systems::LiveSimulation> live_;
};

constexpr const char* kGain = "bar kp lift [N/m]";
constexpr const char* kForce = "disturbances[0].force[2]";

TEST_F(RunControlsTest, WhatIsTunedIsSavedExactlyAndOnlyIfSomebodySaysSo) {
  Begin();
  Slide(kGain, 33.123456789);
  Slide(kForce, -2.25);
  live_->ApplyChanges();
  EXPECT_EQ(ReadFile(), kScenario);
  Press("Save tuned numbers");
  live_->ApplyChanges();
  std::string expected = kScenario;
  expected.replace(expected.find("20"), 2, "33.123456789");
  expected.replace(expected.find("1.5"), 3, "-2.25");
  // The click is seen once, with the values of that moment.
  EXPECT_EQ(ReadFile(), expected) << out_.str();
  Slide(kGain, 40);
  live_->ApplyChanges();
  EXPECT_EQ(ReadFile(), expected);
}

TEST_F(RunControlsTest, AFileThatCannotBeEditedIsSaidAndStays) {
  Begin();
  Slide(kForce, -2.25);
  const std::string changed = "model_files: [{file: bar.urdf}]\n";
  std::ofstream(file_) << changed;
  Press("Save tuned numbers");
  live_->ApplyChanges();
  EXPECT_NE(out_.str().find("the file does not have it"), std::string::npos)
      << out_.str();
  EXPECT_EQ(ReadFile(), changed);
}

TEST_F(RunControlsTest, TheNextRunHasTheNumbersAsTuned) {
  Begin();
  EXPECT_TRUE(controls_->MakeSettings().empty());
  Slide(kGain, 33.5);
  Slide(kForce, -2.25);
  live_->ApplyChanges();
  EXPECT_FALSE(controls_->WantsRestart());
  Press("Restart");
  EXPECT_TRUE(controls_->WantsRestart());
  controls_->End();
  const std::vector<std::string> tuned{"model_drivers.bar.kp=[33.5]",
                                       "disturbances[0].force[2]=-2.25"};
  EXPECT_EQ(controls_->MakeSettings(), tuned);
  Begin(controls_->MakeSettings());
  EXPECT_FALSE(controls_->WantsRestart());
  EXPECT_EQ(viewer_->GetSliderValue(kGain), 33.5);
  EXPECT_EQ(viewer_->GetSliderValue(kForce), -2.25);
  Slide(kForce, 1);
  controls_->End();
  EXPECT_EQ(controls_->MakeSettings()[1], "disturbances[0].force[2]=1");
  controls_->TakeBack();
  EXPECT_EQ(controls_->MakeSettings(), tuned);
}

// The file has neither, so saving adds both.
TEST_F(RunControlsTest, MassesAndGravityAreTunedAndSaved) {
  const std::string mass = "model_parameters.bar.bodies.bar.mass";
  Begin({"tunables=[{path: " + mass +
         ", max: 10}, {path: 'gravity[2]', min: "
         "-20, max: 20}]"});
  EXPECT_EQ(viewer_->GetSliderValue("bar::bar mass [kg]"), 1);
  EXPECT_NEAR(viewer_->GetSliderValue("gravity[2] [m/s²]"), -9.81, 0.02);
  Slide("bar::bar mass [kg]", 2.125);
  Slide("gravity[2] [m/s²]", -1.625);
  EXPECT_TRUE(live_->ApplyChanges());
  EXPECT_FALSE(live_->ApplyChanges());
  EXPECT_EQ(simulation_->plant().GetBodyByName("bar").get_mass(
                simulation_->plant_context()),
            2.125);
  EXPECT_EQ(simulation_->plant().gravity_field().GetGravityVector(
                simulation_->plant_context()),
            Eigen::Vector3d(0, 0, -1.625));
  EXPECT_EQ(
      controls_->MakeSettings(),
      (std::vector<std::string>{mass + "=2.125", "gravity=[0, 0, -1.625]"}));
  // A mass of 0 is said and refused, and the slider goes back.
  Slide("bar::bar mass [kg]", 0);
  live_->ApplyChanges();
  EXPECT_NE(out_.str().find("mass"), std::string::npos) << out_.str();
  EXPECT_NEAR(viewer_->GetSliderValue("bar::bar mass [kg]"), 2.125, 0.006);
  EXPECT_EQ(simulation_->plant().GetBodyByName("bar").get_mass(
                simulation_->plant_context()),
            viewer_->GetSliderValue("bar::bar mass [kg]"));
  Slide("bar::bar mass [kg]", 2.125);
  live_->ApplyChanges();
  Press("Save tuned numbers");
  live_->ApplyChanges();
  EXPECT_EQ(ReadFile(),
            std::string(kScenario) +
                "model_parameters: {bar: {bodies: {bar: {mass: 2.125}}}}\n"
                "gravity: [0, 0, -1.625]\n")
      << out_.str();
  controls_->End();
  Begin();
  EXPECT_EQ(simulation_->plant().GetBodyByName("bar").get_mass(
                simulation_->plant_context()),
            2.125);
}

// A slider that nobody moved is at a step of its range; the number stays exact.
TEST_F(RunControlsTest, GravityKeepsTheAxesThatNobodyMoved) {
  Begin(
      {"gravity=[0.0123456, 0, -9.8123456]",
       "tunables=[{path: 'gravity[0]', min: -20, max: 20}, {path: 'gravity[2]',"
       " min: -20, max: 20}]"});
  Slide("gravity[0] [m/s²]", 1.5);
  live_->ApplyChanges();
  EXPECT_EQ(controls_->MakeSettings(),
            std::vector<std::string>{"gravity=[1.5, 0, -9.8123456]"});
}

TEST_F(RunControlsTest, ATunableNamesAModelOrANumber) {
  const auto refuses = [&](const std::string& tunable, const char* message) {
    const Scenario scenario =
        LoadScenario(file_.string(), {"tunables=[" + tunable + "]"});
    EXPECT_THROWS_MESSAGE(ScenarioSimulation(scenario, folder_),
                          std::logic_error, message);
  };
  refuses("{model: bar, path: random_seed}", "give one of them");
  refuses("{}", "give one of them");
  refuses("{path: random_seed, min: 2, max: 1}", "max - min");
  refuses("{path: 'gravity[2]'}, {path: 'gravity[1]'}, {path: 'gravity[2]'}",
          "tunables[2]): tunables[0] has the path 'gravity[2]'");
  refuses("{model: bar}, {model: bar, gain: kd}, {model: bar, gain: kd}",
          "tunables[1] has the gain kd of 'bar' already");
  EXPECT_THROWS_MESSAGE(Begin({"tunables=[{path: 'disturbances[7].start'}]"}),
                        std::runtime_error,
                        "no number at 'disturbances[7].start'");
}

}  // namespace run_controls_test
}  // namespace wyvern::app
