#include "wyvern/multibody/kernels/packs.h"

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

namespace wyvern::multibody::internal {
namespace wide_registers_test {

TEST(WideRegisters, AreThoseOfTheProcessorUnlessNarrowOnesAreAskedFor) {
  const char* const asked = std::getenv("WYVERN_REGISTERS");
  const bool is_narrow = asked && std::string_view(asked) == "narrow";
#if defined(__x86_64__) && !WYVERN_PLAIN_KERNELS
  const bool has_wide = __builtin_cpu_supports("avx2");
#else
  const bool has_wide = false;
#endif
  EXPECT_EQ(kHasWideRegisters, has_wide && !is_narrow);
}

// The variable is read at the start: this program, started anew, says so.
TEST(WideRegisters, FollowTheEnvironmentOfTheProgram) {
  std::array<char, 4096> path{};
  if (readlink("/proc/self/exe", path.data(), path.size() - 1) <= 0) {
    GTEST_SKIP() << "the program's own file is not known here";
  }
  for (const std::string value : {"narrow", "wide", ""}) {
    const std::string command =
        "WYVERN_REGISTERS=" + value + " '" + path.data() +
        "' --gtest_filter=WideRegisters.AreThose* > /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << value;
  }
}

}  // namespace wide_registers_test
}  // namespace wyvern::multibody::internal
