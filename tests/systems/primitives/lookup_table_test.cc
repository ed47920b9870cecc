#include "wyvern/systems/primitives/lookup_table.h"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::systems {
namespace lookup_table_test {

using Eigen::Vector2d;
using Eigen::VectorXd;

double At(const System<double>& table, const VectorXd& x) {
  const auto context = table.CreateDefaultContext();
  table.get_input_port(0).FixValue(context.get(), x);
  return table.get_output_port(0).Eval(*context)[0];
}

double At(const System<double>& table, double x) {
  return At(table, VectorXd::Constant(1, x));
}

const std::vector<double> kX{-1, 0, 0.5, 2};
const std::vector<double> kY{-0.5, 0.25, 1, 3};

// A table of f on the grid of kX, kY and kX.
LookupTable<double> Tabulate(
    const std::function<double(double, double, double)>& f,
    TableInterpolation interpolation, TableExtrapolation extrapolation) {
  std::vector<double> values;
  for (double x : kX) {
    for (double y : kY) {
      for (double z : kX) values.push_back(f(x, y, z));
    }
  }
  return LookupTable<double>({kX, kY, kX}, values, interpolation,
                             extrapolation);
}

// Interpolation of degree 1 in each variable has no error for such functions,
// inside the grid and, with linear extrapolation, outside.
TEST(LookupTable, LinearIsExactForMultilinearFunctions) {
  const auto f = [](double x, double y, double z) {
    return 1 + 2 * x - y + 0.5 * z + x * y - 2 * y * z + 3 * x * y * z;
  };
  const auto table =
      Tabulate(f, TableInterpolation::kLinear, TableExtrapolation::kLinear);
  for (const double s : {-3.0, -1.0, -0.4, 0.25, 0.5, 1.9, 2.0, 4.0}) {
    const Eigen::Vector3d x(s, 0.3 + s / 2, 0.7 - s);
    EXPECT_NEAR(At(table, x), f(x[0], x[1], x[2]), 1e-12 * 200) << s;
  }
}

TEST(LookupTable, CubicIsExactForQuadraticFunctions) {
  const auto f = [](double x, double y, double z) {
    return 1 + (x * x - 2 * x) * (y * y + y) * (3 - z * z);
  };
  const auto table =
      Tabulate(f, TableInterpolation::kCubic, TableExtrapolation::kHold);
  for (const double s : {-1.0, -0.4, 0.25, 0.5, 1.3, 1.7}) {
    const Eigen::Vector3d x(s, 0.3 + s / 2, 0.7 - s);
    EXPECT_NEAR(At(table, x), f(x[0], x[1], x[2]), 1e-13 * 50) << s;
  }
}

TEST(LookupTable, CubicContinuesAlongTheTangent) {
  const auto table = LookupTable<double>::Make1D(
      {0, 1, 3}, {0, 1, 9}, TableInterpolation::kCubic,
      TableExtrapolation::kLinear);  // x^2
  EXPECT_NEAR(At(*table, 4), 9 + 6, 1e-13);
  EXPECT_NEAR(At(*table, -1), 0, 1e-13);
}

TEST(LookupTable, PreviousTakesTheValueBelow) {
  const auto table = LookupTable<double>::Make1D({0, 1, 3}, {5, 6, 7},
                                                 TableInterpolation::kPrevious);
  EXPECT_EQ(At(*table, 0.99), 5);
  EXPECT_EQ(At(*table, 1), 6);
  EXPECT_EQ(At(*table, 3), 7);
  EXPECT_EQ(At(*table, 9), 7);
  EXPECT_EQ(At(*table, -9), 5);
}

TEST(LookupTable, HoldsOrRefusesOutside) {
  EXPECT_EQ(At(*LookupTable<double>::Make1D({0, 1}, {5, 6}), 7), 6);
  EXPECT_THROWS_MESSAGE(At(*LookupTable<double>::Make1D(
                               {0, 1}, {5, 6}, TableInterpolation::kLinear,
                               TableExtrapolation::kError),
                           7),
                        std::runtime_error, "x[0] of '::_' is 7 at time 0 s");
}

TEST(LookupTable, HasTheDerivativesOfWhatItInterpolates) {
  const auto table = LookupTable<double>::Make1D({0, 1, 3}, {0, 1, 9},
                                                 TableInterpolation::kCubic);
  const auto converted = table->ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  for (const double x : {0.5, 2.0, 5.0}) {
    converted->get_input_port(0).FixValue(
        context.get(), VectorX<AutoDiffXd>::Constant(1, AutoDiffXd(x, 1, 0)));
    const AutoDiffXd& y = converted->get_output_port(0).Eval(*context)[0];
    const double slope = y.derivatives().size() > 0 ? y.derivatives()[0] : 0;
    EXPECT_NEAR(slope, x < 3 ? 2 * x : 0, 1e-13);
  }
}

TEST(LookupTable, RefusesBadTables) {
  EXPECT_THROWS_MESSAGE(LookupTable<double>::Make1D({0, 2, 1}, {1, 2, 3}),
                        std::logic_error, "grid[0][1] = 2 is not below");
  EXPECT_THROWS_MESSAGE(LookupTable<double>::Make1D({0}, {1}), std::logic_error,
                        "the size of grid[0] is 1");
  EXPECT_THROWS_MESSAGE(LookupTable<double>::Make1D({0, NAN}, {1, 1}),
                        std::logic_error, "grid[0][1] is nan");
  EXPECT_THROWS_MESSAGE(LookupTable<double>::Make1D({0, 1}, {1, NAN}),
                        std::logic_error, "values[1] is nan");
  EXPECT_THROWS_MESSAGE(LookupTable<double>({{0, 1}, {0, 1}}, {1, 2, 3}),
                        std::logic_error, "values has size 3");
  EXPECT_THROWS_MESSAGE(LookupTable<double>({}, {}), std::logic_error,
                        "the number of axes is 0");
}

}  // namespace lookup_table_test
}  // namespace wyvern::systems
