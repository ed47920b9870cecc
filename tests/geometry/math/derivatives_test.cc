#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/gradient_util.h"
#include "wyvern/geometry/math/jacobian.h"
#include "wyvern/geometry/math/linear_solve.h"
#include "wyvern/geometry/math/normalize_vector.h"
#include "wyvern/geometry/math/random_rotation.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/math/rotation_conversion_gradient.h"

// Everything here is held against AutoDiffXd.

namespace wyvern::math {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;
using test::Near;

TEST(NormalizeVector, HasTheDerivativesOfTheUnitVector) {
  const Vector3d x(1.0, -2.0, 0.5);
  Vector3d u;
  Gradient<Vector3d, 3>::type du;
  Gradient<Vector3d, 3, 2>::type ddu;
  NormalizeVector(x, u, &du, &ddu);
  EXPECT_TRUE(Near(u, x.normalized(), 1e-16));
  Vector3<AutoDiffXd> x_ad = InitializeAutoDiff(x), u_ad;
  Gradient<Vector3<AutoDiffXd>, 3>::type du_ad;
  NormalizeVector(x_ad, u_ad, &du_ad);
  EXPECT_TRUE(Near(du, ExtractGradient(u_ad), 1e-15));
  EXPECT_TRUE(Near(ddu, ExtractGradient(du_ad), 1e-15));
}

TEST(NormalizeVector, RefusesZero) {
  Vector3d u;
  EXPECT_THROWS_MESSAGE(NormalizeVector(Vector3d::Zero().eval(), u),
                        std::logic_error, "zero");
}

TEST(Jacobian, HasTheDerivativesOfTheFunction) {
  const auto f = [](const auto& x) {
    return (Vector2<AutoDiffXd>() << x[0] * x[1], sin(x[0])).finished();
  };
  EXPECT_TRUE(Near(ExtractGradient(jacobian(f, Vector2d(0.3, 2.0))),
                   Matrix2d{{2.0, 0.3}, {std::cos(0.3), 0.0}}, 1e-15));
}

// A 2 x 3 and B 3 x 2 that depend on four variables.
struct Product {
  MatrixX<AutoDiffXd> A =
      InitializeAutoDiff(MatrixXd::Random(2, 3), MatrixXd::Random(6, 4));
  MatrixX<AutoDiffXd> B =
      InitializeAutoDiff(MatrixXd::Random(3, 2), MatrixXd::Random(6, 4));
};

TEST(GradientUtil, ProductRule) {
  const Product p;
  const MatrixXd A = ExtractValue(p.A), B = ExtractValue(p.B);
  const MatrixXd dA = ExtractGradient(p.A), dB = ExtractGradient(p.B);
  const MatrixX<AutoDiffXd> AB = p.A * p.B;
  EXPECT_TRUE(Near(matGradMultMat(A, B, dA, dB), ExtractGradient(AB), 1e-14));
  const MatrixX<AutoDiffXd> A_by_constant = p.A * B.cast<AutoDiffXd>();
  EXPECT_TRUE(Near(matGradMult(dA, B), ExtractGradient(A_by_constant), 1e-14));
}

TEST(GradientUtil, Transpose) {
  const Product p;
  EXPECT_TRUE(Near(transposeGrad(ExtractGradient(p.A).eval(), 2),
                   ExtractGradient(p.A.transpose())));
}

TEST(GradientUtil, PartsOfAMatrix) {
  MatrixXd dM = MatrixXd::Random(6, 4);
  const MatrixXd part =
      getSubMatrixGradient(dM, std::vector<int>{1}, std::vector<int>{0, 2}, 2);
  EXPECT_TRUE(Near(part.row(0), dM.row(1)));
  EXPECT_TRUE(Near(part.row(1), dM.row(5)));
  EXPECT_TRUE(Near(getSubMatrixGradient<2>(dM, std::array<int, 1>{1},
                                           std::array<int, 2>{0, 2}, 2, 1),
                   part.middleCols(1, 2)));
  EXPECT_TRUE(Near(getSubMatrixGradient(dM, 1, 2, 2), dM.row(5)));
  EXPECT_EQ(intRange<3>(2), (std::array<int, 3>{2, 3, 4}));
}

TEST(GradientUtil, PartsOfAMatrixCanBeSet) {
  MatrixXd dM = MatrixXd::Zero(6, 4);
  const MatrixXd part = MatrixXd::Random(2, 2);
  setSubMatrixGradient<2>(dM, part, std::array<int, 1>{1},
                          std::array<int, 2>{0, 2}, 2, 1);
  EXPECT_TRUE(Near(dM.block(1, 1, 1, 2), part.row(0)));
  EXPECT_TRUE(Near(dM.block(5, 1, 1, 2), part.row(1)));
  setSubMatrixGradient(dM, Eigen::RowVector4d::Ones(), 0, 1, 2);
  EXPECT_TRUE(Near(dM.row(2), Eigen::RowVector4d::Ones()));
  EXPECT_NEAR(dM.sum(), 4 + part.sum(), 1e-15);
}

TEST(GradientUtil, RefusesSizesThatDoNotFit) {
  MatrixXd dM = MatrixXd::Zero(6, 4);
  EXPECT_THROWS_MESSAGE(transposeGrad(dM, 4), std::logic_error,
                        "6 rows is of no matrix of 4");
  EXPECT_THROWS_MESSAGE(matGradMult(dM, MatrixXd::Zero(4, 1)), std::logic_error,
                        "dA is 6 x 4; it must be 4 x 4");
  EXPECT_THROWS_MESSAGE(
      matGradMultMat(MatrixXd::Zero(2, 3), MatrixXd::Zero(2, 3), dM, dM),
      std::logic_error, "A has 3 columns and B 2 rows");
  EXPECT_THROWS_MESSAGE(getSubMatrixGradient(dM, 2, 0, 2), std::logic_error,
                        "element (2, 0)");
  EXPECT_THROWS_MESSAGE(getSubMatrixGradient(dM, 0, 0, 2, 3, 2),
                        std::logic_error, "2 variables from 3");
  EXPECT_THROWS_MESSAGE(setSubMatrixGradient(dM, MatrixXd::Zero(2, 4), 0, 0, 2),
                        std::logic_error,
                        "dM_submatrix is 2 x 4; it must be 1 x 4");
}

TEST(RotationConversionGradient, FromQuaternionIsThatOfTheNormalizedOne) {
  const Vector4d q(0.8, -1.2, 0.3, 0.5);
  const Vector4<AutoDiffXd> q_ad = InitializeAutoDiff(q);
  const Quaternion<AutoDiffXd> Q(q_ad[0], q_ad[1], q_ad[2], q_ad[3]);
  EXPECT_TRUE(Near(dquat2rotmat(q),
                   ExtractGradient(Q.normalized().toRotationMatrix()), 1e-15));
}

// Rotations whose quaternion is greatest in each element, of either sign.
std::vector<Vector3d> Angles() {
  return {{0.3, -0.4, 0.2}, {3.0, 0.1, 0.2}, {-3.0, 0.1, 0.2}, {0.1, 0.2, 2.9},
          {0.1, 0.2, -2.9}, {2.9, 0.2, 2.9}, {3.1, -0.2, -2.9}};
}

TEST(RotationConversionGradient, ToRollPitchYawInvertsFrom) {
  for (const Vector3d& angles : Angles()) {
    const Matrix3<AutoDiffXd> R =
        RollPitchYaw<AutoDiffXd>(InitializeAutoDiff(angles))
            .ToMatrix3ViaRotationMatrix();
    EXPECT_TRUE(Near(drotmat2rpy(ExtractValue(R), ExtractGradient(R)),
                     Matrix3d::Identity(), 1e-14));
  }
}

TEST(RotationConversionGradient, ToQuaternionIsThatOfTheConversion) {
  for (const Vector3d& angles : Angles()) {
    const RotationMatrix<AutoDiffXd> R(
        RollPitchYaw<AutoDiffXd>(InitializeAutoDiff(angles)));
    EXPECT_TRUE(Near(
        drotmat2quat(ExtractValue(R.matrix()), ExtractGradient(R.matrix())),
        ExtractGradient(R.ToQuaternionAsVector4()), 1e-14));
  }
}

// A(t) and b(t) at three variables t.
struct Equations {
  Matrix2<AutoDiffXd> A = InitializeAutoDiff(
      Eigen::Matrix2d{{3.0, 1.0}, {1.0, 2.0}},
      MatrixXd{
          {1.0, 0.0, 2.0}, {0.5, 1.0, 0.0}, {0.5, 1.0, 0.0}, {0.0, 1.0, 1.0}});
  Vector2<AutoDiffXd> b =
      InitializeAutoDiff(Vector2d(1.0, -1.0), MatrixXd::Random(2, 3).eval());
};

TEST(LinearSolve, SolutionSatisfiesTheEquationsWithItsDerivatives) {
  const Equations e;
  const Vector2<AutoDiffXd> x = SolveLinearSystem<Eigen::LLT>(e.A, e.b);
  const Vector2<AutoDiffXd> residual = e.A * x - e.b;
  EXPECT_TRUE(Near(ExtractValue(residual), Vector2d::Zero(), 1e-15));
  EXPECT_TRUE(Near(ExtractGradient(residual), MatrixXd::Zero(2, 3), 1e-15));
}

TEST(LinearSolve, EitherSideMayBeConstant) {
  const Equations e;
  const Eigen::Matrix2d A = ExtractValue(e.A);
  const Vector2d b = ExtractValue(e.b);
  const Vector2d x = SolveLinearSystem<Eigen::PartialPivLU>(A, b);
  EXPECT_TRUE(Near(A * x, b, 1e-15));
  const auto x1 = SolveLinearSystem<Eigen::ColPivHouseholderQR>(e.A, b);
  EXPECT_TRUE(
      Near(ExtractGradient((e.A * x1).eval()), MatrixXd::Zero(2, 3), 1e-15));
  const auto x2 = SolveLinearSystem<Eigen::LDLT>(A, e.b);
  EXPECT_TRUE(Near(A * ExtractGradient(x2), ExtractGradient(e.b), 1e-15));
}

TEST(LinearSolve, DecompositionServesSeveralRightHandSides) {
  const Equations e;
  const LinearSolver<Eigen::LLT, Matrix2<AutoDiffXd>> solver(e.A);
  const auto expected = SolveLinearSystem<Eigen::LLT>(e.A, e.b);
  EXPECT_TRUE(Near(ExtractGradient(solver.Solve(e.b)),
                   ExtractGradient(expected), 1e-15));
  EXPECT_TRUE(solver.eigen_linear_solver().info() == Eigen::Success);
  const MatrixXd A = ExtractValue(e.A);
  const auto llt = GetLinearSolver<Eigen::LLT>(A);
  EXPECT_TRUE(Near(A * ExtractGradient(SolveLinearSystem(llt, e.b)),
                   ExtractGradient(e.b), 1e-15));
}

TEST(LinearSolve, RefusesSizesThatDoNotFit) {
  EXPECT_THROWS_MESSAGE(SolveLinearSystem<Eigen::LLT>(
                            Matrix2d::Identity().eval(), VectorXd::Zero(3)),
                        std::logic_error, "A has 2 rows and b 3");
}

}  // namespace
}  // namespace wyvern::math
