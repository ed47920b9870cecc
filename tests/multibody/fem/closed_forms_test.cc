// Solutions that are known: uniform strain, and a rod's axial vibration.
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "tests/multibody/fem/test_bodies.h"
#include "tests/support/near.h"

namespace wyvern::multibody::fem::internal {
namespace closed_forms_test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using test::kMaterials;
using test::MakeBox;
using test::MakeConfig;
using test::MakeIrregularCube;
using wyvern::test::Near;

// If the surface of a body is at F x + p, so is the whole body at rest, for any
// tetrahedra inside.
TEST(ClosedForms, ThePatchTestIsExact) {
  const Matrix3d F =
      Matrix3d(Eigen::AngleAxisd(0.3, Vector3d(1, 2, 3).normalized())) *
      (Matrix3d() << 1.1, 0.05, 0, 0.05, 0.95, -0.02, 0, -0.02, 1.02)
          .finished();
  const Vector3d p(1, 2, 3);
  for (const MaterialModel material : kMaterials) {
    FemModel model("cube", MakeIrregularCube(3), MakeConfig(material));
    int num_inner = 0;
    for (int v = 0; v < model.num_vertices(); ++v) {
      const Vector3d x = model.reference_positions().segment<3>(3 * v);
      if (x.lpNorm<Eigen::Infinity>() > 0.499) {
        model.FixVertex(v, F * x + p);
      } else {
        ++num_inner;
      }
    }
    EXPECT_EQ(num_inner, 8);
    const VectorX<double> exact = test::Move(model, F, p);
    FemState state = MakeDefaultState(model);
    const int n = static_cast<int>(state.q.size());
    state.q = exact + test::RandomVector(n, 0.02);
    const VectorX<double> none = VectorX<double>::Zero(n);
    // Steps so long that inertia is nothing.
    FemStepper stepper(&model, 1e4);
    for (int i = 0; i < 10; ++i) stepper.Step(none, &state);
    EXPECT_TRUE(Near(state.q, exact, 1e-9)) << static_cast<int>(material);
  }
}

struct Mode {
  double frequency{};  // rad/s
  VectorX<double> x;   // x'M x = 1.
};

VectorX<double> MassProduct(const FemModel& model, const VectorX<double>& x) {
  VectorX<double> result = VectorX<double>::Zero(x.size());
  model.AddMassProduct(x, &result);
  return result;
}

// The least modes of K x = w² M x, by subspace iteration.
std::vector<Mode> FindModes(const FemModel& model, int count) {
  const VectorX<double>& q = model.reference_positions();
  const int n = static_cast<int>(q.size());
  VectorX<double> gradient(n), solution(n);
  std::vector<Block> K(model.pattern().num_blocks());
  model.CalcElasticity(q, q, Wanted::kStiffness, &gradient, &K);
  BlockCholesky3 cholesky(&model.pattern());
  cholesky.Analyze(model.is_fixed(), {});
  EXPECT_TRUE(cholesky.Factor(K));
  const VectorX<double> random = test::RandomVector(n * count, 1);
  MatrixXd X = Eigen::Map<const MatrixXd>(random.data(), n, count);
  MatrixXd Y(n, count), MX(n, count), MY(n, count);
  VectorX<double> square;
  for (int i = 0; i < 30; ++i) {
    for (int k = 0; k < count; ++k) {
      MX.col(k) = MassProduct(model, X.col(k));
      cholesky.Solve(MX.col(k), &solution);
      Y.col(k) = solution;
      MY.col(k) = MassProduct(model, Y.col(k));
    }
    // K Y = M X.
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> small(
        Y.transpose() * MX, Y.transpose() * MY);
    square = small.eigenvalues();
    X = Y * small.eigenvectors();
  }
  std::vector<Mode> result;
  for (int k = 0; k < count; ++k) {
    result.push_back({std::sqrt(square[k]), X.col(k)});
  }
  return result;
}

double CalcAxialFrequency(double L, double h, double E) {
  FemModel rod("rod", MakeBox({L, 0.1, 0.1}, h),
               MakeConfig(MaterialModel::kLinear, E, 0));
  test::FixBehindWall({-0.499999 * L, 0, 0}, {1, 0, 0}, &rod);
  const VectorX<double> along =
      test::Move(rod, Matrix3d::Zero(), Vector3d::UnitX());
  // It moves most of the mass along x, 8 / pi².
  double frequency = 0, share = 0;
  for (const Mode& mode : FindModes(rod, 12)) {
    const double p = along.dot(MassProduct(rod, mode.x));
    if (!(p * p > share)) continue;
    share = p * p;
    frequency = mode.frequency;
  }
  EXPECT_GT(share, 0.7 * rod.total_mass());
  return frequency;
}

// Without lateral strain (nu = 0) rod theory is exact: w = k sqrt(E/rho) with
// k = pi / 2L. Of linear elements with consistent masses it is higher by
// (kh)² / 24 of itself, and the rest of the error falls faster.
TEST(ClosedForms, ARodsAxialFrequencyConvergesAtSecondOrder) {
  const double L = 1, E = 1e6, rho = 1000, k = std::numbers::pi / (2 * L);
  const double exact = k * std::sqrt(E / rho);
  std::vector<double> errors;
  for (const double h : {0.1, 0.05, 0.025}) {
    errors.push_back(CalcAxialFrequency(L, h, E) / exact - 1);
    EXPECT_NEAR(errors.back() / (k * k * h * h / 24), 1, 0.1);
  }
  EXPECT_GT(errors[0], 3.5 * errors[1]);
  EXPECT_GT(errors[1], 3.5 * errors[2]);
  EXPECT_NEAR((4 * errors[2] - errors[1]) / 3, 0, 0.1 * errors[2]);
}

}  // namespace closed_forms_test
}  // namespace wyvern::multibody::fem::internal
