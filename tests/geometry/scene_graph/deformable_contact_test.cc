#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/scene_graph/deformable_scene.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"

// Where geometries that deform touch: closed forms and laws.

namespace wyvern::geometry {
namespace deformable_contact_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using internal::DeformableContactPoint;
using internal::DeformableContactSurface;
using math::RigidTransformd;
using math::RollPitchYawd;
using test::DeformableScene;

constexpr double kSide = 0.2, kPart = 0.05, kDepth = 0.03;
const Vector3d kUp(0, 0, 1);
// The centre of a cube whose bottom is kDepth below z = 0.
const RigidTransformd kPressed(Vector3d(0.01, 0.02, kSide / 2 - kDepth));

double CalcArea(const DeformableContactSurface& surface) {
  double sum = 0;
  for (const auto& point : surface.points) sum += point.area;
  return sum;
}

Vector3d CalcAreaVector(const DeformableContactSurface& surface) {
  Vector3d sum = Vector3d::Zero();
  for (const auto& point : surface.points) sum += point.area * point.nhat_BA_W;
  return sum;
}

double CalcDepthIntegral(const DeformableContactSurface& surface) {
  double sum = 0;
  for (const auto& point : surface.points) sum -= point.area * point.phi;
  return sum;
}

// In the layer of bricks at the bottom, away from the sides, the distance from
// the surface is that from the bottom.
bool IsAwayFromSides(const Vector3d& p, const Vector3d& centre) {
  return (p - centre).head<2>().cwiseAbs().maxCoeff() < kSide / 2 - kPart;
}

void ExpectPressedFace(const DeformableContactSurface& surface) {
  EXPECT_NEAR(CalcArea(surface), kSide * kSide, 1e-15);
  for (const DeformableContactPoint& point : surface.points) {
    EXPECT_TRUE(test::Near(point.nhat_BA_W, kUp, 1e-15));
    EXPECT_NEAR(point.p_WC[2], 0, 1e-15);
    // The edges are as deep as the middle.
    EXPECT_NEAR(point.phi, -kDepth, 1e-15);
  }
}

TEST(DeformableContact, OfACubeInAHalfSpaceIsItsFace) {
  DeformableScene scene;
  const auto cube =
      scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart, kPressed);
  const auto ground = scene.Anchor(HalfSpace(), "ground");
  scene.MakeContext();
  const auto surfaces = scene.Touch();
  ASSERT_EQ(surfaces.size(), 1u);
  EXPECT_EQ(surfaces[0].id_A, cube);
  EXPECT_EQ(surfaces[0].id_B, ground);
  EXPECT_FALSE(surfaces[0].is_B_deformable);
  EXPECT_EQ(surfaces[0].points[0].weights_B, Eigen::Vector4d::Zero());
  ExpectPressedFace(surfaces[0]);
}

TEST(DeformableContact, OfACubeOnABoxIsItsFace) {
  DeformableScene scene;
  const auto cube =
      scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart, kPressed);
  // On a frame that moves, and compliant for others.
  ProximityProperties properties;
  AddCompliantHydroelasticProperties(0.1, 1e5, &properties);
  properties.AddProperty("hydroelastic", "margin", 0.02);
  const auto box = scene.graph.RegisterGeometry(
      scene.source, scene.frame,
      scene.MakeInstance(Box(1, 1, 0.3), "box", RigidTransformd(), properties));
  scene.MakeContext();
  scene.PoseFrame(RigidTransformd(Vector3d(0, 0, -0.15)));
  const auto surfaces = scene.Touch();
  ASSERT_EQ(surfaces.size(), 1u);
  EXPECT_EQ(surfaces[0].id_A, cube);
  EXPECT_EQ(surfaces[0].id_B, box);
  ExpectPressedFace(surfaces[0]);
}

TEST(DeformableContact, OfASmallBoxIsWhatTheCubeHoldsOfItsSurface) {
  const double a = 0.07, h = 0.02;
  DeformableScene scene;
  scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart);
  // From below, and all inside.
  const auto from_below = scene.Anchor(
      Box::MakeCube(a), "from_below",
      RigidTransformd(Vector3d(0.011, 0.007, -kSide / 2 - a / 2 + h)));
  const auto inside = scene.Anchor(Box(a, 0.06, 0.05), "inside",
                                   RigidTransformd(RollPitchYawd(0.1, 0.2, 0.3),
                                                   Vector3d(0.02, 0.01, 0.03)));
  scene.MakeContext();
  const auto surfaces = scene.Touch();
  ASSERT_EQ(surfaces.size(), 2u);
  EXPECT_EQ(surfaces[0].id_B, from_below);
  EXPECT_NEAR(CalcArea(surfaces[0]), a * a + 4 * a * h, 1e-15);
  EXPECT_TRUE(test::Near(CalcAreaVector(surfaces[0]), a * a * kUp, 1e-15));
  EXPECT_EQ(surfaces[1].id_B, inside);
  EXPECT_NEAR(CalcArea(surfaces[1]), 2 * (a * 0.06 + a * 0.05 + 0.06 * 0.05),
              1e-15);
  EXPECT_TRUE(test::Near(CalcAreaVector(surfaces[1]), Vector3d::Zero(), 1e-15));
}

// Whatever the triangles of the shape, its own distance says how deep the
// cube's top is where a ray along the normal meets it.
TEST(DeformableContact, DepthIsThatOfTheSurfaceInTheRigidShape) {
  const double R = 0.06;
  const Vector3d center(0.011, 0.007, kSide / 2 + R - 0.01);
  for (const double hint : {0.05, 0.02}) {
    DeformableScene scene;
    scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart);
    ProximityProperties properties;
    properties.AddProperty("hydroelastic", "resolution_hint", hint);
    scene.Anchor(Sphere(R), "ball", RigidTransformd(center), properties);
    scene.MakeContext();
    const auto surfaces = scene.Touch();
    ASSERT_EQ(surfaces.size(), 1u);
    EXPECT_GE(surfaces[0].points.size(), 4u);
    for (const DeformableContactPoint& point : surfaces[0].points) {
      const Vector3d& n = point.nhat_BA_W;
      const double way = (point.p_WC.z() - kSide / 2) / n.z();
      const Vector3d p_WE = point.p_WC - way * n;
      EXPECT_NEAR(point.phi, (p_WE - center).norm() - R, 1e-15);
      EXPECT_LT(point.phi, 0);
    }
  }
}

// A cube one brick thick: all vertices are on its surface.
TEST(DeformableContact, HasDepthInWhatIsOneElementThick) {
  DeformableScene scene;
  const auto cube = scene.AddDeformable(Box::MakeCube(kSide), "cube", 1);
  const double overlap = 0.04, shift = 0.01;
  scene.AddDeformable(Box::MakeCube(kSide), "above", 1,
                      RigidTransformd(Vector3d(shift, shift, kSide - overlap)));
  scene.Anchor(Box(0.03, 0.06, 0.05), "inside",
               RigidTransformd(RollPitchYawd(0.1, 0.2, 0.3),
                               Vector3d(0.02, 0.01, -0.02)));
  scene.MakeContext();
  ASSERT_EQ(
      scene.graph.model_inspector().GetReferenceMesh(cube)->num_vertices(), 8);
  const auto surfaces = scene.Touch();
  ASSERT_EQ(surfaces.size(), 2u);
  for (const auto& surface : surfaces) {
    for (const auto& point : surface.points) EXPECT_LT(point.phi, 0);
  }
  // The top of the lower cube, as far as the upper holds it.
  const double side = kSide - shift;
  EXPECT_TRUE(surfaces[0].is_B_deformable);
  for (const auto& point : surfaces[0].points) {
    EXPECT_NEAR(point.phi, -overlap, 1e-15);
  }
  EXPECT_NEAR(CalcArea(surfaces[0]), side * side, 1e-15);
  EXPECT_TRUE(
      test::Near(CalcAreaVector(surfaces[0]), -side * side * kUp, 1e-15));
  EXPECT_NEAR(CalcArea(surfaces[1]),
              2 * (0.03 * 0.06 + 0.06 * 0.05 + 0.03 * 0.05), 1e-15);
}

TEST(DeformableContact, OfTwoThatOnlyTouchIsNone) {
  DeformableScene scene;
  const auto X = RigidTransformd(Vector3d(0, 0, 0.5));
  scene.AddDeformable(Box::MakeCube(1), "cube", 0.25, X);
  scene.AddDeformable(Box::MakeCube(1), "above", 0.25,
                      RigidTransformd(Vector3d(0, 0, 1.5)));
  scene.AddDeformable(Box::MakeCube(1), "beside", 1,
                      RigidTransformd(Vector3d(1, 0, 1.5)));
  scene.AddDeformable(Box::MakeCube(1), "behind", 1,
                      RigidTransformd(Vector3d(1, 1, 1.5)));
  scene.Anchor(HalfSpace(), "ground");
  scene.Anchor(Box(1, 1, 1), "below", RigidTransformd(Vector3d(0, 0, -0.5)));
  scene.Anchor(Sphere(0.1), "ball", RigidTransformd(Vector3d(0.7, 0, 0.5)));
  scene.MakeContext();
  EXPECT_TRUE(scene.Touch().empty());
}

TEST(DeformableContact, OfAFaceBetweenElementsCountsOnce) {
  // The plane goes through a layer of vertices.
  DeformableScene scene;
  scene.AddDeformable(Box::MakeCube(1), "cube", 0.25);
  scene.Anchor(HalfSpace(), "ground");
  scene.Anchor(Box(2, 2, 1), "box", RigidTransformd(Vector3d(0, 0, -0.5)));
  scene.MakeContext();
  const auto surfaces = scene.Touch();
  ASSERT_EQ(surfaces.size(), 2u);
  EXPECT_NEAR(CalcArea(surfaces[0]), 1, 1e-14);
  EXPECT_NEAR(CalcArea(surfaces[1]), 1, 1e-14);
}

// A ball of radius R pressed into the ground by d: a disc of radius a, on which
// the depth of its surface is sqrt(R² - rho²) - (R - d): a cap's volume.
TEST(DeformableContact, OfASphereInAHalfSpaceConverges) {
  const double R = 0.1, d = 0.03, c = R - d;
  const double square = R * R - c * c;
  const double area = M_PI * square;
  const double integral = M_PI * d * d * (R - d / 3);
  double last_area = 0, last_integral = 0;
  for (const double hint : {0.05, 0.025, 0.0125}) {
    DeformableScene scene;
    scene.AddDeformable(
        Sphere(R), "ball", hint,
        RigidTransformd(RollPitchYawd(0.3, 0.2, 0.1), Vector3d(0, 0, c)));
    scene.Anchor(HalfSpace(), "ground");
    scene.MakeContext();
    const auto surfaces = scene.Touch();
    ASSERT_EQ(surfaces.size(), 1u);
    const double area_error = std::abs(CalcArea(surfaces[0]) - area);
    const double integral_error =
        std::abs(CalcDepthIntegral(surfaces[0]) - integral);
    if (hint < 0.05) {
      EXPECT_LT(area_error, last_area / 3);
      EXPECT_LT(integral_error, last_integral / 3);
    }
    last_area = area_error;
    last_integral = integral_error;
  }
  EXPECT_LT(last_area, 0.01 * area);
  EXPECT_LT(last_integral, 0.02 * integral);
}

// The rim of a ball in a soft cube is a circle: the surface spans its disc.
TEST(DeformableContact, OfRigidRoundShapesNeedsNoHint) {
  const double r = 0.06, d = 0.02;
  const double rim = r * r - (r - d) * (r - d);
  for (const double hint : {0.0, 0.005}) {
    DeformableScene scene;
    scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart);
    ProximityProperties properties;
    if (hint > 0) AddRigidHydroelasticProperties(hint, &properties);
    scene.Anchor(Sphere(r), "ball",
                 RigidTransformd(Vector3d(0.01, 0.003, kSide / 2 + r - d)),
                 properties);
    scene.MakeContext();
    const auto surfaces = scene.Touch();
    ASSERT_EQ(surfaces.size(), 1u);
    const double error = hint > 0 ? 0.01 : 0.1;
    EXPECT_NEAR(CalcArea(surfaces[0]) / (2 * M_PI * r * d), 1, error);
    EXPECT_TRUE(
        test::Near(CalcAreaVector(surfaces[0]) / (M_PI * rim), -kUp, error));
    EXPECT_GT(surfaces[0].points.size(), 50u);
  }
}

TEST(DeformableContact, OfTwoCubesIsThePlaneHalfWay) {
  const double overlap = 0.04;
  DeformableScene scene;
  const auto below = scene.AddDeformable(Box::MakeCube(kSide), "below", kPart);
  const auto above =
      scene.AddDeformable(Box::MakeCube(kSide), "above", kPart,
                          RigidTransformd(Vector3d(0, 0, kSide - overlap)));
  scene.MakeContext();
  const auto surfaces = scene.Touch();
  ASSERT_EQ(surfaces.size(), 1u);
  EXPECT_EQ(surfaces[0].id_A, below);
  EXPECT_EQ(surfaces[0].id_B, above);
  EXPECT_TRUE(surfaces[0].is_B_deformable);
  double inner_area = 0;
  for (const DeformableContactPoint& point : surfaces[0].points) {
    EXPECT_LT(point.nhat_BA_W[2], 0);
    EXPECT_LE(point.phi, 1e-16);
    if (!IsAwayFromSides(point.p_WC, Vector3d::Zero())) continue;
    EXPECT_TRUE(test::Near(point.nhat_BA_W, -kUp, 1e-14));
    EXPECT_NEAR(point.p_WC[2], (kSide - overlap) / 2, 1e-15);
    EXPECT_NEAR(point.phi, -overlap, 1e-15);
    inner_area += point.area;
  }
  EXPECT_NEAR(inner_area, std::pow(kSide - 2 * kPart, 2), 1e-15);
}

// A cube squeezed to a sixth is near the bottom of another: its distance is six
// times as steep, and the two are equal at two heights. Only at the upper do
// they fall to opposite sides.
TEST(DeformableContact, IsWhereDistancesFallToOppositeSides) {
  DeformableScene scene;
  scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart);
  const auto squeezed =
      scene.AddDeformable(Box::MakeCube(kSide), "squeezed", kPart);
  const double top = -0.06, middle = top - kSide / 12;
  scene.MakeContext(
      {{squeezed, scene.CalcConfiguration(squeezed, [=](const Vector3d& p) {
          return Vector3d(p[0], p[1], middle + p[2] / 6);
        })}});
  const auto surfaces = scene.Touch();
  ASSERT_EQ(surfaces.size(), 1u);
  // z + 0.1 = 6 (top - z).
  const double z = (6 * top - kSide / 2) / 7;
  double inner_area = 0;
  for (const DeformableContactPoint& point : surfaces[0].points) {
    if (!IsAwayFromSides(point.p_WC, Vector3d::Zero())) continue;
    EXPECT_NEAR(point.p_WC[2], z, 1e-15);
    EXPECT_TRUE(test::Near(point.nhat_BA_W, kUp, 1e-14));
    EXPECT_NEAR(point.phi, -2 * (z + kSide / 2), 1e-15);
    inner_area += point.area;
  }
  EXPECT_NEAR(inner_area, std::pow(kSide - 2 * kPart, 2), 1e-15);
}

// Bends and twists.
Vector3d Bend(const Vector3d& p) {
  return p + Vector3d(0.3 * p[2] * p[0], -0.4 * p[0] * p[1],
                      0.8 * p[0] * p[0] + 0.5 * p[0] * p[1]);
}

// A bent cube on a box and a half space, and a bent ball in it, all moved by X.
struct MovedScene : DeformableScene {
  explicit MovedScene(const RigidTransformd& X) {
    cube = AddDeformable(Box::MakeCube(kSide), "cube", kPart, X);
    ball = AddDeformable(Sphere(0.07), "ball", 0.03,
                         X * RigidTransformd(Vector3d(0.03, 0.02, 0.13)));
    ground = Anchor(HalfSpace(), "ground",
                    X * RigidTransformd(RollPitchYawd(0.2, 0.3, 0.1),
                                        Vector3d(0, 0, -0.07)));
    box = Anchor(Box(0.11, 0.3, 0.2), "box",
                 X * RigidTransformd(RollPitchYawd(0.2, 0.1, 0.3),
                                     Vector3d(0.12, 0.013, 0.04)));
    MakeContext({{cube, CalcConfiguration(cube, Bend)},
                 {ball, CalcConfiguration(ball, [](const Vector3d& p) {
                    return Vector3d(1.1 * p[0] + 0.2 * p[1], p[1], 0.8 * p[2]);
                  })}});
  }
  GeometryId cube, ball, ground, box;
};

TEST(DeformableContact, DoesNotDependOnWhereAllIs) {
  const RigidTransformd X(RollPitchYawd(0.5, -0.8, 2.1), Vector3d(1, -2, 0.7));
  const MovedScene here{RigidTransformd()}, there(X);
  const auto a = here.Touch(), b = there.Touch();
  ASSERT_EQ(a.size(), 4u);
  ASSERT_EQ(b.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(a[i].points.size(), b[i].points.size());
    // The order is that of boxes, which lie along the world's axes.
    using Key = std::array<int, 8>;
    std::multimap<Key, const DeformableContactPoint*> sorted;
    const auto key = [](const DeformableContactPoint& p) {
      Key k{};
      std::ranges::copy(p.vertices_A, k.begin());
      std::ranges::copy(p.vertices_B, k.begin() + 4);
      return k;
    };
    for (const auto& point : b[i].points) sorted.emplace(key(point), &point);
    for (const auto& point : a[i].points) {
      const Vector3d p_WC = X * point.p_WC;
      const auto [begin, end] = sorted.equal_range(key(point));
      const auto found = std::find_if(begin, end, [&p_WC](const auto& entry) {
        return test::Near(entry.second->p_WC, p_WC, 1e-12);
      });
      ASSERT_NE(found, end);
      const DeformableContactPoint& other = *found->second;
      EXPECT_NEAR(other.area, point.area, 1e-12 * kSide * kSide);
      EXPECT_NEAR(other.phi, point.phi, 1e-12);
      EXPECT_TRUE(test::Near(other.nhat_BA_W,
                             Vector3d(X.rotation() * point.nhat_BA_W), 1e-12));
      EXPECT_TRUE(test::Near(other.weights_A, point.weights_A, 1e-12));
      EXPECT_TRUE(test::Near(other.weights_B, point.weights_B, 1e-12));
      sorted.erase(found);
    }
  }
}

TEST(DeformableContact, WeightsGiveThePointInEachElement) {
  const MovedScene scene{RigidTransformd()};
  const auto expect = [](const std::array<int, 4>& vertices,
                         const Eigen::Vector4d& weights, const VectorXd& q,
                         const Vector3d& p_WC) {
    EXPECT_NEAR(weights.sum(), 1, 1e-14);
    EXPECT_GE(weights.minCoeff(), -1e-12);
    Vector3d p = Vector3d::Zero();
    for (int k = 0; k < 4; ++k) p += weights[k] * q.segment<3>(3 * vertices[k]);
    EXPECT_TRUE(test::Near(p, p_WC, 1e-14));
  };
  int num_points = 0;
  for (const DeformableContactSurface& surface : scene.Touch()) {
    const VectorXd& q_A = scene.query().GetConfigurationsInWorld(surface.id_A);
    for (const DeformableContactPoint& point : surface.points) {
      ++num_points;
      EXPECT_GT(point.area, 0);
      EXPECT_NEAR(point.nhat_BA_W.norm(), 1, 1e-14);
      expect(point.vertices_A, point.weights_A, q_A, point.p_WC);
      if (!surface.is_B_deformable) continue;
      expect(point.vertices_B, point.weights_B,
             scene.query().GetConfigurationsInWorld(surface.id_B), point.p_WC);
    }
  }
  EXPECT_GT(num_points, 100);
}

// Inside of what is bent, the surface of a rigid body is whole.
TEST(DeformableContact, OfWhatIsBentCoversTheRigidSurface) {
  DeformableScene scene;
  const auto cube = scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart);
  scene.Anchor(Box(0.05, 0.06, 0.07), "inside",
               RigidTransformd(RollPitchYawd(0.1, 0.2, 0.3),
                               Vector3d(0.013, 0.02, 0.01)));
  scene.MakeContext({{cube, scene.CalcConfiguration(cube, Bend)}});
  const auto surfaces = scene.Touch();
  ASSERT_EQ(surfaces.size(), 1u);
  EXPECT_NEAR(CalcArea(surfaces[0]),
              2 * (0.05 * 0.06 + 0.06 * 0.07 + 0.05 * 0.07), 1e-15);
}

TEST(DeformableContact, OfElementsInsideOutOrFlatStaysFinite) {
  DeformableScene scene;
  const auto cube = scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart);
  scene.AddDeformable(Box::MakeCube(kSide), "other", kPart,
                      RigidTransformd(Vector3d(0.02, 0.03, 0.15)));
  scene.Anchor(HalfSpace(), "ground", RigidTransformd(Vector3d(0, 0, -0.08)));
  scene.Anchor(Box(1, 1, 1), "box", RigidTransformd(Vector3d(0, 0, -0.55)));
  scene.Anchor(Sphere(0.05), "ball");
  const VectorXd q = scene.CalcConfiguration(cube);
  const auto fold = [](const Vector3d& p) {
    return Vector3d(std::abs(p[0]), p[1], p[2]);
  };
  const auto mirror = [](const Vector3d& p) {
    return Vector3d(-p[0], p[1], p[2]);
  };
  const auto flat = [](const Vector3d& p) { return Vector3d(p[0], p[1], 0); };
  const auto point = [](const Vector3d&) { return Vector3d(0, 0, 0); };
  for (const VectorXd& given :
       {scene.CalcConfiguration(cube, fold),
        scene.CalcConfiguration(cube, mirror),
        scene.CalcConfiguration(cube, flat),
        scene.CalcConfiguration(cube, point), VectorXd(1e3 * q),
        VectorXd(1e-9 * q), VectorXd(1e200 * q)}) {
    scene.MakeContext({{cube, given}});
    for (const auto& surface : scene.Touch()) {
      for (const DeformableContactPoint& p : surface.points) {
        EXPECT_TRUE(p.p_WC.allFinite() && p.nhat_BA_W.allFinite() &&
                    p.weights_A.allFinite() && p.weights_B.allFinite() &&
                    std::isfinite(p.phi) && std::isfinite(p.area));
      }
    }
  }
  // A mesh that is inside out all over presses as one that is not.
  scene.MakeContext({{cube, scene.CalcConfiguration(cube, mirror)}});
  EXPECT_NEAR(CalcArea(scene.Touch()[1]), kSide * kSide, 1e-15);
}

TEST(DeformableContact, IsTheSameAgainAndAllocatesNothing) {
  MovedScene scene{RigidTransformd()};
  std::vector<DeformableContactSurface> surfaces;
  scene.query().ComputeDeformableContact(&surfaces);
  const auto first = surfaces;
  // Once away, and back.
  scene.query().ComputeDeformableContact(&surfaces);
  test::AllocationGuard guard;
  scene.query().ComputeDeformableContact(&surfaces);
  EXPECT_EQ(guard.count(), 0);
  ASSERT_EQ(surfaces.size(), first.size());
  for (size_t i = 0; i < first.size(); ++i) {
    ASSERT_EQ(surfaces[i].points.size(), first[i].points.size());
    for (size_t k = 0; k < first[i].points.size(); ++k) {
      EXPECT_EQ(surfaces[i].points[k].p_WC, first[i].points[k].p_WC);
      EXPECT_EQ(surfaces[i].points[k].phi, first[i].points[k].phi);
      EXPECT_EQ(surfaces[i].points[k].vertices_A,
                first[i].points[k].vertices_A);
    }
  }
}

// Trees that were fitted to other places before give the same, in order; and
// where configurations are filled again, nothing is allocated.
TEST(DeformableContact, DoesNotDependOnWhereThingsWere) {
  DeformableScene scene;
  const auto cube = scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart);
  scene.Anchor(HalfSpace(), "ground");
  const VectorXd q = scene.CalcConfiguration(cube, Bend);
  scene.MakeContext({{cube, q}});
  std::vector<DeformableContactSurface> surfaces;
  scene.query().ComputeDeformableContact(&surfaces);
  const auto first = surfaces;
  const VectorXd raised = q + VectorXd::Constant(q.size(), 0.06);
  scene.MakeContext({{cube, raised}});
  const auto third = scene.Touch();
  scene.MakeContext({{cube, q}});
  scene.query().ComputeDeformableContact(&surfaces);
  const auto move = [&](const VectorXd& to) {
    scene.configurations->GetMutableData()
        ->get_mutable_value<GeometryConfigurationVector<double>>()
        .set_value(cube, to);
    scene.query().ComputeDeformableContact(&surfaces);
  };
  const auto expect = [&](const std::vector<DeformableContactSurface>& wanted) {
    ASSERT_EQ(surfaces.size(), 1u);
    ASSERT_EQ(surfaces[0].points.size(), wanted[0].points.size());
    for (size_t k = 0; k < wanted[0].points.size(); ++k) {
      EXPECT_EQ(surfaces[0].points[k].p_WC, wanted[0].points[k].p_WC);
    }
  };
  move(q + VectorXd::Constant(q.size(), 10));
  EXPECT_TRUE(surfaces.empty());
  move(q);
  expect(first);
  move(raised);
  expect(third);
  const test::AllocationGuard guard;
  move(q);
  EXPECT_EQ(guard.count(), 0);
  expect(first);
}

TEST(DeformableContact, OfASurfaceThatCannotBeMadeNamesTheGeometry) {
  DeformableScene scene;
  scene.AddDeformable(Box::MakeCube(kSide), "cube", kPart);
  ProximityProperties properties;
  properties.AddProperty("hydroelastic", "resolution_hint", 1e-6);
  scene.Anchor(Sphere(0.05), "ball", {}, properties);
  scene.MakeContext();
  std::vector<DeformableContactSurface> surfaces(1);
  EXPECT_THROWS_MESSAGE(scene.query().ComputeDeformableContact(&surfaces),
                        std::logic_error, "geometry 'ball' (Sphere");
  EXPECT_TRUE(surfaces.empty());
}

}  // namespace deformable_contact_test
}  // namespace wyvern::geometry
