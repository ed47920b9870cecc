#include "wyvern/geometry/hydroelastic/element_pairs.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/hydroelastic/pairs.h"
#include "tests/support/allocation_guard.h"
#include "wyvern/geometry/meshes/shape_meshes.h"

namespace wyvern::geometry {
namespace element_pairs_test {

using Eigen::Vector3d;
using internal::IndexPair;
using math::RigidTransformd;
using test::MakeCompliant;
using test::MakeRigid;
using wyvern::test::RandomPose;

// The element that has the point, by trying all; -1 if none has.
int FindElement(const VolumeMesh<double>& mesh, const Vector3d& p) {
  for (int e = 0; e < mesh.num_elements(); ++e) {
    if (mesh.CalcBarycentric(p, e).minCoeff() >= 0) return e;
  }
  return -1;
}

struct Finder {
  template <class MeshB>
  const std::vector<IndexPair>& Find(const internal::CompliantMesh& A,
                                     const MeshB& B,
                                     const RigidTransformd& X_AB) {
    internal::FindElementPairs(A.mesh, A.tree, B.mesh, B.tree, X_AB, &scratch,
                               &pairs);
    return pairs;
  }
  internal::ElementPairScratch scratch;
  std::vector<IndexPair> pairs;
};

TEST(ElementPairs, TetrahedraWithACommonPointAreFound) {
  RandomPose random;
  const auto A = MakeCompliant(Sphere(0.6), 0.2, 1).compliant;
  const auto B = MakeCompliant(Ellipsoid(0.5, 0.7, 0.6), 0.2, 1).compliant;
  Finder finder;
  int count = 0;
  for (int k = 0; k < 20; ++k) {
    const RigidTransformd X_AB(random.Rotation(),
                               Vector3d(0.9 * random.UnitVector3()));
    auto pairs = finder.Find(*A, *B, X_AB);
    std::ranges::sort(pairs);
    EXPECT_EQ(std::ranges::adjacent_find(pairs), pairs.end());
    for (int i = 0; i < 300; ++i) {
      const Vector3d p = X_AB.translation() / 2 + random.Vector3(0.3);
      const int a = FindElement(A->mesh, p);
      const int b = FindElement(B->mesh, X_AB.inverse() * p);
      if (a < 0 || b < 0) continue;
      EXPECT_TRUE(std::ranges::binary_search(pairs, IndexPair{a, b}));
      ++count;
    }
  }
  EXPECT_GT(count, 500);
}

TEST(ElementPairs, TrianglesThatReachIntoATetrahedronAreFound) {
  RandomPose random;
  const auto A = MakeCompliant(Sphere(0.6), 0.2, 1).compliant;
  const auto B = MakeRigid(Sphere(0.5), 0.2).rigid;
  Finder finder;
  int count = 0;
  for (int k = 0; k < 20; ++k) {
    const RigidTransformd X_AB(random.Rotation(),
                               Vector3d(0.9 * random.UnitVector3()));
    auto pairs = finder.Find(*A, *B, X_AB);
    std::ranges::sort(pairs);
    for (int t = 0; t < B->mesh.num_triangles(); ++t) {
      const int a = FindElement(A->mesh, X_AB * B->mesh.element_centroid(t));
      if (a < 0) continue;
      EXPECT_TRUE(std::ranges::binary_search(pairs, IndexPair{a, t}));
      ++count;
    }
  }
  EXPECT_GT(count, 100);
}

TEST(ElementPairs, TheirNumberIsOfTheOrderOfTheElementsThatTouch) {
  // Two balls whose tetrahedra all go to the centre, 0.1 m in each other.
  Finder finder;
  for (const double hint : {0.1, 0.05, 0.025}) {
    const auto A = MakeCompliant(Sphere(0.5), hint, 1).compliant;
    const RigidTransformd X_AB(Vector3d(0, 0.1, 0.89));
    const int n = A->mesh.num_elements();
    const auto& pairs = finder.Find(*A, *A, X_AB);
    EXPECT_GT(pairs.size(), 0u);
    EXPECT_LT(static_cast<int>(pairs.size()), 3 * n) << hint;
  }
}

TEST(ElementPairs, BallsLookAtTheirCapsWhicheverWayTheyLie) {
  // Their boxes overlap by far more than they do.
  RandomPose random;
  Finder finder;
  const auto A = MakeCompliant(Sphere(0.5), 0.05, 1).compliant;
  const int n = A->mesh.num_elements();
  for (int k = 0; k < 20; ++k) {
    const RigidTransformd X_AB(random.Rotation(),
                               Vector3d(0.96 * random.UnitVector3()));
    const auto& pairs = finder.Find(*A, *A, X_AB);
    EXPECT_GT(pairs.size(), 0u);
    // The caps are 4 % of each ball.
    EXPECT_LT(static_cast<int>(finder.scratch.A.items.size()), n / 12);
    EXPECT_LT(static_cast<int>(finder.scratch.B.items.size()), n / 12);
  }
}

TEST(ElementPairs, WhatIsLookedAtIsOfTheOrderOfThePairsFound) {
  // Balls of tetrahedra that all go to the centre, and a grid of cubes: from
  // each to the next eight times as many elements, or four.
  const auto check = [](const internal::CompliantMesh& A, const auto& B,
                        const RigidTransformd& X_AB) {
    Finder finder;
    const double pairs = static_cast<double>(finder.Find(A, B, X_AB).size());
    const auto& scratch = finder.scratch;
    EXPECT_GT(pairs, 0);
    // Boxes that are compared, and elements that have a part in the region.
    EXPECT_LT(scratch.posed.num_compared, 10 * pairs);
    EXPECT_LT(static_cast<double>(scratch.A.items.size()), pairs);
    EXPECT_LT(static_cast<double>(scratch.B.items.size()), pairs);
  };
  const RigidTransformd X_AB(math::RotationMatrixd::MakeXRotation(0.1),
                             Vector3d(0.3, 0.4, 0.8));
  for (const double hint : {0.1, 0.05, 0.025}) {
    const auto A = MakeCompliant(Sphere(0.5), hint, 1);
    check(*A.compliant, *A.compliant, X_AB);
    check(*A.compliant, *MakeRigid(Sphere(0.5), hint).rigid, X_AB);
    const internal::CompliantMesh grid(
        internal::MakeBoxVolumeMesh(Box(1, 1, 1), 2 * hint),
        [](const VolumeMesh<double>* mesh) {
          return internal::MakeVolumeMeshPressureField(mesh, 1);
        });
    check(grid, grid, X_AB);
  }
}

TEST(ElementPairs, ThePairsFoundAreOfTheOrderOfTheFacesThatTouch) {
  Finder finder;
  const auto wall = MakeRigid(HalfSpace());
  for (const double hint : {0.1, 0.05, 0.025}) {
    const auto A = MakeCompliant(Sphere(0.5), hint, 1);
    const auto B = MakeRigid(Sphere(0.5), hint);
    const RigidTransformd X_AB(Vector3d(0.3, 0.4, 0.8));
    const auto& pairs = finder.Find(*A.compliant, *B.rigid, X_AB);
    const auto surfaces = test::CalcSurface(A, {}, B, X_AB);
    ASSERT_EQ(surfaces.size(), 1u);
    EXPECT_LT(static_cast<int>(pairs.size()), 4 * surfaces[0].num_faces());
    // A plane looks at what it cuts.
    std::vector<IndexPair> cut;
    A.compliant->tree.AddBetween(Vector3d::UnitZ(), -0.45, -0.45, &cut);
    const auto disc =
        test::CalcSurface(A, {}, wall, RigidTransformd(Vector3d(0, 0, -0.45)));
    ASSERT_EQ(disc.size(), 1u);
    EXPECT_LE(static_cast<int>(cut.size()), 2 * disc[0].num_faces());
  }
}

TEST(ElementPairs, BetweenTheBoxesOfBallsThereIsRoom) {
  // The boxes overlap, the balls do not.
  Finder finder;
  const auto A = MakeCompliant(Sphere(0.5), 0.1, 1).compliant;
  EXPECT_TRUE(
      finder.Find(*A, *A, RigidTransformd(Vector3d(0.6, 0.6, 0.6))).empty());
}

TEST(ElementPairs, FarApartThereAreNone) {
  Finder finder;
  const auto A = MakeCompliant(Sphere(0.5), 0.1, 1).compliant;
  EXPECT_TRUE(
      finder.Find(*A, *A, RigidTransformd(Vector3d(1.1, 0, 0))).empty());
  const auto box = MakeRigid(Box(1, 1, 1)).rigid;
  EXPECT_TRUE(
      finder.Find(*A, *box, RigidTransformd(Vector3d(1.1, 0, 0))).empty());
}

TEST(ElementPairs, TheSecondSearchAllocatesNothing) {
  Finder finder;
  const auto A = MakeCompliant(Sphere(0.5), 0.1, 1).compliant;
  const RigidTransformd X_AB(Vector3d(0.1, 0.1, 0.8));
  finder.Find(*A, *A, X_AB);
  const wyvern::test::AllocationGuard guard;
  finder.Find(*A, *A, X_AB);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace element_pairs_test
}  // namespace wyvern::geometry
