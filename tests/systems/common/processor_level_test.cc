#include "wyvern/systems/common/processor_level.h"

#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace wyvern {
namespace {

// A library for a level that the processor lacks would have stopped at the
// first instruction that is missing.
TEST(ProcessorLevel, IsOneThatThisProcessorHas) {
  const std::set<std::string_view> known{"x86-64",    "x86-64-v2", "x86-64-v3",
                                         "x86-64-v4", "aarch64",   "other"};
  ASSERT_TRUE(known.contains(ProcessorLevel())) << ProcessorLevel();
#if defined(__linux__) && defined(__x86_64__)
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string word; file >> word;) flags.insert(word);
  const std::string_view level = ProcessorLevel();
  EXPECT_TRUE(level < "x86-64-v3" || flags.contains("avx2"));
  EXPECT_TRUE(level < "x86-64-v4" || flags.contains("avx512vl"));
#endif
}

}  // namespace
}  // namespace wyvern
