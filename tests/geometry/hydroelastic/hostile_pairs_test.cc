#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/hydroelastic/pairs.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

// Poses and meshes that nobody means: faces in one plane, bodies inside each
// other, triangles without area, places far away.

namespace wyvern::geometry {
namespace hostile_pairs_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using math::RotationMatrixd;
using test::CalcSurface;
using test::HydroelasticGeometry;
using test::Integrate;
using test::MakeCompliant;
using test::MakeCompliantHalfSpace;
using test::MakeRigid;
using test::Representation;

Mesh MakeObj(const std::string& text) {
  return Mesh(InMemoryMesh{MemoryFile(text, ".obj", "obj"), {}});
}

TEST(HostilePairs, PosesOnALatticeGiveFiniteFacesInBothRepresentations) {
  const std::vector<HydroelasticGeometry> soft = {
      MakeCompliant(Box(1, 1, 1), 1, 1e5),
      MakeCompliant(Box(1, 2, 0.5), 1, 1e5), MakeCompliant(Sphere(0.5), 1, 1e5),
      MakeCompliant(Cylinder(0.5, 1), 1, 1e5)};
  std::vector<HydroelasticGeometry> all = soft;
  all.push_back(MakeRigid(Box(1, 1, 1)));
  all.push_back(MakeRigid(Sphere(0.5)));
  all.push_back(MakeRigid(HalfSpace()));
  all.push_back(MakeCompliantHalfSpace(0.5, 1e5));
  int count = 0;
  for (const HydroelasticGeometry& A : soft) {
    for (const HydroelasticGeometry& B : all) {
      for (int k = 0; k < 27; ++k) {
        const RigidTransformd X_WB(
            RotationMatrixd::MakeXRotation(k % 2 * M_PI / 2),
            0.5 * Vector3d(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
        for (const auto representation :
             {Representation::kPolygon, Representation::kTriangle}) {
          const auto surface = CalcSurface(A, {}, B, X_WB, representation);
          const auto sum = Integrate(surface);
          EXPECT_TRUE(sum.force.allFinite());
          EXPECT_TRUE(sum.torque.allFinite());
          // Two boxes of 1 m have no surface of more than a few m².
          EXPECT_LT(sum.area, 10);
          EXPECT_LE(sum.largest_pressure, 1e5 * (1 + 1e-12));
          count += surface.empty() ? 0 : 1;
        }
      }
    }
  }
  EXPECT_GT(count, 500);
}

TEST(HostilePairs, ALittleNextToALatticePoseChangesLittle) {
  // Two unlike cubes whose faces and medial planes coincide in many ways. The
  // force is continuous, though faces come and go.
  const auto A = MakeCompliant(Box(1, 1, 1), 1, 1e5);
  const auto plate = MakeRigid(Box(4, 4, 1));
  for (const double z : {0.0, -0.25, -0.5 + 1e-3}) {
    const auto at = [&](double shift) {
      return Integrate(CalcSurface(
          A, {}, plate, RigidTransformd(Vector3d(0, 0, -0.5 + z + shift))));
    };
    const auto exact = at(0);
    for (const double shift : {1e-16, -1e-16, 1e-13, -1e-13, 1e-11, -1e-11}) {
      EXPECT_NEAR(at(shift).force[2], exact.force[2], 1e-4) << z << shift;
      EXPECT_NEAR(at(shift).area, exact.area, 1e-9) << z << " " << shift;
    }
  }
}

TEST(HostilePairs, TrianglesWithoutAreaAndOpenSurfacesAreTaken) {
  // A square of two triangles and a sliver along its diagonal.
  const auto square =
      MakeRigid(MakeObj("v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 0\n"
                        "f 1 2 3\nf 1 3 4\nf 1 5 3\n"));
  ASSERT_EQ(square.rigid->mesh.num_triangles(), 3);
  const auto sum =
      Integrate(CalcSurface(MakeCompliant(Box(1, 1, 1), 1, 1e5),
                            RigidTransformd(Vector3d(0, 0, 0.4)), square, {}));
  EXPECT_NEAR(sum.area, 1, 1e-12);
}

TEST(HostilePairs, FarAwayTheSurfaceIsTheSameToItsDigits) {
  const auto A = MakeCompliant(Sphere(0.5), 0.2, 1e5);
  const auto B = MakeCompliant(Box(1, 1, 1), 1, 1e5);
  const auto near = Integrate(
      CalcSurface(A, {}, B, RigidTransformd(Vector3d(0.3, 0.2, 0.7))));
  for (const double far : {1e3, 1e6}) {
    const Vector3d shift(far, -far, far);
    const auto sum = Integrate(CalcSurface(
        A, RigidTransformd(shift), B,
        RigidTransformd(Vector3d(shift + Vector3d(0.3, 0.2, 0.7)))));
    EXPECT_TRUE(
        wyvern::test::Near(sum.force, near.force, 1e-15 * far / 0.1 * 1e5));
  }
  // So far that positions have no digits for the bodies' sizes.
  EXPECT_TRUE(CalcSurface(A, RigidTransformd(Vector3d(1e60, 0, 0.4)),
                          MakeRigid(HalfSpace()), {})
                  .empty());
}

TEST(HostilePairs, ThePlaceOfAPlanesOriginDoesNotCount) {
  // A cube of 0.1 m, pressed by less than a micrometre.
  const double E = 1e7, depth = 3e-7, area = 0.01, half = 0.05;
  const auto cube = MakeCompliant(Box(0.1, 0.1, 0.1), 1, E);
  const auto wall = MakeRigid(HalfSpace());
  const auto ground = MakeCompliantHalfSpace(half, E);
  for (const double far : {0.0, 1e3, 1e6}) {
    const RigidTransformd X_WH(RotationMatrixd::MakeZRotation(0.3),
                               Vector3d(far, -0.5 * far, 0));
    // Relative error of the depth by rounding of the places; edges are slanted.
    const double digits = 1e-15 * far / depth + 3 * depth / half;
    for (const Vector3d& place : {Vector3d(0, 0, 0), Vector3d(0, far, far)}) {
      const RigidTransformd X_WC(
          Vector3d(place + Vector3d(0, 0, half - depth)));
      const RigidTransformd X_WP(X_WH.rotation(), X_WH.translation() + place);
      // Two equal fields have half of the depth each.
      for (const auto& [plane, pressure] :
           {std::pair(wall, E * depth / half),
            std::pair(ground, 0.5 * E * depth / half)}) {
        const auto sum = Integrate(CalcSurface(cube, X_WC, plane, X_WP));
        EXPECT_NEAR(sum.area, area, area * digits) << far;
        EXPECT_NEAR(sum.force[2], pressure * area, pressure * area * digits)
            << far;
      }
    }
  }
}

TEST(HostilePairs, ASurfaceWithAnEdgeOfThreeTrianglesIsTaken) {
  // A square, and a fin that stands on its diagonal upward.
  const auto fin =
      MakeRigid(MakeObj("v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 5\n"
                        "f 1 2 3\nf 1 3 4\nf 1 3 5\n"));
  ASSERT_EQ(fin.rigid->mesh.num_triangles(), 3);
  const auto soft = MakeCompliant(Box(1, 1, 1), 1, 1e5);
  for (const double z : {0.4, 0.0, -0.6}) {
    const auto sum = Integrate(
        CalcSurface(soft, RigidTransformd(Vector3d(0, 0, z)), fin, {}));
    EXPECT_TRUE(sum.force.allFinite());
    EXPECT_LT(sum.largest_pressure, 1e5 * (1 + 1e-12));
    // The square's part, and no more of the fin than is in the box.
    EXPECT_LT(sum.area, 1 + std::sqrt(2) + 1e-12);
  }
  EXPECT_GT(Integrate(CalcSurface(soft, RigidTransformd(Vector3d(0, 0, 0.4)),
                                  fin, {}))
                .area,
            1 - 1e-12);
}

TEST(HostilePairs, ASheetIsRigidAtMost) {
  const Mesh sheet =
      MakeObj("v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n");
  EXPECT_EQ(MakeRigid(sheet).rigid->mesh.num_triangles(), 2);
  // A sheet has no inside for a pressure.
  EXPECT_THROWS_MESSAGE(MakeCompliant(sheet, 1, 1e5), std::runtime_error,
                        "obj");
}

TEST(HostilePairs, AFastBodyThatIsFullyThroughHasADefinedAnswer) {
  const auto ball = MakeCompliant(Sphere(0.5), 0.3, 1e5);
  const auto ground = MakeRigid(HalfSpace());
  const auto slab = MakeCompliantHalfSpace(0.1, 1e5);
  const RigidTransformd below(Vector3d(0, 0, -3));
  // Below a wall there is no surface; in a slab, a rigid body is pushed up by
  // what it displaces.
  EXPECT_TRUE(CalcSurface(ball, below, ground, {}).empty());
  EXPECT_TRUE(CalcSurface(ball, below, slab, {}).empty());
  const auto sum =
      Integrate(CalcSurface(MakeRigid(Box(1, 1, 1)), below, slab, {}));
  // Its upper face is against the gradient and does not count.
  EXPECT_NEAR(sum.force[2], 1e6 * 3.5, 1e-6);
}

}  // namespace hostile_pairs_test
}  // namespace wyvern::geometry
