#include "wyvern/systems/yaml/yaml_io.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/name_value.h"

namespace wyvern::yaml {
namespace {

struct Spring {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(stiffness));
  }
  double stiffness{1.5};
};

// Not of this file's own: it says what it consists of by a free function.
struct Motor {
  int poles{2};
  bool is_on{false};
};
template <typename Archive>
void Serialize(Archive* a, Motor* motor) {
  a->Visit(MakeNameValue("poles", &motor->poles));
  a->Visit(MakeNameValue("is_on", &motor->is_on));
}

struct Robot {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(name));
    a->Visit(WYVERN_NVP(gains));
    a->Visit(WYVERN_NVP(limits));
    a->Visit(WYVERN_NVP(masses));
    a->Visit(WYVERN_NVP(drive));
    a->Visit(WYVERN_NVP(effort));
    a->Visit(WYVERN_NVP(spring));
    a->Visit(WYVERN_NVP(position));
    a->Visit(WYVERN_NVP(inertia));
  }
  std::string name{"unnamed"};
  std::vector<double> gains;
  std::array<int, 2> limits{};
  std::map<std::string, double> masses;
  std::variant<std::string, double, Spring, Motor> drive;
  std::optional<double> effort;
  Spring spring;
  Eigen::Vector3d position{Eigen::Vector3d::Zero()};
  Eigen::MatrixXd inertia;
};

constexpr char kRobot[] = R"(name: arm
gains: [1.0, 2.5e2]
limits: [-3, 0x10]
masses: {hand: 0.5, arm: 2}
drive: !Motor {poles: 8, is_on: yes}
effort: 4.0
spring:
  stiffness: .inf
position: [1, 2, 3]
inertia: [[1, 2], [3, 4], [5, 6]]
)";

// A struct of one field of any type.
template <typename T>
struct Just {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(x));
  }
  T x{};
};

template <typename T>
T LoadX(const std::string& text) {
  return LoadYamlString<Just<T>>("x: " + text).x;
}

TEST(YamlIo, AFieldOfEveryTypeIsRead) {
  const auto robot = LoadYamlString<Robot>(kRobot);
  EXPECT_EQ(robot.name, "arm");
  EXPECT_EQ(robot.gains, (std::vector{1.0, 250.0}));
  EXPECT_EQ(robot.limits, (std::array{-3, 16}));
  EXPECT_EQ(robot.masses,
            (std::map<std::string, double>{{"arm", 2}, {"hand", 0.5}}));
  ASSERT_TRUE(std::holds_alternative<Motor>(robot.drive));
  EXPECT_EQ(std::get<Motor>(robot.drive).poles, 8);
  EXPECT_TRUE(std::get<Motor>(robot.drive).is_on);
  EXPECT_EQ(robot.effort, 4.0);
  EXPECT_TRUE(std::isinf(robot.spring.stiffness));
  EXPECT_EQ(robot.position, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(robot.inertia.rows(), 3);
  EXPECT_EQ(robot.inertia(2, 1), 6);
}

TEST(YamlIo, WhatIsSavedIsReadBackTheSame) {
  const std::string text = SaveYamlString(LoadYamlString<Robot>(kRobot));
  EXPECT_EQ(text, R"(name: arm
gains: [1.0, 250.0]
limits: [-3, 16]
masses:
  arm: 2.0
  hand: 0.5
drive: !Motor
  poles: 8
  is_on: true
effort: 4.0
spring:
  stiffness: .inf
position: [1.0, 2.0, 3.0]
inertia:
  - [1.0, 2.0]
  - [3.0, 4.0]
  - [5.0, 6.0]
)");
  EXPECT_EQ(SaveYamlString(LoadYamlString<Robot>(text)), text);
}

TEST(YamlIo, EveryNumberIsSavedToItsLastBit) {
  for (const double x : {0.1, 1.0 / 3, -1e300, 5e-324, 2.0, -0.0}) {
    const std::string text = SaveYamlString(Just<double>{x});
    EXPECT_EQ(LoadYamlString<Just<double>>(text).x, x) << text;
    EXPECT_EQ(std::signbit(LoadYamlString<Just<double>>(text).x),
              std::signbit(x));
  }
}

TEST(YamlIo, AStringStaysAStringWhateverItLooksLike) {
  for (const char* text : {"1.5", "true", "null", "~", "", "a: b", "# no",
                           "two\nlines", "<<", "é", "- x", "!tag"}) {
    EXPECT_EQ(LoadYamlString<Just<std::string>>(
                  SaveYamlString(Just<std::string>{text}))
                  .x,
              text);
  }
  EXPECT_EQ(SaveYamlString(Just<std::string>{"1.5"}), "x: \"1.5\"\n");
}

TEST(YamlIo, TheTagChoosesAVariantsAlternative) {
  using Choice = std::variant<std::string, double, Spring, Motor>;
  EXPECT_EQ(std::get<std::string>(LoadX<Choice>("3.0")), "3.0");
  EXPECT_EQ(std::get<double>(LoadX<Choice>("!!float 3.0")), 3.0);
  EXPECT_EQ(std::get<Spring>(LoadX<Choice>("!Spring {stiffness: 7}")).stiffness,
            7);
  EXPECT_EQ(SaveYamlString(Just<Choice>{Choice(3.0)}), "x: !!float 3.0\n");
  EXPECT_THROWS_MESSAGE(LoadX<Choice>("!Sping {stiffness: 7}"),
                        std::runtime_error,
                        "'x' has the tag !Sping; give one of [!!str, !!float, "
                        "!Spring, !Motor]");
}

TEST(YamlIo, DefaultsStandForWhatTheDocumentDoesNotSay) {
  Robot defaults;
  defaults.name = "legged";
  defaults.masses = {{"leg", 3.0}};
  defaults.spring.stiffness = 9;
  const auto robot = LoadYamlString<Robot>("masses: {foot: 1}\neffort: null",
                                           std::nullopt, defaults);
  EXPECT_EQ(robot.name, "legged");
  EXPECT_EQ(robot.masses.size(), 2);
  EXPECT_EQ(robot.spring.stiffness, 9);
  EXPECT_FALSE(robot.effort.has_value());
}

TEST(YamlIo, ItemsOfAVectorKeepTheirDefaults) {
  Just<std::vector<Motor>> defaults;
  defaults.x = {{4, true}, {6, true}, {8, true}};
  LoadYamlOptions lenient;
  lenient.allow_cpp_with_no_yaml = true;
  const auto loaded = LoadYamlString<Just<std::vector<Motor>>>(
      "x: [{poles: 10}, {is_on: false}]", std::nullopt, defaults, lenient);
  ASSERT_EQ(loaded.x.size(), 2u);
  EXPECT_EQ(loaded.x[0].poles, 10);
  EXPECT_TRUE(loaded.x[0].is_on);
  EXPECT_EQ(loaded.x[1].poles, 6);
  EXPECT_FALSE(loaded.x[1].is_on);
}

TEST(YamlIo, BytesAreBase64WithATag) {
  using Bytes = std::vector<std::byte>;
  const Bytes all{std::byte{0}, std::byte{255}, std::byte{7}, std::byte{10}};
  for (const Bytes& bytes : {Bytes{}, all}) {
    const std::string text = SaveYamlString(Just<Bytes>{bytes});
    EXPECT_EQ(LoadYamlString<Just<Bytes>>(text).x, bytes) << text;
  }
  EXPECT_EQ(LoadX<Bytes>("!!binary aGk="),
            (Bytes{std::byte{'h'}, std::byte{'i'}}));
  EXPECT_THROWS_MESSAGE(LoadX<Bytes>("!!binary '?'"), std::runtime_error,
                        "bytes in Base64");
  EXPECT_THROWS_MESSAGE(LoadX<Bytes>("aGk="), std::runtime_error,
                        "with the tag !!binary");
  EXPECT_THROWS_MESSAGE(LoadX<std::string>("!!binary aGk="), std::runtime_error,
                        "has the tag !!binary");
}

TEST(YamlIo, AMatrixOfOneEmptyRowIsEmpty) {
  EXPECT_EQ(LoadX<Eigen::MatrixXd>("[[]]").rows(), 0);
  EXPECT_EQ(LoadX<Eigen::MatrixXd>("[[]]").cols(), 0);
}

TEST(YamlIo, APathIsNormalized) {
  EXPECT_EQ(LoadX<std::filesystem::path>("a//b/../c"), "a/c");
}

TEST(YamlIo, SavedWithDefaultsADocumentHasWhatDiffers) {
  const auto defaults = LoadYamlString<Robot>(kRobot);
  Robot robot = defaults;
  robot.spring.stiffness = 2;
  robot.masses["arm"] = 3;
  EXPECT_EQ(SaveYamlString(robot, "robot", std::optional(defaults)),
            "robot:\n  masses:\n    arm: 3.0\n  spring:\n    stiffness: 2.0\n");
}

TEST(YamlIo, AChildIsReadAndWrittenByItsName) {
  const std::string text = SaveYamlString(Spring{4}, "spring");
  EXPECT_EQ(text, "spring:\n  stiffness: 4.0\n");
  EXPECT_EQ(LoadYamlString<Spring>(text, "spring").stiffness, 4);
  EXPECT_THROWS_MESSAGE(LoadYamlString<Spring>(text, "sprung"),
                        std::runtime_error, "no key 'sprung'");
}

TEST(YamlIo, OptionsAllowWhatIsAnErrorOtherwise) {
  const std::string text = "stiffness: 1\nmore: 2";
  EXPECT_THROW(LoadYamlString<Spring>(text), std::runtime_error);
  LoadYamlOptions lenient;
  lenient.allow_yaml_with_no_cpp = true;
  lenient.allow_cpp_with_no_yaml = true;
  EXPECT_EQ(LoadYamlString<Spring>(text, {}, {}, lenient).stiffness, 1);
  EXPECT_EQ(LoadYamlString<Spring>("{}", {}, {}, lenient).stiffness, 1.5);
}

TEST(YamlIo, MergeKeysBringEntriesThatAreNotThereYet) {
  using Map = std::map<std::string, std::map<std::string, int>>;
  const auto map = LoadYamlString<Map>(R"(
base: &base {a: 1, b: 2}
more: &more {b: 3, c: 4}
both: {<<: [*base, *more], a: 5})");
  EXPECT_EQ(map.at("both"),
            (std::map<std::string, int>{{"a", 5}, {"b", 2}, {"c", 4}}));
}

TEST(YamlIo, AFileIsWrittenAndReadBack) {
  const auto path =
      std::filesystem::path(testing::TempDir()) / "wyvern_yaml_io_test.yaml";
  SaveYamlFile(path, Spring{6});
  EXPECT_EQ(LoadYamlFile<Spring>(path).stiffness, 6);
  std::ofstream(path) << "\n\nstiffness: soft\n";
  EXPECT_THROWS_MESSAGE(LoadYamlFile<Spring>(path), std::runtime_error,
                        "wyvern_yaml_io_test.yaml:3:12: 'stiffness' is the "
                        "scalar 'soft'; give a number");
  std::filesystem::remove(path);
  EXPECT_THROWS_MESSAGE(LoadYamlFile<Spring>(path), std::runtime_error,
                        "wyvern_yaml_io_test.yaml' cannot be read");
  EXPECT_THROW(LoadYamlFile<Spring>(testing::TempDir()), std::runtime_error);
}

}  // namespace
}  // namespace wyvern::yaml
