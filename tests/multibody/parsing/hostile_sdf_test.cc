/** @file Whatever is in an SDFormat file, reading it ends in a model or in a
std::runtime_error. */

#include <cctype>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/sdf_texts.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace hostile_sdf_test {

namespace fs = std::filesystem;

std::string FullModel() {
  return SdfModel(R"(
<link name='c'>
<pose relative_to='b'>0.1 0.2 0.3 0.1 0.2 0.3</pose>
<inertial><pose>0.1 0 0 0 0 0</pose><mass>2</mass>
<inertia><ixx>0.2</ixx><iyy>0.3</iyy><izz>0.4</izz><ixy>0.01</ixy></inertia>
</inertial>
<collision name='x'><geometry><box><size>1 2 3</size></box></geometry>
<drake:proximity_properties><drake:mu_static>0.5</drake:mu_static>
</drake:proximity_properties></collision>
<visual name='y'><geometry><cylinder><radius>1</radius><length>2</length>
</cylinder></geometry><material><diffuse>1 0 0 1</diffuse></material></visual>
</link>
<joint name='j' type='revolute'><parent>a</parent><child>b</child>
<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit>
<dynamics><damping>0.5</damping></dynamics></axis></joint>
<joint name='k' type='prismatic'><parent>b</parent><child>c</child>
<axis><xyz>1 0 0</xyz></axis>
<drake:mimic joint='j' multiplier='2' offset='0.5'/></joint>
<frame name='f' attached_to='c'><pose>1 2 3 0 0 0</pose></frame>
<model name='n'><link name='a'/></model>)");
}

// Whether `text` can be added. Any other exception fails the test, as does a
// file that is added in part.
bool IsAdded(const std::string& text) {
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(0.001);
  plant.RegisterAsSourceForSceneGraph(&scene_graph);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  try {
    parser.AddModelsFromString(text, "sdf");
    return true;
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("<string>", 0), 0u)
        << error.what();
    EXPECT_EQ(plant.num_model_instances(), 2) << error.what() << text;
    return false;
  }
}

TEST(HostileSdf, ReadsTheWholeTextAndNoTruncatedOne) {
  const std::string text = FullModel();
  EXPECT_TRUE(IsAdded(text));
  const std::size_t end = text.rfind("</sdf>");
  for (std::size_t length = 0; length < end; length += 17) {
    EXPECT_FALSE(IsAdded(text.substr(0, length))) << length;
  }
}

TEST(HostileSdf, SurvivesFlippedBytes) {
  const std::string text = FullModel();
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> position(0, text.size() - 1);
  std::uniform_int_distribution<int> byte(0, 255);
  for (int i = 0; i < 200; ++i) {
    std::string mutant = text;
    mutant[position(random)] = static_cast<char>(byte(random));
    IsAdded(mutant);
  }
}

// A colour is ignored with a warning.
TEST(HostileSdf, RefusesOddNumbersEverywhere) {
  std::string text = FullModel();
  const std::size_t color = text.find("<diffuse>");
  text.erase(color, text.find("</diffuse>") + 10 - color);
  for (const std::string odd : {"nan", "1e999", "x"}) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_text = text[i - (i > 0)] == '>' && text[i] != '\n' &&
                           std::isdigit(static_cast<unsigned char>(text[i]));
      if (!is_text) continue;
      const std::size_t end = text.find('<', i);
      EXPECT_FALSE(IsAdded(text.substr(0, i) + odd + text.substr(end)))
          << text.substr(i - 10, end - i + 10) << " -> " << odd;
    }
  }
}

TEST(HostileSdf, RefusesEntityBombsAndDeepNesting) {
  std::string deep;
  for (int i = 0; i < 5000; ++i) {
    deep += "<model name='m" + std::to_string(i) + "'>";
  }
  EXPECT_FALSE(IsAdded("<sdf version='1.9'>" + deep));
  std::string closed = deep;
  for (int i = 0; i < 5000; ++i) closed += "</model>";
  EXPECT_FALSE(IsAdded("<sdf version='1.9'>" + closed + "</sdf>"));
  // Entities are not expanded: this has no model.
  EXPECT_FALSE(IsAdded(
      "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>\n"
      "<sdf version='1.9'>&b;</sdf>"));
}

// A version, wrong in some way, is refused by name.
TEST(HostileSdf, RefusesWhatIsNoVersion) {
  const std::string model = "><model name='m'><link name='a'/></model></sdf>";
  for (const std::string version :
       {"abc", "", "1.", ".9", "1.999999999999", "1.9x", "-1.9", "1..9"}) {
    EXPECT_THROWS_MESSAGE(
        ReadSdfText("\n<sdf version='" + version + "'" + model),
        std::runtime_error,
        "<string>:2: version='" + version + "' in <sdf> is no version");
  }
  EXPECT_THROWS_MESSAGE(ReadSdfText("<sdf" + model), std::runtime_error,
                        "<string>:1: <sdf> has no attribute 'version'");
  for (const std::string version : {"1.4", "1.9", " 1.9 ", "1.12.0"}) {
    EXPECT_TRUE(IsAdded("<sdf version='" + version + "'" + model)) << version;
  }
}

TEST(HostileSdf, RefusesNamesWithTheDelimiterOfScopes) {
  EXPECT_THROWS_MESSAGE(
      ReadSdfText(SdfModel("<link name='c::d'/>")), std::runtime_error,
      "<string>:3: model 'm': the name 'c::d' of <link> has \"::\"");
}

class SdfIncludesTest : public testing::Test {
 protected:
  SdfIncludesTest() { fs::create_directories(folder_); }
  ~SdfIncludesTest() override { fs::remove_all(folder_); }
  void Write(const std::string& name, const std::string& inside) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << Sdf(inside);
  }
  void Add(const std::string& name) {
    MultibodyPlant<double> plant(0.001);
    Parser parser(&plant);
    parser.SetWarningHandler({});
    parser.package_map().Add("here", folder_.string());
    parser.AddModels(folder_ / name);
    num_bodies_ = plant.num_bodies();
  }
  static std::string Include(const std::string& uri) {
    return "<include><uri>" + uri + "</uri></include>";
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      testing::UnitTest::GetInstance()->current_test_info()->name();
  int num_bodies_{};
};

TEST_F(SdfIncludesTest, AreFoundByUrlByPathAndByModelConfig) {
  Write("leaf.sdf", "<model name='leaf'><link name='a'/></model>");
  Write("box/box.sdf", "<model name='box'><link name='a'/></model>");
  std::ofstream(folder_ / "box/model.config")
      << "<model><name>box</name><sdf version='1.9'>box.sdf</sdf></model>";
  Write("top.sdf", "<model name='top'><link name='a'/>" + Include("leaf.sdf") +
                       "<include><uri>model://here/leaf.sdf</uri>"
                       "<name>other</name></include>" +
                       Include("package://here/box") + "</model>");
  Add("top.sdf");
  EXPECT_EQ(num_bodies_, 1 + 4);
}

// Each file has a link and includes the next, by a path from its own folder.
TEST_F(SdfIncludesTest, OfFilesThatAreIncludedAreRead) {
  for (int i = 0; i < 4; ++i) {
    const std::string next = Include(std::to_string(i + 1) + ".sdf");
    Write(std::to_string(i) + ".sdf", "<model name='m" + std::to_string(i) +
                                          "'><link name='l'/>" +
                                          (i < 3 ? next : "") + "</model>");
  }
  Add("0.sdf");
  EXPECT_EQ(num_bodies_, 1 + 4);
}

TEST_F(SdfIncludesTest, WhatIsWrongInThemIsSaidOfThem) {
  Write("0.sdf", "<model name='a'>" + Include("1.sdf") + "</model>");
  Write("1.sdf", "<model name='b'>" + Include("2.sdf") + "</model>");
  Write("2.sdf",
        "<model name='c'>\n<link name='l'><pose>x</pose></link></model>");
  EXPECT_THROWS_MESSAGE(Add("0.sdf"), std::runtime_error, "2.sdf:3: ");
}

// A relative URI is one from the folder of the file, wherever the program runs.
TEST_F(SdfIncludesTest, AreNotLookedForInThePresentFolder) {
  Write("hidden/a.sdf", "<model name='a'>" + Include("b.sdf") + "</model>");
  Write("hidden/b.sdf", "<model name='b'><link name='l'/></model>");
  Write("b.sdf", "<model name='b'><link name='l'/><link name='m'/></model>");
  const fs::path old = fs::current_path();
  fs::current_path(folder_);
  Add("hidden/a.sdf");
  EXPECT_EQ(num_bodies_, 1 + 1);
  fs::current_path(old);
}

TEST_F(SdfIncludesTest, ThatNestModelsDeeplyAreRefused) {
  std::string begin, end;
  for (int i = 0; i < 90; ++i) {
    begin += "<model name='m'>";
    end += "</model>";
  }
  for (int i = 0; i < 10; ++i) {
    Write(std::to_string(i) + ".sdf",
          begin + Include(std::to_string(i + 1) + ".sdf") + end);
  }
  EXPECT_THROWS_MESSAGE(Add("0.sdf"), std::runtime_error,
                        "nested more than 300 deep");
}

TEST_F(SdfIncludesTest, ThatGoInCirclesAreRefused) {
  Write("a.sdf",
        "<model name='a'><link name='l'/>" + Include("b.sdf") + "</model>");
  Write("b.sdf", "<model name='b'>" + Include("a.sdf") + "</model>");
  EXPECT_THROWS_MESSAGE(Add("a.sdf"), std::runtime_error, "includes itself");
  EXPECT_THROWS_MESSAGE(Add("a.sdf"), std::runtime_error, ".sdf:2: ");
}

TEST_F(SdfIncludesTest, ThatAreNotThereOrNoSdfAreRefused) {
  Write("a.sdf", "<model name='a'>\n" + Include("no.sdf") + "</model>");
  EXPECT_THROWS_MESSAGE(Add("a.sdf"), std::runtime_error, "a.sdf:3: ");
  Write("b.sdf", "<model name='b'>" + Include("b.xml") + "</model>");
  Write("b.xml", "");
  EXPECT_THROWS_MESSAGE(Add("b.sdf"), std::runtime_error,
                        "is neither .sdf nor .urdf");
  Write("c.sdf", "<model name='c'>" + Include("package://no/x") + "</model>");
  EXPECT_THROWS_MESSAGE(Add("c.sdf"), std::runtime_error,
                        "there is no package 'no'");
}

TEST_F(SdfIncludesTest, ThatMultiplyAreRefused) {
  for (int i = 0; i < 20; ++i) {
    const std::string next = std::to_string(i + 1) + ".sdf";
    Write(std::to_string(i) + ".sdf", "<model name='m'><link name='l'/>" +
                                          Include(next) + Include(next) +
                                          "</model>");
  }
  Write("20.sdf", "<model name='m'><link name='l'/></model>");
  EXPECT_THROWS_MESSAGE(Add("0.sdf"), std::runtime_error,
                        "more than 1000 files");
}

}  // namespace hostile_sdf_test
}  // namespace wyvern::multibody
