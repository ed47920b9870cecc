#include "wyvern/multibody/constraint_sets/solve_constrained_system.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using wyvern::test::Near;

constexpr LinearSolver kSolver = LinearSolver::kSymmetric;

// Three velocities in a row.
dynamics::Model MakeChain() {
  dynamics::Model model;
  model.num_v = 3;
  model.nodes.resize(4);
  for (int i = 1; i < 4; ++i) {
    model.nodes[i].parent = dynamics::NodeIndex(i - 1);
    model.nodes[i].v_start = i - 1;
    model.nodes[i].nv = 1;
    model.node_of_v.push_back(dynamics::NodeIndex(i));
  }
  return model;
}

MatrixX<double> MakeH() {
  MatrixX<double> H(3, 3);
  H << 5, 1, 0.5, 1, 4, -0.7, 0.5, -0.7, 3;
  return H;
}

template <typename T>
struct Solution {
  VectorX<T> x{VectorX<T>::Zero(3)};
  VectorX<T> lambda;
};

// By each of the three methods.
template <typename T>
std::vector<Solution<T>> Solve(const MatrixX<T>& H, const MatrixX<T>& G,
                               const VectorX<T>& c, const VectorX<T>& gamma,
                               LinearSolver solver = kSolver) {
  const dynamics::Model model = MakeChain();
  ConstrainedSystemScratch<T> scratch(model, static_cast<int>(G.rows()));
  std::vector<Solution<T>> solutions(3);
  for (auto& solution : solutions) solution.lambda = gamma;
  SolveConstrainedSystemDirect<T>(H, G, c, gamma, solver, &scratch,
                                  solutions[0].x, solutions[0].lambda);
  SolveConstrainedSystemRangeSpaceSparse<T>(model, H, G, c, gamma, solver,
                                            &scratch, solutions[1].x,
                                            solutions[1].lambda);
  SolveConstrainedSystemNullSpace<T>(H, G, c, gamma, solver, &scratch,
                                     solutions[2].x, solutions[2].lambda);
  return solutions;
}

TEST(SolveConstrainedSystem, WithoutRowsIsTheMassMatrixInverse) {
  const Vector3<double> x(1, -2, 3);
  for (const auto& found : Solve<double>(MakeH(), MatrixX<double>(0, 3),
                                         MakeH() * x, VectorX<double>(0))) {
    EXPECT_TRUE(Near(found.x, x, 1e-14));
  }
}

TEST(SolveConstrainedSystem, WithAsManyRowsAsVelocitiesMeetsThemAll) {
  const Vector3<double> x(1, -2, 3), lambda(4, 5, 6);
  MatrixX<double> G(3, 3);
  G << 1, 2, 0, 0, -1, 1, 3, 0, 1;
  for (const auto& found :
       Solve<double>(MakeH(), G, MakeH() * x - G.transpose() * lambda, G * x)) {
    EXPECT_TRUE(Near(found.x, x, 1e-13));
    EXPECT_TRUE(Near(found.lambda, lambda, 1e-12));
  }
}

// Entries that are 0 and do not stay so.
TEST(SolveConstrainedSystem, KeepsTheDerivativesOfZeros) {
  const auto make_G = [](auto g) {
    using T = decltype(g);
    MatrixX<T> G = MatrixX<T>::Zero(2, 3);
    G(0, 0) = 1;
    G(0, 2) = g;
    G(1, 1) = 1;
    return G;
  };
  const Vector3<double> c(1, 2, 3);
  const Vector2<double> gamma(0.3, -0.4);
  const double h = 1e-6;
  const auto plus = Solve<double>(MakeH(), make_G(h), c, gamma);
  const auto minus = Solve<double>(MakeH(), make_G(-h), c, gamma);
  const AutoDiffXd g(0, Eigen::VectorXd::Ones(1));
  const auto found =
      Solve<AutoDiffXd>(MakeH().cast<AutoDiffXd>(), make_G(g),
                        c.cast<AutoDiffXd>(), gamma.cast<AutoDiffXd>());
  for (int method = 0; method < 3; ++method) {
    const VectorX<double> expected =
        (plus[method].x - minus[method].x) / (2 * h);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(found[method].x[i].derivatives()[0], expected[i], 1e-9);
    }
  }
}

// Solutions are linear in c and gamma, at 0 too.
TEST(SolveConstrainedSystem, KeepsTheDerivativesOfRightSidesOfZero) {
  MatrixX<double> G(2, 3);
  G << 1, 2, 0, 0, -1, 1;
  const Vector3<double> dc(1, -2, 3);
  const Vector2<double> dgamma(0.3, -0.4);
  const auto expected = Solve<double>(MakeH(), G, dc, dgamma)[0];
  const AutoDiffXd zero(0, Eigen::VectorXd::Ones(1));
  for (const LinearSolver solver :
       {LinearSolver::kSymmetric, LinearSolver::kPartialPivLU,
        LinearSolver::kHouseholderQR, LinearSolver::kColPivHouseholderQR}) {
    for (const auto& found :
         Solve<AutoDiffXd>(MakeH().cast<AutoDiffXd>(), G.cast<AutoDiffXd>(),
                           dc.cast<AutoDiffXd>() * zero,
                           dgamma.cast<AutoDiffXd>() * zero, solver)) {
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(found.x[i].derivatives()[0], expected.x[i], 1e-14);
      }
      for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(found.lambda[i].derivatives()[0], expected.lambda[i],
                    1e-13);
      }
    }
  }
}

TEST(SolveConstrainedSystem, RefusesMatricesThatAreNotDefinite) {
  MatrixX<double> H = MakeH();
  H(2, 2) = -3;
  const dynamics::Model model = MakeChain();
  ConstrainedSystemScratch<double> scratch(model, 0);
  VectorX<double> x(3), none(0);
  const MatrixX<double> G(0, 3);
  const VectorX<double> c = VectorX<double>::Zero(3);
  EXPECT_THROWS_MESSAGE(SolveConstrainedSystemDirect<double>(
                            H, G, c, none, kSolver, &scratch, x, none),
                        std::runtime_error,
                        "SolveConstrainedSystemDirect(): the mass matrix");
  EXPECT_THROWS_MESSAGE(SolveConstrainedSystemRangeSpaceSparse<double>(
                            model, H, G, c, none, kSolver, &scratch, x, none),
                        std::runtime_error, "is not positive definite");
  EXPECT_THROWS_MESSAGE(SolveConstrainedSystemNullSpace<double>(
                            H, G, c, none, kSolver, &scratch, x, none),
                        std::runtime_error, "is not positive definite");
}

// The second velocity has no mass, or slightly less by rounding; G determines
// it.
TEST(SolveConstrainedSystem,
     DoesWithoutMassWhereConstraintsDetermineTheMotion) {
  const Vector3<double> x(1, -2, 3);
  const Vector2<double> lambda(4, 5);
  MatrixX<double> G(2, 3);
  G << 1, 2, 0, 0, -1, 1;
  for (const double m : {0.0, -1e-17}) {
    MatrixX<double> H = MakeH();
    H.row(1).setZero();
    H.col(1).setZero();
    H(1, 1) = m;
    for (const double size : {1.0, 1e-6, 1e6}) {
      const MatrixX<double> sized = size * H;
      const auto found = Solve<double>(
          sized, G, sized * x - size * G.transpose() * lambda, G * x);
      for (const auto& solution : found) {
        EXPECT_TRUE(Near(solution.x, x, 1e-13));
        EXPECT_TRUE(Near(solution.lambda, size * lambda, 1e-12 * size));
      }
    }
  }
}

// Two velocities about one axis without mass between them: rounding must not
// count as mass.
TEST(SolveConstrainedSystem, KnowsRoundingFromMass) {
  MatrixX<double> H(3, 3), G(1, 3);
  const double I = 0.1 + 0.2;
  H << 0.3, 0.3, 0, 0.3, I, 0, 0, 0, 2;
  G << 0, 1, 0.5;
  const Vector3<double> x(1, -2, 3);
  const VectorX<double> lambda = VectorX<double>::Constant(1, 4);
  for (const auto& found :
       Solve<double>(H, G, H * x - G.transpose() * lambda, G * x)) {
    EXPECT_TRUE(Near(found.x, x, 1e-13));
    EXPECT_TRUE(Near(found.lambda, lambda, 1e-12));
  }
  G << 0, 0, 1;
  EXPECT_THROWS_MESSAGE(
      Solve<double>(H, G, x, lambda), std::runtime_error,
      "and the constraints do not determine the motion that has no mass");
}

// The range-space and the null-space method fall back to the direct one if H is
// singular or masses differ by many orders of magnitude. Then they have its
// bits by each solver.
TEST(SolveConstrainedSystem, EveryMethodObeysTheSolverWhenItFallsBack) {
  MatrixX<double> G(2, 3);
  G << 0.3, 1, 0.7, 0.1, -0.4, 1;
  const Vector3<double> c(1, -2, 3);
  const Vector2<double> gamma(0.3, -0.4);
  int num_fallbacks[3] = {}, num_different = 0;
  for (int k = 0; k < 3; ++k) {
    for (const double scale : {0.0, 1e-12, 1e-8, 1e-5, 1.0, 1e5, 1e8}) {
      MatrixX<double> H = MakeH();
      H.row(k) *= scale;
      H.col(k) *= scale;
      const auto symmetric = Solve<double>(H, G, c, gamma);
      for (const LinearSolver solver :
           {LinearSolver::kPartialPivLU, LinearSolver::kHouseholderQR,
            LinearSolver::kColPivHouseholderQR}) {
        const auto found = Solve<double>(H, G, c, gamma, solver);
        for (int method = 1; method < 3; ++method) {
          if (symmetric[method].x != symmetric[0].x) continue;
          ++num_fallbacks[method];
          EXPECT_TRUE(Near(found[method].x, found[0].x, 0));
          EXPECT_TRUE(Near(found[method].lambda, found[0].lambda, 0));
          if (found[0].lambda != symmetric[0].lambda) ++num_different;
        }
      }
    }
  }
  EXPECT_GE(num_fallbacks[1], 9);
  EXPECT_GE(num_fallbacks[2], 3);
  EXPECT_GT(num_different, 0);
}

// Redundant rows, and a row that no velocity feels, without mass.
TEST(SolveConstrainedSystem, TakesRedundantRowsWithoutMassToo) {
  const Vector3<double> x(1, -2, 3);
  MatrixX<double> H = MakeH(), G(4, 3);
  H.row(1).setZero();
  H.col(1).setZero();
  G << 1, 2, 0, 0, -1, 1, 2, 4, 0, 0, 0, 0;
  const Vector3<double> f = G.transpose() * Vector4<double>(4, 5, 0, 0);
  for (const auto& found : Solve<double>(H, G, H * x - f, G * x)) {
    EXPECT_TRUE(Near(found.x, x, 1e-13));
    EXPECT_TRUE(Near(G.transpose() * found.lambda, f, 1e-12));
    EXPECT_EQ(found.lambda[3], 0);
  }
}

TEST(SolveConstrainedSystem, KeepsDerivativesWithoutMass) {
  MatrixX<double> H = MakeH(), G(2, 3);
  H.row(1).setZero();
  H.col(1).setZero();
  G << 1, 2, 0, 0, -1, 1;
  const Vector3<double> dc(1, -2, 3);
  const Vector2<double> dgamma(0.3, -0.4);
  const auto expected = Solve<double>(H, G, dc, dgamma);
  const AutoDiffXd zero(0, Eigen::VectorXd::Ones(1));
  const auto found = Solve<AutoDiffXd>(
      H.cast<AutoDiffXd>(), G.cast<AutoDiffXd>(), dc.cast<AutoDiffXd>() * zero,
      dgamma.cast<AutoDiffXd>() * zero);
  for (int method = 0; method < 3; ++method) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(found[method].x[i].derivatives()[0], expected[method].x[i],
                  1e-13);
    }
  }
}

TEST(SolveConstrainedSystem, RefusesSizesThatDoNotAgree) {
  ConstrainedSystemScratch<double> scratch(3, 1);
  VectorX<double> x(3), lambda(2);
  EXPECT_THROWS_MESSAGE(
      SolveConstrainedSystemDirect<double>(
          MakeH(), MatrixX<double>::Zero(2, 3), VectorX<double>::Zero(3),
          VectorX<double>::Zero(2), kSolver, &scratch, x, lambda),
      std::logic_error, "scratch is for 3 velocities and 1 constraints");
}

}  // namespace
}  // namespace wyvern::multibody
