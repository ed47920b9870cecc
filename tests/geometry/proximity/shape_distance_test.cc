#include "wyvern/geometry/proximity/shape_distance.h"

#include <gtest/gtest.h>

#include "tests/geometry/proximity/test_shapes.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/proximity/point_distance.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;
using test::Near;

// Rounding; but where a cylinder or an ellipsoid meets a shape without a closed
// form, the distance is right to 1e-7 of the size and the normal to the root.
struct Tolerance {
  double distance;
  double normal;
};
Tolerance ToleranceOf(const CollisionShape& A, const CollisionShape& B) {
  const auto curved = [](const CollisionShape& s) {
    return s.kind == ShapeKind::kCylinder || s.kind == ShapeKind::kEllipsoid;
  };
  if (HasClosedForm(A, B)) return {1e-13, 1e-11};
  return curved(A) || curved(B) ? Tolerance{1e-7, 1e-3}
                                : Tolerance{1e-12, 1e-9};
}

// Calls f(A, X_WA, B, X_WB) for every pair of kinds at random poses, some apart
// and some overlapping.
template <typename F>
void ForRandomPairs(int count, F&& f) {
  test::RandomPose random;
  const auto shapes = AllShapes();
  for (size_t a = 0; a < shapes.size(); ++a) {
    for (size_t b = 0; b < shapes.size(); ++b) {
      if (a + 1 == shapes.size() && b + 1 == shapes.size()) continue;
      for (int i = 0; i < count; ++i) {
        f(shapes[a], random.Pose(), shapes[b], random.Pose());
      }
    }
  }
}

#define WHERE A.name << " and " << B.name

TEST(ShapeDistance, WitnessPointsAreADistanceApartAlongTheNormal) {
  ForRandomPairs(
      40, [](const auto& A, const auto& X_WA, const auto& B, const auto& X_WB) {
        const auto r = CalcShapeDistance(A, X_WA, B, X_WB);
        EXPECT_NEAR(r.nhat_BA_W.norm(), 1, 1e-13) << WHERE;
        EXPECT_TRUE(Near(r.p_WCa - r.p_WCb, r.distance * r.nhat_BA_W, 1e-12))
            << WHERE;
      });
}

TEST(ShapeDistance, WitnessPointsAreOnTheSurfaces) {
  ForRandomPairs(
      40, [](const auto& A, const auto& X_WA, const auto& B, const auto& X_WB) {
        const auto r = CalcShapeDistance(A, X_WA, B, X_WB);
        const double tolerance = ToleranceOf(A, B).distance;
        const Vector3d p_ACa = X_WA.inverse() * r.p_WCa;
        const Vector3d p_BCb = X_WB.inverse() * r.p_WCb;
        EXPECT_NEAR(CalcPointDistance<double>(A, p_ACa).distance, 0, tolerance)
            << WHERE;
        EXPECT_NEAR(CalcPointDistance<double>(B, p_BCb).distance, 0, tolerance)
            << WHERE;
      });
}

TEST(ShapeDistance, SwappingTheShapesTurnsTheNormal) {
  ForRandomPairs(
      40, [](const auto& A, const auto& X_WA, const auto& B, const auto& X_WB) {
        const auto r = CalcShapeDistance(A, X_WA, B, X_WB);
        const auto s = CalcShapeDistance(B, X_WB, A, X_WA);
        const Tolerance tolerance = ToleranceOf(A, B);
        EXPECT_NEAR(r.distance, s.distance, tolerance.distance) << WHERE;
        EXPECT_TRUE(Near(r.nhat_BA_W, -s.nhat_BA_W, tolerance.normal)) << WHERE;
      });
}

TEST(ShapeDistance, MovingBothTogetherChangesNothing) {
  test::RandomPose random(7);
  ForRandomPairs(40, [&](const auto& A, const auto& X_WA, const auto& B,
                         const auto& X_WB) {
    const RigidTransformd X = random.Pose();
    const auto r = CalcShapeDistance(A, X_WA, B, X_WB);
    const auto s = CalcShapeDistance(A, RigidTransformd(X * X_WA), B,
                                     RigidTransformd(X * X_WB));
    const Tolerance tolerance = ToleranceOf(A, B);
    EXPECT_NEAR(r.distance, s.distance, tolerance.distance) << WHERE;
    EXPECT_TRUE(Near(X.rotation() * r.nhat_BA_W, s.nhat_BA_W, tolerance.normal))
        << WHERE;
  });
}

TEST(ShapeDistance, MovingAlongTheNormalChangesItByAsMuch) {
  ForRandomPairs(20, [](const auto& A, const auto& X_WA, const auto& B,
                        const auto& X_WB) {
    const auto r = CalcShapeDistance(A, X_WA, B, X_WB);
    const Tolerance tolerance = ToleranceOf(A, B);
    // To touching, and to half a meter from it.
    for (const double end : {0.0, 0.5}) {
      RigidTransformd X = X_WA;
      X.set_translation(X_WA.translation() + (end - r.distance) * r.nhat_BA_W);
      const auto s = CalcShapeDistance(A, X, B, X_WB);
      EXPECT_NEAR(s.distance, end, 10 * tolerance.distance) << WHERE;
    }
  });
}

// The extent of A - B beyond the origin along n: no separation is shorter than
// the least of these.
double Overlap(const CollisionShape& A, const RigidTransformd& X_WA,
               const CollisionShape& B, const RigidTransformd& X_WB,
               const Vector3d& n_W) {
  const Vector3d n_A = X_WA.rotation().inverse() * n_W;
  const Vector3d n_B = X_WB.rotation().inverse() * n_W;
  const Vector3d a = X_WA * CalcSupportPoint<double>(A, n_A);
  const Vector3d b = X_WB * CalcSupportPoint<double>(B, Vector3d(-n_B));
  return n_W.dot(a - b);
}

TEST(ShapeDistance, NoDirectionSeparatesByLess) {
  test::RandomPose random(3);
  ForRandomPairs(15, [&](const auto& A, const auto& X_WA, const auto& B,
                         const auto& X_WB) {
    if (A.kind == ShapeKind::kHalfSpace || B.kind == ShapeKind::kHalfSpace) {
      return;
    }
    const auto r = CalcShapeDistance(A, X_WA, B, X_WB);
    const double tolerance = ToleranceOf(A, B).distance;
    EXPECT_NEAR(Overlap(A, X_WA, B, X_WB, Vector3d(-r.nhat_BA_W)), -r.distance,
                tolerance)
        << WHERE;
    for (int i = 0; i < 300; ++i) {
      const Vector3d n =
          i % 2 ? random.UnitVector3()
                : Vector3d(-r.nhat_BA_W + random.Vector3(0.1)).normalized();
      EXPECT_GE(Overlap(A, X_WA, B, X_WB, n), -r.distance - tolerance) << WHERE;
    }
  });
}

TEST(ShapeDistance, BoxesAgreeWithTheSeparatingAxes) {
  test::RandomPose random(5);
  const auto A = MakeCollisionShape(Box(1, 1.2, 0.8));
  const auto B = MakeCollisionShape(Box(0.7, 0.5, 1.5));
  int overlapping = 0;
  for (int i = 0; i < 500; ++i) {
    const RigidTransformd X_WA = random.Pose(), X_WB = random.Pose();
    double least = 1e9;
    const auto look = [&](const Vector3d& axis) {
      if (axis.norm() < 1e-9) return;
      for (const double sign : {1.0, -1.0}) {
        least = std::min(least, Overlap(A, X_WA, B, X_WB,
                                        Vector3d(sign * axis.normalized())));
      }
    };
    const auto &R_A = X_WA.rotation().matrix(), &R_B = X_WB.rotation().matrix();
    for (int j = 0; j < 3; ++j) {
      look(R_A.col(j));
      look(R_B.col(j));
      for (int k = 0; k < 3; ++k) look(R_A.col(j).cross(R_B.col(k)));
    }
    const double distance = CalcShapeDistance(A, X_WA, B, X_WB).distance;
    EXPECT_EQ(distance<0, least> 0);
    if (least > 0) {
      EXPECT_NEAR(distance, -least, 1e-12);
      ++overlapping;
    }
  }
  EXPECT_GT(overlapping, 50);
}

TEST(ShapeDistance, ShapesWithOneCentreHaveAnAnswer) {
  const auto shapes = BoundedShapes();
  for (const auto& A : shapes) {
    for (const auto& B : shapes) {
      const auto r =
          CalcShapeDistance(A, RigidTransformd(), B, RigidTransformd());
      EXPECT_LT(r.distance, 0) << WHERE;
      EXPECT_NEAR(r.nhat_BA_W.norm(), 1, 1e-12) << WHERE;
      EXPECT_TRUE(r.p_WCa.allFinite() && r.p_WCb.allFinite()) << WHERE;
    }
  }
}

// Every direction across the axis is as good as any other, or nearly so.
TEST(ShapeDistance, RoundBarsNearlyOnOneAxisAreAsDeepAsTheirRadii) {
  test::RandomPose random(2);
  const auto A = MakeCollisionShape(Cylinder(0.1, 0.4));
  for (const auto& B : {A, MakeCollisionShape(Capsule(0.1, 0.4))}) {
    for (const double offset : {0.0, 1e-9, 1e-6, 1e-4}) {
      for (const double tilt : {0.0, 1e-9, 1e-6, 1e-4, 1e-3}) {
        for (int i = 0; i < 20; ++i) {
          const RigidTransformd X_AB(math::RotationMatrixd(Eigen::AngleAxisd(
                                         tilt, random.UnitVector3())),
                                     offset * random.UnitVector3());
          const auto r = CalcShapeDistance(A, RigidTransformd(), B, X_AB);
          EXPECT_NEAR(r.distance, -0.2, 2 * offset + 0.4 * tilt + 3e-4);
          EXPECT_NEAR(
              Overlap(A, RigidTransformd(), B, X_AB, Vector3d(-r.nhat_BA_W)),
              -r.distance, 1e-9);
        }
      }
    }
  }
}

TEST(ShapeDistance, CapsulesSideBySideTouchInTheMiddle) {
  const auto A = MakeCollisionShape(Capsule(0.1, 2));
  const auto B = MakeCollisionShape(Capsule(0.2, 1));
  const auto r = CalcShapeDistance(A, RigidTransformd(), B,
                                   RigidTransformd(Vector3d(1, 0, 0.75)));
  EXPECT_NEAR(r.distance, 0.7, 1e-15);
  // They share z from 0.25 to 1.
  EXPECT_TRUE(Near(r.p_WCa, Vector3d(0.1, 0, 0.625), 1e-15));
}

TEST(ShapeDistance, ClosedFormsHaveDerivatives) {
  test::RandomPose random(11);
  ForRandomPairs(5, [&](const auto& A, const auto& X_WA, const auto& B,
                        const auto& X_WB) {
    if (!HasClosedForm(A, B)) return;
    math::RigidTransform<AutoDiffXd> X = X_WA.template cast<AutoDiffXd>();
    Vector3<AutoDiffXd> p;
    for (int k = 0; k < 3; ++k) {
      p[k] = AutoDiffXd(X_WA.translation()[k], 3, k);
    }
    X.set_translation(p);
    const auto r = CalcShapeDistance(A, X, B, X_WB.template cast<AutoDiffXd>());
    const auto s = CalcShapeDistance(A, X_WA, B, X_WB);
    EXPECT_NEAR(r.distance.value(), s.distance, 1e-15) << WHERE;
    EXPECT_TRUE(Near(r.distance.derivatives(), s.nhat_BA_W, 1e-12)) << WHERE;
  });
}

TEST(ShapeDistance, PairsWithoutAnAnswerSayWhichShapes) {
  const auto box = MakeCollisionShape(Box(1, 1, 1));
  const auto cylinder = MakeCollisionShape(Cylinder(1, 1));
  const auto half_space = MakeCollisionShape(HalfSpace());
  const math::RigidTransform<AutoDiffXd> X;
  EXPECT_THROWS_MESSAGE(CalcShapeDistance(box, X, cylinder, X),
                        std::logic_error, "for a Box and a Cylinder");
  EXPECT_THROWS_MESSAGE(CalcShapeDistance(half_space, RigidTransformd(),
                                          half_space, RigidTransformd()),
                        std::logic_error, "HalfSpace from a HalfSpace");
}

#undef WHERE

}  // namespace
}  // namespace wyvern::geometry::internal
