#include "wyvern/app/command.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wyvern/app/model_report.h"
#include "wyvern/systems/yaml/yaml_io.h"

namespace wyvern::app {
namespace command_test {

namespace fs = std::filesystem;

const fs::path kTop = WYVERN_SOURCE_DIR;
const std::string kArm = (kTop / "examples/models/arm.urdf").string();
const std::string kScenario = (kTop / "app/scenarios/arm_pd.yaml").string();

struct Result {
  int code{};
  std::string out;
  std::string err;
};

Result Call(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int code = RunCommand(arguments, out, err);
  return {code, out.str(), err.str()};
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Command, HelpTeachesByExample) {
  EXPECT_EQ(Call({"--help"}).code, 0);
  EXPECT_TRUE(Has(Call({"--help"}).out, "wyvern run arm.yaml --log arm.csv"));
  for (const char* command : {"run", "inspect", "diagram"}) {
    const Result help = Call({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(Has(help.out, fmt::format("  wyvern {} arm.", command)));
  }
  EXPECT_EQ(Call({"--version"}).code, 0);
}

TEST(Command, ACommandLineThatIsWrongIsAnError) {
  EXPECT_NE(Call({}).code, 0);
  EXPECT_NE(Call({"fly"}).code, 0);
  EXPECT_NE(Call({"run"}).code, 0);
  EXPECT_NE(Call({"run", kScenario, "--until", "nan"}).code, 0);
  EXPECT_NE(Call({"inspect", kArm, "--json", "--dot"}).code, 0);
  const Result missing = Call({"run", "nope.yaml"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(Has(missing.err, "wyvern: ") && Has(missing.err, "nope.yaml"));
  const Result wrong =
      Call({"run", kScenario, "--set", "model_drivers.arm.kp=[1, 2]"});
  EXPECT_TRUE(Has(wrong.err, "arm_pd.yaml: Scenario (model_drivers['arm'])"))
      << wrong.err;
}

TEST(Command, RunEndsWhereItIsToldAndWritesTheLog) {
  const std::string log = testing::TempDir() + "/wyvern_run.csv";
  fs::remove(log);
  const Result run = Call(
      {"run", kScenario, "--set", "logs=[]", "--until", "0.5", "--log", log});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Has(run.out,
                  "ended at t = 0.5 s, as the duration is over; 500 "
                  "steps"))
      << run.out;
  std::ifstream stream(log);
  std::string line;
  int lines = 0;
  while (std::getline(stream, line)) ++lines;
  EXPECT_EQ(lines, 1 + 51);
}

TEST(Command, ASignalEndsARunWithItsLogsWhole) {
  const std::string log = testing::TempDir() + "/wyvern_signal.csv";
  fs::remove(log);
  const std::string run = fmt::format(
      "timeout -s INT 0.7 {} run {} --set logs=[] --set "
      "simulation_duration=.inf --log {} > {}.out 2>&1",
      WYVERN_PROGRAM, kScenario, log, log);
  EXPECT_NE(std::system(run.c_str()), -1);
  std::ifstream said(log + ".out");
  const std::string text(std::istreambuf_iterator<char>(said), {});
  EXPECT_TRUE(Has(text, "it was told to stop")) << text;
  EXPECT_FALSE(Has(text, "\r"))
      << "No progress line where there is no terminal";
  std::ifstream stream(log);
  const std::string rows(std::istreambuf_iterator<char>(stream), {});
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.back(), '\n');
  EXPECT_FALSE(fs::exists(log + ".partial"));
}

TEST(Command, DiagramListsThePortsThatLogsMayName) {
  const Result text = Call({"diagram", kScenario});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(Has(text.out, "-> plant/arm_state [14]"));
  EXPECT_TRUE(Has(text.out, "<- arm_actuation [7]  from arm_driver/sum"));
  const Result dot = Call({"diagram", kScenario, "--dot"});
  EXPECT_TRUE(dot.out.starts_with("digraph"));
}

TEST(Command, InspectTellsTreeMassesAndLimits) {
  const Result text = Call({"inspect", kArm});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(
      Has(text.out, "7 positions, 7 velocities, 7 actuators, 23.32 kg"));
  EXPECT_TRUE(Has(text.out,
                  "      shoulder_pitch (revolute, -2.05 to 2.05, effort 120) "
                  "-> arm::upper_arm\n"));
  EXPECT_TRUE(Call({"inspect", kArm, "--dot"}).out.starts_with("digraph"));
}

// JSON is YAML: the typed reader takes it, with all its fields.
struct Json {
  struct Body {
    template <typename Archive>
    void Serialize(Archive* a) {
      a->Visit(WYVERN_NVP(name));
      a->Visit(WYVERN_NVP(mass));
      a->Visit(WYVERN_NVP(center_of_mass));
      a->Visit(WYVERN_NVP(principal_moments));
      a->Visit(WYVERN_NVP(ellipsoid_semi_axes));
      a->Visit(WYVERN_NVP(num_visuals));
      a->Visit(WYVERN_NVP(num_collisions));
    }
    std::string name;
    double mass{};
    Vector3<double> center_of_mass, principal_moments, ellipsoid_semi_axes;
    int num_visuals{}, num_collisions{};
  };
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(total_mass));
    a->Visit(WYVERN_NVP(num_actuators));
    a->Visit(WYVERN_NVP(bodies));
    a->Visit(WYVERN_NVP(warnings));
  }
  double total_mass{};
  int num_actuators{};
  std::vector<Body> bodies;
  std::vector<std::string> warnings;
};

TEST(Command, InspectGivesJsonWithTheSame) {
  const Result result = Call({"inspect", kArm, "--json"});
  const auto json = yaml::LoadYamlString<Json>(
      result.out, {}, {},
      yaml::LoadYamlOptions{.allow_yaml_with_no_cpp = true});
  EXPECT_NEAR(json.total_mass, 23.32, 1e-12);
  ASSERT_EQ(json.bodies.size(), 9u);
  const Json::Body& base = json.bodies[0];
  EXPECT_EQ(base.name, "arm::base");
  // A cylinder of 5.2 kg, radius 0.09 m, length 0.16 m: m r^2 / 2 is 0.02106.
  EXPECT_NEAR(base.principal_moments[2], 0.02106, 1e-12);
  // Of an ellipsoid, I_x = m (b^2 + c^2) / 5.
  const Vector3<double> s = base.ellipsoid_semi_axes;
  EXPECT_NEAR(5.2 / 5 * (s[1] * s[1] + s[2] * s[2]), base.principal_moments[2],
              1e-12);
}

TEST(Command, InspectTellsWhatIsDoubtful) {
  const std::string file = testing::TempDir() + "/wyvern_doubt.urdf";
  std::ofstream(file) << "<robot name='\"q\"'><link name='a' "
                         "colour='red'><inertial><mass value='1'/><inertia "
                         "ixx='1' iyy='1' izz='8' ixy='0' ixz='0' "
                         "iyz='0'/></inertial></link></robot>";
  EXPECT_TRUE(Has(Call({"inspect", file}).out, "Doubtful:\n"));
  const auto json = yaml::LoadYamlString<Json>(
      Call({"inspect", file, "--json"}).out, {}, {},
      yaml::LoadYamlOptions{.allow_yaml_with_no_cpp = true});
  EXPECT_EQ(json.warnings.size(), 2u);
  EXPECT_EQ(json.bodies.at(0).name, "\"q\"::a");
}

}  // namespace command_test
}  // namespace wyvern::app
