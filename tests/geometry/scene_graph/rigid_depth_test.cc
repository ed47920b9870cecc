#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/geometry/scene_graph/deformable_scene.h"
#include "tests/support/near.h"
#include "wyvern/geometry/deformable/surface_distance.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"

// How deep what deforms is in each rigid shape, by that shape's own closed
// form; and the signed distance from meshes that are not convex.

namespace wyvern::geometry {
namespace rigid_depth_test {

using Eigen::Vector3d;
using internal::DeformableContactPoint;
using internal::RigidMesh;
using internal::SurfaceDistance;
using math::RigidTransformd;
using math::RollPitchYawd;
using test::DeformableScene;
using Distance = std::function<double(const Vector3d&)>;

constexpr double kSide = 0.2, kPart = 0.05;

double BoxDistance(const Vector3d& half, const Vector3d& p) {
  const Vector3d d = p.cwiseAbs() - half;
  return d.maxCoeff() < 0 ? d.maxCoeff() : d.cwiseMax(0).norm();
}

// A channel of walls and a floor 0.1 thick, along y from -1 to 1: the block
// from -0.1 to 0.3 in z without the hollow over z = 0 between the walls.
constexpr double kWide = 0.3, kInside = 0.15;

double ChannelDistance(const Vector3d& p) {
  const auto box = [&p](const Vector3d& lower, const Vector3d& upper) {
    return BoxDistance((upper - lower) / 2, p - (upper + lower) / 2);
  };
  const double outside = std::min({box({-kWide, -1, -0.1}, {kWide, 1, 0}),
                                   box({-kWide, -1, -0.1}, {-kInside, 1, 0.3}),
                                   box({kInside, -1, -0.1}, {kWide, 1, 0.3})});
  if (outside > 0) return outside;
  return std::max(box({-kWide, -1, -0.1}, {kWide, 1, 0.3}),
                  -box({-kInside, -9, 0}, {kInside, 9, 9}));
}

TriangleSurfaceMesh<double> MakeChannel() {
  const double profile[8][2] = {{-kWide, -0.1}, {-kWide, 0.3}, {-kInside, 0.3},
                                {-kInside, 0},  {kInside, 0},  {kInside, 0.3},
                                {kWide, 0.3},   {kWide, -0.1}};
  std::vector<Vector3d> vertices;
  for (const double y : {-1.0, 1.0}) {
    for (const auto& p : profile) vertices.emplace_back(p[0], y, p[1]);
  }
  std::vector<SurfaceTriangle> triangles;
  const auto add_quad = [&triangles](int a, int b, int c, int d) {
    triangles.emplace_back(a, b, c);
    triangles.emplace_back(a, c, d);
  };
  for (int i = 0; i < 8; ++i) {
    const int j = (i + 1) % 8;
    add_quad(j, j + 8, i + 8, i);
  }
  for (const std::array<int, 4>& q :
       {std::array{0, 1, 2, 3}, {0, 3, 4, 7}, {4, 5, 6, 7}}) {
    add_quad(q[3], q[2], q[1], q[0]);
    add_quad(q[0] + 8, q[1] + 8, q[2] + 8, q[3] + 8);
  }
  return {std::move(triangles), std::move(vertices)};
}

// Returns the mesh with separate vertices for each triangle, as in .stl files.
TriangleSurfaceMesh<double> TakeApart(const TriangleSurfaceMesh<double>& mesh) {
  std::vector<Vector3d> vertices;
  std::vector<SurfaceTriangle> triangles;
  for (const SurfaceTriangle& t : mesh.triangles()) {
    const int first = static_cast<int>(vertices.size());
    for (int k = 0; k < 3; ++k) vertices.push_back(mesh.vertex(t.vertex(k)));
    triangles.emplace_back(first, first + 1, first + 2);
  }
  return {std::move(triangles), std::move(vertices)};
}

TEST(SurfaceDistance, OfAChannelIsThatOfItsBlockWithoutTheHollow) {
  const auto whole = std::make_shared<const RigidMesh>(MakeChannel());
  const SurfaceDistance distance(whole);
  const SurfaceDistance apart(
      std::make_shared<const RigidMesh>(TakeApart(whole->mesh)));
  wyvern::test::RandomPose random;
  int num_inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = random.Vector3(1).cwiseProduct(Vector3d(0.4, 1.2, 0.4));
    const double expected = ChannelDistance(p);
    EXPECT_NEAR(distance.Calc(p, HUGE_VAL), expected, 1e-15);
    EXPECT_EQ(apart.Calc(p, HUGE_VAL), distance.Calc(p, HUGE_VAL));
    // A bound changes nothing of what is nearer, and finds nothing farther.
    const double reach = 0.05;
    EXPECT_EQ(distance.Calc(p, reach), std::abs(expected) < reach
                                           ? distance.Calc(p, HUGE_VAL)
                                           : HUGE_VAL);
    num_inside += expected < 0;
  }
  EXPECT_GT(num_inside, 300);
}

// A needle: the nearest point is on an edge or a corner whose triangles alone
// would not say which side that is. Turned inside out, all of it is reflex.
TEST(SurfaceDistance, OfWhatIsSharpHasTheRightSign) {
  const std::vector<Vector3d> p{
      {0, 0, 0}, {1, 0, 0.02}, {0.8, 0.1, 0}, {0.9, -0.05, 0.07}};
  TriangleSurfaceMesh<double> mesh({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
                                   p);
  const auto needle = std::make_shared<const RigidMesh>(mesh);
  mesh.ReverseFaceWinding();
  const auto hollow = std::make_shared<const RigidMesh>(mesh);
  const SurfaceDistance distance(needle), turned(hollow);
  wyvern::test::RandomPose random;
  int num_inside = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vector3d q = Vector3d(0.6, 0, 0.02) +
                       random.Vector3(1).cwiseProduct(Vector3d(0.8, 0.2, 0.1));
    double highest = -HUGE_VAL;  // Over the planes.
    for (int t = 0; t < 4; ++t) {
      const Vector3d& corner = p[needle->mesh.element(t).vertex(0)];
      highest = std::max(highest, needle->mesh.face_normal(t).dot(q - corner));
    }
    const double found = distance.Calc(q, HUGE_VAL);
    EXPECT_EQ(found > 0, highest > 0);
    EXPECT_GE(found, highest - 1e-15);
    if (highest < 0) {
      EXPECT_NEAR(found, highest, 1e-15);
    }
    EXPECT_NEAR(turned.Calc(q, HUGE_VAL), -found, 1e-15);
    num_inside += highest < 0;
  }
  EXPECT_GT(num_inside, 20);
}

// A surface that is not closed has two sides; from beyond its border, the side
// is that of the plane that touches it there.
TEST(SurfaceDistance, OfAnOpenSurfaceHasTheSignOfItsSide) {
  // The square from (-1, -1) to (1, 1) of z = 0, normal along z.
  const SurfaceDistance distance(
      std::make_shared<const RigidMesh>(TriangleSurfaceMesh<double>(
          {{0, 1, 2}, {0, 2, 3}},
          {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}})));
  wyvern::test::RandomPose random;
  int num_beyond = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vector3d p = random.Vector3(2);
    const Vector3d nearest(std::clamp(p[0], -1.0, 1.0),
                           std::clamp(p[1], -1.0, 1.0), 0);
    EXPECT_NEAR(distance.Calc(p, HUGE_VAL),
                std::copysign((p - nearest).norm(), p[2]), 1e-15);
    num_beyond += p.head<2>().lpNorm<Eigen::Infinity>() > 1;
  }
  EXPECT_GT(num_beyond, 300);
  EXPECT_EQ(distance.Calc({0, 0, 0.5}, 0.4), HUGE_VAL);
  EXPECT_EQ(distance.Calc({0.3, 0.2, 0}, HUGE_VAL), 0);
}

InMemoryMesh MakeFile(const TriangleSurfaceMesh<double>& mesh) {
  std::ostringstream text;
  text.precision(17);
  for (const Vector3d& p : mesh.vertices()) {
    text << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
  }
  for (const SurfaceTriangle& t : mesh.triangles()) {
    text << 'f';
    for (int k = 0; k < 3; ++k) text << ' ' << t.vertex(k) + 1;
    text << '\n';
  }
  return {MemoryFile(text.str(), ".obj", "file"), {}};
}

TriangleSurfaceMesh<double> MakeBoxSurface(const Vector3d& size) {
  return internal::MakeRigidMesh(Box(size), 1)->mesh;
}

double SegmentDistance(double half, const Vector3d& p) {
  return (p - Vector3d(0, 0, std::clamp(p[2], -half, half))).norm();
}

// The nearest point of an ellipse by its angle: scanned, then by thirds.
double SpheroidDistance(double a, double c, const Vector3d& p) {
  const Eigen::Vector2d q(p.head<2>().norm(), p[2]);
  const auto at = [&](double t) {
    return (q - Eigen::Vector2d(a * std::cos(t), c * std::sin(t))).norm();
  };
  double best = 0;
  for (int i = -180; i <= 180; ++i) {
    const double t = i * M_PI / 360;
    if (at(t) < at(best)) best = t;
  }
  double low = best - 0.02, high = best + 0.02;
  for (int i = 0; i < 80; ++i) {
    const double third = (high - low) / 3;
    if (at(low + third) < at(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  const bool is_inside = q[0] * q[0] / (a * a) + q[1] * q[1] / (c * c) < 1;
  return is_inside ? -at(low) : at(low);
}

struct Case {
  std::unique_ptr<Shape> shape;
  RigidTransformd X;
  Distance distance;  // In the shape's frame.
};

// Each pokes into the top of the cube.
std::vector<Case> MakeCases() {
  std::vector<Case> result;
  const double top = kSide / 2;
  const auto add = [&result](auto shape, const RigidTransformd& X,
                             Distance distance) {
    result.push_back({std::make_unique<decltype(shape)>(std::move(shape)), X,
                      std::move(distance)});
  };
  const RigidTransformd tilted(RollPitchYawd(0.1, -0.2, 0.3),
                               Vector3d(0.011, 0.007, top + 0.02));
  const RigidTransformd turned(RollPitchYawd(0, 0, 0.3),
                               Vector3d(0.011, 0.007, top + 0.03));
  add(Sphere(0.06), RigidTransformd(Vector3d(0.01, 0.02, top + 0.04)),
      [](const Vector3d& p) { return p.norm() - 0.06; });
  add(Capsule(0.03, 0.06),
      RigidTransformd(RollPitchYawd(M_PI / 2 - 0.1, 0, 0.3),
                      Vector3d(0.011, 0.007, top + 0.02)),
      [](const Vector3d& p) { return SegmentDistance(0.03, p) - 0.03; });
  add(Ellipsoid(0.06, 0.06, 0.04), tilted,
      [](const Vector3d& p) { return SpheroidDistance(0.06, 0.04, p); });
  add(Cylinder(0.05, 0.08), turned, [](const Vector3d& p) {
    return std::max(p.head<2>().norm() - 0.05, std::abs(p[2]) - 0.04);
  });
  const Vector3d half(0.05, 0.04, 0.035);
  const auto in_box = [half](const Vector3d& p) {
    return BoxDistance(half, p);
  };
  add(Box(2 * half), tilted, in_box);
  add(Convex(MakeFile(MakeBoxSurface(2 * half))), tilted, in_box);
  add(Mesh(MakeFile(MakeBoxSurface(2 * half))), tilted, in_box);
  // Its floor lies upside down on the cube, whose sides are in the hollow.
  add(Mesh(MakeFile(MakeChannel())),
      RigidTransformd(RollPitchYawd(M_PI, 0, 0), Vector3d(0, 0, top - 0.013)),
      ChannelDistance);
  add(HalfSpace(),
      RigidTransformd(RollPitchYawd(M_PI + 0.05, 0.03, 0),
                      Vector3d(0, 0, top - 0.02)),
      [](const Vector3d& p) { return p[2]; });
  return result;
}

TEST(RigidDepth, IsThatOfTheDeformablesSurfaceInEachShape) {
  for (const Case& c : MakeCases()) {
    SCOPED_TRACE(c.shape->to_string());
    DeformableScene scene;
    scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart);
    scene.Anchor(*c.shape, "rigid", c.X);
    scene.MakeContext();
    const auto surfaces = scene.Touch();
    ASSERT_EQ(surfaces.size(), 1u);
    const bool is_flat = c.shape->type_name() == "HalfSpace";
    int count = 0;
    for (const DeformableContactPoint& point : surfaces[0].points) {
      EXPECT_LT(point.phi, 0);
      // E, where the ray against the normal leaves the top.
      const Vector3d& n = point.nhat_BA_W;
      if (n.z() > -0.5) continue;
      const double way = (point.p_WC.z() - kSide / 2) / n.z();
      const Vector3d p_WE = point.p_WC - way * n;
      if (p_WE.head<2>().lpNorm<Eigen::Infinity>() > kSide / 2) continue;
      const double depth = is_flat ? -way : c.distance(c.X.inverse() * p_WE);
      if (!(depth < -1e-6)) continue;  // Beside the shape.
      EXPECT_NEAR(point.phi, depth, 1e-12);
      ++count;
    }
    EXPECT_GE(count, 4);
  }
}

// On a mesh the edges of a cube are as deep as its middle, as on a plane; the
// hull of the channel would have them all a wall deeper.
TEST(RigidDepth, OfACubeOnAMeshIsHowFarItIsPressedIn) {
  const double depth = 0.03;
  for (const bool is_channel : {false, true}) {
    for (const bool is_apart : {false, true}) {
      DeformableScene scene;
      scene.AddDeformable(
          Box::MakeCube(kSide), "cube", kPart,
          RigidTransformd(Vector3d(0.01, 0.02, kSide / 2 - depth)));
      const TriangleSurfaceMesh<double> mesh =
          is_channel ? MakeChannel() : MakeBoxSurface({1, 1, 0.3});
      scene.Anchor(Mesh(MakeFile(is_apart ? TakeApart(mesh) : mesh)), "mesh",
                   RigidTransformd(Vector3d(0, 0, is_channel ? 0 : -0.15)));
      scene.MakeContext();
      const auto surfaces = scene.Touch();
      ASSERT_EQ(surfaces.size(), 1u);
      double area = 0;
      for (const DeformableContactPoint& point : surfaces[0].points) {
        EXPECT_NEAR(point.phi, -depth, 1e-15);
        area += point.area;
      }
      EXPECT_NEAR(area, kSide * kSide, 1e-14);
    }
  }
}

}  // namespace rigid_depth_test
}  // namespace wyvern::geometry
