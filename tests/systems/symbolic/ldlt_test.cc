#include "wyvern/systems/symbolic/ldlt.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/symbolic/expression_matrix.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::symbolic {
namespace {

const Eigen::Matrix3d kA{{4, 1, 0.5}, {1, 3, -1}, {0.5, -1, 2}};

TEST(SymbolicLdlt, FactorsAreThoseOfTheNumbers) {
  const Eigen::LDLT<Eigen::Matrix3d> wanted(kA);
  const Matrix3<Expression> A = kA.cast<Expression>();
  const auto ldlt = A.ldlt();
  EXPECT_EQ(ldlt.info(), Eigen::Success);
  EXPECT_TRUE(ldlt.isPositive());
  EXPECT_FALSE(ldlt.isNegative());
  EXPECT_EQ(Evaluate(ldlt.vectorD()), wanted.vectorD());
  EXPECT_EQ(Evaluate(ldlt.matrixL()), Eigen::Matrix3d(wanted.matrixL()));
  EXPECT_EQ(Evaluate(ldlt.matrixU()), Eigen::Matrix3d(wanted.matrixU()));
  EXPECT_TRUE(Evaluate(ldlt.reconstructedMatrix()).isApprox(kA, 1e-15));
  EXPECT_EQ(ldlt.transpositionsP().indices(),
            wanted.transpositionsP().indices());
  EXPECT_EQ(ldlt.rcond().Evaluate(), wanted.rcond());
}

TEST(SymbolicLdlt, SolvesForNumbersAndForVariables) {
  const MatrixX<Expression> A = kA.cast<Expression>();
  const Eigen::Vector3d b(1, -2, 3);
  EXPECT_EQ(Evaluate(A.ldlt().solve(b)), kA.ldlt().solve(b));
  EXPECT_EQ(Evaluate(A.ldlt().solve(b.cast<Expression>())), kA.ldlt().solve(b));
  const Vector3<Variable> v = MakeVectorVariable<3>("v");
  const VectorX<Expression> x = A.ldlt().solve(v);
  const Eigen::MatrixXd dx_dv = Evaluate(Jacobian(x, VectorX<Variable>(v)));
  EXPECT_TRUE((kA * dx_dv).isIdentity(1e-14));
  // Expressions of matrices, and one triangle of a matrix.
  EXPECT_TRUE(
      Evaluate((2 * A).ldlt().solve(b)).isApprox(kA.ldlt().solve(b) / 2));
  EXPECT_TRUE(Evaluate(A.selfadjointView<Eigen::Upper>().ldlt().solve(b))
                  .isApprox(kA.ldlt().solve(b)));
}

TEST(SymbolicLdlt, IndefiniteAndEmptyMatricesAreFactorized) {
  const Matrix2<Expression> indefinite{{1, 0}, {0, -1}};
  EXPECT_FALSE(indefinite.ldlt().isPositive());
  EXPECT_EQ(indefinite.ldlt().info(), Eigen::Success);
  EXPECT_EQ(MatrixX<Expression>(0, 0).ldlt().rows(), 0);
}

TEST(SymbolicLdlt, RefusesVariablesAndWrongSizes) {
  const Variable x("x");
  const Matrix2<Expression> A{{2, x}, {x, 2}};
  EXPECT_THROWS_MESSAGE(A.ldlt(), std::runtime_error, "entry (1, 0) is x");
  const MatrixX<Expression> wide(2, 3);
  EXPECT_THROWS_MESSAGE(wide.ldlt(), std::logic_error, "2 x 3");
  const Eigen::LDLT<MatrixX<Expression>> none;
  EXPECT_THROWS_MESSAGE(none.vectorD(), std::logic_error, "compute()");
  const auto ldlt = Substitute(A, x, 1.0).ldlt();
  EXPECT_THROWS_MESSAGE(ldlt.solve(Eigen::Vector3d(1, 2, 3)), std::logic_error,
                        "3 rows; the matrix has 2");
}

TEST(SymbolicMatrix, DeterminantsAndInversesOfConstantsAndVariables) {
  const MatrixX<Expression> A = kA.cast<Expression>();
  EXPECT_NEAR(A.determinant().Evaluate(), kA.determinant(), 1e-13);
  EXPECT_TRUE(A.inverse().cast<double>().isApprox(kA.inverse(), 1e-14));
  const Matrix2<Variable> V = MakeMatrixContinuousVariable<2, 2>("v");
  const Matrix2<Expression> E = V.cast<Expression>();
  const Environment at{{V(0, 0), 1}, {V(0, 1), 2}, {V(1, 0), 3}, {V(1, 1), 5}};
  EXPECT_EQ(E.determinant().Evaluate(at), -1);
  EXPECT_TRUE(Evaluate(E.inverse(), at)
                  .isApprox(Eigen::Matrix2d{{-5, 2}, {3, -1}}, 1e-15));
  EXPECT_THROW(E.cast<double>().eval(), std::runtime_error);
  EXPECT_EQ(wyvern::ToDouble(Expression(2)), 2);
}

TEST(SymbolicMatrix, ATriangleIsASymmetricMatrixThatIsPositiveSemidefinite) {
  const Variable a("a"), b("b"), c("c"), d("d");
  const Matrix2<Expression> M{{a, b}, {c, d}};
  const Matrix2<Expression> lower{{a, c}, {c, d}}, upper{{a, b}, {b, d}};
  const auto expect = [](const Formula& f, const MatrixX<Expression>& wanted) {
    EXPECT_TRUE(CheckStructuralEquality(get_matrix_in_positive_semidefinite(f),
                                        wanted));
  };
  expect(positive_semidefinite(M, Eigen::Lower), lower);
  expect(positive_semidefinite(M, Eigen::Upper), upper);
  expect(positive_semidefinite(M.triangularView<Eigen::Lower>()), lower);
  expect(positive_semidefinite(M.triangularView<Eigen::Upper>()), upper);
  EXPECT_THROW(positive_semidefinite(M, Eigen::StrictlyLower),
               std::logic_error);
  EXPECT_THROW(positive_semidefinite(MatrixX<Expression>(2, 3), Eigen::Lower),
               std::runtime_error);
}

}  // namespace
}  // namespace wyvern::symbolic
