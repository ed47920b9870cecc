// Errors of constraints over many steps.
#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/pinned_linkage.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using test::FourBar;
using test::MakePin;

struct Errors {
  double position{0};  // [m]
  double velocity{0};  // [m/s]
};

// The largest errors of a linkage that turns under gravity, in steps of 2 ms by
// the midpoint rule.
class Drift {
 public:
  explicit Drift(bool is_stabilized)
      : set_(MakePin(linkage_, 1, FourBar::kRocker, is_stabilized)) {
    linkage_.SetMotion(1, 3);
    x_ = linkage_.plant.GetPositionsAndVelocities(*linkage_.context);
  }

  Errors Run(int num_steps, bool projects) {
    constexpr double h = 0.002;
    Errors largest;
    for (int i = 0; i < num_steps; ++i) {
      const VectorXd middle = x_ + 0.5 * h * CalcRate(x_);
      x_ += h * CalcRate(middle);
      if (projects) Project();
      linkage_.plant.SetPositionsAndVelocities(linkage_.context.get(), x_);
      VectorXd e(2);
      CalcConstraintsPositionError<double>(linkage_.plant, *linkage_.context,
                                           &set_, &e);
      largest.position = std::max(largest.position, e.norm());
      CalcConstraintsVelocityError<double>(linkage_.plant, *linkage_.context,
                                           &set_, &e);
      largest.velocity = std::max(largest.velocity, e.norm());
    }
    return largest;
  }

 private:
  VectorXd CalcRate(const VectorXd& x) {
    linkage_.plant.SetPositionsAndVelocities(linkage_.context.get(), x);
    VectorXd rate(6), vdot(3);
    ForwardDynamicsConstraintsNullSpace<double>(
        linkage_.plant, *linkage_.context, VectorXd::Zero(3), &set_, &vdot);
    rate << x.tail(3), vdot;
    return rate;
  }
  void Project() {
    const Vector3d weights = Vector3d::Ones();
    VectorXd q(3), v(3);
    linkage_.plant.SetPositionsAndVelocities(linkage_.context.get(), x_);
    EXPECT_TRUE(CalcAssemblyQ<double>(linkage_.plant, *linkage_.context, &set_,
                                      &q, weights));
    linkage_.plant.SetPositions(linkage_.context.get(), q);
    CalcAssemblyQDot<double>(linkage_.plant, *linkage_.context, &set_, &v,
                             weights);
    x_ << q, v;
  }

  FourBar linkage_{0, FourBar::Closure::kNone};
  ConstraintSet<double> set_;
  VectorXd x_;
};

void ExpectBounded(int num_steps) {
  const Errors stabilized = Drift(true).Run(num_steps, false);
  EXPECT_LE(stabilized.position, 2e-3);
  EXPECT_LE(stabilized.velocity, 2e-2);
  const Errors projected = Drift(false).Run(num_steps, true);
  EXPECT_LE(projected.position, 1e-12);
  EXPECT_LE(projected.velocity, 1e-12);
}

TEST(ConstraintDrift, StaysWithinABound) { ExpectBounded(5000); }

// Takes minutes: by hand.
TEST(ConstraintDrift, DISABLED_StaysWithinABoundForAMillionSteps) {
  ExpectBounded(1000000);
}

TEST(ConstraintDrift, GrowsWithoutEither) {
  EXPECT_GT(Drift(false).Run(5000, false).position,
            2 * Drift(true).Run(5000, false).position);
}

}  // namespace
}  // namespace wyvern::multibody
