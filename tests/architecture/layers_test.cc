#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/architecture/include_law.h"

namespace wyvern::tests {
namespace layers_test {

const std::filesystem::path kTop = WYVERN_SOURCE_DIR;

IncludeLaw LawOfThisProject() {
  return IncludeLaw(ReadFile(kTop / "tests/architecture/layers.txt"));
}

TEST(Layers, EachIncludeObeysTheTable) {
  const IncludeLaw law = LawOfThisProject();
  const std::vector<std::string> sources = LibrarySources(kTop);
  EXPECT_GE(sources.size(), 5u);
  for (const std::string& source : sources) {
    for (const std::string& text :
         law.Violations(source, ReadFile(kTop / source))) {
      ADD_FAILURE() << text;
    }
  }
}

// The lines of the first drawing after `heading` on which layers stand, from
// the top.
std::map<std::string, int> LinesInPicture(const std::string& page,
                                          const std::string& heading,
                                          const IncludeLaw& law) {
  const std::string text = ReadFile(kTop / page);
  const std::string fence = "```\n";
  const size_t start = text.find(fence, text.find(heading)) + fence.size();
  std::istringstream picture(
      text.substr(start, text.find(fence, start) - start));
  const std::regex path("[a-z0-9_]+(/[a-z0-9_]+)*(?![a-z0-9_/:])");
  std::map<std::string, int> lines;
  std::string line;
  for (int number = 1; std::getline(picture, line); ++number) {
    for (std::sregex_iterator i(line.begin(), line.end(), path), end; i != end;
         ++i) {
      const auto found = law.layers().find(i->str());
      if (found == law.layers().end() || found->second != i->str()) continue;
      EXPECT_TRUE(lines.emplace(i->str(), number).second)
          << page << " draws " << i->str() << " twice.";
    }
  }
  return lines;
}

// By the includes that the law allows.
void ExpectArrowsGoDown(const std::string& page,
                        const std::map<std::string, int>& lines,
                        const IncludeLaw& law) {
  for (const auto& [upper, upper_line] : lines) {
    for (const auto& [lower, lower_line] : lines) {
      const std::string include = "#include \"wyvern/" + lower + "/x.h\"";
      if (upper == lower || !law.Violations(upper + "/x.h", include).empty()) {
        continue;
      }
      EXPECT_LT(upper_line, lower_line)
          << page << " draws " << upper << " not above " << lower
          << ", which it may include.";
    }
  }
}

TEST(Layers, PictureOfContributingShowsAllOfThemEachAboveWhatItIncludes) {
  const IncludeLaw law = LawOfThisProject();
  const std::string page = "CONTRIBUTING.md";
  const auto lines = LinesInPicture(page, "## Layout", law);
  for (const auto& [folder, layer] : law.layers()) {
    EXPECT_EQ(lines.count(layer), 1u) << page << " does not draw " << layer;
  }
  ExpectArrowsGoDown(page, lines, law);
}

TEST(Layers, FoldersOfTheTableExist) {
  const IncludeLaw law = LawOfThisProject();
  for (const auto& [folder, layer] : law.layers()) {
    EXPECT_TRUE(std::filesystem::is_directory(kTop / folder)) << folder;
  }
}

TEST(Layers, MultibodyAndSimulatorDoNotKnowEachOther) {
  const IncludeLaw law = LawOfThisProject();
  EXPECT_EQ(law.Violations("multibody/plant/x.cc",
                           "#include \"wyvern/simulator/simulator.h\"")
                .size(),
            1u);
  EXPECT_EQ(
      law.Violations("simulator/x.cc", "#include \"wyvern/multibody/math/x.h\"")
          .size(),
      1u);
}

TEST(Layers, TransitiveIncludesAreAllowedAndUpwardOnesAreNot) {
  const IncludeLaw law("a : third_party\nb : a  # comment\nc : b\n");
  EXPECT_TRUE(law.Violations("c/x.h", "#include \"wyvern/a/y.h\"").empty());
  EXPECT_EQ(law.Violations("a/x.h", "#include \"wyvern/c/y.h\""),
            std::vector<std::string>(
                {"a/x.h includes wyvern/c/y.h; a may not use c"}));
}

TEST(Layers, FoldersOfOneLayerIncludeEachOther) {
  const IncludeLaw law("a a/b/c d : third_party\na/b : a\n");
  EXPECT_EQ(law.LayerOf("a/x/y.h"), "a");
  EXPECT_EQ(law.LayerOf("a/b/y.h"), "a/b");
  EXPECT_EQ(law.LayerOf("a/b/c/y.h"), "a");
  EXPECT_EQ(law.LayerOf("e/y.h"), "");
  EXPECT_TRUE(law.Violations("a/x.h", "#include \"wyvern/d/y.h\"").empty());
  EXPECT_TRUE(law.Violations("a/b/x.h", "#include \"wyvern/d/y.h\"").empty());
  EXPECT_EQ(law.Violations("d/x.h", "#include \"wyvern/a/b/y.h\"").size(), 1u);
}

TEST(Layers, OdeintStaysInTheSimulator) {
  const IncludeLaw law = LawOfThisProject();
  const std::string line = "#include <boost/numeric/odeint.hpp>\n";
  EXPECT_TRUE(law.Violations("simulator/x.cc", line).empty());
  EXPECT_EQ(law.Violations("systems/framework/x.cc", line).size(), 1u);
}

TEST(Layers, LibrariesDoNotIncludeTestsExamplesOrPathsOfOtherShape) {
  const IncludeLaw law("a : third_party\n");
  for (const char* bad : {"tests/support/near.h", "examples/support/x.h",
                          "a/y.h", "../a/y.h", "wyvern/z/y.h"}) {
    const std::string line = std::string("  # include \"") + bad + "\"";
    EXPECT_EQ(law.Violations("a/x.h", line).size(), 1u) << bad;
  }
  EXPECT_TRUE(law.Violations("a/x.h", "#include <vector>").empty());
}

TEST(Layers, ATableThatPointsDownwardsIsRefused) {
  EXPECT_THROW(IncludeLaw("a : b\nb : third_party\n"), std::runtime_error);
  EXPECT_THROW(IncludeLaw("a b\n"), std::runtime_error);
}

}  // namespace layers_test
}  // namespace wyvern::tests
