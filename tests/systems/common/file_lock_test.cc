#include "wyvern/systems/common/file_lock.h"

#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace wyvern::internal {
namespace file_lock_test {

using Kind = FileLock::Kind;

TEST(FileLock, ManyShareOneHasAlone) {
  const std::string path = testing::TempDir() + "file_lock_test";
  {
    const FileLock one(path, Kind::kShared), two(path, Kind::kShared);
    EXPECT_EQ(one.error(), 0);
    EXPECT_EQ(two.error(), 0);
    EXPECT_EQ(FileLock(path, Kind::kExclusive).error(), EWOULDBLOCK);
  }
  auto alone = std::make_unique<FileLock>(path, Kind::kExclusive);
  EXPECT_EQ(alone->error(), 0);
  EXPECT_EQ(FileLock(path, Kind::kExclusive).error(), EWOULDBLOCK);
  EXPECT_EQ(FileLock(path, Kind::kShared).descriptor(), -1);
  alone.reset();
  EXPECT_EQ(FileLock(path, Kind::kExclusive).error(), 0);
  std::remove(path.c_str());
}

// HDF5 locks the files that it opens this way.
TEST(FileLock, IsNotMetByALibraryThatLocksTheFileItself) {
  const std::string path = testing::TempDir() + "file_lock_test_2";
  const FileLock lock(path, Kind::kExclusive);
  std::FILE* const file = std::fopen(path.c_str(), "r+");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(flock(fileno(file), LOCK_EX | LOCK_NB), 0);
  std::fclose(file);
  EXPECT_EQ(FileLock(path, Kind::kExclusive).error(), EWOULDBLOCK);
  std::remove(path.c_str());
}

TEST(FileLock, SaysWhyAFileCannotBeOpened) {
  EXPECT_EQ(FileLock("/no/such/folder/x", Kind::kShared).error(), ENOENT);
  EXPECT_EQ(FileLock("/dev/null", Kind::kShared).error(), EINVAL);
}

}  // namespace file_lock_test
}  // namespace wyvern::internal
