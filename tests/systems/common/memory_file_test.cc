#include "wyvern/systems/common/memory_file.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/common/sorted_pair.h"

namespace wyvern {
namespace {

TEST(MemoryFile, KeepsWhatItIsGiven) {
  const MemoryFile file("some text", ".OBJ", "label");
  EXPECT_EQ(file.contents(), "some text");
  EXPECT_EQ(file.extension(), ".obj");
  EXPECT_EQ(file.to_string(4),
            "MemoryFile(contents='some...', extension='.obj', "
            "filename_hint='label')");
}

TEST(MemoryFile, ReadsAFile) {
  const std::string path = testing::TempDir() + "memory_file_test.txt";
  std::ofstream(path) << "line\n";
  EXPECT_EQ(MemoryFile::Make(path).contents(), "line\n");
  EXPECT_EQ(MemoryFile::Make(path).extension(), ".txt");
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(MemoryFile::Make(path).contents(), "");
}

TEST(MemoryFile, MisuseIsExplained) {
  EXPECT_THROWS_MESSAGE(MemoryFile::Make("/no/such/file"), std::runtime_error,
                        "'/no/such/file' cannot be read");
  EXPECT_THROWS_MESSAGE(MemoryFile::Make(std::string(5000, 'x')),
                        std::runtime_error, "cannot be read; give the path");
  EXPECT_THROWS_MESSAGE(MemoryFile::Make("/"), std::runtime_error,
                        "'/' cannot be read");
  EXPECT_THROWS_MESSAGE(MemoryFile("", "obj", ""), std::runtime_error,
                        "begin with a dot");
  EXPECT_THROWS_MESSAGE(MemoryFile("", "", "a\nb"), std::runtime_error,
                        "line break");
}

TEST(SortedPair, OrderOfTheArgumentsDoesNotMatter) {
  const SortedPair<int> pair(5, 2);
  EXPECT_EQ(pair, MakeSortedPair(2, 5));
  EXPECT_EQ(pair.first(), 2);
  const auto [low, high] = pair;
  EXPECT_EQ(low + 10 * high, 52);
  EXPECT_LT(SortedPair<int>(1, 9), pair);
  EXPECT_EQ(std::hash<SortedPair<int>>{}(pair),
            std::hash<SortedPair<int>>{}(MakeSortedPair(2, 5)));
}

}  // namespace
}  // namespace wyvern
