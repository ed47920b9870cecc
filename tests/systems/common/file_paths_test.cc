#include "wyvern/systems/common/file_paths.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::internal {
namespace file_paths_test {

namespace fs = std::filesystem;

const fs::path kTooLong = "/tmp/" + std::string(300, 'x');

// Returns whether `is_so` holds in a process whose working folder is gone.
bool HoldsInAFolderThatIsGone(const std::function<bool()>& is_so) {
  std::string folder = testing::TempDir() + "file_paths_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error(folder);
  const pid_t child = fork();
  if (child == 0) {
    const bool is_gone =
        chdir(folder.c_str()) == 0 && rmdir(folder.c_str()) == 0;
    _exit(is_gone && is_so() ? 0 : 1);
  }
  int status{};
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(FilePaths, AreMadeAbsoluteFromTheWorkingFolder) {
  EXPECT_EQ(MakeAbsolute("Test()", "a/b"), fs::current_path() / "a/b");
  EXPECT_EQ(MakeAbsolute("Test()", "/a/b"), "/a/b");
  EXPECT_EQ(MakeCanonical("Test()", "/tmp/../tmp/./no such"),
            fs::canonical("/tmp") / "no such");
  EXPECT_EQ(MakeCanonical("Test()", kTooLong / "../x"), "/tmp/x");
}

TEST(FilePaths, AWorkingFolderThatIsGoneIsToldInASentence) {
  EXPECT_TRUE(HoldsInAFolderThatIsGone([] {
    if (MakeAbsolute("Test()", "/a") != "/a") return false;
    try {
      MakeAbsolute("Test()", "a");
    } catch (const std::runtime_error& error) {
      return std::string(error.what()) ==
             "Test(): 'a' is relative to the working folder, which is gone "
             "(No such file or directory); change to a folder that exists, or "
             "give a path from the root.";
    }
    return false;
  }));
}

TEST(FilePaths, WhatCannotBeAskedForIsNotThere) {
  EXPECT_TRUE(Exists("/tmp"));
  EXPECT_FALSE(Exists("/tmp/no such file"));
  EXPECT_FALSE(Exists(kTooLong));
}

TEST(FilePaths, FoldersAreMadeAndListed) {
  const fs::path top = fs::path(testing::TempDir()) / "file_paths_folders";
  fs::remove_all(top);
  EXPECT_TRUE(MakeFolders("Test()", top / "a/b"));
  EXPECT_FALSE(MakeFolders("Test()", top / "a/b"));
  std::ofstream(top / "a/file") << "x";
  fs::create_symlink("a", top / "link");
  EXPECT_FALSE(MakeFolders("Test()", top / "link"));
  EXPECT_EQ(ListFolder("Test()", top / "a"),
            (std::vector<fs::path>{top / "a/b", top / "a/file"}));
  EXPECT_THROWS_MESSAGE(MakeFolders("Test()", top / "a/file/c"),
                        std::runtime_error, "Test(): cannot make the folder '");
  EXPECT_THROWS_MESSAGE(MakeFolders("Test()", kTooLong), std::runtime_error,
                        "File name too long; give a path");
  EXPECT_THROWS_MESSAGE(ListFolder("Test()", top / "none"), std::runtime_error,
                        "No such file or directory; give a folder");
  fs::remove_all(top);
}

}  // namespace file_paths_test
}  // namespace wyvern::internal
