#include "wyvern/multibody/parsing/warning_log.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::multibody::internal {
namespace {

TEST(WarningLog, MakesARemarkOnceAFile) {
  WarningLog log;
  int calls = 0;
  log.set_handler([&](const std::string&) { ++calls; });
  log.BeginFile();
  log.Add("f:1", "odd.");
  log.Add("f:2", "odd.");
  log.Add("f:3", "strange.");
  log.BeginFile();
  log.Add("g:1", "odd.");
  EXPECT_EQ(log.warnings(), (std::vector<std::string>{
                                "f:1: odd.", "f:3: strange.", "g:1: odd."}));
  EXPECT_EQ(calls, 3);
}

TEST(WarningLog, PrintsOnStderrByDefault) {
  WarningLog log;
  testing::internal::CaptureStderr();
  log.Add("f:1", "odd.");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: f:1: odd.\n");
}

TEST(WarningLog, StrictThrows) {
  WarningLog log;
  log.set_strict();
  EXPECT_THROWS_MESSAGE(log.Add("f:1", "odd."), std::runtime_error,
                        "f:1: odd. (Strict parsing");
}

}  // namespace
}  // namespace wyvern::multibody::internal
