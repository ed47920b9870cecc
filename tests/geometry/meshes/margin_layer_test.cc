#include "wyvern/geometry/meshes/margin_layer.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/meshes/test_meshes.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/meshes/pressure_field.h"
#include "wyvern/geometry/meshes/refine_volume_mesh.h"
#include "wyvern/geometry/meshes/shape_meshes.h"
#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"

namespace wyvern::geometry::internal {
namespace margin_layer_test {

using Eigen::Vector3d;
using Tetrahedra = VolumeMesh<double>;

constexpr double kMargin = 0.05;

// Cubes of 1 m, six tetrahedra each, at some places of a grid, by the vertex
// that is their lowest corner: x + 4 y + 8 z.
Tetrahedra MakeCubes(const std::vector<int>& corners) {
  std::vector<Vector3d> vertices;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 4; ++i) vertices.emplace_back(i, j, k);
    }
  }
  std::vector<VolumeElement> elements;
  for (const int corner : corners) {
    // Along the diagonal from corner to corner.
    constexpr int kStep[] = {1, 4, 8};
    std::vector<int> axes = {0, 1, 2};
    do {
      const int a = corner + kStep[axes[0]], b = a + kStep[axes[1]];
      const bool is_even = (axes[1] - axes[0] + 3) % 3 == 1;
      elements.emplace_back(corner, is_even ? a : b, is_even ? b : a,
                            corner + 13);
    } while (std::ranges::next_permutation(axes).found);
  }
  return {elements, vertices};
}

// Edges and corners that point inward, of one or two of the cubes.
Tetrahedra MakeStairs() { return MakeCubes({0, 1, 8}); }
Tetrahedra MakeSlot() { return MakeCubes({0, 1, 2, 8, 10}); }

TEST(MarginLayer, OfABoxIsTheLargerBox) {
  const Box box(1, 2, 3);
  for (const Tetrahedra& mesh :
       {MakeBoxVolumeMeshWithMa(box), MakeBoxVolumeMesh(box, 0.5)}) {
    const Tetrahedra wide = AddMarginLayer(mesh, kMargin);
    // Some hundred elements, each rounded.
    EXPECT_NEAR(wide.CalcVolume(), 1.1 * 2.1 * 3.1, 1e-12);
    EXPECT_TRUE(geometry::test::IsBall(ConvertVolumeToSurfaceMesh(wide)));
    const Vector3d half = Vector3d(1.1, 2.1, 3.1) / 2;
    for (int v = mesh.num_vertices(); v < wide.num_vertices(); ++v) {
      EXPECT_NEAR((half - wide.vertex(v).cwiseAbs()).minCoeff(), 0, 1e-14);
    }
    // The mesh itself stays.
    for (int v = 0; v < mesh.num_vertices(); ++v) {
      EXPECT_EQ(wide.vertex(v), mesh.vertex(v));
    }
    for (int e = 0; e < mesh.num_elements(); ++e) {
      EXPECT_EQ(wide.element(e), mesh.element(e));
    }
  }
}

TEST(MarginLayer, GoesAroundCornersThatPointInward) {
  const Tetrahedra stairs = MakeStairs();
  ASSERT_NEAR(stairs.CalcVolume(), 3, 1e-14);
  const Tetrahedra wide = AddMarginLayer(stairs, kMargin);
  // An L of two squares and one, each side moved outward.
  const double area = 2.1 * 2.1 - 1 * 1;
  EXPECT_NEAR(wide.CalcVolume(), area * 1.1, 1e-13);
  EXPECT_TRUE(geometry::test::IsBall(ConvertVolumeToSurfaceMesh(wide)));
}

TEST(MarginLayer, MovesEachVertexNoFartherThanItsFacesWant) {
  wyvern::test::RandomPose random(5);
  for (int k = 0; k < 50; ++k) {
    const Tetrahedra ball = geometry::test::MakeRandomBall(&random);
    const Tetrahedra wide = AddMarginLayer(ball, kMargin);
    const auto faces = FindBoundaryFaces(ball.tetrahedra());
    int next = ball.num_vertices();
    for (int v = 0; v < 6; ++v) {
      const Vector3d step = wide.vertex(next++) - ball.vertex(v);
      std::vector<Vector3d> tight;
      for (const auto& [a, b, c] : faces) {
        if (a != v && b != v && c != v) continue;
        const Vector3d n = (ball.vertex(b) - ball.vertex(a))
                               .cross(ball.vertex(c) - ball.vertex(a))
                               .normalized();
        EXPECT_GE(n.dot(step), kMargin * (1 - 1e-9));
        if (n.dot(step) < kMargin * (1 + 1e-9)) tight.push_back(n);
      }
      // A shorter step would be nearer to some face: the step is made of the
      // normals of faces at the margin, which for one, two and three of them
      // are its least squares.
      ASSERT_GE(tight.size(), 1u);
      Eigen::MatrixXd N(3, tight.size());
      for (std::size_t i = 0; i < tight.size(); ++i) N.col(i) = tight[i];
      const Eigen::VectorXd weights = N.colPivHouseholderQr().solve(step);
      EXPECT_TRUE(wyvern::test::Near(N * weights, step, 1e-12));
      EXPECT_GE(weights.minCoeff(), 0);
    }
  }
}

TEST(MarginLayer, TheFieldInsideStaysAndIsLinearAcrossTheSurface) {
  const Tetrahedra stairs = RefineVolumeMesh(MakeStairs());
  const Tetrahedra wide = AddMarginLayer(stairs, kMargin);
  const PressureField plain = MakeVolumeMeshPressureField(&stairs, 1e5);
  const PressureField field =
      MakeVolumeMeshPressureField(stairs, &wide, 1e5, kMargin);
  for (int v = 0; v < stairs.num_vertices(); ++v) {
    EXPECT_EQ(field.EvaluateAtVertex(v), plain.EvaluateAtVertex(v));
  }
  // By the distance from the surface, with the slope of the inside where that
  // is by the distance, too.
  double steepest = 0;
  for (int e = 0; e < stairs.num_elements(); ++e) {
    steepest = std::max(steepest, plain.EvaluateGradient(e).norm());
  }
  for (int v = stairs.num_vertices(); v < wide.num_vertices(); ++v) {
    EXPECT_NEAR(field.EvaluateAtVertex(v), -steepest * kMargin, 1e-9);
  }
  for (int e = stairs.num_elements(); e < wide.num_elements(); ++e) {
    EXPECT_NEAR(field.EvaluateGradient(e).norm(), steepest, 1e-8);
  }
}

TEST(MarginLayer, WhereNoneFitsIsSaid) {
  // Two tetrahedra that touch at a corner: nothing is in front of both.
  const Tetrahedra bow({{0, 1, 2, 3}, {0, 5, 4, 6}}, {{0, 0, 0},
                                                      {1, 0, 0},
                                                      {0, 1, 0},
                                                      {0, 0, 1},  //
                                                      {-1, 0, 0},
                                                      {0, -1, 0},
                                                      {0, 0, -1}});
  EXPECT_THROWS_MESSAGE(AddMarginLayer(bow, kMargin), std::logic_error,
                        "no margin can go around vertex 0");
  // A needle, whose tip would go too far.
  const double thin = 1e-4;
  const Tetrahedra needle({{0, 1, 2, 3}},
                          {{0, 0, 0}, {thin, 0, 0}, {0, thin, 0}, {0, 0, 1}});
  EXPECT_THROWS_MESSAGE(AddMarginLayer(needle, kMargin), std::logic_error,
                        "no margin can go around vertex 3");
  // The slot is 1 m wide.
  EXPECT_NEAR(AddMarginLayer(MakeSlot(), 0.4).CalcVolume(),
              1.8 * (3.8 * 2.8 - 0.2 * 1), 1e-12);
  EXPECT_THROWS_MESSAGE(AddMarginLayer(MakeSlot(), 0.6), std::logic_error,
                        "a margin of 0.6 m turns elements of the layer");
}

}  // namespace margin_layer_test
}  // namespace wyvern::geometry::internal
