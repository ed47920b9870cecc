#include "tests/published/mechanisms.h"

#include <gtest/gtest.h>

#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"

// The reference solutions of published mechanisms, at the default accuracy and
// at a high one.

namespace wyvern::test {
namespace mechanisms_test {

double Simulate(const Mechanism& mechanism, const std::string& scheme,
                double accuracy) {
  systems::Simulator<double> simulator(*mechanism.system);
  mechanism.start(
      mechanism.GetMutablePlantContext(&simulator.get_mutable_context()));
  systems::SimulatorConfig config;
  config.integration_scheme = scheme;
  config.accuracy = accuracy;
  ApplySimulatorConfig(config, &simulator);
  simulator.AdvanceTo(mechanism.end);
  return mechanism.calc_error(
      mechanism.GetPlantContext(simulator.get_context()));
}

TEST(Mechanisms, AreRightAtTheDefaultAccuracy) {
  for (const Mechanism& mechanism : GetMechanisms()) {
    // Errors of 1e-4 a step, which grow near the middle axis of the free body.
    EXPECT_LT(Simulate(mechanism, "runge_kutta3", 1e-4), 0.2) << mechanism.name;
  }
}

TEST(Mechanisms, AreRightToManyDigitsAtAHighAccuracy) {
  for (const Mechanism& mechanism : GetMechanisms()) {
    const bool is_stiff = mechanism.name == "A05 governor";
    EXPECT_LT(Simulate(mechanism, is_stiff ? "radau5" : "runge_kutta5", 1e-9),
              1e-6)
        << mechanism.name;
  }
}

// Bricard's loop has redundant rows in each pose. Velocities that integration
// leaves across them made the rows contradict each other: 10 of these 21 runs
// ended in an error.
TEST(Mechanisms, OfRedundantConstraintsRunAtEachAccuracy) {
  const Mechanism bricard = MakeBricard();
  for (const char* scheme : {"runge_kutta3", "runge_kutta5", "radau5"}) {
    for (int digits = 2; digits <= 8; ++digits) {
      const double accuracy = std::pow(10, -digits);
      double error = 0;
      EXPECT_NO_THROW(error = Simulate(bricard, scheme, accuracy))
          << scheme << " at " << accuracy;
      if (digits >= 6) {
        EXPECT_LT(error, 1e-4) << scheme << " at " << accuracy;
      }
    }
  }
}

// The ground yields by 1e-5 m, 1e-4 of the radius. Explicit methods take steps
// of 1e-5 s for the sake of friction.
TEST(Mechanisms, RollAsTheClosedFormsSayInContinuousTime) {
  for (const Mechanism& mechanism : GetRollingMechanisms(0)) {
    EXPECT_LT(Simulate(mechanism, "convex", 1e-4), 5e-3) << mechanism.name;
  }
}

TEST(Mechanisms, RollAsTheClosedFormsSayInSteps) {
  for (const Mechanism& mechanism : GetRollingMechanisms(1e-4)) {
    EXPECT_LT(Simulate(mechanism, "runge_kutta3", 1e-4), 0.1) << mechanism.name;
  }
}

// It meets the ground five times, for 3 ms each.
TEST(Mechanisms, BounceBackToWhereTheyFellFrom) {
  const Mechanism ball = MakeBouncingBall(0);
  EXPECT_LT(Simulate(ball, "runge_kutta3", 1e-6), 1e-4);
  EXPECT_LT(Simulate(ball, "convex", 1e-4), 1e-2);
}

}  // namespace mechanisms_test
}  // namespace wyvern::test
