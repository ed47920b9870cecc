#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace wyvern::test {
namespace {

namespace fs = std::filesystem;

TEST(PrivateFolderTest, IsThereAndEmptyAndOneForAProcess) {
  const fs::path folder = fs::temp_directory_path();
  EXPECT_NE(folder.string().find("wyvern_test_"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder));
  EXPECT_TRUE(fs::equivalent(folder, testing::TempDir()));
  // Children that are no tests get the same.
  EXPECT_EQ(std::system("test \"$TMPDIR\" = \"$TEST_TMPDIR\""), 0);
}

}  // namespace
}  // namespace wyvern::test
