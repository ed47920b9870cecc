#include "wyvern/systems/common/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::internal {
namespace output_file_test {

namespace fs = std::filesystem;

std::string Contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    std::string name = testing::TempDir() + "output_file_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name);
    folder_ = name;
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  void Write(const fs::path& path, const std::string& text) const {
    WriteWholeFile("Test()", path, text);
  }
  int CountFiles() const {
    return static_cast<int>(std::distance(fs::directory_iterator(folder_), {}));
  }
  // Starts another process that holds the file and exits with `code` on
  // request.
  pid_t HoldElsewhere(const fs::path& path, int* say_when) const {
    int ready[2], when[2];
    EXPECT_EQ(pipe(ready) + pipe(when), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(when[1]);
      OutputFile file("Other", path.string());
      std::fputs("half a r", file.OpenStream());
      char c = '!';
      EXPECT_EQ(write(ready[1], &c, 1), 1);
      EXPECT_EQ(read(when[0], &c, 1), 0);
      _exit(0);  // As a killed one: nothing is flushed or given a name.
    }
    char c;
    EXPECT_EQ(read(ready[0], &c, 1), 1);
    for (const int end : {ready[0], ready[1], when[0]}) close(end);
    *say_when = when[1];
    return child;
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, ALinkStaysAndTheFileAtItsEndIsReplaced) {
  Write(folder_ / "old", "old and longer");
  fs::create_symlink("old", folder_ / "near");
  fs::create_symlink(folder_ / "near", folder_ / "far");
  Write(folder_ / "far", "new");
  EXPECT_EQ(fs::read_symlink(folder_ / "near"), "old");
  EXPECT_EQ(fs::read_symlink(folder_ / "far"), folder_ / "near");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder_ / "old")));
  EXPECT_EQ(Contents(folder_ / "old"), "new");
  EXPECT_EQ(CountFiles(), 3);
}

TEST_F(OutputFileTest, ALinkToNothingMakesTheFileThatItNames) {
  fs::create_directory(folder_ / "inner");
  fs::create_symlink("inner/made", folder_ / "link");
  Write(folder_ / "link", "text");
  EXPECT_EQ(fs::read_symlink(folder_ / "link"), "inner/made");
  EXPECT_EQ(Contents(folder_ / "inner/made"), "text");
}

TEST_F(OutputFileTest, ARingOfLinksIsAnError) {
  fs::create_symlink("b", folder_ / "a");
  fs::create_symlink("a", folder_ / "b");
  EXPECT_THROWS_MESSAGE(Write(folder_ / "a", "x"), std::runtime_error,
                        "Too many levels of symbolic links");
}

TEST_F(OutputFileTest, APipeIsWrittenToAndStays) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("pipe", folder_ / "link");
  for (const char* name : {"pipe", "link"}) {
    std::string got;
    std::thread reader([&] { got = Contents(pipe); });
    Write(folder_ / name, "text");
    reader.join();
    EXPECT_EQ(got, "text");
  }
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(CountFiles(), 2);
}

TEST_F(OutputFileTest, AFullDeviceIsAnErrorAndStays) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  fs::create_symlink("/dev/full", folder_ / "link");
  EXPECT_THROWS_MESSAGE(Write(folder_ / "link", "x"), std::runtime_error,
                        "No space left on device");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  // Several writers may write to one device.
  const OutputFile one("Test", folder_ / "link"), two("Test", "/dev/full");
  EXPECT_TRUE(one.is_in_place());
  EXPECT_EQ(CountFiles(), 1);
}

TEST_F(OutputFileTest, TheFileOfAnotherProcessIsRefusedWhileThatLives) {
  const fs::path path = folder_ / "x";
  Write(path, "old");
  fs::create_symlink("x", folder_ / "link");
  int say_when{};
  const pid_t child = HoldElsewhere(path, &say_when);
  for (const char* name : {"x", "link"}) {
    EXPECT_THROWS_MESSAGE(OutputFile("Test", folder_ / name),
                          std::runtime_error,
                          "is being written by another process; wait");
  }
  EXPECT_EQ(Contents(path), "old");
  close(say_when);
  waitpid(child, nullptr, 0);
  Write(path, "new");
  EXPECT_EQ(Contents(path), "new");
  EXPECT_FALSE(fs::exists(path.string() + ".partial"));
}

TEST_F(OutputFileTest, OfManyProcessesEachWritesAWholeFileOrNone) {
  const fs::path path = folder_ / "x";
  for (int i = 0; i < 8; ++i) {
    if (fork() != 0) continue;
    int code = 0;
    for (int k = 0; k < 400; ++k) {
      try {
        WriteWholeFile("Test()", path, std::string(5000, 'a' + i));
      } catch (const std::runtime_error& error) {
        const bool is_told =
            std::string(error.what()).find("another process") !=
            std::string::npos;
        if (!is_told) code = 1;
      }
    }
    _exit(code);
  }
  for (int i = 0, status; i < 8; ++i) {
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  const std::string text = Contents(path);
  EXPECT_EQ(text, std::string(5000, text.at(0)));
}

TEST_F(OutputFileTest, APartialFileThatIsALinkOrAPipeIsLeftAlone) {
  Write(folder_ / "precious", "text");
  fs::create_symlink("precious", folder_ / "x.partial");
  EXPECT_THROWS_MESSAGE(OutputFile("Test", folder_ / "x"), std::runtime_error,
                        "it is a symbolic link; remove it");
  EXPECT_EQ(Contents(folder_ / "precious"), "text");
  ASSERT_EQ(mkfifo((folder_ / "y.partial").c_str(), 0600), 0);
  EXPECT_THROWS_MESSAGE(OutputFile("Test", folder_ / "y"), std::runtime_error,
                        "it is no regular file; remove it");
}

TEST_F(OutputFileTest, AFolderIsRefusedBeforeAnythingIsWritten) {
  EXPECT_THROWS_MESSAGE(OutputFile("Test", folder_), std::runtime_error,
                        "is a folder; give the name of a file");
  EXPECT_THROWS_MESSAGE(OutputFile("Test", ""), std::logic_error, "filename");
  // A file that appears later stays, and so does the written text.
  OutputFile file("Test", folder_ / "x");
  fs::create_directory(folder_ / "x");
  EXPECT_THROWS_MESSAGE(file.Finish(), OutputFileError, "cannot rename");
  EXPECT_TRUE(fs::is_directory(folder_ / "x"));
  EXPECT_TRUE(fs::exists(folder_ / "x.partial"));
}

TEST_F(OutputFileTest, AFileThatOthersMustNotReadStaysOne) {
  Write(folder_ / "x", "old");
  fs::permissions(folder_ / "x", fs::perms(0600));
  Write(folder_ / "x", "new");
  EXPECT_EQ(fs::status(folder_ / "x").permissions(), fs::perms(0600));
}

TEST_F(OutputFileTest, WhatIsDiscardedLeavesNothing) {
  Write(folder_ / "x", "old");
  OutputFile file("Test", folder_ / "x");
  EXPECT_EQ(CountFiles(), 2);
  file.Discard();
  EXPECT_EQ(CountFiles(), 1);
  EXPECT_EQ(Contents(folder_ / "x"), "old");
}

// `--report /dev/stdout > file` does the same.
TEST_F(OutputFileTest, TheStandardOutputIsWrittenBehindWhatWasPrinted) {
  const std::string file = (folder_ / "out").string();
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(file.c_str(), O_RDWR | O_CREAT, 0600), STDOUT_FILENO);
    bool is_well = write(STDOUT_FILENO, "first,", 6) == 6;
    WriteWholeFile("Test()", "/dev/stdout", "second,");
    is_well = is_well && write(STDOUT_FILENO, "third", 5) == 5;
    _exit(is_well ? 0 : 1);
  }
  int status{};
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Contents(file), "first,second,third");
}

}  // namespace output_file_test
}  // namespace wyvern::internal
