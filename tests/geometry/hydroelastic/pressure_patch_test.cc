#include "wyvern/geometry/hydroelastic/pressure_patch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/near.h"

namespace wyvern::geometry::internal {
namespace pressure_patch_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::RigidTransformd;
using Patch = PressurePatch<double>;
using wyvern::test::Near;
using wyvern::test::RandomPose;

// A flat polygon with a linear pressure.
struct Pressed {
  ClippedPolygon<double> polygon;
  Vector3d normal, origin, gradient;
  double pressure;

  double PressureAt(const Vector3d& p) const {
    return pressure + gradient.dot(p - origin);
  }
  std::vector<Patch> MakePatches(const RigidTransformd& X_WF = {},
                                 double sign = 1) const {
    PressedPolygon<double> pressed;
    pressed.Set(polygon, normal, origin, pressure, gradient);
    std::vector<Patch> patches;
    pressed.AddPatches(0, X_WF, sign, &patches);
    return patches;
  }
};

// Makes a polygon in a random plane with its corners on an ellipse, one of them
// twice.
Pressed MakePolygon(RandomPose* random, int num_corners) {
  std::vector<double> angles(num_corners);
  for (double& a : angles) a = random->Scalar(0, 2 * M_PI);
  std::ranges::sort(angles);
  angles.push_back(angles.back());
  const auto X = random->Pose();
  Pressed result;
  for (const double a : angles) {
    result.polygon.Add(X * Vector3d(std::cos(a), 0.2 * std::sin(a), 0));
  }
  result.normal = X.rotation().col(2);
  result.origin = random->Vector3(1);
  result.gradient = random->Vector3(1);
  result.pressure = random->Scalar(-1, 1);
  return result;
}

// Computes the integrals of f, f x and f x x' over a polygon, for f of first
// degree at most. It uses points in the triangles of a fan that are exact to
// degree 3.
struct Integrals {
  double f{0};
  Vector3d fx{Vector3d::Zero()};
  Matrix3d fxx{Matrix3d::Zero()};

  void Add(double weight, double value, const Vector3d& x) {
    f += weight * value;
    fx += weight * value * x;
    fxx += weight * value * x * x.transpose();
  }
};
template <typename F>
Integrals Integrate(const ClippedPolygon<double>& polygon, const F& f) {
  Integrals sum;
  for (int k = 1; k + 1 < polygon.size(); ++k) {
    const Vector3d &a = polygon.p(0), &b = polygon.p(k), &c = polygon.p(k + 1);
    const double area = (b - a).cross(c - a).norm() / 2;
    const auto add = [&](double weight, double u, double v) {
      const Vector3d x = (1 - u - v) * a + u * b + v * c;
      sum.Add(weight * area, f(x), x);
    };
    // A. Stroud, "Approximate Calculation of Multiple Integrals", 1971, T2:3-1.
    add(-27.0 / 48, 1.0 / 3, 1.0 / 3);
    for (const double u : {0.2, 0.6}) add(25.0 / 48, u, 0.2);
    add(25.0 / 48, 0.2, 0.6);
  }
  return sum;
}

void Expect(const Integrals& got, const Integrals& wanted) {
  EXPECT_NEAR(got.f, wanted.f, 1e-13);
  EXPECT_TRUE(Near(got.fx, wanted.fx, 1e-13));
}

TEST(PressurePatch, FourPointsIntegrateSecondDegreeAndLieInThePolygon) {
  RandomPose random;
  for (int i = 0; i < 200; ++i) {
    const Pressed a = MakePolygon(&random, 3 + i % 6);
    Integrals one;
    for (const Patch& patch : a.MakePatches()) {
      for (const auto& q : patch.CalcPoints()) {
        one.Add(q.area, 1, q.p_WQ);
        EXPECT_NEAR(q.pressure, a.PressureAt(q.p_WQ), 1e-12);
        for (int k = 0; k < a.polygon.size(); ++k) {
          const Vector3d& p = a.polygon.p(k);
          const Vector3d side = a.polygon.p((k + 1) % a.polygon.size()) - p;
          EXPECT_GE(a.normal.dot(side.cross(q.p_WQ - p)), -1e-12);
        }
      }
    }
    const Integrals wanted =
        Integrate(a.polygon, [](const Vector3d&) { return 1.0; });
    Expect(one, wanted);
    EXPECT_TRUE(Near(one.fxx, wanted.fxx, 1e-13));
  }
}

TEST(PressurePatch, EachSignHasItsForceAndItsMoment) {
  RandomPose random;
  int num_mixed = 0;
  for (int i = 0; i < 200; ++i) {
    const Pressed a = MakePolygon(&random, 3 + i % 6);
    const std::vector<Patch> patches = a.MakePatches();
    num_mixed += patches.size() == 2 ? 1 : 0;
    for (const double sign : {1.0, -1.0}) {
      const auto f = [&](const Vector3d& p) { return sign * a.PressureAt(p); };
      ClippedPolygon<double> part = a.polygon;
      part.ClipToPositive(f);
      const Integrals wanted = Integrate(part, f);
      Integrals centre, four;
      for (const Patch& patch : patches) {
        if (sign * patch.pressure < 0) continue;
        const auto q = patch.CalcCentre();
        centre.Add(q.area, sign * q.pressure, q.p_WQ);
        for (const auto& p : patch.CalcPoints()) {
          four.Add(p.area, sign * p.pressure, p.p_WQ);
        }
      }
      Expect(centre, wanted);
      Expect(four, wanted);
    }
  }
  EXPECT_GT(num_mixed, 50);
}

TEST(PressurePatch, MovesWithItsFrameAndTurnsOver) {
  RandomPose random;
  for (int i = 0; i < 20; ++i) {
    const Pressed a = MakePolygon(&random, 5);
    const RigidTransformd X = random.Pose();
    const auto here = a.MakePatches(), there = a.MakePatches(X, -1);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t k = 0; k < here.size(); ++k) {
      const auto p = here[k].CalcCentre(), q = there[k].CalcCentre();
      EXPECT_TRUE(Near(X * p.p_WQ, q.p_WQ, 1e-13));
      EXPECT_TRUE(
          Near(X.rotation() * here[k].normal(), -there[k].normal(), 1e-14));
      EXPECT_EQ(p.pressure, q.pressure);
      EXPECT_EQ(p.area, q.area);
      EXPECT_NEAR(here[k].CalcSpread(), there[k].CalcSpread(), 1e-14);
    }
  }
}

// Makes a strip of the plane, w by h, of n by m rectangles under a uniform
// pressure.
std::vector<Patch> MakeGrid(double w, double h, int n, int m) {
  std::vector<Patch> patches;
  for (int i = 0; i < n * m; ++i) {
    const double x = w * (i % n) / n, y = h * (i / n) / m;
    Pressed a{{}, Vector3d::UnitZ(), Vector3d::Zero(), Vector3d::Zero(), 1};
    for (const auto& [u, v] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
      a.polygon.Add(Vector3d(x + w / n * u, y + h / m * v, 0));
    }
    patches.push_back(a.MakePatches().at(0));
  }
  return patches;
}

TEST(PressurePatch, OnePointIsEnoughWhereAllResistTurnsAboutEveryAxis) {
  const auto is_enough = [](const std::vector<Patch>& patches) {
    return patches[0].CalcSpread() <= CalcSpreadOfOnePoint(patches);
  };
  EXPECT_FALSE(is_enough(MakeGrid(1, 1, 1, 1)));
  EXPECT_FALSE(is_enough(MakeGrid(1, 1, 2, 1)));
  EXPECT_TRUE(is_enough(MakeGrid(1, 1, 10, 10)));
  // All centroids of strips are on a line, as for a cylinder that lies on its
  // side.
  EXPECT_FALSE(is_enough(MakeGrid(1, 0.2, 1, 100)));
  EXPECT_FALSE(is_enough(MakeGrid(0.2, 1, 100, 1)));
  EXPECT_TRUE(is_enough(MakeGrid(0.2, 1, 30, 100)));
}

}  // namespace pressure_patch_test
}  // namespace wyvern::geometry::internal
