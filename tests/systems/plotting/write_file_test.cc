#include "wyvern/systems/plotting/write_file.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::plotting {
namespace write_file_test {

namespace fs = std::filesystem;

// A folder of the test's own, emptied before and removed after it.
class WriteFileTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) /
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(WriteFileTest, MakesFoldersAndReplacesAnOlderFile) {
  const fs::path path = folder_ / "a/b.txt";
  WriteFile(path, "old and longer");
  WriteFile(path, "new");
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "new");
  EXPECT_FALSE(fs::exists(folder_ / "a/b.txt.partial"));
}

TEST_F(WriteFileTest, RefusesAFolderThatIsAFileAndLeavesNothing) {
  WriteFile(folder_ / "file", "x");
  EXPECT_THROWS_MESSAGE(WriteFile(folder_ / "file/b.txt", "y"),
                        std::runtime_error, "b.txt'; give a folder");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(WriteFileTest, RefusesAPathThatIsAFolderAndLeavesNothing) {
  fs::create_directories(folder_ / "b.txt/inner");
  EXPECT_THROWS_MESSAGE(WriteFile(folder_ / "b.txt", "y"), std::runtime_error,
                        "cannot write");
  EXPECT_FALSE(fs::exists(folder_ / "b.txt.partial"));
}

}  // namespace write_file_test
}  // namespace wyvern::plotting
