// Contacts that share the six rows of their bodies' relative motion: another
// way to write contacts with rows of their own.
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/step/dense_solver.h"
#include "tests/multibody/step/random_contact.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "tests/support/random_numbers.h"
#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/multibody/step/round_off.h"
#include "wyvern/multibody/step/step_solver.h"

namespace wyvern::multibody::internal {
namespace shared_rows_test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Near;
using Random = test::RandomNumbers;
using Law = ContactLaw<double>;
using Problem = StepProblem<double>;

constexpr double kDt = 0.01;

// Equal contacts with shared rows and with rows of their own: J_i = S_i J,
// between free bodies and chains, or one of them and the world.
struct Twins {
  Problem shared, own;
};

// S of contact i: of (v, w) it makes v + w x p.
MatrixXd Share(const Problem& problem, const Problem::Constraint& k, int i) {
  MatrixXd S(3, 6);
  S << Matrix3d::Identity(),
      -math::VectorToSkewSymmetric(problem.contact_offset(k, i));
  return S;
}

Twins MakeTwins(int seed, Law::Kind kind) {
  Random random(seed);
  const std::vector<int> nv{6, 6, 9, 6, 2};
  const int num_trees = static_cast<int>(nv.size());
  Twins twins;
  for (Problem* problem : {&twins.shared, &twins.own}) problem->Reset(kDt, nv);
  for (int t = 0; t < num_trees; ++t) {
    const MatrixXd root = random.Matrix(nv[t], nv[t]);
    const MatrixXd A =
        root * root.transpose() + MatrixXd::Identity(nv[t], nv[t]);
    twins.shared.A(t) = twins.own.A(t) = A;
  }
  const VectorXd v_star = random.Matrix(twins.own.num_v(), 1);
  twins.shared.v_star() = twins.own.v_star() = v_star;
  if (seed % 4 == 0) {
    twins.shared.is_locked()[3] = twins.own.is_locked()[3] = 1;
  }
  for (int pair = 0; pair < 6; ++pair) {
    const int a = random.Integer(0, num_trees - 1);
    int b = random.Integer(-1, num_trees - 1);
    if (a == b) b = -1;
    std::vector<int> columns;  // Those of the first tree; the second has all.
    for (int i = 0; i < nv[a]; ++i) {
      if (i == 0 || seed % 3 == 0 || random.Integer(0, 1)) columns.push_back(i);
    }
    const int num = random.Integer(1, 5);
    const int c = twins.shared.AddContacts(num, a, b, columns);
    const auto& k = twins.shared.constraint(c);
    for (int side = 0; side < (b < 0 ? 1 : 2); ++side) {
      auto J = twins.shared.J(c, side);
      J = random.Matrix(J.rows(), J.cols());
    }
    for (int i = 0; i < num; ++i) {
      const Law law = test::RandomContact(kind, &random);
      twins.shared.contact_offset(k, i) = random.Matrix(3, 1);
      twins.shared.contact_law(k.law + i) = law;
      const int own = twins.own.AddContact(law, a, b, columns);
      for (int side = 0; side < (b < 0 ? 1 : 2); ++side) {
        twins.own.J(own, side) =
            Share(twins.shared, k, i) * twins.shared.J(c, side);
      }
    }
  }
  return twins;
}

Vector3d Of(const Problem& problem, const VectorXd& by_row, int contact) {
  return by_row.segment<3>(problem.contact_row(contact));
}

class SharedRows : public ::testing::TestWithParam<Law::Kind> {};

TEST_P(SharedRows, AreAnotherWayToWriteContacts) {
  for (int seed = 0; seed < 60; ++seed) {
    const Twins twins = MakeTwins(seed, GetParam());
    ASSERT_EQ(twins.shared.num_contacts(), twins.own.num_contacts());
    StepSolver solver, own_solver;
    const VectorXd zero = VectorXd::Zero(twins.own.num_v());
    const auto& x = solver.Solve(twins.shared, zero);
    const auto& y = own_solver.Solve(twins.own, zero);
    EXPECT_TRUE(Near(x.v, y.v, 1e-9)) << seed;
    EXPECT_TRUE(Near(x.v, test::SolveDense(twins.shared), 1e-9)) << seed;
    for (int i = 0; i < twins.own.num_contacts(); ++i) {
      EXPECT_TRUE(Near(Of(twins.shared, x.g, i), Of(twins.own, y.g, i), 1e-8))
          << seed;
    }
    // Slopes up to 1 / R_t = 1e6, by rows on both sides, make 1e-9 of the
    // rounding of velocities.
    EXPECT_TRUE(
        Near(twins.shared.CalcResidual(x.v), twins.own.CalcResidual(x.v), 1e-8))
        << seed;
    EXPECT_EQ(twins.shared.ExtractValues().CalcResidual(x.v),
              twins.shared.CalcResidual(x.v));
    VectorXd a = zero.array() + 1, b = a;
    solver.SolveSensitivity(twins.shared, a);
    own_solver.SolveSensitivity(twins.own, b);
    EXPECT_TRUE(Near(a, b, 1e-7 * (1 + b.norm()))) << seed;
  }
}

TEST_P(SharedRows, HoldTheSumOfTheirContacts) {
  for (int seed = 0; seed < 20; ++seed) {
    const Problem problem = MakeTwins(seed, GetParam()).shared;
    const VectorXd v = Random(seed).Matrix(problem.num_v(), 1);
    VectorXd rows, g;
    problem.CalcRowVelocities(v, &rows);
    problem.CalcImpulses(rows, &g);
    for (int c = 0; c < problem.num_constraints(); ++c) {
      const auto& k = problem.constraint(c);
      Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
      Eigen::Matrix<double, 6, 6> slopes, all;
      all.setZero();
      for (int i = 0; i < k.num_contacts; ++i) {
        const MatrixXd S = Share(problem, k, i);
        const Vector3d velocity = S * rows.segment<6>(k.row);
        EXPECT_TRUE(Near(Of(problem, rows, k.law + i), velocity, 1e-14));
        Vector3d impulse;
        Matrix3d G;
        problem.contact_law(k.law + i).Calc(velocity, &impulse, &G);
        EXPECT_TRUE(Near(Of(problem, g, k.law + i), impulse, 1e-9));
        sum += S.transpose() * impulse;
        all += S.transpose() * G * S;
      }
      EXPECT_TRUE(
          Near(Eigen::Matrix<double, 6, 1>(g.segment<6>(k.row)), sum, 1e-9));
      const bool acts = problem.CalcSlopes(c, rows, &slopes);
      EXPECT_EQ(acts, !all.isZero(0));
      if (!acts) continue;
      // Slopes up to 1e6 times squares of S.
      EXPECT_TRUE(Near(MatrixXd(slopes), MatrixXd(all), 1e-9));
    }
  }
}

TEST_P(SharedRows, RoundTheirVelocitiesOnce) {
  Random random(3);
  Problem problem;
  problem.Reset(kDt, std::vector<int>{6, 6});
  for (int t = 0; t < 2; ++t) problem.A(t).setIdentity();
  const Law law = test::RandomContact(GetParam(), &random);
  const int own = problem.AddContact(law, 0, 1);
  const int shared = problem.AddContacts(2, 0, 1);
  const auto& k = problem.constraint(shared);
  for (int side = 0; side < 2; ++side) {
    problem.J(own, side) = random.Matrix(3, 6);
    problem.J(shared, side).topRows(3) = problem.J(own, side);
  }
  problem.contact_law(k.law + 1) = law;
  const VectorXd v = 0.01 * random.Matrix(12, 1);
  const double bound = CalcNormalRoundOff(problem, own, 0, v);
  EXPECT_GT(bound, 0);
  EXPECT_NEAR(CalcNormalRoundOff(problem, shared, 1, v), bound, 1e-12 * bound);
  // Away from there what turning rounds counts, too: the bound is no less than
  // with rows of the contact's own.
  const Vector3d p = 0.1 * random.Matrix(3, 1);
  problem.contact_offset(k, 1) = p;
  for (int side = 0; side < 2; ++side) {
    problem.J(shared, side).bottomRows(3) = random.Matrix(3, 6);
    problem.J(own, side) = Share(problem, k, 1) * problem.J(shared, side);
  }
  EXPECT_GE(CalcNormalRoundOff(problem, shared, 1, v) * (1 + 1e-12),
            CalcNormalRoundOff(problem, own, 0, v));
}

TEST_P(SharedRows, AllocateNothingTheSecondTime) {
  const Twins twins = MakeTwins(1, GetParam());
  Problem problem = twins.shared;
  StepSolver solver;
  const VectorXd zero = VectorXd::Zero(problem.num_v());
  const std::vector<int> nv{6, 6, 9, 6, 2};
  const auto fill = [&] {
    problem.Reset(kDt, nv);
    for (int t = 0; t < problem.num_trees(); ++t) {
      problem.A(t).diagonal().setOnes();
    }
    for (int i = 0; i < 4; ++i) {
      const int c = problem.AddContacts(4, i, i == 3 ? -1 : i + 1);
      const auto& k = problem.constraint(c);
      problem.J(c, 0).setOnes();
      for (int j = 0; j < 4; ++j) {
        problem.contact_offset(k, j).setConstant(0.1 * (j + 1));
        problem.contact_law(k.law + j) = twins.own.contact_law(j);
      }
    }
    solver.Solve(problem, zero);
  };
  fill();
  test::AllocationGuard guard;
  fill();
  EXPECT_EQ(guard.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SharedRows,
                         ::testing::Values(Law::Kind::kSap, Law::Kind::kLagged,
                                           Law::Kind::kSimilar));

}  // namespace shared_rows_test
}  // namespace wyvern::multibody::internal
