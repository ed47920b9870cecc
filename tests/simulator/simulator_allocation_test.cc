#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/allocation_guard.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

// The step loop keeps off the heap once it has run.

namespace wyvern::systems {
namespace {

int64_t CountAllocations(Simulator<double>* simulator) {
  simulator->AdvanceTo(1);
  wyvern::test::AllocationGuard guard;
  simulator->AdvanceTo(3);
  return guard.count();
}

TEST(SimulatorAllocation, ContinuousSteppingAllocatesNothing) {
  const test::Oscillator<double> system;
  Simulator<double> simulator(system);
  EXPECT_EQ(CountAllocations(&simulator), 0);
}

class AllocationOf : public ::testing::TestWithParam<std::string> {};

TEST_P(AllocationOf, StepsIsNothing) {
  const test::Oscillator<double> system;
  Simulator<double> simulator(system);
  ResetIntegratorFromFlags(&simulator, GetParam(), 0.01);
  EXPECT_EQ(CountAllocations(&simulator), 0);
}

INSTANTIATE_TEST_SUITE_P(All, AllocationOf,
                         ::testing::ValuesIn(GetIntegrationSchemes()),
                         [](const auto& suite) { return suite.param; });

TEST(SimulatorAllocation, TicksAllocateNothing) {
  const test::Counters system(1.0 / 200, 1.0 / 60);
  Simulator<double> simulator(system);
  EXPECT_EQ(CountAllocations(&simulator), 0);
}

TEST(SimulatorAllocation, ADiagramAllocatesNothing) {
  DiagramBuilder<double> builder;
  builder.AddSystem<test::Counters>(1.0 / 200, 1.0 / 60);
  builder.AddSystem<test::Counters>(1.0 / 100, 1.0 / 50, 0.003);
  builder.AddSystem<test::Oscillator<double>>();
  Simulator<double> simulator(builder.Build());
  simulator.set_monitor(
      [](const Context<double>&) { return EventStatus::DidNothing(); });
  EXPECT_EQ(CountAllocations(&simulator), 0);
}

TEST(SimulatorAllocation, ManySmallAdvancesAllocateNothing) {
  DiagramBuilder<double> builder;
  builder.AddSystem<test::Counters>(1.0 / 200, 1.0 / 60);
  builder.AddSystem<test::Oscillator<double>>();
  Simulator<double> simulator(builder.Build());
  for (int k = 0; k < 100; ++k) simulator.AdvanceTo(k * 0.0017);
  wyvern::test::AllocationGuard guard;
  for (int k = 100; k < 1000; ++k) simulator.AdvanceTo(k * 0.0017);
  EXPECT_EQ(guard.count(), 0);
}

TEST(SimulatorAllocation, TheGuardCounts) {
  wyvern::test::AllocationGuard guard;
  const test::Oscillator<double> system;
  EXPECT_EQ(guard.count() > 0, wyvern::test::AllocationGuard::is_active());
}

}  // namespace
}  // namespace wyvern::systems
