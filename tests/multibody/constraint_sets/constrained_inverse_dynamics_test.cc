// Laws of inverse dynamics under constraints, on random plants.
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace {

using Eigen::VectorXd;
using test::RandomConstrainedPlant;
using wyvern::test::Near;

class InverseDynamics : public testing::TestWithParam<unsigned> {
 protected:
  InverseDynamics() : set_(model_.DrawIndependentConstraints(true)) {}
  int nv() const { return model_.plant.num_velocities(); }

  // Orders the columns of G so that the most independent ones come first.
  std::vector<int> Order() {
    MatrixX<double> G(set_.size(), nv());
    CalcConstraintsJacobian<double>(model_.plant, *model_.context, &set_, &G);
    const Eigen::ColPivHouseholderQR<MatrixX<double>> qr(G);
    const auto& order = qr.colsPermutation().indices();
    return {order.data(), order.data() + order.size()};
  }
  // The first n of that order are not actuated.
  void SetUnactuated(int n) {
    std::vector<bool> actuated(nv(), true);
    const std::vector<int> order = Order();
    for (int i = 0; i < n; ++i) actuated[order[i]] = false;
    set_.SetActuationMap(model_.plant, actuated);
  }
  void Exact(const VectorXd& desired) {
    InverseDynamicsConstraints<double>(model_.plant, *model_.context, desired,
                                       &set_, &vdot_, &tau_,
                                       model_.forces.get());
  }
  void Relaxed(const VectorXd& control) {
    InverseDynamicsConstraintsRelaxed<double>(model_.plant, *model_.context,
                                              control, &set_, &vdot_, &tau_,
                                              model_.forces.get());
  }
  bool IsFullyActuated() {
    return IsConstrainedSystemFullyActuated<double>(
        model_.plant, *model_.context, &set_, model_.forces.get());
  }
  VectorXd Forward(const VectorXd& tau) {
    VectorXd vdot(nv());
    ForwardDynamicsConstraintsDirect<double>(model_.plant, *model_.context, tau,
                                             &set_, &vdot, model_.forces.get());
    return vdot;
  }
  // Forward dynamics with what was found gives what was found.
  void ExpectToMoveAsFound() {
    const VectorXd force = set_.force();
    const double tolerance =
        1e-9 * (1 + tau_.cwiseAbs().maxCoeff() + force.cwiseAbs().maxCoeff() +
                vdot_.cwiseAbs().maxCoeff());
    EXPECT_TRUE(Near(Forward(tau_), vdot_, tolerance));
    EXPECT_TRUE(Near(set_.force(), force, 10 * tolerance));
    EXPECT_TRUE(Near(set_.G() * vdot_, set_.gamma(), tolerance));
    for (int k : set_.unactuated()) EXPECT_EQ(tau_[k], 0);
  }

  RandomConstrainedPlant model_{GetParam()};
  ConstraintSet<double> set_;
  VectorXd vdot_{VectorXd::Zero(nv())}, tau_{VectorXd::Zero(nv())};
};

TEST_P(InverseDynamics,
       WithOneConstraintForEachUnactuatedVelocityMeetsAnyWish) {
  SetUnactuated(set_.size());
  ASSERT_TRUE(IsFullyActuated());
  const VectorXd desired = model_.Numbers(nv());
  Exact(desired);
  for (int k : set_.actuated()) EXPECT_EQ(vdot_[k], desired[k]);
  ExpectToMoveAsFound();
}

TEST_P(InverseDynamics, WithMoreConstraintsMeetsWishesThatAgreeWithThem) {
  SetUnactuated(set_.size() - 1);
  ASSERT_TRUE(IsFullyActuated());
  const VectorXd desired = Forward(model_.tau);
  Exact(desired);
  EXPECT_TRUE(Near(vdot_, desired, 1e-7 * (1 + desired.norm())));
  const VectorXd force = set_.force();
  EXPECT_TRUE(Near(Forward(tau_), vdot_, 1e-8 * (1 + force.norm())));
}

TEST_P(InverseDynamics, NamesConstraintsThatAWishContradicts) {
  SetUnactuated(set_.size() - 1);
  EXPECT_THROWS_MESSAGE(Exact(model_.Numbers(nv())), std::runtime_error,
                        "no motion has the wanted accelerations");
}

TEST_P(InverseDynamics, RefusesAnUnderactuatedSystem) {
  SetUnactuated(set_.size() + 1);
  EXPECT_FALSE(IsFullyActuated());
  EXPECT_THROWS_MESSAGE(Exact(model_.Numbers(nv())), std::runtime_error,
                        "here the system is underactuated");
  Relaxed(model_.Numbers(nv()));
  ExpectToMoveAsFound();
}

TEST_P(InverseDynamics, RefusesAsManyConstraintsThatSayTheSame) {
  // Every unactuated velocity but the first is one that no row knows.
  const std::vector<int> order = Order();
  std::vector<bool> actuated(nv(), true);
  int unknown = -1;
  for (int k : order) {
    if (set_.G().col(k).isZero(0)) unknown = k;
  }
  if (unknown < 0 || set_.size() < 2) {
    GTEST_SKIP() << "the rows depend on every velocity of this model, so none "
                    "can be left undetermined";
  }
  actuated[order[0]] = actuated[unknown] = false;
  set_.SetActuationMap(model_.plant, actuated);
  EXPECT_FALSE(IsFullyActuated());
  EXPECT_THROWS_MESSAGE(Exact(VectorXd::Zero(nv())), std::runtime_error,
                        "determine 1 of the 2");
}

TEST_P(InverseDynamics, RelaxedMinimizesWhatItSays) {
  SetUnactuated(set_.size() + 2);
  const VectorXd x = 5 * model_.Numbers(nv());
  Relaxed(x);
  ExpectToMoveAsFound();
  const double w = 100 * set_.H().cwiseAbs().maxCoeff();
  const auto cost = [&](const VectorXd& vdot) {
    double sum = 0.5 * vdot.dot(set_.H() * vdot) + set_.C().dot(vdot);
    for (int k : set_.actuated()) {
      const double u = x[k] + set_.C()[k] / w;
      sum += 0.5 * w * (u - vdot[k]) * (u - vdot[k]);
    }
    return sum;
  };
  const MatrixX<double> free = set_.G().fullPivLu().kernel();
  const double least = cost(vdot_);
  for (int i = 0; i < 10; ++i) {
    const VectorXd step = free * model_.Numbers(static_cast<int>(free.cols()));
    const double up = cost(vdot_ + 0.1 * step) - least;
    const double down = cost(vdot_ - 0.1 * step) - least;
    EXPECT_GT(up, 0);
    // The slope is none.
    EXPECT_NEAR(up, down, 1e-9 * (1 + std::abs(least)));
  }
}

TEST_P(InverseDynamics, RelaxedComesToAFeasibleWishByRepeatedCorrection) {
  SetUnactuated(set_.size());
  VectorXd wish = Forward(model_.tau);
  VectorXd x = wish;
  Relaxed(x);
  const double first = (vdot_ - wish).norm();
  for (int i = 0; i < 300; ++i) {
    x += wish - vdot_;
    Relaxed(x);
  }
  EXPECT_LE((vdot_ - wish).norm(), 1e-6 * (1 + first));
}

TEST_P(InverseDynamics, AllocateNothingAfterTheFirstCall) {
  SetUnactuated(set_.size());
  const VectorXd wish = model_.Numbers(nv());
  ConstraintSet<double> set = model_.DrawIndependentConstraints(false);
  set.SetActuationMap(model_.plant, std::vector<bool>(nv(), true));
  std::vector<bool> map(nv(), true);
  MatrixX<double> G(set.size(), nv());
  CalcConstraintsJacobian<double>(model_.plant, *model_.context, &set, &G);
  const Eigen::ColPivHouseholderQR<MatrixX<double>> qr(G);
  for (int i = 0; i < set.size(); ++i) {
    map[qr.colsPermutation().indices()[i]] = false;
  }
  set.SetActuationMap(model_.plant, map);
  const auto run = [&] {
    InverseDynamicsConstraints<double>(model_.plant, *model_.context, wish,
                                       &set, &vdot_, &tau_,
                                       model_.forces.get());
    InverseDynamicsConstraintsRelaxed<double>(model_.plant, *model_.context,
                                              wish, &set, &vdot_, &tau_,
                                              model_.forces.get());
  };
  run();
  wyvern::test::AllocationGuard guard;
  run();
  EXPECT_EQ(guard.count(), 0);
}

TEST_P(InverseDynamics, SaysWhatIsMissing) {
  EXPECT_THROWS_MESSAGE(IsFullyActuated(), std::logic_error,
                        "call its SetActuationMap() first");
  SetUnactuated(1);
  EXPECT_THROWS_MESSAGE(Exact(VectorXd::Zero(2)), std::logic_error,
                        "wanted acceleration has size 2");
  tau_.resize(1);
  EXPECT_THROWS_MESSAGE(Relaxed(VectorXd::Zero(nv())), std::logic_error,
                        "tau has size 1");
}

INSTANTIATE_TEST_SUITE_P(Seeds, InverseDynamics, testing::Range(0u, 8u));

}  // namespace
}  // namespace wyvern::multibody
