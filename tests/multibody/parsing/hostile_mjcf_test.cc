/** @file Whatever is in an MJCF file, reading it ends in a model or in a
std::runtime_error, and a plant takes what is read. */

#include <cctype>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace hostile_mjcf_test {

std::string ReadFile(const std::string& name) {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string ReadModel(const std::string& name) {
  return ReadFile("multibody/parsing/models/mjcf/" + name);
}

// Returns a model that finds its attached models from any folder.
std::string ReadAttached() {
  std::string result = ReadModel("attached.xml");
  result.replace(result.find("parts/"), 6,
                 WYVERN_SOURCE_DIR
                 "/tests/multibody/parsing/models/mjcf/parts/");
  return result;
}

const std::vector<std::string>& Texts() {
  static const std::vector<std::string> texts{ReadModel("quadruped.xml"),
                                              ReadModel("humanoid.xml"),
                                              ReadModel("odd_masses.xml"),
                                              ReadModel("four_bar.xml"),
                                              ReadModel("hand.xml"),
                                              ReadModel("springs.xml"),
                                              ReadFile("fuzz/corpus/mjcf/"
                                                       "forces.xml"),
                                              ReadFile("fuzz/corpus/mjcf/"
                                                       "muscles.xml"),
                                              ReadModel("tethered.xml"),
                                              ReadAttached()};
  return texts;
}

// Adds `text` to a plant, as a whole or not at all. Whether it was.
bool IsAdded(const std::string& text) {
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(0.001);
  plant.RegisterAsSourceForSceneGraph(&scene_graph);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  try {
    parser.AddModelsFromString(text, "xml");
    return true;
  } catch (const std::runtime_error& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with("<string>:") ||
                what.find("/parts/finger.xml:") != what.npos)
        << what;
    EXPECT_EQ(plant.num_model_instances(), 2) << text;
    EXPECT_EQ(plant.num_frames(), 1);
    return false;
  }
}

TEST(HostileMjcf, ReadsTheTextsAndNoTruncatedOne) {
  for (const std::string& text : Texts()) {
    EXPECT_TRUE(IsAdded(text));
    const std::size_t end = text.rfind("</mujoco>");
    for (std::size_t length = 0; length < end; length += 29) {
      EXPECT_FALSE(IsAdded(text.substr(0, length))) << length;
    }
  }
}

TEST(HostileMjcf, SurvivesFlippedBytes) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> byte(' ', '~');
  int num_read = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string mutant = Texts()[i % Texts().size()];
    std::uniform_int_distribution<std::size_t> position(0, mutant.size() - 1);
    for (int k = 0; k <= i % 3; ++k) {
      mutant[position(random)] = static_cast<char>(byte(random));
    }
    num_read += IsAdded(mutant);
  }
  EXPECT_GT(num_read, 0);
  EXPECT_LT(num_read, 1500);
}

TEST(HostileMjcf, SurvivesLinesOfOthers) {
  std::vector<std::string> lines;
  for (const std::string& text : Texts()) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      lines.push_back(text.substr(begin, end - begin + 1));
      begin = end == text.npos ? text.size() : end + 1;
    }
  }
  std::mt19937 random(2);
  std::uniform_int_distribution<std::size_t> index(0, lines.size() - 1);
  for (int i = 0; i < 800; ++i) {
    std::string mutant = Texts()[i % Texts().size()];
    const std::size_t at = mutant.find('\n', mutant.size() * (i % 97) / 97);
    if (at == mutant.npos) continue;
    IsAdded(mutant.insert(at + 1, lines[index(random)]));
  }
}

TEST(HostileMjcf, SurvivesOddAndHugeNumbers) {
  std::mt19937 random(3);
  const std::vector<std::string> odd{"nan",    "1e999",  "0x1p3", "",  "1e308",
                                     "-1e308", "1e-308", "1e155", "0", "-1"};
  for (int i = 0; i < 1500; ++i) {
    const std::string& text = Texts()[i % Texts().size()];
    std::uniform_int_distribution<std::size_t> position(0, text.size() - 1);
    std::size_t begin = position(random);
    while (begin < text.size() &&
           !std::isdigit(static_cast<unsigned char>(text[begin]))) {
      ++begin;
    }
    std::size_t end = begin;
    while (end < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[end]))) {
      ++end;
    }
    IsAdded(text.substr(0, begin) + odd[i % odd.size()] + text.substr(end));
  }
}

TEST(HostileMjcf, BoundsWhatIsNestedAndListed) {
  std::string deep = "<mujoco model='m'><worldbody>";
  for (int i = 0; i < 5000; ++i) deep += "<body>";
  EXPECT_FALSE(IsAdded(deep));
  std::string numbers;
  for (int i = 0; i < 100'000; ++i) numbers += "1 ";
  EXPECT_FALSE(IsAdded("<mujoco model='m'><worldbody><geom size='" + numbers +
                       "'/></worldbody></mujoco>"));
}

}  // namespace hostile_mjcf_test
}  // namespace wyvern::multibody
