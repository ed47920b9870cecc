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
