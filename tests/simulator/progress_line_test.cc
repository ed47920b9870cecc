#include "wyvern/simulator/progress_line.h"

#include <limits>
#include <sstream>

#include <gtest/gtest.h>

namespace wyvern::systems::internal {
namespace {

using Clock = ProgressLine::Clock;

// Ten simulated seconds, by a clock that the test turns.
class ProgressLineTest : public ::testing::Test {
 protected:
  void Wait(std::chrono::milliseconds time) { now_ += time; }
  std::ostringstream stream_;
  Clock::time_point now_{};
  ProgressLine line_{0, 10, &stream_, [this] { return now_; }};
};

TEST_F(ProgressLineTest, ShortRunsShowNothing) {
  Wait(std::chrono::milliseconds(900));
  line_.Update(9.9);
  EXPECT_EQ(stream_.str(), "");
}

TEST_F(ProgressLineTest, LongRunsShowPercentRateAndTimeToGo) {
  Wait(std::chrono::milliseconds(4000));
  line_.Update(2);
  EXPECT_NE(stream_.str().find(
                "[ 20%] t = 2 of 10 s, 0.5 simulated s per s, 16 s to go"),
            std::string::npos)
      << stream_.str();
}

TEST_F(ProgressLineTest, IsRewrittenTwiceASecondAtMost) {
  Wait(std::chrono::milliseconds(4000));
  line_.Update(2);
  const size_t once = stream_.str().size();
  Wait(std::chrono::milliseconds(400));
  line_.Update(3);
  EXPECT_EQ(stream_.str().size(), once);
  Wait(std::chrono::milliseconds(200));
  line_.Update(3);
  EXPECT_GT(stream_.str().size(), once);
}

TEST_F(ProgressLineTest, CopesWithNoEndAndNoProgress) {
  EXPECT_NE(line_.Format(0, 5).find("no end in sight"), std::string::npos);
  const ProgressLine endless(0, std::numeric_limits<double>::infinity(),
                             &stream_, [this] { return now_; });
  EXPECT_EQ(endless.Format(4, 2), "t = 4 s, 2 simulated s per s");
}

TEST(ProgressLine, IsWipedAtTheEndAndSilentWithoutATerminal) {
  std::ostringstream stream;
  Clock::time_point now{};
  {
    ProgressLine line(0, 10, &stream, [&now] { return now; });
    now += std::chrono::seconds(4);
    line.Update(1);
  }
  EXPECT_EQ(stream.str().substr(stream.str().size() - 4), "\r\x1b[K");
  ProgressLine silent(0, 10, nullptr, [&now] { return now; });
  silent.Update(1);
}

}  // namespace
}  // namespace wyvern::systems::internal
