#include "wyvern/app/reference_source.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::app {
namespace reference_source_test {

using test::Near;

// [q; v; vdot] at a time.
VectorX<double> MotionAt(const ReferenceSource& source, double t) {
  const auto context = source.CreateDefaultContext();
  context->SetTime(t);
  const VectorX<double> x = source.get_output_port(0).Eval(*context);
  const VectorX<double> a = source.get_output_port(1).Eval(*context);
  VectorX<double> all(x.size() + a.size());
  all << x, a;
  return all;
}

std::vector<Reference> Moving() {
  MatrixX<double> q(3, 2);
  q << 0, 1, 1, -1, 0.5, 0;
  return {Waypoints{{0.5, 1, 2.5}, q, "cubic"},
          Sinusoid{Vector1<double>(0.2), Eigen::Vector2d(1, 2),
                   Eigen::Vector2d(0.5, 1), Vector1<double>(0.3)},
          Chirp{Vector1<double>(0.1), Eigen::Vector2d(1, 2), 0.2, 1.5, 3}};
}

TEST(ReferenceSource, VelocityAndAccelerationAreTheDerivatives) {
  for (const Reference& reference : Moving()) {
    const ReferenceSource source(reference, 2, {});
    const double h = 1e-5;
    for (const double t : {0.7, 1.3, 2.0}) {
      const auto before = MotionAt(source, t - h);
      const auto at = MotionAt(source, t);
      const auto after = MotionAt(source, t + h);
      // Central differences err by h^2 times the third derivative, here
      // below 2000; rounding adds 1e-16 / h.
      const VectorX<double> slope = (after - before).head(4) / (2 * h);
      EXPECT_TRUE(Near(slope, at.tail(4), 1e-7)) << reference.index();
    }
  }
}

TEST(ReferenceSource, HasBreaksAtItsWaypointsAndWhereAChirpEnds) {
  const auto breaks = [](const Reference& reference) {
    const ReferenceSource source(reference, 2, {});
    const auto context = source.CreateDefaultContext();
    std::vector<double> result;
    for (double t = -1;;) {
      t = source.CalcNextBreakTime(*context, t);
      if (!std::isfinite(t)) return result;
      result.push_back(t);
    }
  };
  EXPECT_EQ(breaks(Moving()[0]), (std::vector<double>{0.5, 1, 2.5}));
  EXPECT_EQ(breaks(Moving()[1]), std::vector<double>{});
  EXPECT_EQ(breaks(Moving()[2]), (std::vector<double>{0, 3}));
}

TEST(ReferenceSource, RestsBeforeAndAfterItsTimes) {
  const ReferenceSource waypoints(Moving()[0], 2, {});
  VectorX<double> wanted(6);
  wanted << 0, 1, 0, 0, 0, 0;
  EXPECT_TRUE(Near(MotionAt(waypoints, 0.1), wanted, 0));
  wanted << 0.5, 0, 0, 0, 0, 0;
  EXPECT_TRUE(Near(MotionAt(waypoints, 3), wanted, 1e-15));
  const ReferenceSource chirp(Moving()[2], 2, {});
  const double phase = 2 * std::numbers::pi * (0.2 + 1.5) / 2 * 3;
  wanted << 0.1 + std::sin(phase), 0.1 + 2 * std::sin(phase), 0, 0, 0, 0;
  EXPECT_TRUE(Near(MotionAt(chirp, 5), wanted, 1e-14));
}

TEST(ReferenceSource, ACsvFileIsWaypoints) {
  const auto folder = std::filesystem::path(testing::TempDir());
  std::ofstream(folder / "wyvern_reference.csv")
      << "# A motion.\ntime, a, b\n0.5, 0, 1\n\n1, 1,-1\r\n2.5, 5e-1, 0\n";
  const ReferenceSource file(CsvFile{"wyvern_reference.csv"}, 2, folder);
  const ReferenceSource waypoints(Moving()[0], 2, {});
  for (const double t : {0.0, 0.7, 2.0}) {
    EXPECT_TRUE(Near(MotionAt(file, t), MotionAt(waypoints, t), 0));
  }
  const auto read = [&folder](const char* text) {
    std::ofstream(folder / "wyvern_reference.csv") << text;
    ReferenceSource(CsvFile{"wyvern_reference.csv"}, 2, folder);
  };
  EXPECT_THROWS_MESSAGE(read("t, a, b\n0, 1, x\n"), std::runtime_error,
                        "wyvern_reference.csv:2: this is no row of numbers");
  EXPECT_THROWS_MESSAGE(read("t, a, b\n0, 1, 2\n1, 2\n"), std::runtime_error,
                        "csv:3: there are 2 numbers");
  EXPECT_THROWS_MESSAGE(read("t, a, b\n0, 1,\n"), std::runtime_error, "csv:2:");
  EXPECT_THROWS_MESSAGE(read("t, a, b\n"), std::runtime_error, "no rows");
  EXPECT_THROWS_MESSAGE(ReferenceSource(CsvFile{"nope.csv"}, 2, folder),
                        std::runtime_error, "cannot be read");
}

TEST(ReferenceSource, WhatIsNoMotionIsAnError) {
  const auto make = [](const Reference& reference) {
    ReferenceSource(reference, 2, {});
  };
  EXPECT_THROWS_MESSAGE(make(Constant{Eigen::Vector3d(1, 2, 3)}),
                        std::logic_error, "a number for each actuator");
  EXPECT_THROWS_MESSAGE(make(Constant{Vector1<double>(NAN)}), std::logic_error,
                        "finite");
  EXPECT_THROWS_MESSAGE(make(Waypoints{}), std::logic_error, "add way-points");
  MatrixX<double> q = MatrixX<double>::Zero(2, 2);
  EXPECT_THROWS_MESSAGE(make(Waypoints{{1, 1}, q, "cubic"}), std::logic_error,
                        "break");
  EXPECT_THROWS_MESSAGE(make(Waypoints{{1, 2}, q, "wild"}), std::logic_error,
                        "give 'cubic' or 'linear'");
  EXPECT_THROWS_MESSAGE(make(Waypoints{{1, 2, 3}, q, "cubic"}),
                        std::logic_error, "q");
  EXPECT_THROWS_MESSAGE(make(Chirp{.duration = 0}), std::logic_error,
                        "duration");
}

TEST(ReferenceSource, AllocatesNothingOnceItRuns) {
  for (const Reference& reference : Moving()) {
    const ReferenceSource source(reference, 2, {});
    const auto context = source.CreateDefaultContext();
    source.get_output_port(0).Eval(*context);
    source.get_output_port(1).Eval(*context);
    test::AllocationGuard guard;
    for (int k = 0; k < 10; ++k) {
      context->SetTime(0.3 * k);
      source.get_output_port(0).Eval(*context);
      source.get_output_port(1).Eval(*context);
    }
    EXPECT_EQ(guard.count(), 0) << reference.index();
  }
}

}  // namespace reference_source_test
}  // namespace wyvern::app
