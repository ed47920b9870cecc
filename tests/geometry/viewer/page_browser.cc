#include "tests/geometry/viewer/page_browser.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wyvern/geometry/viewer/viewer.h"

namespace wyvern::geometry::test {

using Numbers = std::vector<double>;

void PageTest::SetUp() {
  if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
  if (!std::filesystem::exists(WYVERN_CHROMIUM)) {
    GTEST_SKIP() << "There is no chromium to open the page with.";
  }
}

std::vector<Numbers> PageTest::Do(const std::string& url,
                                  const std::vector<std::string>& steps) {
  std::string command =
      fmt::format("'{}' '{}' '{}' '{}' '{}'", WYVERN_NODE,
                  WYVERN_SOURCE_DIR "/tests/geometry/viewer/page_steps.mjs",
                  WYVERN_SOURCE_DIR
                  "/geometry/viewer/web/node_modules/playwright-core/index.mjs",
                  WYVERN_CHROMIUM, url);
  for (const std::string& step : steps) command += " '" + step + "'";
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  EXPECT_EQ(pclose(pipe), 0) << text;
  std::vector<Numbers> result;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const auto line =
        nlohmann::json::parse(text.substr(begin, end - begin), nullptr, false);
    if (line.is_array()) result.push_back(line.get<Numbers>());
    begin = end + 1;
  }
  return result;
}

}  // namespace wyvern::geometry::test
