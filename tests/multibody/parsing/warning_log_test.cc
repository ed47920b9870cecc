#include "wyvern/multibody/parsing/warning_log.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::multibody::internal {
namespace warning_log_test {

using Names = std::vector<std::string>;

TEST(WarningLog, SaysAFindingOnceAFileWithAllItsPlaces) {
  WarningLog log;
  int calls = 0;
  log.set_handler([&](const std::string&) { ++calls; });
  log.BeginFile();
  log.Add("f:1", "odd.");
  log.Add("f:2", "odd.");
  log.Add("f:3", "strange.");
  log.Add("other:4", "odd.");
  EXPECT_EQ(calls, 0);
  log.EndFile();
  log.BeginFile();
  log.Add("g:1", "odd.");
  log.EndFile();
  EXPECT_EQ(log.warnings(), (Names{"f:1: odd. (Also at 2, other:4.)",
                                   "f:3: strange.", "g:1: odd."}));
  EXPECT_EQ(calls, 3);
}

TEST(WarningLog, CountsPlacesThatAreMany) {
  WarningLog log;
  log.set_handler({});
  for (int i = 1; i <= 20; ++i) log.Add("f:" + std::to_string(i), "odd.");
  log.EndFile();
  EXPECT_EQ(log.warnings(),
            Names{"f:1: odd. (Also at 2, 3, 4, 5, 6, 7, 8, 9 and 11 more.)"});
}

TEST(WarningLog, PrintsOnStderrByDefault) {
  WarningLog log;
  testing::internal::CaptureStderr();
  log.Add("f:1", "odd.");
  log.EndFile();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: f:1: odd.\n");
}

TEST(WarningLog, OfARefusedFileKeepsTheErrorAndGivesTheWarnings) {
  WarningLog log;
  log.set_handler({});
  log.Add("f:1", "odd.");
  EXPECT_EQ(log.EndRefusedFile("f:9: bad."), "f:9: bad.");
  EXPECT_EQ(log.warnings(), Names{"f:1: odd."});
  EXPECT_EQ(log.EndRefusedFile("f:9: bad."), "f:9: bad.");
  EXPECT_EQ(log.warnings().size(), 1u);
}

TEST(WarningLog, StrictThrowsAllAtOnce) {
  WarningLog log;
  log.set_strict();
  EXPECT_NO_THROW(log.EndFile());
  log.Add("f:1", "odd.");
  log.Add("f:2", "strange.");
  EXPECT_THROWS_MESSAGE(log.EndFile(), std::runtime_error,
                        "f:1: odd.\nf:2: strange. (Strict parsing");
  log.Add("f:1", "odd.");
  EXPECT_EQ(log.EndRefusedFile("f:9: bad."),
            "f:9: bad.\nf:1: odd. (Strict parsing makes warnings errors.)");
  EXPECT_TRUE(log.warnings().empty());
}

}  // namespace warning_log_test
}  // namespace wyvern::multibody::internal
