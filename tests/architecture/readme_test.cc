#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>

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

TEST(Readme, FirstProgramIsTheFirstExample) {
  const std::string readme = ReadFile(kTop / "README.md");
  const std::string fence = "```cpp\n";
  const size_t start = readme.find(fence);
  ASSERT_NE(start, std::string::npos);
  const size_t end = readme.find("```\n", start + fence.size());
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(readme.substr(start + fence.size(), end - start - fence.size()),
            ReadFile(kTop / "examples/01_first_program.cc"));
}

TEST(Readme, EachFileItLinksToExists) {
  for (const char* page : {"README.md", "examples/README.md", "tests/README.md",
                           "third_party/README.md", "docs/promises.md"}) {
    const std::string text = ReadFile(kTop / page);
    for (size_t at = text.find("]("); at != std::string::npos;
         at = text.find("](", at + 1)) {
      const std::string link =
          text.substr(at + 2, text.find_first_of(")#", at) - at - 2);
      if (link.empty() || link.starts_with("http")) continue;
      EXPECT_TRUE(fs::exists((kTop / page).parent_path() / link))
          << page << " links to " << link;
    }
  }
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
  const std::string text = ReadFile(kTop / "docs/promises.md");
  const std::string tests = TestSources();
  const std::string fuzzers = ReadFile(kTop / "tests/fuzz/CMakeLists.txt");
  const std::regex name("`([A-Za-z]+)\\.([A-Za-z]+)`");
  int count = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end;
       ++i, ++count) {
    const std::string suite = (*i)[1], test = (*i)[2];
    const bool exists =
        suite == "fuzz"
            ? fuzzers.find(test) != std::string::npos
            : tests.find('(' + suite + ", " + test + ')') != std::string::npos;
    EXPECT_TRUE(exists) << suite << '.' << test << " holds a promise.";
  }
  EXPECT_GT(count, 30);
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
