// Tests laws of rows that repeat one another, nearly repeat one another, or are
// felt by no velocity. They hold for every method, in rotated frames and in all
// units: accelerations and multipliers belong together, and constraints hold.
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/multibody/constraint_sets/turned_arm.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"

namespace wyvern::multibody {
namespace {

using Eigen::VectorXd;
using test::kAllUnits;
using test::TurnedArm;
using Set = ConstraintSet<double>;

constexpr double kDoubleRounding = std::numeric_limits<double>::epsilon();

using NearDynamics = decltype(&ForwardDynamicsConstraintsDirect<double>);
constexpr NearDynamics kNearDynamics[] = {
    &ForwardDynamicsConstraintsDirect<double>,
    &ForwardDynamicsConstraintsRangeSpaceSparse<double>,
    &ForwardDynamicsConstraintsNullSpace<double>,
    &ForwardDynamicsContactsKokkevis<double>};
using NearImpulses = decltype(&ComputeConstraintImpulsesDirect<double>);
constexpr NearImpulses kNearImpulses[] = {
    &ComputeConstraintImpulsesDirect<double>,
    &ComputeConstraintImpulsesRangeSpaceSparse<double>,
    &ComputeConstraintImpulsesNullSpace<double>};

class NearlyDependentRows : public testing::TestWithParam<unsigned> {
 protected:
  // Calls f(arm, set, angle) for angles between two rows of 1e-3 to 1e-16 rad.
  void ForAll(const std::function<void(TurnedArm*, Set*, double)>& f) {
    for (const auto& units : kAllUnits) {
      for (int power = 3; power <= 16; ++power) {
        for (const bool is_loop : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << "1e-" << power << " rad, loop " << is_loop
                       << ", length " << units.length);
          TurnedArm arm(GetParam(), units);
          const double angle = 2.7 * std::pow(10, -power);
          Set set = arm.MakeRows(angle, is_loop);
          if (power % 2 == 0) arm.AddUnfeltRow(&set);
          set.Bind(arm.plant);
          f(&arm, &set, angle);
        }
      }
    }
  }
  // Checks M v̇ + C = tau + G' lambda, in its own units. Multipliers of some 1e8
  // are rounded themselves; v̇ follows from the rounded ones unless rows are
  // within some 1e-8 rad.
  static void ExpectMotion(const Set& set, const VectorXd& x, const VectorXd& c,
                           const VectorXd& lambda, bool follows = false) {
    using Numbers = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
    const Numbers left =
        set.H().cast<long double>() * x.cast<long double>() -
        c.cast<long double>() -
        set.G().transpose().cast<long double>() * lambda.cast<long double>();
    const VectorXd s = set.H().diagonal().cwiseSqrt().cwiseInverse();
    const VectorXd terms = set.H().cwiseAbs() * x.cwiseAbs() + c.cwiseAbs();
    const VectorXd forces = set.G().cwiseAbs().transpose() * lambda.cwiseAbs();
    const double rounding =
        follows ? 0 : 4 * kDoubleRounding * s.cwiseProduct(forces).maxCoeff();
    EXPECT_LE(s.cwiseProduct(left.cast<double>()).cwiseAbs().maxCoeff(),
              kMotion * s.cwiseProduct(terms).maxCoeff() + rounding);
  }
  // Checks the same to rounding of all its terms, for forces that are rounded
  // after they were computed from it.
  static void ExpectForces(const Set& set, const VectorXd& H_x_less_c,
                           const VectorXd& c, const VectorXd& lambda) {
    const VectorXd s = set.H().diagonal().cwiseSqrt().cwiseInverse();
    const VectorXd left =
        s.cwiseProduct(H_x_less_c - set.G().transpose() * lambda);
    const VectorXd terms =
        s.cwiseProduct(set.G().cwiseAbs().transpose() * lambda.cwiseAbs());
    const double size = s.cwiseProduct(c).cwiseAbs().maxCoeff();
    EXPECT_LE(left.cwiseAbs().maxCoeff(),
              1e-12 * size + 30 * kDoubleRounding * terms.maxCoeff());
  }
  // Checks G x = gamma. A dependent row misses the part of x that only this row
  // sees, by the angle below which rows are dependent. That part is at most the
  // length of x in the metric of M, as is the part that the row demands in
  // vain. Independent rows miss the rounding of multipliers, 1e-8.
  static void ExpectMet(const Set& set, const VectorXd& x,
                        const VectorXd& gamma) {
    const VectorXd missed = set.G() * x - gamma;
    const VectorXd terms = set.G().cwiseAbs() * x.cwiseAbs() + gamma.cwiseAbs();
    const double energy = std::sqrt(x.dot(set.H() * x));
    const Eigen::LLT<MatrixX<double>> factor(set.H());
    for (int r = 0; r < set.size(); ++r) {
      const VectorXd g = set.G().row(r).transpose();
      const double length = std::sqrt(g.dot(factor.solve(g)));
      EXPECT_LE(std::abs(missed[r]),
                kMissed * std::max(length * energy, terms.maxCoeff()))
          << r;
    }
  }
  static constexpr double kMotion = 1e-12;
  static constexpr double kMissed = 5e-8;
};

TEST_P(NearlyDependentRows, AccelerationsAndMultipliersBelongTogether) {
  ForAll([&](TurnedArm* arm, Set* set, double) {
    const VectorXd tau = arm->ForcesInUnits(arm->Numbers(TurnedArm::kJoints));
    VectorXd vdot(TurnedArm::kJoints);
    for (const NearDynamics f : kNearDynamics) {
      f(arm->plant, *arm->context, tau, set, &vdot, nullptr);
      CalcConstrainedSystemVariables<double>(arm->plant, *arm->context, set);
      ExpectMotion(*set, vdot, tau - set->C(), set->force());
      ExpectMet(*set, vdot, set->gamma());
    }
  });
}

TEST_P(NearlyDependentRows, MethodsAgreeOnRankAndMotion) {
  ForAll([&](TurnedArm* arm, Set* set, double angle) {
    const VectorXd tau = VectorXd::Zero(TurnedArm::kJoints);
    VectorXd expected(tau.size()), vdot(tau.size());
    kNearDynamics[0](arm->plant, *arm->context, tau, set, &expected, nullptr);
    const std::vector<int> dependent(set->dependent_rows().begin(),
                                     set->dependent_rows().end());
    for (const NearDynamics f : kNearDynamics) {
      f(arm->plant, *arm->context, tau, set, &vdot, nullptr);
      EXPECT_EQ(std::vector<int>(set->dependent_rows().begin(),
                                 set->dependent_rows().end()),
                dependent);
      // The demands of two rows an angle apart are known to rounding over that
      // angle.
      const double tolerance =
          angle > 1e-9 ? 1e-9 + 1e3 * kDoubleRounding / angle : 1e-7;
      const VectorXd s = set->H().diagonal().cwiseSqrt();
      EXPECT_LE(s.cwiseProduct(vdot - expected).norm(),
                tolerance * s.cwiseProduct(expected).norm());
    }
  });
}

TEST_P(NearlyDependentRows, ImpulsesBelongToTheVelocitiesAndThenAreNone) {
  ForAll([&](TurnedArm* arm, Set* set, double) {
    const VectorXd none = VectorXd::Zero(set->size());
    for (const NearImpulses f : kNearImpulses) {
      const VectorXd v = arm->plant.GetVelocities(*arm->context);
      VectorXd after(v.size()), same(v.size());
      f(arm->plant, *arm->context, set, &after);
      const VectorXd momentum = set->H() * v;
      ExpectMotion(*set, after, momentum, -set->impulse());
      ExpectMet(*set, after, none);
      arm->plant.SetVelocities(arm->context.get(), after);
      f(arm->plant, *arm->context, set, &same);
      const VectorXd s = set->H().diagonal().cwiseSqrt();
      EXPECT_LE(s.cwiseProduct(same - after).norm(),
                1e-7 * s.cwiseProduct(v).norm());
      arm->plant.SetVelocities(arm->context.get(), v);
    }
  });
}

TEST_P(NearlyDependentRows, RelaxedInverseDynamicsGivesForcesOfItsMotion) {
  ForAll([&](TurnedArm* arm, Set* set, double) {
    const int nv = TurnedArm::kJoints;
    std::vector<bool> actuated(nv, true);
    actuated[0] = actuated[4] = false;
    set->SetActuationMap(arm->plant, actuated);
    VectorXd vdot(nv), tau(nv);
    InverseDynamicsConstraintsRelaxed<double>(arm->plant, *arm->context,
                                              arm->InUnits(arm->Numbers(nv)),
                                              set, &vdot, &tau);
    ExpectForces(*set, set->H() * vdot + set->C() - tau,
                 set->H().cwiseAbs() * vdot.cwiseAbs() + tau.cwiseAbs(),
                 set->force());
    ExpectMet(*set, vdot, set->gamma());
  });
}

TEST_P(NearlyDependentRows, ExactInverseDynamicsDecidesOnRankAsItIsAsked) {
  ForAll([&](TurnedArm* arm, Set* set, double angle) {
    const int nv = TurnedArm::kJoints;
    std::vector<bool> actuated(nv, false);
    for (int i = 3; i < nv; ++i) actuated[i] = true;
    set->SetActuationMap(arm->plant, actuated);
    VectorXd vdot(nv), tau(nv);
    const VectorXd wish = arm->InUnits(arm->Numbers(nv));
    const bool is_actuated = IsConstrainedSystemFullyActuated<double>(
        arm->plant, *arm->context, set);
    if (angle > 1e-7) {
      EXPECT_TRUE(is_actuated);
    }
    if (angle < 1e-10) {
      EXPECT_FALSE(is_actuated);
    }
    const auto run = [&] {
      InverseDynamicsConstraints<double>(arm->plant, *arm->context, wish, set,
                                         &vdot, &tau);
    };
    if (!is_actuated) {
      EXPECT_THROW(run(), std::runtime_error);
      return;
    }
    run();
    ExpectForces(*set, set->H() * vdot + set->C() - tau,
                 set->H().cwiseAbs() * vdot.cwiseAbs() + tau.cwiseAbs(),
                 set->force());
    ExpectMet(*set, vdot, set->gamma());
  });
}

TEST_P(NearlyDependentRows, AssembledVelocitiesMeetThemAll) {
  ForAll([&](TurnedArm* arm, Set* set, double) {
    const int nv = TurnedArm::kJoints;
    VectorXd v(nv), weights = VectorXd::Ones(nv);
    weights[1] = 0;
    CalcAssemblyQDot<double>(arm->plant, *arm->context, set, &v, weights);
    CalcConstrainedSystemVariables<double>(arm->plant, *arm->context, set);
    ExpectMet(*set, v, VectorXd::Zero(set->size()));
  });
}

TEST_P(NearlyDependentRows, RowsAsFarApartAsFloatsRoundCountAsTwo) {
  for (const double angle : {1e-3, 1e-6, 5e-7, 6e-8}) {
    TurnedArm arm(GetParam());
    Set set = arm.MakeRows(angle, false);
    set.Bind(arm.plant);
    VectorXd vdot(TurnedArm::kJoints);
    for (const NearDynamics f : kNearDynamics) {
      f(arm.plant, *arm.context, VectorXd::Zero(TurnedArm::kJoints), &set,
        &vdot, nullptr);
      EXPECT_EQ(set.dependent_rows().size(), 1) << angle;
      CalcConstrainedSystemVariables<double>(arm.plant, *arm.context, &set);
      ExpectMotion(set, vdot, -set.C(), set.force(), true);
    }
  }
}

TEST_P(NearlyDependentRows, UnfeltRowsChangeNothing) {
  for (const auto& units : kAllUnits) {
    TurnedArm arm(GetParam(), units);
    Set set = arm.MakeRows(1, false);
    Set more = set.Copy();
    arm.AddUnfeltRow(&more);
    set.Bind(arm.plant);
    more.Bind(arm.plant);
    const VectorXd tau = VectorXd::Zero(TurnedArm::kJoints);
    VectorXd expected(tau.size()), vdot(tau.size());
    for (const NearDynamics f : kNearDynamics) {
      f(arm.plant, *arm.context, tau, &set, &expected, nullptr);
      f(arm.plant, *arm.context, tau, &more, &vdot, nullptr);
      const VectorXd s = set.H().diagonal().cwiseSqrt();
      EXPECT_LE(s.cwiseProduct(vdot - expected).norm(),
                1e-11 * s.cwiseProduct(expected).norm());
      EXPECT_EQ(more.force()[4], 0);
      EXPECT_EQ(more.dependent_rows().back(), 4);
    }
  }
}

TEST_P(NearlyDependentRows, AllocateNothing) {
  TurnedArm arm(GetParam());
  Set set = arm.MakeRows(1e-7, true);
  arm.AddUnfeltRow(&set);
  set.Bind(arm.plant);
  const VectorXd tau = VectorXd::Zero(TurnedArm::kJoints);
  VectorXd x(tau.size());
  const VectorXd weights = VectorXd::Ones(tau.size());
  const auto run = [&] {
    for (const NearDynamics f : kNearDynamics) {
      f(arm.plant, *arm.context, tau, &set, &x, nullptr);
    }
    for (const NearImpulses f : kNearImpulses)
      f(arm.plant, *arm.context, &set, &x);
    CalcAssemblyQDot<double>(arm.plant, *arm.context, &set, &x, weights);
  };
  run();
  wyvern::test::AllocationGuard guard;
  run();
  EXPECT_EQ(guard.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, NearlyDependentRows, testing::Range(0u, 12u));

}  // namespace
}  // namespace wyvern::multibody
