#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace wyvern::geometry::test {

/** Tests of the page in a real browser; skipped where there is none. */
class PageTest : public testing::Test {
 protected:
  void SetUp() override;

  /** Opens `url` in a browser and does as the steps of page_steps.mjs say; what
  they say, a line each. */
  static std::vector<std::vector<double>> Do(
      const std::string& url, const std::vector<std::string>& steps);
};

}  // namespace wyvern::geometry::test
