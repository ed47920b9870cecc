#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/include_law.h"

namespace wyvern::tests {
namespace readme_test {

namespace fs = std::filesystem;

const fs::path kTop = WYVERN_SOURCE_DIR;

std::vector<fs::path> Examples() {
  std::vector<fs::path> examples;
  for (const auto& entry : fs::directory_iterator(kTop / "examples")) {
    if (entry.path().extension() == ".cc") examples.push_back(entry.path());
  }
  return examples;
}

// Every page, where build folders are left out.
std::vector<fs::path> Pages() {
  std::vector<fs::path> pages;
  for (auto i = fs::recursive_directory_iterator(kTop);
       i != fs::recursive_directory_iterator(); ++i) {
    const std::string name = i->path().filename().string();
    if (i->is_directory() &&
        (name == "build" || name == "node_modules" || name.starts_with('.'))) {
      i.disable_recursion_pending();
    } else if (i->path().extension() == ".md") {
      pages.push_back(i->path());
    }
  }
  return pages;
}

// The text of a page outside of its code blocks.
std::string ProseOf(const fs::path& page) {
  const std::string fence = "```";
  std::string prose, text = ReadFile(page);
  for (bool is_code = false;; is_code = !is_code) {
    const size_t end = text.find(fence);
    if (!is_code) prose += text.substr(0, end);
    if (end == std::string::npos) return prose;
    text.erase(0, end + fence.size());
  }
}

TEST(Readme, EachFileItLinksToExists) {
  int count = 0;
  for (const fs::path& page : Pages()) {
    const std::string text = ProseOf(page);
    for (size_t at = text.find("]("); at != std::string::npos;
         at = text.find("](", at + 1)) {
      const std::string link =
          text.substr(at + 2, text.find_first_of(")#", at) - at - 2);
      if (link.empty() || link.starts_with("http")) continue;
      EXPECT_TRUE(fs::exists(page.parent_path() / link))
          << page << " links to " << link;
      ++count;
    }
  }
  EXPECT_GT(count, 60);
}

// The pages that list a folder's files by what a reader looks for. A word of a
// page is a file's name with or without its ending.
TEST(Readme, EachFileOfAFolderIsOnItsPage) {
  const std::regex word("[a-z0-9_]+");
  for (const std::string folder :
       {"multibody/algorithms", "multibody/parsing", "multibody/plant",
        "multibody/recording", "multibody/sensors", "multibody/standalone",
        "multibody/tree", "systems/framework", "systems/primitives",
        "systems/recording", "systems/sensors"}) {
    const std::string text = ReadFile(kTop / folder / "README.md");
    std::set<std::string> words;
    for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end;
         ++i) {
      words.insert(i->str());
    }
    for (const auto& entry : fs::recursive_directory_iterator(kTop / folder)) {
      const fs::path& file = entry.path();
      if (file.extension() != ".h" && file.extension() != ".cc") continue;
      EXPECT_TRUE(words.contains(file.stem().string()))
          << folder << "/README.md does not mention " << file.filename();
    }
  }
}

// Paths in the first column of its tables; NAME stands for a name to be chosen.
TEST(Contributing, NamesFilesThatExist) {
  const std::string text = ReadFile(kTop / "CONTRIBUTING.md");
  const std::regex path("`([a-z0-9_]+/[a-z0-9_/]+\\.(?:cc|h|py|md|txt|yml))`");
  int count = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), path), end; i != end;
       ++i, ++count) {
    EXPECT_TRUE(fs::exists(kTop / (*i)[1].str())) << (*i)[1];
  }
  EXPECT_GT(count, 25);
}

TEST(Changelog, KnowsTheVersionOfTheBuild) {
  const std::string build = ReadFile(kTop / "CMakeLists.txt");
  std::smatch version;
  ASSERT_TRUE(std::regex_search(
      build, version, std::regex("project\\(wyvern VERSION ([0-9.]+)")));
  const std::string changelog = ReadFile(kTop / "CHANGELOG.md");
  EXPECT_NE(changelog.find("## [Unreleased]"), std::string::npos);
  EXPECT_NE(changelog.find(version[1].str()), std::string::npos) << version[1];
}

// The sources of all tests, blanks and line ends as one blank.
std::string TestSources() {
  std::string result;
  for (const auto& entry : fs::recursive_directory_iterator(kTop / "tests")) {
    if (entry.path().extension() != ".cc") continue;
    for (const char c : ReadFile(entry.path())) {
      const bool is_blank = c == ' ' || c == '\n';
      if (!is_blank || !result.ends_with(' ')) result += is_blank ? ' ' : c;
    }
  }
  return result;
}

TEST(Promises, AreHeldByTestsThatExist) {
  const std::string text =
      ReadFile(kTop / "docs/promises.md") + ReadFile(kTop / "docs/claims.md");
  const std::string tests = TestSources();
  const std::string fuzzers = ReadFile(kTop / "tests/fuzz/CMakeLists.txt");
  const std::regex name("`([A-Za-z]+)\\.([A-Za-z0-9]+)`");
  int count = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end;
       ++i, ++count) {
    const std::string suite = (*i)[1], test = (*i)[2];
    const bool exists =
        suite == "fuzz"
            ? fuzzers.find(test) != std::string::npos
            : tests.find('(' + suite + ", " + test + ')') != std::string::npos;
    EXPECT_TRUE(exists) << suite << '.' << test
                        << " holds a promise or a claim.";
  }
  EXPECT_GT(count, 80);
}

TEST(Examples, AreNumberedShortAndOpenWithAComment) {
  for (const fs::path& example : Examples()) {
    const std::string text = ReadFile(example);
    const std::string name = example.filename().string();
    EXPECT_TRUE(std::isdigit(name[0]) && std::isdigit(name[1])) << name;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 80) << name;
    EXPECT_TRUE(text.starts_with("// ")) << name;
  }
}

TEST(Examples, AreListedInTheirReadme) {
  const std::string readme = ReadFile(kTop / "examples/README.md");
  for (const fs::path& example : Examples()) {
    EXPECT_NE(readme.find(example.filename().string()), std::string::npos)
        << "examples/README.md does not mention " << example.filename();
  }
}

}  // namespace readme_test
}  // namespace wyvern::tests
