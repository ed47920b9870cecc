#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/name_value.h"
#include "wyvern/systems/yaml/yaml_io.h"

namespace wyvern::yaml {
namespace {

struct Gains {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(kp));
    a->Visit(WYVERN_NVP(kd));
  }
  double kp{};
  double kd{};
};

struct Arm {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(joints));
  }
  std::vector<Gains> joints;
};

struct Gearbox {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(gear_ratio));
    a->Visit(WYVERN_NVP(rotor_inertia));
  }
  std::optional<double> gear_ratio;
  std::optional<double> rotor_inertia;
};

// A type that nests as deeply as its document.
struct Tree {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(branches));
  }
  std::vector<Tree> branches;
};

std::string Repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

template <typename T>
std::string MessageOf(const std::string& text) {
  try {
    LoadYamlString<T>(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(YamlErrors, AnUnknownKeyIsNamedWithLinePlaceAndTheKnownOnes) {
  EXPECT_EQ(MessageOf<Arm>("joints:\n- {kp: 1, kd: 2}\n- kp: 1\n  kd: 2\n"
                           "  ki: 3\n"),
            "LoadYaml(): <string>:5:3: 'joints[1]' has the key 'ki', which is "
            "none of [kp, kd]; is 'kp' meant?");
}

TEST(YamlErrors, TheNearestKnownKeyIsNamedIfThereIsANearOne) {
  for (const char* key : {"gear_ration", "gaer_ratio", "gearratio"}) {
    EXPECT_NE(MessageOf<Gearbox>(fmt::format("{{{}: 1}}", key))
                  .find("is 'gear_ratio' meant?"),
              std::string::npos);
  }
  EXPECT_NE(MessageOf<Gearbox>("{colour: 1}").find("remove or rename it"),
            std::string::npos);
  // However long a key is.
  EXPECT_NE(MessageOf<Gearbox>("? " + Repeated("k", 100'000) + "\n: 1")
                .find("remove or rename it"),
            std::string::npos);
}

TEST(YamlErrors, AKeyThatIsMergedIsFoundWhereItStands) {
  EXPECT_NE(MessageOf<Arm>("joints:\n- &a {kp: 1, kd: 2, ki: 3}\n- <<: *a\n")
                .find("<string>:2:21: 'joints[0]'"),
            std::string::npos);
}

TEST(YamlErrors, AMissingKeyIsNamed) {
  EXPECT_EQ(MessageOf<Arm>("joints:\n- {kp: 1}"),
            "LoadYaml(): <string>:2:3: 'joints[0]' has no key 'kd', only [kp]; "
            "add it, or load with defaults");
}

TEST(YamlErrors, AValueOfTheWrongKindSaysWhatIsWanted) {
  EXPECT_EQ(MessageOf<Gains>("{kp: [1], kd: 2}"),
            "LoadYaml(): <string>:1:6: 'kp' is a sequence of 1; give a number");
  EXPECT_EQ(MessageOf<Gains>("- 1"),
            "LoadYaml(): <string>:1:1: the document is a sequence of 1; give a "
            "mapping");
  using Map = std::map<std::string, std::int8_t>;
  EXPECT_EQ(MessageOf<Map>("x: 128"),
            "LoadYaml(): <string>:1:4: 'x' is the scalar '128'; give a whole "
            "number in [-128, 127]");
  EXPECT_NE(MessageOf<Map>("x: 1.0").find("whole number"), std::string::npos);
  using Bools = std::map<std::string, bool>;
  EXPECT_NE(MessageOf<Bools>("x: 1").find("true or false"), std::string::npos);
}

TEST(YamlErrors, AWrongSizeSaysWhichIsWanted) {
  using Array = std::map<std::string, std::array<double, 2>>;
  EXPECT_NE(MessageOf<Array>("x: [1]").find("give a sequence of 2"),
            std::string::npos);
  using Vector = std::map<std::string, Eigen::Vector3d>;
  EXPECT_NE(MessageOf<Vector>("x: [1, 2]").find("has 2 rows; give 3"),
            std::string::npos);
  using Short = std::map<std::string, VectorUpTo6<double>>;
  EXPECT_NE(MessageOf<Short>("x: [1, 2, 3, 4, 5, 6, 7]").find("at most 6"),
            std::string::npos);
  using Matrix = std::map<std::string, Eigen::MatrixXd>;
  EXPECT_NE(MessageOf<Matrix>("x: [[1, 2], [3]]").find("'x[1]'"),
            std::string::npos);
}

TEST(YamlErrors, WhatIsNoYamlIsSaidWithItsLine) {
  EXPECT_NE(MessageOf<Gains>("kp: 1\nkd: [2").find("<string>:2:1: this is no"),
            std::string::npos);
  EXPECT_NE(MessageOf<Gains>("").find("no document"), std::string::npos);
  EXPECT_NE(MessageOf<Gains>("kp: 1\n---\nkp: 1").find("second document"),
            std::string::npos);
  EXPECT_NE(MessageOf<Gains>("kp: 1\nkp: 2").find("'kp' is there twice"),
            std::string::npos);
  EXPECT_NE(MessageOf<Gains>("[1]: 2").find("a key is a sequence"),
            std::string::npos);
}

TEST(YamlErrors, NestingIsBoundedHoweverItIsWritten) {
  for (const std::string& text :
       {Repeated("[", 1'000'000), Repeated("{a: ", 100'000),
        Repeated("- ", 100'000) + "1", Repeated("[? ", 100'000)}) {
    EXPECT_NE(MessageOf<Tree>(text).find("nested more than"),
              std::string::npos);
  }
}

TEST(YamlErrors, AliasesDoNotGetAroundTheBoundOnNesting) {
  std::string text = "l0: &l0 {branches: []}\n";
  for (int i = 1; i < 100; ++i) {
    text += fmt::format("l{0}: &l{0} {{branches: [*l{1}]}}\n", i, i - 1);
  }
  EXPECT_NE((MessageOf<std::map<std::string, Tree>>(text).find("nested")),
            std::string::npos);
}

TEST(YamlErrors, AliasesOfAliasesDoNotFillTheMemory) {
  std::string text = "l0: &l0 {branches: []}\n";
  for (int i = 1; i < 20; ++i) {
    const std::string ten = Repeated(fmt::format("*l{}, ", i - 1), 10);
    text += fmt::format("l{0}: &l{0} {{branches: [{1}]}}\n", i, ten);
  }
  EXPECT_NE((MessageOf<std::map<std::string, Tree>>(text).find("more than")),
            std::string::npos);
}

TEST(YamlErrors, AValueCanNotContainItself) {
  EXPECT_NE(MessageOf<Tree>("&a {branches: [*a]}").find("contain itself"),
            std::string::npos);
  EXPECT_NE(MessageOf<Tree>("&a {<<: *a}").find("contain itself"),
            std::string::npos);
}

}  // namespace
}  // namespace wyvern::yaml
