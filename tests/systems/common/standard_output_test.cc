#include "wyvern/systems/common/standard_output.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>

namespace wyvern::internal {
namespace standard_output_test {

// Returns the exit code of a process that runs the function.
int CodeOf(const std::function<int()>& what) {
  // Buffered text belongs to this process alone.
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) std::_Exit(what());
  int status{};
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StandardOutput, AFullOneHasAFaultAndAnotherHasNone) {
  std::ostringstream text;
  text << "x";
  EXPECT_EQ(FindPrintingFault(&text), "");
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(FindPrintingFault(&full), "");
  full << "x";
  EXPECT_EQ(FindPrintingFault(&full), "No space left on device");
  EXPECT_NE(FindPrintingFault(&full), "");
}

// Otherwise printed text would go into the first file that is opened.
TEST(StandardOutput, AClosedOneIsNoFileThatIsOpenedLater) {
  EXPECT_EQ(CodeOf([] {
              for (const int i : {0, 1, 2}) close(i);
              ReserveStandardStreams();
              const int file = open("/dev/zero", O_RDWR);
              const bool fails = write(STDOUT_FILENO, "x", 1) < 0 &&
                                 write(STDERR_FILENO, "x", 1) < 0;
              return file > 2 && fails ? 7 : 1;
            }),
            7);
}

TEST(StandardOutput, AGuardEndsAProgramThatPrintedToNobody) {
  const auto print_to = [](const char* file, const char* text) {
    return CodeOf([=] {
      dup2(open(file, O_WRONLY), STDOUT_FILENO);
      {
        const StandardOutputGuard guard;
        std::printf("%s", text);
      }
      return 7;
    });
  };
  EXPECT_EQ(print_to("/dev/null", "x"), 7);
  EXPECT_EQ(print_to("/dev/full", ""), 7);
  EXPECT_EQ(print_to("/dev/full", "x"), 1);
}

}  // namespace standard_output_test
}  // namespace wyvern::internal
