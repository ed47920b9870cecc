#include "wyvern/multibody/step/round_off.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_numbers.h"

namespace wyvern::multibody::internal {
namespace round_off_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using Law = ContactLaw<double>;
using Problem = StepProblem<double>;

// Two free bodies in contact, with rows of any size.
Problem MakeContact(test::RandomNumbers* random, Law::Kind kind) {
  Problem problem;
  problem.Reset(1e-3, std::vector<int>{6, 6});
  for (int t = 0; t < 2; ++t) problem.A(t).setIdentity();
  Law law;
  law.kind = kind;
  law.mu = random->Uniform(0, 1.5);
  law.dt = 1e-3;
  law.k = std::pow(10, random->Uniform(2, 6));
  law.d = random->Uniform(0, 10);
  law.f0 = std::pow(10, random->Uniform(1, 10));
  law.n0 = random->Uniform(0, 0.1);
  law.eps = 1e-4;
  law.R_n = 1e-4;
  law.R_t = 1e-6;
  law.v_hat = 0.1;
  const int c = problem.AddContact(law, 0, 1);
  const double size = std::pow(10, random->Uniform(-3, 3));
  for (int side = 0; side < 2; ++side) {
    problem.J(c, side) = size * random->Matrix(3, 6);
  }
  return problem;
}

double CalcNormal(const Problem& problem, const VectorXd& v) {
  VectorXd rows, g;
  problem.CalcRowVelocities(v, &rows);
  problem.CalcImpulses(rows, &g);
  return g[2];
}

// Velocities that differ in their last digit have impulses that differ by less,
// and, as rows' terms are rounded as well, not by very much less.
TEST(NormalRoundOff, BoundsWhatTheLastDigitOfVelocitiesChanges) {
  test::RandomNumbers random(1);
  int num_acting = 0;
  for (const auto kind :
       {Law::Kind::kSap, Law::Kind::kLagged, Law::Kind::kSimilar}) {
    for (int i = 0; i < 100; ++i) {
      const Problem problem = MakeContact(&random, kind);
      const VectorXd v = 0.01 * random.Matrix(12, 1);
      const double n = CalcNormal(problem, v);
      const double bound = CalcNormalRoundOff(problem, 0, 0, v);
      double largest = 0;
      for (int j = 0; j < 100; ++j) {
        VectorXd near = v;
        for (int k = 0; k < near.size(); ++k) {
          near[k] *= 1 + random.Integer(-1, 1) *
                             std::numeric_limits<double>::epsilon();
        }
        largest = std::max(largest, std::abs(CalcNormal(problem, near) - n));
      }
      // The law's own arithmetic is exact to a few eps of n.
      EXPECT_LE(largest, bound + 1e-15 * n);
      if (n == 0) continue;
      ++num_acting;
      EXPECT_LE(bound, 1e3 * (largest + 1e-16 * n));
    }
  }
  EXPECT_GT(num_acting, 100);
}

TEST(NormalRoundOff, IsNoneOfContactsThatDoNotActOrDoNotMove) {
  test::RandomNumbers random(2);
  Problem problem = MakeContact(&random, Law::Kind::kLagged);
  EXPECT_EQ(CalcNormalRoundOff(problem, 0, 0, VectorXd::Zero(12)), 0);
  problem.contact_law(problem.constraint(0).law).f0 = -1e9;
  EXPECT_EQ(CalcNormalRoundOff(problem, 0, 0, VectorXd::Ones(12) * 1e-3), 0);
}

// A limit between two bodies that move at 1/3 m/s and just meet its bound. The
// last digit of its speed, 1e-17 m/s or so, decides whether it acts at all.
TEST(RoundOff, OfARowAtItsKinkIsThatOfItsStiffSide) {
  const auto calc = [](double v_hat) {
    Problem problem;
    problem.Reset(1e-3, std::vector<int>{1, 1});
    for (int t = 0; t < 2; ++t) problem.A(t).setIdentity();
    const RowLaw<double> law{v_hat, 1e-4,
                             -std::numeric_limits<double>::infinity(), 0};
    const int c = problem.AddRows(std::span(&law, 1), 0, 1);
    for (int side = 0; side < 2; ++side) problem.J(c, side).setOnes();
    const VectorXd v = Eigen::Vector2d(-1.0 / 3, 1.0 / 3);
    VectorXd rows, e(2);
    problem.CalcRowVelocities(v, &rows);
    return CalcRoundOff(problem, std::vector<int>{c}, std::vector<int>{0, 1},
                        rows, v, VectorXd::Ones(2), &e);
  };
  // The bound covers the bodies' own momenta, and 1e4 of that through the
  // limit's slope.
  EXPECT_LT(calc(1e-3), 1e-14);
  EXPECT_GT(calc(1e-17), 1e-12);
  EXPECT_GT(calc(-1e-17), 1e-12);
}

}  // namespace round_off_test
}  // namespace wyvern::multibody::internal
