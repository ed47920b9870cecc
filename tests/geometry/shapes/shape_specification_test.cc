#include "wyvern/geometry/shapes/shape_specification.h"

#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

TEST(Shape, DimensionsThatAreNotPositiveAndFiniteAreRefused) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, inf, nan}) {
    EXPECT_THROWS_MESSAGE(Box(1, bad, 1), std::logic_error, "Box(): depth is ");
    EXPECT_THROWS_MESSAGE(Capsule(bad, 1), std::logic_error, "radius");
    EXPECT_THROWS_MESSAGE(Cylinder(1, bad), std::logic_error, "length");
    EXPECT_THROWS_MESSAGE(Ellipsoid(1, 1, bad), std::logic_error,
                          "semi-axis c");
    if (bad != 0) {
      EXPECT_THROWS_MESSAGE(Sphere{bad}, std::logic_error, "radius");
    }
  }
  EXPECT_EQ(Sphere(0).radius(), 0);
}

TEST(Shape, CloneIsOfTheSameTypeAndSize) {
  const Ellipsoid original(1, 2, 3);
  const std::unique_ptr<Shape> clone = original.Clone();
  EXPECT_EQ(clone->type_name(), "Ellipsoid");
  EXPECT_EQ(clone->to_string(), "Ellipsoid(a=1, b=2, c=3)");
}

class NamesBoxesOnly final : public ShapeReifier {
 public:
  using ShapeReifier::ImplementGeometry;
  void ImplementGeometry(const Box& box, void* user_data) final {
    *static_cast<double*>(user_data) = box.width();
  }
};

TEST(Shape, ReifyCallsTheOverloadOfItsType) {
  NamesBoxesOnly reifier;
  double width{};
  Box(3, 2, 1).Reify(&reifier, &width);
  EXPECT_EQ(width, 3);
  EXPECT_THROWS_MESSAGE(Sphere(1).Reify(&reifier), std::logic_error, "Sphere");
  EXPECT_THROWS_MESSAGE(Sphere(1).Reify(nullptr), std::logic_error, "null");
}

// The volume by sampling, independent of the closed forms.
double SampledVolume(const Vector3d& half,
                     const std::function<bool(const Vector3d&)>& is_inside) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int num_samples = 400000;
  int hits = 0;
  for (int i = 0; i < num_samples; ++i) {
    const Vector3d unit(uniform(generator), uniform(generator),
                        uniform(generator));
    if (is_inside(unit.cwiseProduct(half))) ++hits;
  }
  return 8 * half.prod() * hits / num_samples;
}

TEST(Shape, VolumesAgreeWithSampling) {
  // The sampling error is below 0.5 % for hit rates above one half.
  EXPECT_NEAR(
      CalcVolume(Capsule(0.5, 2)) /
          SampledVolume(Vector3d(0.5, 0.5, 1.5),
                        [](const Vector3d& p) {
                          const double z = std::max(0.0, std::abs(p.z()) - 1);
                          return p.head<2>().squaredNorm() + z * z < 0.25;
                        }),
      1, 0.01);
  EXPECT_NEAR(
      CalcVolume(Ellipsoid(1, 2, 3)) /
          SampledVolume(
              Vector3d(1, 2, 3),
              [](const Vector3d& p) {
                return p.cwiseQuotient(Vector3d(1, 2, 3)).squaredNorm() < 1;
              }),
      1, 0.01);
  EXPECT_EQ(CalcVolume(Box(1, 2, 3)), 6);
  EXPECT_NEAR(CalcVolume(Cylinder(2, 3)), 12 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(CalcVolume(Sphere(1)), 4.0 / 3 * std::numbers::pi, 1e-14);
  EXPECT_EQ(CalcVolume(HalfSpace()), std::numeric_limits<double>::infinity());
}

TEST(HalfSpace, PoseHasTheNormalAndPassesThroughThePoint) {
  const Vector3d normal(1, -2, 0.5), point(0.3, 0.7, -2);
  const auto X_FH = HalfSpace::MakePose(normal, point);
  EXPECT_TRUE(test::Near(X_FH.rotation().col(2), normal.normalized(), 1e-15));
  EXPECT_NEAR(normal.dot(point - X_FH.translation()), 0, 1e-15);
  EXPECT_NEAR(X_FH.translation().cross(normal).norm(), 0, 1e-15);
  EXPECT_THROWS_MESSAGE(HalfSpace::MakePose(Vector3d::Zero(), point),
                        std::logic_error, "the length of Hz_dir_F is 0");
}

TEST(Shape, MeasuresAsVectorsAreTheSame) {
  EXPECT_EQ(Capsule(Vector2d(1, 2)).length(), 2);
  EXPECT_EQ(Box(Vector3d(1, 2, 3)).height(), 3);
  EXPECT_EQ(Box::MakeCube(2).size(), Vector3d(2, 2, 2));
}

}  // namespace
}  // namespace wyvern::geometry
