/** @file Whatever is in a file, reading it ends in a model or in a
std::runtime_error. */

#include <cctype>
#include <random>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace {

// Whether `text` is read. Any other exception fails the test.
bool IsRead(const std::string& text) {
  try {
    ReadText(text);
    return true;
  } catch (const std::runtime_error& error) {
    // The message says where.
    EXPECT_EQ(std::string(error.what()).rfind("r.urdf:", 0), 0u)
        << error.what();
    return false;
  }
}

TEST(HostileUrdf, ReadsTheWholeTextAndNoTruncatedOne) {
  const std::string text = FullRobot();
  EXPECT_TRUE(IsRead(text));
  const std::size_t end = text.rfind("</robot>");
  for (std::size_t length = 0; length < end; ++length) {
    EXPECT_FALSE(IsRead(text.substr(0, length))) << length;
  }
}

TEST(HostileUrdf, SurvivesFlippedBytes) {
  const std::string text = FullRobot();
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> position(0, text.size() - 1);
  std::uniform_int_distribution<int> byte(0, 255);
  int num_read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string mutant = text;
    for (int k = 0; k <= i % 3; ++k) {
      mutant[position(random)] = static_cast<char>(byte(random));
    }
    num_read += IsRead(mutant);
  }
  // Some mutants are harmless: white space, digits and names.
  EXPECT_GT(num_read, 0);
  EXPECT_LT(num_read, 5000);
}

TEST(HostileUrdf, SurvivesLinesSwappedAndRepeated) {
  const std::string text = FullRobot();
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin + 1));
    begin = end + 1;
  }
  std::mt19937 random(2);
  std::uniform_int_distribution<std::size_t> index(0, lines.size() - 1);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::string> mutant = lines;
    mutant[index(random)] = lines[index(random)];
    std::string joined;
    for (const std::string& line : mutant) joined += line;
    IsRead(joined);
  }
}

TEST(HostileUrdf, RefusesOddNumbersEverywhere) {
  const std::string text = FullRobot();
  for (const std::string odd :
       {"nan", "-nan", "1e999", "-1e999", "0x1p3", "", "--", "1e", "\xc0"}) {
    for (std::size_t i = text.find('"'); i != std::string::npos;) {
      const std::size_t end = text.find('"', i + 1);
      const std::string value = text.substr(i + 1, end - i - 1);
      const bool is_number =
          value.find_first_not_of("0123456789.- ") == std::string::npos;
      if (is_number) {
        EXPECT_FALSE(IsRead(text.substr(0, i + 1) + odd + text.substr(end)))
            << value << " -> " << odd;
      }
      i = text.find('"', end + 1);
    }
  }
}

TEST(HostileUrdf, SurvivesHugeNumbersEverywhere) {
  const std::string text = FullRobot();
  for (const std::string huge : {"1e308", "-1e308", "1e-308", "1e155"}) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!std::isdigit(static_cast<unsigned char>(text[i]))) continue;
      std::size_t end = i;
      while (std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
      IsRead(text.substr(0, i) + huge + text.substr(end));
      i = end;
    }
  }
}

// Adds `text` to a plant: as a whole or not at all.
void AddWholeOrNothing(const std::string& text) {
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(0.001);
  plant.RegisterAsSourceForSceneGraph(&scene_graph);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  try {
    parser.AddModelsFromString(text, "urdf");
    EXPECT_GE(plant.num_model_instances(), 3);
  } catch (const std::runtime_error&) {
    EXPECT_EQ(plant.num_model_instances(), 2) << text;
    EXPECT_EQ(plant.num_frames(), 1);
  }
}

TEST(HostileUrdf, ThePlantTakesWhateverIsRead) {
  const std::string text = FullRobot();
  std::mt19937 random(3);
  std::uniform_int_distribution<std::size_t> position(0, text.size() - 1);
  std::uniform_int_distribution<int> byte(' ', '~');
  for (int i = 0; i < 2000; ++i) {
    std::string mutant = text;
    mutant[position(random)] = static_cast<char>(byte(random));
    AddWholeOrNothing(mutant);
  }
}

TEST(HostileUrdf, ThePlantTakesHugeNumbers) {
  const std::string text = FullRobot();
  for (const std::string huge : {"1e308", "1e-308", "1e155"}) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!std::isdigit(static_cast<unsigned char>(text[i]))) continue;
      AddWholeOrNothing(text.substr(0, i) + huge + text.substr(i + 1));
    }
  }
}

TEST(HostileUrdf, SurvivesManyElements) {
  std::string text = "<robot name='r'>";
  for (int i = 0; i < 20'000; ++i) {
    text += "<link name='l" + std::to_string(i) + "'/>";
  }
  EXPECT_TRUE(IsRead(text + "</robot>"));
}

}  // namespace
}  // namespace wyvern::multibody
