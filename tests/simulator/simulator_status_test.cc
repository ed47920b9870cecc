#include "wyvern/simulator/simulator_status.h"

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"

namespace wyvern::systems {
namespace {

TEST(SimulatorStatus, StartsAsSuccess) {
  const SimulatorStatus status(2.5);
  EXPECT_TRUE(status.succeeded());
  EXPECT_EQ(status.boundary_time(), 2.5);
  EXPECT_EQ(status.return_time(), 2.5);
  EXPECT_EQ(status.FormatMessage(), "Simulator reached the boundary time 2.5.");
}

TEST(SimulatorStatus, SaysWhoTerminatedWhenAndWhy) {
  test::Diary system;
  system.set_name("clerk");
  SimulatorStatus status(2.5);
  status.SetReachedTermination(1.5, &system, "five o'clock");
  EXPECT_FALSE(status.succeeded());
  EXPECT_EQ(status.reason(), SimulatorStatus::kReachedTerminationCondition);
  const std::string message = status.FormatMessage();
  for (const char* part : {"1.5", "2.5", "clerk", "Diary", "five o'clock"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(SimulatorStatus, SaysBeforeOnlyOfWhatIsBefore) {
  SimulatorStatus status(0.125);
  status.SetReachedTermination(0.125, nullptr, "enough");
  EXPECT_EQ(status.FormatMessage(),
            "Simulator stopped at the boundary time 0.125: the monitor asked "
            "to end the simulation, saying: enough");
}

TEST(SimulatorStatus, ANullSystemIsTheMonitor) {
  SimulatorStatus status(2.5);
  status.SetEventHandlerFailed(1.5, nullptr, "");
  EXPECT_EQ(status.reason(), SimulatorStatus::kEventHandlerFailed);
  EXPECT_NE(status.FormatMessage().find("the monitor reported a failure"),
            std::string::npos);
}

TEST(SimulatorStatus, ComparesAllFields) {
  SimulatorStatus a(2.5);
  SimulatorStatus b(2.5);
  EXPECT_TRUE(a.IsIdenticalStatus(b));
  a.SetReachedTermination(1.5, nullptr, "x");
  EXPECT_FALSE(a.IsIdenticalStatus(b));
  b.SetReachedTermination(1.5, nullptr, "y");
  EXPECT_FALSE(a.IsIdenticalStatus(b));
  b.SetReachedTermination(1.5, nullptr, "x");
  EXPECT_TRUE(a.IsIdenticalStatus(b));
  a.SetReachedBoundaryTime();
  EXPECT_TRUE(a.IsIdenticalStatus(SimulatorStatus(2.5)));
}

}  // namespace
}  // namespace wyvern::systems
