// Inverse dynamics in the nodes' axes against that in the world's.
#include "wyvern/multibody/dynamics/newton_euler.h"

#include <numbers>

#include <gtest/gtest.h>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/multibody/kernels/sin_cos.h"

namespace wyvern::multibody::dynamics {
namespace {

using Eigen::VectorXd;
using test::RandomSystem;
using wyvern::test::AllocationGuard;
using wyvern::test::Near;

class NewtonEuler : public ::testing::TestWithParam<unsigned> {
 protected:
  VectorXd Calc(Gravity gravity) {
    VectorXd tau(system_.model.num_v);
    CalcInverseDynamicsFromState<double>(system_.model, now_.parameters, now_.q,
                                         now_.v, vdot_, gravity, &scratch_,
                                         tau);
    return tau;
  }
  // Rounding, relative to the largest entry.
  static double Tolerance(const VectorXd& x) {
    return 1e-12 * std::max(1.0, x.cwiseAbs().maxCoeff());
  }

  RandomSystem system_{GetParam()};
  test::Computed<double>& now_{system_.computed};
  VectorXd vdot_{system_.random.Numbers(system_.model.num_v)};
  NewtonEulerScratch<double> scratch_{system_.model};
};

TEST_P(NewtonEuler, AgreesWithWorldAxes) {
  for (const Gravity gravity : {Gravity::kOn, Gravity::kOff}) {
    const VectorXd expected = now_.InverseDynamics(vdot_, {}, gravity);
    EXPECT_TRUE(Near(Calc(gravity), expected, Tolerance(expected)));
  }
}

TEST_P(NewtonEuler, AgreesWithWorldAxesIfGravityActsOnAll) {
  for (auto& body : now_.parameters.bodies) body.gravity_enabled = true;
  now_.parameters.Compile(system_.model);
  now_.Update();
  const VectorXd expected = now_.InverseDynamics(vdot_);
  EXPECT_TRUE(Near(Calc(Gravity::kOn), expected, Tolerance(expected)));
}

TEST_P(NewtonEuler, AllocatesNothing) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  VectorXd tau(system_.model.num_v);
  const AllocationGuard guard;
  CalcInverseDynamicsFromState<double>(system_.model, now_.parameters, now_.q,
                                       now_.v, vdot_, Gravity::kOn, &scratch_,
                                       tau);
  EXPECT_EQ(guard.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Forests, NewtonEuler, ::testing::Range(1u, 21u));

// A few units in the last place, of numbers of size 1.
TEST(SinCos, AgreesWithTheStandardLibrary) {
  for (int i = -20000; i <= 20000; ++i) {
    const double x = 5.0003e-5 * i * std::abs(i);
    double sine, cosine;
    internal::SinCos(x, &sine, &cosine);
    ASSERT_NEAR(sine, std::sin(x), 5e-16) << x;
    ASSERT_NEAR(cosine, std::cos(x), 5e-16) << x;
  }
}

// The reduced angle has all its digits where sine or cosine is next to zero.
TEST(SinCos, KeepsItsDigitsNextToZeros) {
  for (int k = 1; k < 6000; ++k) {
    const double x = k * std::numbers::pi / 2;
    double sine, cosine;
    internal::SinCos(x, &sine, &cosine);
    const double small = k % 2 == 0 ? sine : cosine;
    const double expected = k % 2 == 0 ? std::sin(x) : std::cos(x);
    ASSERT_NEAR(small / expected, 1, 1e-15) << k;
  }
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
