#include "wyvern/systems/common/autodiff_derivatives.h"

#include <utility>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/support/allocation_guard.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern {
namespace {

using Eigen::VectorXd;
using test::AllocationGuard;

constexpr int kInline = AutoDiffDerivatives::kInlineSize;

VectorXd Ramp(int size) { return VectorXd::LinSpaced(size, 1, size); }
AutoDiffXd Variable(double value, int size) {
  return AutoDiffXd(value, Ramp(size));
}

TEST(AutoDiffDerivatives, CopiesMovesAndAssignmentsKeepTheElements) {
  for (int size : {0, 1, 3, 4, 5, kInline, kInline + 1, 2 * kInline + 3}) {
    for (int before : {0, 2, kInline, kInline + 1, 2 * kInline + 3}) {
      const AutoDiffDerivatives original(Ramp(size));
      AutoDiffDerivatives copy(Ramp(before));
      copy = original;
      EXPECT_EQ(copy, Ramp(size));
      AutoDiffDerivatives moved(Ramp(before));
      moved = std::move(copy);
      EXPECT_EQ(moved, Ramp(size));
      copy = Ramp(before);
      EXPECT_EQ(copy, Ramp(before));
      copy = AutoDiffDerivatives(std::move(moved));
      EXPECT_EQ(copy, Ramp(size));
    }
  }
}

TEST(AutoDiffDerivatives, AnExpressionOfItselfCanBeAssignedToIt) {
  for (int size : {3, kInline + 4}) {
    AutoDiffDerivatives d(Ramp(size));
    d = d;  // NOLINT
    d = 2 * d;
    EXPECT_EQ(d, 2 * Ramp(size));
    d = d.tail(2);
    EXPECT_EQ(d, 2 * Ramp(size).tail(2));
  }
}

TEST(AutoDiffDerivatives, ResizesLikeAVector) {
  AutoDiffDerivatives d(Ramp(3));
  d.resize(kInline + 2);
  EXPECT_EQ(d.size(), kInline + 2);
  d.setZero(2);
  EXPECT_EQ(d, VectorXd::Zero(2));
  d = Ramp(kInline);
  d.conservativeResize(kInline + 1);
  EXPECT_EQ(d.head(kInline), Ramp(kInline));
  EXPECT_EQ(d[kInline], 0);
  d.conservativeResize(2);
  EXPECT_EQ(d, Ramp(2));
}

TEST(AutoDiffDerivatives, UsesNoHeapUpToItsInlineSize) {
  AutoDiffXd x = Variable(0.3, kInline), y = Variable(0.7, kInline);
  const AllocationGuard guard;
  using std::sin, std::cos, std::sqrt, std::atan2;
  AutoDiffXd z = sin(x) * cos(y) + x / y - atan2(y, x) * 2.0;
  z += sqrt(z * z + 1.0);
  std::swap(z, x);
  EXPECT_EQ(guard.count(), 0);
}

TEST(AutoDiffDerivatives, MatrixProductsUseNoHeapUpToItsInlineSize) {
  using Matrix6 = Eigen::Matrix<AutoDiffXd, 6, 6>;
  Matrix6 a, b, c;
  for (int i = 0; i < 36; ++i) {
    a(i) = Variable(i, kInline);
    b(i) = Variable(-i, kInline);
  }
  const AllocationGuard guard;
  c.noalias() = a * b;
  c += a;
  EXPECT_EQ(guard.count(), 0);
}

// A size of its own: no other test has left buffers that serve.
TEST(AutoDiffDerivatives, AChainOfTemporariesOnTheHeapAllocatesOnce) {
  constexpr int kSize = 1000;
  const AutoDiffXd x = Variable(0.3, kSize), y = Variable(2, kSize);
  const AllocationGuard guard;
  using std::exp, std::sin;
  const AutoDiffXd z = exp(sin(x * y) + 1.0) * x - y;
  EXPECT_EQ(guard.count(), AllocationGuard::is_active() ? 1 : 0);
  EXPECT_EQ(z.derivatives().size(), kSize);
}

TEST(AutoDiffDerivatives, ASecondEvaluationUsesNoHeapAtAnySize) {
  for (int size : {kInline + 1, 40, 100, 517, 5000}) {
    const auto evaluate = [size] {
      Eigen::Matrix<AutoDiffXd, 6, 6> a, b;
      for (int i = 0; i < 36; ++i) {
        a(i) = AutoDiffXd(i, size, i % size);
        b(i) = AutoDiffXd(1 - i, size, (i + 1) % size);
      }
      const Eigen::Matrix<AutoDiffXd, 6, 6> c = a * b + a;
      return c(5, 5).derivatives()[5];
    };
    const double first = evaluate();
    const AllocationGuard guard;
    EXPECT_EQ(evaluate(), first);
    EXPECT_EQ(guard.count(), 0) << size;
  }
}

TEST(AutoDiffDerivatives, LongAndShortGiveTheSameNumbers) {
  const auto f = [](const AutoDiffXd& x, const AutoDiffXd& y) {
    return (x * y + sin(x)) / (y - x * 3.0) - (2.0 - y) * (x + y) + (-x);
  };
  const int size = kInline + 5;
  const AutoDiffXd z = f(Variable(0.3, size), Variable(0.7, size));
  for (int n = 1; n < size; ++n) {
    const AutoDiffXd short_z = f(AutoDiffXd(0.3, Ramp(size).head(n)),
                                 AutoDiffXd(0.7, Ramp(size).head(n)));
    EXPECT_EQ(short_z.derivatives(), z.derivatives().head(n)) << n;
  }
}

TEST(AutoDiffDerivatives, AConstantOperandCostsNoAllocation) {
  const AutoDiffXd x = Variable(0.3, kInline + 1), c(2);
  AutoDiffXd z = x;
  const AllocationGuard guard;
  z *= c;
  z = std::move(z) + c;
  z -= c * c;
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(z.derivatives(), 2 * Ramp(kInline + 1));
}

}  // namespace
}  // namespace wyvern
