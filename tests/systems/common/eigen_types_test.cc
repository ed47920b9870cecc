#include "wyvern/systems/common/eigen_types.h"

#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace wyvern {
namespace {

template <typename Matrix, int rows, int cols>
constexpr bool HasShape =
    Matrix::RowsAtCompileTime == rows&& Matrix::ColsAtCompileTime == cols;
constexpr int kAny = Eigen::Dynamic;

TEST(EigenTypes, NamesSayTheShape) {
  static_assert(HasShape<Vector0<double>, 0, 1>);
  static_assert(HasShape<Vector1d, 1, 1>);
  static_assert(HasShape<Vector6d, 6, 1>);
  static_assert(HasShape<Vector<float, 5>, 5, 1>);
  static_assert(HasShape<RowVector2<double>, 1, 2>);
  static_assert(HasShape<RowVector<double, 5>, 1, 5>);
  static_assert(HasShape<Matrix2X<double>, 2, kAny>);
  static_assert(HasShape<Matrix4X<double>, 4, kAny>);
  static_assert(HasShape<Matrix6d, 6, 6>);
  static_assert(HasShape<VectorUpTo6<double>, kAny, 1>);
  static_assert(MatrixUpTo6<double>::MaxSizeAtCompileTime == 36);
  EXPECT_EQ(Isometry3<double>::Identity() * Translation3<double>(1, 2, 3) *
                Vector3<double>(1, 1, 1),
            Vector3<double>(2, 3, 4));
}

TEST(EigenTypes, AMatrixLikewiseHasTheShapeAndOrderOfAnother) {
  using RowMajor = Eigen::Matrix<double, 3, kAny, Eigen::RowMajor>;
  static_assert(std::is_same_v<MatrixLikewise<float, RowMajor>,
                               Eigen::Matrix<float, 3, kAny, Eigen::RowMajor>>);
  static_assert(std::is_same_v<MatrixLikewise<int, VectorUpTo6<double>>,
                               VectorUpTo6<int>>);
}

TEST(EigenTypes, TraitsTellVectorsMatricesAndWhatIsNeither) {
  static_assert(is_eigen_type<Eigen::MatrixXd>::value);
  static_assert(is_eigen_type<Eigen::ArrayXd>::value);
  static_assert(!is_eigen_type<double>::value);
  static_assert(!is_eigen_type<std::string>::value);
  static_assert(is_eigen_vector<Vector3<int>>::value);
  static_assert(!is_eigen_vector<RowVector3<int>>::value);
  static_assert(is_eigen_scalar_same<Eigen::MatrixXd, double>::value);
  static_assert(!is_eigen_scalar_same<Eigen::MatrixXd, float>::value);
  static_assert(!is_eigen_scalar_same<double, double>::value);
  static_assert(is_eigen_vector_of<VectorX<float>, float>::value);
  static_assert(!is_eigen_vector_of<MatrixX<float>, float>::value);
  static_assert(is_eigen_nonvector_of<MatrixX<float>, float>::value);
  static_assert(!is_eigen_nonvector_of<VectorX<float>, float>::value);
  SUCCEED();
}

}  // namespace
}  // namespace wyvern
