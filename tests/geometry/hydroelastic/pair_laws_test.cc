#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/geometry/hydroelastic/pairs.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/autodiff.h"

// Tests laws that hold for every pair of geometries.

namespace wyvern::geometry {
namespace pair_laws_test {

using Eigen::Vector3d;
using internal::PairScratch;
using math::RigidTransformd;
using test::CalcSurface;
using test::Integrate;
using test::MakePairs;
using test::Pair;
using test::Representation;
using test::TwoIds;
using wyvern::test::Near;
using wyvern::test::RandomPose;

TEST(ContactPairs, AllTouch) {
  for (const Pair& pair : MakePairs()) {
    const auto surface = CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB);
    ASSERT_EQ(surface.size(), 1u) << pair.name;
    EXPECT_GT(surface[0].num_faces(), 1) << pair.name;
    EXPECT_GT(Integrate(surface).force.norm(), 100) << pair.name;
  }
}

// Signed distances have no say here: the pressure of each geometry at a corner
// is looked up in its own mesh.
double CalcPressure(const internal::HydroelasticGeometry& g,
                    const RigidTransformd& X_WG, const Vector3d& p_WQ) {
  const Vector3d p_GQ = X_WG.inverse() * p_WQ;
  if (g.is_half_space) return -g.modulus / g.slab_thickness * p_GQ[2];
  const auto& mesh = g.compliant->mesh;
  int best = 0;
  double least = -1e9;
  for (int e = 0; e < mesh.num_elements(); ++e) {
    const double inside = mesh.CalcBarycentric(p_GQ, e).minCoeff();
    if (inside > least) {
      least = inside;
      best = e;
    }
  }
  EXPECT_GT(least, -1e-9);
  return g.modulus * g.compliant->depth.EvaluateCartesian(best, p_GQ);
}

TEST(ContactPairs, ThePressureIsThatOfEachCompliantGeometry) {
  for (const Pair& pair : MakePairs()) {
    const auto surface =
        CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB).at(0);
    const auto& mesh = surface.poly_mesh_W();
    for (int v = 0; v < mesh.num_vertices(); ++v) {
      const double p = surface.poly_e_MN().EvaluateAtVertex(v);
      for (const auto& [g, X_WG] :
           {std::pair(&pair.A, pair.X_WA), {&pair.B, pair.X_WB}}) {
        if (g->is_rigid()) continue;
        EXPECT_NEAR(CalcPressure(*g, X_WG, mesh.vertex(v)), p, 1e-6)
            << pair.name;
      }
    }
  }
}

TEST(ContactPairs, NormalsGoFromNIntoMAlongTheGradients) {
  for (const Pair& pair : MakePairs()) {
    const auto s = CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB).at(0);
    EXPECT_EQ(s.HasGradE_M(), pair.A.is_compliant()) << pair.name;
    EXPECT_EQ(s.HasGradE_N(), pair.B.is_compliant()) << pair.name;
    const double least = std::cos(5 * M_PI / 8) - 1e-12;
    for (int f = 0; f < s.num_faces(); ++f) {
      const Vector3d n = s.face_normal(f);
      EXPECT_GE(s.area(f), 1e-14);
      if (s.HasGradE_M()) {
        EXPECT_GE(s.EvaluateGradE_M_W(f).normalized().dot(n), least);
      }
      if (s.HasGradE_N()) {
        EXPECT_GE(-s.EvaluateGradE_N_W(f).normalized().dot(n), least);
      }
      if (s.HasGradE_M() && s.HasGradE_N()) {
        const Vector3d d = s.EvaluateGradE_M_W(f) - s.EvaluateGradE_N_W(f);
        EXPECT_TRUE(Near(d.normalized(), n, 1e-9)) << pair.name;
      }
    }
  }
}

TEST(ContactPairs, TheFieldsGradientIsThatOfItsValues) {
  for (const Pair& pair : MakePairs()) {
    const auto s = CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB).at(0);
    const auto& field = s.poly_e_MN();
    for (int f = 0; f < s.num_faces(); ++f) {
      const SurfacePolygon polygon = s.poly_mesh_W().element(f);
      EXPECT_NEAR(field.EvaluateGradient(f).dot(s.face_normal(f)), 0, 1e-5);
      for (int k = 0; k < polygon.num_vertices(); ++k) {
        const int v = polygon.vertex(k);
        EXPECT_NEAR(field.EvaluateCartesian(f, s.poly_mesh_W().vertex(v)),
                    field.EvaluateAtVertex(v), 1e-6);
      }
    }
  }
}

TEST(ContactPairs, TrianglesCoverThePolygons) {
  for (const Pair& pair : MakePairs()) {
    const auto polygons = CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB);
    const auto triangles = CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB,
                                       Representation::kTriangle);
    ASSERT_TRUE(triangles.at(0).is_triangle());
    int num_sides = 0;
    const auto& mesh = polygons[0].poly_mesh_W();
    for (int f = 0; f < mesh.num_faces(); ++f) {
      const SurfacePolygon polygon = mesh.element(f);
      for (int k = 0, n = polygon.num_vertices(); k < n; ++k) {
        const Vector3d& a = mesh.vertex(polygon.vertex(k));
        const Vector3d& b = mesh.vertex(polygon.vertex((k + 1) % n));
        num_sides += (a - b).norm() > 1e-13 ? 1 : 0;
      }
    }
    EXPECT_EQ(triangles[0].num_faces(), num_sides) << pair.name;
    const auto a = Integrate(polygons), b = Integrate(triangles);
    const double size = a.force.norm();
    EXPECT_NEAR(a.area, b.area, 1e-12) << pair.name;
    EXPECT_TRUE(Near(a.force, b.force, 1e-12 * size)) << pair.name;
    EXPECT_TRUE(Near(a.torque, b.torque, 1e-12 * size)) << pair.name;
  }
}

TEST(ContactPairs, ActionIsReactionWhoeverIsNamedFirst) {
  const TwoIds ids;
  const TwoIds swapped{ids.b, ids.a};
  for (const Pair& pair : MakePairs()) {
    const auto surface = CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB,
                                     Representation::kPolygon, ids);
    // The arguments change places, ids and all: the same surface.
    EXPECT_EQ(surface.at(0).id_M(), ids.a);
    const auto ab = Integrate(surface);
    const auto same =
        Integrate(CalcSurface(pair.B, pair.X_WB, pair.A, pair.X_WA,
                              Representation::kPolygon, swapped));
    // The ids change places: M is B now, and the force on it the opposite.
    const auto reaction = CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB,
                                      Representation::kPolygon, swapped);
    EXPECT_EQ(reaction.at(0).HasGradE_N(), surface[0].HasGradE_M());
    const auto ba = Integrate(reaction);
    const double rounding = 1e-11 * ab.force.norm();
    EXPECT_NEAR(ab.area, same.area, 1e-11) << pair.name;
    EXPECT_TRUE(Near(ab.force, same.force, rounding)) << pair.name;
    EXPECT_TRUE(Near(ab.force, -ba.force, rounding)) << pair.name;
    EXPECT_TRUE(Near(ab.torque, -ba.torque, rounding)) << pair.name;
  }
}

TEST(ContactPairs, MovingBothMovesTheSurface) {
  RandomPose random;
  for (const Pair& pair : MakePairs()) {
    const RigidTransformd X = random.Pose();
    const auto before = CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB);
    const auto after =
        CalcSurface(pair.A, X * pair.X_WA, pair.B, X * pair.X_WB);
    const auto a = Integrate(before), b = Integrate(after);
    const Vector3d force = X.rotation() * a.force;
    const Vector3d torque =
        X.rotation() * a.torque + X.translation().cross(force);
    const double rounding = 1e-10 * a.force.norm();
    EXPECT_NEAR(a.area, b.area, 1e-10) << pair.name;
    EXPECT_TRUE(Near(force, b.force, rounding)) << pair.name;
    EXPECT_TRUE(Near(torque, b.torque, rounding)) << pair.name;
  }
}

TEST(ContactPairs, ASceneInMillimetresOrKilometresScales) {
  // A pressure is that of the relative depth, whatever the size.
  const std::vector<Pair> metres = MakePairs();
  for (const double s : {1e-3, 1e3}) {
    const std::vector<Pair> scaled = MakePairs(s);
    for (std::size_t i = 0; i < metres.size(); ++i) {
      const Pair &one = metres[i], &other = scaled[i];
      const auto before = CalcSurface(one.A, one.X_WA, one.B, one.X_WB);
      const auto after = CalcSurface(other.A, other.X_WA, other.B, other.X_WB);
      const auto a = Integrate(before), b = Integrate(after);
      ASSERT_EQ(after.size(), 1u) << one.name;
      EXPECT_EQ(after[0].num_faces(), before[0].num_faces()) << one.name;
      const double rounding = 1e-10 * a.force.norm();
      EXPECT_NEAR(b.area / (s * s), a.area, 1e-10) << one.name;
      EXPECT_TRUE(Near(b.force / (s * s), a.force, rounding)) << one.name;
      EXPECT_TRUE(Near(b.torque / (s * s * s), a.torque, rounding)) << one.name;
      EXPECT_NEAR(b.largest_pressure, a.largest_pressure,
                  1e-10 * a.largest_pressure)
          << one.name;
    }
  }
}

TEST(ContactPairs, FarApartThereIsNoSurface) {
  for (const Pair& pair : MakePairs()) {
    const Vector3d up =
        pair.B.is_half_space   ? Vector3d(pair.X_WB.rotation().col(2))
        : pair.A.is_half_space ? Vector3d(-pair.X_WA.rotation().col(2))
                               : Vector3d(0, 0, 1);
    EXPECT_TRUE(CalcSurface(pair.A,
                            RigidTransformd(pair.X_WA.rotation(),
                                            pair.X_WA.translation() + 5 * up),
                            pair.B, pair.X_WB)
                    .empty())
        << pair.name;
  }
}

#if WYVERN_AUTODIFF

TEST(ContactPairs, DerivativesAreThoseOfDifferences) {
  for (const Pair& pair : MakePairs()) {
    // B moves along a direction and turns about an axis.
    const Vector3d axis = Vector3d(1, -2, 3).normalized();
    const Vector3d direction(0.3, 0.5, -0.2);
    const auto pose = [&](const auto& s) {
      using T = std::decay_t<decltype(s)>;
      const math::RigidTransform<T> turn(
          math::RotationMatrix<T>(
              Eigen::AngleAxis<T>(s, axis.template cast<T>())),
          Vector3<T>(direction.template cast<T>() * s));
      return math::RigidTransform<T>(turn * pair.X_WB.template cast<T>());
    };
    AutoDiffXd s(0, Eigen::VectorXd::Ones(1));
    const auto ad = CalcSurface<AutoDiffXd>(
        pair.A, pair.X_WA.cast<AutoDiffXd>(), pair.B, pose(s));
    const auto sum = Integrate(ad);
    const auto value =
        Integrate(CalcSurface(pair.A, pair.X_WA, pair.B, pair.X_WB));
    EXPECT_NEAR(sum.area.value(), value.area, 1e-12) << pair.name;
    const double d = 1e-5;
    const auto more =
        Integrate(CalcSurface(pair.A, pair.X_WA, pair.B, pose(d)));
    const auto less =
        Integrate(CalcSurface(pair.A, pair.X_WA, pair.B, pose(-d)));
    // The area has corners where elements come and go; a difference sees some.
    EXPECT_NEAR(sum.area.derivatives()[0], (more.area - less.area) / (2 * d),
                2e-3)
        << pair.name;
    const double size = value.force.norm();
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(sum.force[i].derivatives()[0],
                  (more.force[i] - less.force[i]) / (2 * d), 1e-3 * size)
          << pair.name;
      EXPECT_NEAR(sum.force[i].value(), value.force[i], 1e-10 * size);
    }
  }
}

#endif

TEST(ContactPairs, TheSecondQueryAllocatesNothing) {
  for (const Representation representation :
       {Representation::kPolygon, Representation::kTriangle}) {
    for (const Pair& pair : MakePairs()) {
      PairScratch<double> scratch;
      ContactSurfaceList<double> list;
      const TwoIds ids;
      const auto query = [&]() {
        list.Clear();
        internal::AddPairSurface<double>({pair.A, ids.a, pair.X_WA},
                                         {pair.B, ids.b, pair.X_WB},
                                         representation, &scratch, &list);
      };
      query();
      const auto first = list[0];
      const wyvern::test::AllocationGuard guard;
      query();
      EXPECT_EQ(guard.count(), 0) << pair.name;
      EXPECT_TRUE(list[0].Equal(first)) << pair.name;
    }
  }
}

TEST(ContactPairs, ASecondPassOfOneAlongTheOtherAllocatesNothing) {
  int num_changing = 0;  // Pairs whose faces come and go on the way.
  for (const Pair& pair : MakePairs()) {
    PairScratch<double> scratch;
    ContactSurfaceList<double> list;
    const TwoIds ids;
    int most = 0, least = 1000000;
    const auto pass = [&]() {
      for (int i = 0; i < 20; ++i) {
        const RigidTransformd turn(
            math::RotationMatrixd::MakeZRotation(0.1 * i),
            Vector3d(0.01 * i, 0.005 * i, 0));
        const RigidTransformd X_WB = turn * pair.X_WB;
        list.Clear();
        internal::AddPairSurface<double>(
            {pair.A, ids.a, pair.X_WA}, {pair.B, ids.b, X_WB},
            Representation::kPolygon, &scratch, &list);
        ASSERT_EQ(list.size(), 1) << pair.name;
        most = std::max(most, list[0].num_faces());
        least = std::min(least, list[0].num_faces());
      }
    };
    pass();
    num_changing += most > least ? 1 : 0;
    const wyvern::test::AllocationGuard guard;
    pass();
    EXPECT_EQ(guard.count(), 0) << pair.name;
  }
  EXPECT_GE(num_changing, 5);
}

}  // namespace pair_laws_test
}  // namespace wyvern::geometry
