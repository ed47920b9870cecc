// Flat faces that touch each other: a surface without pressure, for those who
// ask for it.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/hydroelastic/pairs.h"
#include "tests/support/near.h"

namespace wyvern::geometry {
namespace touching_faces_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using test::HydroelasticGeometry;
using test::MakeCompliant;
using test::MakeCompliantHalfSpace;
using test::MakeRigid;

constexpr double kModulus = 1e7;

RigidTransformd At(double z) { return RigidTransformd(Vector3d(0, 0, z)); }

struct Result {
  double area{0};
  double largest_pressure{0};
  double least_normal{1};  // Of the normal out of N into M, its part along z.
};

// Returns the contact of A above and B below, which touch at z = 0.
Result Touch(const HydroelasticGeometry& A, double height_A,
             const HydroelasticGeometry& B, double height_B,
             const RigidTransformd& X = {}) {
  internal::PairScratch<double> scratch;
  ContactSurfaceList<double> list;
  const RigidTransformd X_WA = X * At(height_A), X_WB = X * At(-height_B);
  const test::TwoIds ids;
  internal::AddPairSurface<double>({A, ids.a, X_WA}, {B, ids.b, X_WB},
                                   test::Representation::kPolygon, &scratch,
                                   &list, true);
  Result result;
  std::vector<ContactSurface<double>> surfaces;
  list.MoveTo(&surfaces);
  const Vector3d up = X.rotation().matrix().col(2);
  for (const auto& surface : surfaces) {
    result.area += surface.total_area();
    for (const double p : surface.poly_e_MN().values()) {
      result.largest_pressure = std::max(result.largest_pressure, std::abs(p));
    }
    for (int f = 0; f < surface.num_faces(); ++f) {
      result.least_normal =
          std::min(result.least_normal, surface.face_normal(f).dot(up));
    }
  }
  return result;
}

TEST(TouchingFaces, HaveTheAreaThatTheyShareAndNoPressure) {
  const auto soft = MakeCompliant(Box(1, 2, 1), 1, kModulus);
  const auto hard = MakeRigid(Box(1, 2, 1));
  const auto table = MakeCompliant(Box(4, 4, 1), 1, kModulus);
  const auto slab = MakeCompliantHalfSpace(0.5, kModulus);
  const auto wall = MakeRigid(HalfSpace());
  struct Case {
    const HydroelasticGeometry &A, &B;
    double height_B;
  };
  wyvern::test::RandomPose random(5);
  for (const Case& c :
       {Case{soft, soft, 0.5}, Case{soft, hard, 0.5}, Case{hard, soft, 0.5},
        Case{soft, table, 0.5}, Case{hard, table, 0.5}, Case{table, hard, 0.5},
        Case{soft, wall, 0.0}, Case{soft, slab, 0.0}, Case{hard, slab, 0.0}}) {
    for (const RigidTransformd& X :
         {RigidTransformd(), At(7.3),
          RigidTransformd(random.Rotation(), random.Vector3(10))}) {
      const Result touch = Touch(c.A, 0.5, c.B, c.height_B, X);
      EXPECT_NEAR(touch.area, 2, 1e-9);
      EXPECT_LT(touch.largest_pressure, 1e-12 * kModulus);
      EXPECT_NEAR(touch.least_normal, 1, 1e-9);
    }
  }
}

TEST(TouchingFaces, AreNoneWhereABodyHasAMarginOrIsApart) {
  const auto soft = MakeCompliant(Box(1, 2, 1), 1, kModulus);
  const auto hard = MakeRigid(Box(1, 2, 1));
  EXPECT_EQ(Touch(soft, 0.5 + 1e-9, hard, 0.5).area, 0);
  EXPECT_EQ(Touch(soft, 0.5 + 1e-9, soft, 0.5).area, 0);
  // At the end of a margin of 0.01 m, where its pressure is the least.
  const auto slab = MakeCompliantHalfSpace(0.5, kModulus, 0.01);
  const auto padded = MakeCompliant(Box(1, 2, 1), 1, kModulus, 0.01);
  EXPECT_EQ(Touch(hard, 0.51, slab, 0).area, 0);
  EXPECT_EQ(Touch(padded, 0.51, hard, 0.5).area, 0);
}

TEST(TouchingFaces, BelongToNoOther) {
  // A face in a plane between elements counts once, as without.
  const auto cube = MakeCompliant(Box(1, 1, 1), 1, kModulus);
  const auto plate = MakeRigid(Box(4, 4, 1));
  EXPECT_NEAR(Touch(cube, 0, plate, 0.5).area, 1, 1e-12);
  EXPECT_NEAR(Touch(cube, 0, MakeRigid(HalfSpace()), 0).area, 1, 1e-12);
}

}  // namespace touching_faces_test
}  // namespace wyvern::geometry
