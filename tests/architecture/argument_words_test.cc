// Only systems/common/check_argument.h words the requirements on arguments. No
// other source defines a verb of its own for them, or words finiteness anew.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/include_law.h"
#include "tests/architecture/local_names.h"

namespace wyvern::tests {
namespace argument_words_test {

const std::filesystem::path kTop = WYVERN_SOURCE_DIR;
constexpr char kHeader[] = "systems/common/check_argument.";

// The string literals of a source, those that follow each other as one, each
// with a newline after it.
std::string LiteralsOf(const std::string& source) {
  std::string result;
  bool is_open = false;  // Whether the next literal goes on with the last.
  for (size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (c == '"') {
      for (++i; i < source.size() && source[i] != '"'; ++i) {
        result += source[i];
        if (source[i] == '\\' && i + 1 < source.size()) result += source[++i];
      }
      is_open = true;
      continue;
    }
    if (source.compare(i, 2, "//") == 0) {
      i = std::min(source.find('\n', i), source.size());
    } else if (source.compare(i, 2, "/*") == 0) {
      i = std::min(source.find("*/", i), source.size()) + 1;
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      // A character that is a quotation mark begins no literal.
      if (source.compare(i, 3, "'\"'") == 0) i += 2;
      if (is_open) result += '\n';
      is_open = false;
    }
  }
  return result;
}

TEST(ArgumentWords, LiteralsOfASourceAreReadWhole) {
  EXPECT_EQ(LiteralsOf("f(\"must \" // \"no\"\n \"be\", '\"', \"b\\\"\")"),
            "must be\nb\\\"\n");
  EXPECT_EQ(LiteralsOf("f(\"a must \"\n  \"be\");"), "a must be\n");
  EXPECT_EQ(LiteralsOf("/* \"no\" */ x = \"y\";"), "y\n");
}

// Sources that say "finite" in a message of their own, and why. A source that
// is not here has an argument, for which there is RequireFinite().
const std::vector<std::pair<std::string, std::string>> kOwnWords = {
    // The sentence is about the text of a file, and begins with its line.
    {"multibody/parsing/", "text"},
    {"geometry/shapes/mesh_reader.cc", "text"},
    {"geometry/shapes/convex_hull.cc", "text"},
    {"geometry/shapes/vtk_reader.cc", "text"},
    {"geometry/meshes/", "text"},
    {"systems/recording/hdf5_recording_reader.cc", "text"},
    {"app/csv_table.cc", "text"},
    // Nobody gave the number: it came about, and the sentence says of what.
    {"geometry/hydroelastic/", "result"},
    {"multibody/algorithms/", "result"},
    {"multibody/constraints/", "result"},
    {"multibody/contact/island_hessian.cc", "result"},
    {"multibody/contact/step_solver", "result"},
    {"multibody/fem/fem_stepper.cc", "result"},
    {"multibody/plant/parts/continuous_accelerations.cc", "result"},
    {"multibody/plant/plant_dynamics.cc", "result"},
    {"multibody/tree/articulated_inertias.cc", "result"},
    {"multibody/tree/joint.cc", "result"},
    {"simulator/integrators/integrator_base.cc", "result"},
    {"simulator/simulator_serialization.cc", "result"},
    {"systems/framework/context_serialization.cc", "result"},
    {"systems/framework/leaf_system_events.cc", "result"},
    {"systems/plotting/plot_log.cc", "result"},
    {"systems/primitives/csv_writer.cc", "result"},
    {"systems/primitives/overflow_check.cc", "result"},
    {"systems/recording/recording.cc", "result"},
    // More is asked than that, of several numbers in one sentence.
    {"geometry/math/rotation_matrix.cc", "more"},
    {"geometry/math/rotation_matrix_functions.cc", "more"},
    {"geometry/math/unit_vector.cc", "more"},
    {"geometry/math/wrap_to.cc", "more"},
    {"geometry/shapes/mesh_checks.cc", "more"},
    {"multibody/math/articulated_body_inertia.cc", "more"},
    {"multibody/math/inertia_validity.cc", "more"},
    {"multibody/math/piecewise_constant_curvature_trajectory.cc", "more"},
    {"multibody/math/spatial_inertia.cc", "more"},
    {"multibody/plant/plant_constraints.cc", "more"},
    {"multibody/tree/rigid_body.cc", "more"},
    {"multibody/tree/single_axis_joint.cc", "more"},
    {"systems/plotting/svg_plot.cc", "more"},
};

TEST(ArgumentWords, FinitenessIsWordedByTheHeader) {
  const std::regex finite("(^|[^a-z])finite", std::regex::multiline);
  std::vector<bool> is_met(kOwnWords.size());
  for (const std::string& path : LibrarySources(kTop)) {
    if (path.starts_with(kHeader)) continue;
    if (!std::regex_search(LiteralsOf(ReadFile(kTop / path)), finite)) continue;
    bool is_known = path.find("finite_horizon") != std::string::npos;
    for (size_t i = 0; i < kOwnWords.size(); ++i) {
      if (!path.starts_with(kOwnWords[i].first)) continue;
      is_known = is_met[i] = true;
    }
    EXPECT_TRUE(is_known) << path << ": let RequireFinite() of " << kHeader
                          << "h say it, or say here why not";
  }
  for (size_t i = 0; i < kOwnWords.size(); ++i) {
    if (kOwnWords[i].first.ends_with('/')) continue;
    EXPECT_TRUE(is_met[i]) << kOwnWords[i].first << " is free of it: strike it";
  }
}

TEST(ArgumentWords, VerbsAreDefinedByTheHeader) {
  // A line that starts a function of such a name: a type, then the name.
  const std::regex verb(
      R"re((^|\n)[ \t]*[\w:<>&*, ]*[\w>&*] +&?(ThrowUnless(Finite|Positive|NonNegative|Size|Shape|AtLeast)|ThrowIf(Nan|Null)|Check(NotNull|Positive|Finite|Matrix|Symmetric)|Require(Finite|NotNan|Positive|NonNegative|InRange|AtLeast|Index|Size|NotNull))\()re");
  const std::vector<std::string> known = {
      // Has a sentence that others lack.
      "multibody/constraints/constraint_set.cc"};
  for (const std::string& path : LibrarySources(kTop)) {
    if (path.starts_with(kHeader)) continue;
    bool is_known = false;
    for (const std::string& start : known) {
      is_known = is_known || path.starts_with(start);
    }
    if (is_known) continue;
    const std::string text = WithoutText(ReadFile(kTop / path));
    std::smatch found;
    std::string line;
    for (std::sregex_iterator i(text.begin(), text.end(), verb);
         i != std::sregex_iterator(); ++i) {
      if (i->str().find("return ") != std::string::npos) continue;
      line = i->str();
    }
    EXPECT_EQ(line, "") << path << " has a verb that is in " << kHeader << "h";
  }
}

// Functions that are named otherwise, and why.
const std::vector<std::pair<std::string, std::string>> kOtherNames = {
    // They answer with a bool and throw nothing for it; users know them.
    {"CheckSatisfied", "answer"},
    {"CheckSystemConstraintsSatisfied", "answer"},
    {"CheckHasRightSizeForModel", "answer"},
    {"CheckStructuralEquality", "answer"},
};

TEST(ArgumentWords, WhatThrowsUnlessAllIsWellIsNamedRequire) {
  const std::regex name(
      R"re(\b((?:Check|ThrowIf|ThrowUnless)(?:[A-Z]\w*)?)\()re");
  std::vector<bool> is_met(kOtherNames.size());
  for (const std::string& path : LibrarySources(kTop)) {
    const std::string text = WithoutText(ReadFile(kTop / path));
    for (std::sregex_iterator i(text.begin(), text.end(), name);
         i != std::sregex_iterator(); ++i) {
      bool is_known = false;
      for (size_t k = 0; k < kOtherNames.size(); ++k) {
        if ((*i)[1] != kOtherNames[k].first) continue;
        is_known = is_met[k] = kOtherNames[k].second == "answer" ||
                               path.starts_with(kOtherNames[k].second);
      }
      EXPECT_TRUE(is_known)
          << path << ": name " << (*i)[1] << " Require..., or say here why not";
    }
  }
  for (size_t k = 0; k < kOtherNames.size(); ++k) {
    EXPECT_TRUE(is_met[k]) << "there is no " << kOtherNames[k].first
                           << " any more: strike it";
  }
}

TEST(ArgumentWords, WhatIsNamedThrowNeverReturns) {
  const std::regex declared(
      R"re((\[\[noreturn\]\]\s+)?(?:static\s+)?\bvoid\s+(Throw\w*)\()re");
  for (const std::string& path : LibrarySources(kTop)) {
    if (!path.ends_with(".h")) continue;
    const std::string text = WithoutText(ReadFile(kTop / path));
    for (std::sregex_iterator i(text.begin(), text.end(), declared);
         i != std::sregex_iterator(); ++i) {
      // Users know it: it throws where the status is a failure.
      if ((*i)[2] == "ThrowOnFailure") continue;
      EXPECT_TRUE((*i)[1].matched || i->str(2).starts_with("ThrowIf"))
          << path << ": " << (*i)[2] << " is to be [[noreturn]]";
    }
  }
}

}  // namespace argument_words_test
}  // namespace wyvern::tests
