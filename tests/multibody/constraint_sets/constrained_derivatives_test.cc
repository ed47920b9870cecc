// Derivatives of assembly and of inverse dynamics under constraints in [q; v],
// in one direction, against differences of fourth order.
#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"

namespace wyvern::multibody {
namespace {

using Eigen::VectorXd;
using systems::Context;
using test::RandomConstrainedPlant;
using wyvern::test::Near;

class ConstrainedDerivatives : public testing::TestWithParam<unsigned> {
 protected:
  ConstrainedDerivatives()
      : set_(model_.DrawIndependentConstraints(true, &drawn_)),
        set_ad_(model_.DrawConstraints<AutoDiffXd>(drawn_, true)),
        plant_ad_(systems::System<double>::ToAutoDiffXd(model_.plant)),
        context_ad_(plant_ad_->CreateDefaultContext()),
        wish_(model_.Numbers(nv())) {
    set_ad_.Bind(*plant_ad_);
    SetUnactuated(set_.size());
  }
  int nv() const { return model_.plant.num_velocities(); }

  // The n columns of G that are the most independent are not actuated.
  void SetUnactuated(int n) {
    MatrixX<double> G(set_.size(), nv());
    CalcConstraintsJacobian<double>(model_.plant, *model_.context, &set_, &G);
    const Eigen::ColPivHouseholderQR<MatrixX<double>> qr(G);
    std::vector<bool> actuated(nv(), true);
    for (int i = 0; i < n; ++i) {
      actuated[qr.colsPermutation().indices()[i]] = false;
    }
    set_.SetActuationMap(model_.plant, actuated);
    set_ad_.SetActuationMap(*plant_ad_, actuated);
  }

  // calc(plant, context, set) is evaluated for both scalars.
  template <typename Calc>
  void Check(const Calc& calc, double tolerance) {
    auto& context = *model_.context;
    const VectorXd x = model_.plant.GetPositionsAndVelocities(context);
    const VectorXd dx = model_.Numbers(static_cast<int>(x.size()));
    const auto at = [&](double step) -> VectorXd {
      model_.plant.SetPositionsAndVelocities(&context, (x + step * dx).eval());
      return calc(model_.plant, context, &set_);
    };
    const double h = 1e-4;
    const VectorXd expected =
        (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    VectorX<AutoDiffXd> x_ad(x.size());
    for (int i = 0; i < x.size(); ++i) {
      x_ad[i] = AutoDiffXd(x[i], VectorXd::Constant(1, dx[i]));
    }
    plant_ad_->SetPositionsAndVelocities(context_ad_.get(), x_ad);
    const VectorX<AutoDiffXd> found = calc(*plant_ad_, *context_ad_, &set_ad_);
    const VectorXd value = at(0);
    EXPECT_TRUE(
        Near(ToDouble(found), value, 1e-9 * (1 + value.cwiseAbs().maxCoeff())));
    const double scale = 1 + expected.cwiseAbs().maxCoeff();
    for (int i = 0; i < found.size(); ++i) {
      // None where nothing depends on x.
      const double derivative =
          found[i].derivatives().size() == 0 ? 0 : found[i].derivatives()[0];
      EXPECT_NEAR(derivative, expected[i], tolerance * scale) << i;
    }
  }

  RandomConstrainedPlant model_{GetParam()};
  unsigned drawn_{};
  ConstraintSet<double> set_;
  ConstraintSet<AutoDiffXd> set_ad_;
  std::unique_ptr<MultibodyPlant<AutoDiffXd>> plant_ad_;
  std::unique_ptr<Context<AutoDiffXd>> context_ad_;
  VectorXd wish_;
};

TEST_P(ConstrainedDerivatives, OfAssembledVelocities) {
  const VectorXd weights = model_.Numbers(nv()).array() + 1.5;
  Check(
      [&](const auto& plant, const auto& context, auto* set) {
        using T = std::decay_t<decltype(set->force()[0])>;
        VectorX<T> v(nv());
        CalcAssemblyQDot<T>(plant, context, set, &v, weights);
        return v;
      },
      1e-7);
}

// [v̇; tau; lambda].
template <typename T>
VectorX<T> Stack(const VectorX<T>& vdot, const VectorX<T>& tau,
                 const VectorX<T>& force) {
  VectorX<T> all(vdot.size() + tau.size() + force.size());
  all << vdot, tau, force;
  return all;
}

TEST_P(ConstrainedDerivatives, OfInverseDynamics) {
  Check(
      [&](const auto& plant, const auto& context, auto* set) {
        using T = std::decay_t<decltype(set->force()[0])>;
        VectorX<T> vdot(nv()), tau(nv());
        InverseDynamicsConstraints<T>(plant, context, wish_.template cast<T>(),
                                      set, &vdot, &tau);
        return Stack<T>(vdot, tau, set->force());
      },
      1e-6);
}

TEST_P(ConstrainedDerivatives, OfRelaxedInverseDynamics) {
  SetUnactuated(set_.size() + 2);
  Check(
      [&](const auto& plant, const auto& context, auto* set) {
        using T = std::decay_t<decltype(set->force()[0])>;
        VectorX<T> vdot(nv()), tau(nv());
        InverseDynamicsConstraintsRelaxed<T>(
            plant, context, wish_.template cast<T>(), set, &vdot, &tau);
        return Stack<T>(vdot, tau, set->force());
      },
      1e-6);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ConstrainedDerivatives, testing::Range(0u, 6u));

}  // namespace
}  // namespace wyvern::multibody
