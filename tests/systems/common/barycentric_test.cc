#include "wyvern/systems/common/math/barycentric.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::math {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Eigen::VectorXi;
using test::Near;
using Mesh = BarycentricMesh<double>;

Mesh Grid() { return Mesh({{0.0, 1.0, 3.0}, {5.0}, {-1.0, 1.0}}); }

TEST(BarycentricMesh, NumbersPointsWithTheFirstCoordinateFastest) {
  const Mesh mesh = Grid();
  EXPECT_EQ(mesh.get_input_size(), 3);
  EXPECT_EQ(mesh.get_num_mesh_points(), 6);
  EXPECT_EQ(mesh.get_num_interpolants(), 3);
  MatrixXd points(3, 6);
  points << 0, 1, 3, 0, 1, 3, 5, 5, 5, 5, 5, 5, -1, -1, -1, 1, 1, 1;
  EXPECT_TRUE(Near(mesh.get_all_mesh_points(), points));
  VectorXd point(3);
  mesh.get_mesh_point(4, &point);
  EXPECT_TRUE(Near(point, Vector3d(1, 5, 1)));
}

TEST(BarycentricMesh, ReproducesAffineFunctions) {
  const Mesh mesh({{0.0, 1.0, 3.0}, {-2.0, 2.0}, {-1.0, 0.0, 0.5}});
  const auto f = [](const Eigen::Ref<const VectorXd>& x) -> VectorXd {
    return Vector2d(1 + x[0] - 2 * x[1] + 3 * x[2], x[1]);
  };
  const MatrixXd values = mesh.MeshValuesFrom(f);
  for (int k = 0; k < 50; ++k) {
    const Vector3d x = Vector3d(1.5, 0, -0.25) +
                       Vector3d(1.5, 2, 0.75).cwiseProduct(Vector3d::Random());
    EXPECT_TRUE(Near(mesh.Eval(values, x), f(x), 1e-14));
  }
}

TEST(BarycentricMesh, WeightsAreAPartitionOfOne) {
  const Mesh mesh({{0.0, 1.0, 3.0}, {-2.0, 2.0}, {-1.0, 0.0, 0.5}});
  VectorXi indices(4);
  VectorXd weights(4);
  for (int k = 0; k < 50; ++k) {
    const Vector3d x = 2 * Vector3d::Random();
    mesh.EvalBarycentricWeights(x, &indices, &weights);
    EXPECT_NEAR(weights.sum(), 1.0, 1e-15);
    EXPECT_GE(weights.minCoeff(), 0.0);
    EXPECT_GE(indices.minCoeff(), 0);
    EXPECT_LT(indices.maxCoeff(), mesh.get_num_mesh_points());
  }
}

TEST(BarycentricMesh, CutsACellAlongItsDiagonal) {
  // Above the diagonal of the unit square, x1 > x0: corners 00, 01, 11.
  const Mesh mesh({{0.0, 1.0}, {0.0, 1.0}});
  VectorXi indices(3);
  VectorXd weights(3);
  mesh.EvalBarycentricWeights(Vector2d(0.2, 0.7), &indices, &weights);
  EXPECT_EQ(indices, Eigen::Vector3i(0, 2, 3));
  EXPECT_TRUE(Near(weights, Vector3d(0.3, 0.5, 0.2), 1e-15));
}

TEST(BarycentricMesh, StaysAtItsBoundaryOutside) {
  const Mesh mesh({{0.0, 1.0, 2.0}});
  const MatrixXd values{{1.0, 5.0, 7.0}};
  EXPECT_EQ(mesh.Eval(values, VectorXd{{-3.0}})[0], 1.0);
  EXPECT_EQ(mesh.Eval(values, VectorXd{{9.0}})[0], 7.0);
  EXPECT_EQ(mesh.Eval(values, VectorXd{{1.5}})[0], 6.0);
}

TEST(BarycentricMesh, TakesValuesOfAnotherScalar) {
  const Mesh mesh({{0.0, 1.0}});
  MatrixX<AutoDiffXd> values(1, 2);
  values << AutoDiffXd(1.0, 2, 0), AutoDiffXd(3.0, 2, 1);
  const VectorX<AutoDiffXd> y =
      mesh.EvalWithMixedScalars<AutoDiffXd>(values, VectorXd{{0.25}});
  EXPECT_EQ(y[0].value(), 1.5);
  EXPECT_TRUE(Near(y[0].derivatives(), Vector2d(0.75, 0.25)));
}

TEST(BarycentricMesh, DifferentiatesByTheInput) {
  const BarycentricMesh<AutoDiffXd> mesh({{0.0, 2.0}});
  MatrixX<AutoDiffXd> values(1, 2);
  values << 1.0, 5.0;
  VectorX<AutoDiffXd> x(1);
  x << AutoDiffXd(0.5, 1, 0);
  EXPECT_EQ(mesh.Eval(values, x)[0].derivatives()[0], 2.0);
}

TEST(BarycentricMesh, RefusesNonsense) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROWS_MESSAGE(Mesh({}), std::logic_error, "no inputs");
  EXPECT_THROWS_MESSAGE(Mesh({{1.0}, {}}), std::logic_error,
                        "input 1 of the grid has no coordinates");
  EXPECT_THROWS_MESSAGE(Mesh(Mesh::MeshGrid{{kNan}}), std::logic_error,
                        "coordinates[0] is nan; it must be finite");
  // 2^40 points, more than an index can count.
  EXPECT_THROWS_MESSAGE(Mesh(Mesh::MeshGrid(40, {0.0, 1.0})), std::logic_error,
                        "the number of mesh points is");
  const Mesh mesh = Grid();
  EXPECT_THROWS_MESSAGE(mesh.get_mesh_point(6), std::out_of_range,
                        "index is 6; it must be from 0 to 5");
  VectorXd two(2);
  EXPECT_THROWS_MESSAGE(mesh.get_mesh_point(0, &two), std::logic_error,
                        "has 2 elements; give one of 3");
  const MatrixXd values = MatrixXd::Zero(1, 6);
  EXPECT_THROWS_MESSAGE(mesh.Eval(values, two), std::logic_error,
                        "input of size 2");
  EXPECT_THROWS_MESSAGE(mesh.Eval(values, Vector3d(0, 0, kNan)),
                        std::logic_error,
                        "input[2] is nan; it must not be NaN");
  EXPECT_THROWS_MESSAGE(mesh.Eval(MatrixXd::Zero(1, 5), Vector3d::Zero()),
                        std::logic_error, "1 x 5 mesh values");
  const auto ragged = [](const Eigen::Ref<const VectorXd>& x) {
    return VectorXd(VectorXd::Zero(x[0] > 0 ? 2 : 1));
  };
  EXPECT_THROWS_MESSAGE(mesh.MeshValuesFrom(ragged), std::logic_error,
                        "returned 2 numbers at point 1");
}

}  // namespace
}  // namespace wyvern::math
