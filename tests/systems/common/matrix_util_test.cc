#include "wyvern/systems/common/math/matrix_util.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/math/eigen_sparse_triplet.h"

namespace wyvern::math {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Near;

const Matrix3d kSymmetric{{1, 2, 3}, {2, 4, 5}, {3, 5, 6}};

TEST(MatrixUtil, SymmetricMeansEqualToTheMirrorImage) {
  Matrix3d M = kSymmetric;
  EXPECT_TRUE(IsSymmetric(M));
  M(0, 2) += 1e-3;
  EXPECT_FALSE(IsSymmetric(M));
  EXPECT_FALSE(IsSymmetric(M, 0.9e-3));
  EXPECT_TRUE(IsSymmetric(M, 1.1e-3));
  EXPECT_FALSE(IsSymmetric(MatrixXd::Zero(2, 3)));
}

TEST(MatrixUtil, PositiveDefiniteMeansSymmetricWithLargeEigenvalues) {
  EXPECT_TRUE(IsPositiveDefinite(Matrix2d{{2, 1}, {1, 2}}, 0.3));
  EXPECT_FALSE(IsPositiveDefinite(Matrix2d{{2, 1}, {1, 2}}, 0.4));
  EXPECT_FALSE(IsPositiveDefinite(Matrix2d{{1, 2}, {2, 1}}));
  EXPECT_TRUE(IsPositiveDefinite(Matrix2d::Zero().eval()));
  EXPECT_FALSE(IsPositiveDefinite(Matrix2d{{2, 1}, {1.1, 2}}));
  EXPECT_TRUE(IsPositiveDefinite(Matrix2d{{2, 1}, {1.1, 2}}, 0.0, 0.2));
  EXPECT_FALSE(IsPositiveDefinite(Matrix2d{{NAN, 0}, {0, 1}}));
  EXPECT_THROWS_MESSAGE(IsPositiveDefinite(kSymmetric, -1.0), std::logic_error,
                        "tolerances are -1");
}

TEST(MatrixUtil, ColumnsGoToAListAndBack) {
  const MatrixXd M{{1, 2, 3}, {4, 5, 6}};
  const auto columns = EigenToStdVector<double>(M);
  ASSERT_EQ(columns.size(), 3);
  EXPECT_TRUE(Near(columns[1], Eigen::Vector2d(2, 5)));
  EXPECT_TRUE(Near(StdVectorToEigen(columns), M));
  EXPECT_THROWS_MESSAGE(StdVectorToEigen(std::vector<MatrixXd>{}),
                        std::logic_error, "no columns");
  EXPECT_THROWS_MESSAGE(StdVectorToEigen(std::vector<MatrixXd>{M}),
                        std::logic_error, "item 0 is 2 x 3");
}

TEST(MatrixUtil, LowerTriangleHoldsASymmetricMatrix) {
  const VectorXd lower = ToLowerTriangularColumnsFromMatrix(kSymmetric);
  EXPECT_TRUE(Near(lower, VectorXd{{1, 2, 3, 4, 5, 6}}));
  EXPECT_TRUE(
      Near(ToSymmetricMatrixFromLowerTriangularColumns(lower), kSymmetric));
  EXPECT_TRUE(
      Near(ToSymmetricMatrixFromLowerTriangularColumns<3>(lower), kSymmetric));
  EXPECT_THROWS_MESSAGE(
      ToSymmetricMatrixFromLowerTriangularColumns(VectorXd::Zero(4)),
      std::logic_error, "4 entries");
  EXPECT_THROWS_MESSAGE(
      ToLowerTriangularColumnsFromMatrix(MatrixXd::Zero(2, 3)),
      std::logic_error, "2 x 3");
}

TEST(MatrixUtil, PrincipalSubmatrixHasRowsAndColumnsAlike) {
  EXPECT_TRUE(Near(ExtractPrincipalSubmatrix(kSymmetric, {2, 0}),
                   Matrix2d{{1, 3}, {3, 6}}));
  EXPECT_THROWS_MESSAGE(ExtractPrincipalSubmatrix(kSymmetric, {3}),
                        std::out_of_range,
                        "index is 3; it must be from 0 to 2");
  EXPECT_THROWS_MESSAGE(ExtractPrincipalSubmatrix(MatrixXd::Zero(2, 3), {0}),
                        std::logic_error, "2 x 3");
}

Eigen::SparseMatrix<double> Sparse() {
  Eigen::SparseMatrix<double> M(2, 3);
  M.insert(0, 0) = 1.5;
  M.insert(1, 0) = 2.0;
  M.insert(1, 2) = -3.0;
  return M;
}

TEST(MatrixUtil, PythonTextHasTheCompressedColumns) {
  EXPECT_EQ(GeneratePythonCsc(Sparse(), "A"),
            "A = scipy.sparse.csc_matrix((np.array([1.5, 2, -3]), "
            "np.array([0, 1, 1]), np.array([0, 2, 2, 3])), shape=(2, 3))\n");
}

TEST(EigenSparseTriplet, ListsAllEntries) {
  const auto triplets = SparseMatrixToTriplets(Sparse());
  ASSERT_EQ(triplets.size(), 3);
  EXPECT_EQ(triplets[2].row(), 1);
  EXPECT_EQ(triplets[2].col(), 2);
  EXPECT_EQ(triplets[2].value(), -3.0);
  std::vector<Eigen::Index> rows{9}, cols;
  std::vector<double> values;
  SparseMatrixToRowColumnValueVectors(Sparse(), rows, cols, values);
  EXPECT_EQ(rows, (std::vector<Eigen::Index>{0, 1, 1}));
  EXPECT_EQ(cols, (std::vector<Eigen::Index>{0, 0, 2}));
  EXPECT_EQ(values, (std::vector<double>{1.5, 2.0, -3.0}));
}

}  // namespace
}  // namespace wyvern::math
