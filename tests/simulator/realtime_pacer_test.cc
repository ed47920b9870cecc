// The wall clock may be late, but never early: only lower bounds are tested.
#include "wyvern/simulator/realtime_pacer.h"

#include <chrono>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::systems::internal {
namespace realtime_pacer_test {

using std::chrono::steady_clock;

double SecondsSince(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

TEST(RealtimePacer, HoldsSimulatedTimeBackToItsRate) {
  for (const double rate : {20.0, 100.0}) {
    RealtimePacer pacer;
    pacer.set_target_rate(rate);
    const auto start = steady_clock::now();
    pacer.Restart(3.0);
    for (const double time : {3.2, 3.3, 4.0}) {
      pacer.WaitFor(time);
      EXPECT_GE(SecondsSince(start), (time - 3.0) / rate - 1e-9);
      EXPECT_LE(pacer.CalcActualRate(time), rate * (1 + 1e-9));
    }
  }
}

// A day at a thousandth of its pace would not end: a wait that came is over.
TEST(RealtimePacer, DoesNotWaitWithoutARateOrForWhatIsPast) {
  RealtimePacer pacer;
  pacer.Restart(0);
  pacer.WaitFor(86400);
  pacer.set_target_rate(1e-3);
  pacer.WaitFor(-86400);
  pacer.set_target_rate(0);
  pacer.WaitFor(86400);
  EXPECT_EQ(pacer.target_rate(), 0);
}

TEST(RealtimePacer, MeasuresFromWhereItWasRestarted) {
  RealtimePacer pacer;
  pacer.set_target_rate(100);
  const auto before = steady_clock::now();
  pacer.Restart(5);
  pacer.WaitFor(5.1);
  // 2 s were simulated in less time than has passed by now.
  const double rate = pacer.CalcActualRate(7);
  EXPECT_GE(rate * SecondsSince(before), 2);
  EXPECT_LE(rate, 2 / 1e-3);
  EXPECT_EQ(pacer.CalcActualRate(5), 0);
}

TEST(RealtimePacer, RefusesRatesThatAreNone) {
  RealtimePacer pacer;
  pacer.set_target_rate(2);
  for (const double bad : {-1.0, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROWS_MESSAGE(pacer.set_target_rate(bad), std::logic_error,
                          "it must be 0 or more and finite");
  }
  EXPECT_EQ(pacer.target_rate(), 2);
}

}  // namespace realtime_pacer_test
}  // namespace wyvern::systems::internal
