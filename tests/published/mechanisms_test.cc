#include "tests/published/mechanisms.h"

#include <gtest/gtest.h>

#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"

// The reference solutions of published mechanisms, at the default accuracy and
// at a high one.

namespace wyvern::test {
namespace mechanisms_test {

double Run(const Mechanism& mechanism, const systems::SimulatorConfig& config) {
  systems::Simulator<double> simulator(*mechanism.plant);
  mechanism.start(&simulator.get_mutable_context());
  ApplySimulatorConfig(config, &simulator);
  simulator.AdvanceTo(mechanism.end);
  return mechanism.calc_error(simulator.get_context());
}

TEST(Mechanisms, AreRightAtTheDefaultAccuracy) {
  for (const Mechanism& mechanism : GetMechanisms()) {
    // Errors of 1e-4 a step; the squeezer makes 30,000 of its angle in a
    // second.
    EXPECT_LT(Run(mechanism, {}), 0.05) << mechanism.name;
  }
}

TEST(Mechanisms, AreRightToManyDigitsAtAHighAccuracy) {
  for (const Mechanism& mechanism : GetMechanisms()) {
    const bool is_stiff = mechanism.name == "A05 governor";
    systems::SimulatorConfig config;
    config.integration_scheme = is_stiff ? "radau5" : "runge_kutta5";
    config.accuracy = 1e-9;
    EXPECT_LT(Run(mechanism, config), 1e-6) << mechanism.name;
  }
}

}  // namespace mechanisms_test
}  // namespace wyvern::test
