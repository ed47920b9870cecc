// Each public header compiles alone. For a header with a source of its name,
// compiling that source proves it, because it includes its header first, which
// is checked here. The other headers are compiled one by one: see
// CMakeLists.txt.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/architecture/include_law.h"

namespace wyvern::tests {
namespace headers_test {

const std::filesystem::path kTop = WYVERN_SOURCE_DIR;

TEST(Headers, EachSourceIncludesItsOwnHeaderFirst) {
  const std::vector<std::string> sources = LibrarySources(kTop);
  int checked = 0;
  for (const std::string& source : sources) {
    if (!source.ends_with(".cc")) continue;
    const std::string header = source.substr(0, source.size() - 2) + "h";
    if (!std::binary_search(sources.begin(), sources.end(), header)) continue;
    const auto includes = IncludesOf(ReadFile(kTop / source));
    ASSERT_FALSE(includes.empty()) << source;
    EXPECT_EQ(includes.front(), "wyvern/" + header) << "in " << source;
    ++checked;
  }
  RecordProperty("checked", checked);
}

TEST(Headers, EachIsGuardedByPragmaOnce) {
  for (const std::string& source : LibrarySources(kTop)) {
    if (!source.ends_with(".h")) continue;
    const std::string content = ReadFile(kTop / source);
    EXPECT_NE(content.find("#pragma once\n"), std::string::npos) << source;
  }
}

TEST(Headers, EachNamedLibraryHeaderExists) {
  for (const std::string& source : LibrarySources(kTop)) {
    for (const std::string& include : IncludesOf(ReadFile(kTop / source))) {
      if (!include.starts_with("wyvern/")) continue;
      EXPECT_TRUE(std::filesystem::exists(kTop / include.substr(7)))
          << source << " includes " << include;
    }
  }
}

}  // namespace headers_test
}  // namespace wyvern::tests
