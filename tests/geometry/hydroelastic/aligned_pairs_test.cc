// Tests pairs of all shapes along the axes: coplanar faces, coinciding edges,
// contact at a vertex, and shapes exactly on top of each other. These are poses
// that people write, and poses in which surfaces have parts without area.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/hydroelastic/pairs.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::geometry {
namespace aligned_pairs_test {

using Eigen::Vector3d;
using internal::HydroelasticGeometry;
using math::RigidTransformd;
using math::RotationMatrixd;
using test::CalcSurface;
using test::Integrate;
using test::Representation;
using test::TwoIds;
using wyvern::test::Near;

constexpr double kModulus = 1e5;

// A shape with an extent of 1 m along x, y and z, except for the capsule, and
// its reach along z.
struct Named {
  std::string name;
  std::shared_ptr<Shape> shape;
  double top;
};

Mesh MakeVolumeCube() {
  std::string text =
      "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET UNSTRUCTURED_GRID\n"
      "POINTS 9 double\n";
  for (int k = 0; k < 8; ++k) {
    text += std::string(k & 1 ? ".5 " : "-.5 ") + (k & 2 ? ".5 " : "-.5 ") +
            (k & 4 ? ".5\n" : "-.5\n");
  }
  text += "0 0 0\nCELLS 12 60\n";
  for (const char* face :
       {"2 0 1", "2 1 3", "5 4 6", "7 5 6", "1 0 4", "5 1 4", "6 2 3", "6 3 7",
        "4 0 2", "4 2 6", "3 1 5", "7 3 5"}) {
    text += std::string("4 ") + face + " 8\n";
  }
  text += "CELL_TYPES 12\n";
  for (int i = 0; i < 12; ++i) text += "10\n";
  return Mesh(InMemoryMesh{MemoryFile(text, ".vtk", "cube"), {}});
}

std::vector<Named> MakeShapes() {
  Eigen::Matrix3Xd octahedron(3, 6);
  octahedron << Eigen::Matrix3d::Identity() / 2,
      -Eigen::Matrix3d::Identity() / 2;
  const auto make = [](const auto& shape) {
    return std::make_shared<std::decay_t<decltype(shape)>>(shape);
  };
  return {{"sphere", make(Sphere(0.5)), 0.5},
          {"box", make(Box(1, 1, 1)), 0.5},
          {"cylinder", make(Cylinder(0.5, 1)), 0.5},
          {"capsule", make(Capsule(0.5, 1)), 1},
          {"ellipsoid", make(Ellipsoid(0.5, 0.5, 0.5)), 0.5},
          {"convex", make(Convex(octahedron, "octahedron")), 0.5},
          {"mesh", make(MakeVolumeCube()), 0.5}};
}

// Two geometries and the pose of B in A.
struct AlignedPair {
  std::string name;
  HydroelasticGeometry A, B;
  std::vector<RigidTransformd> poses;
  // Whether the force may jump where sides are in line. Two equal pressures
  // behind level sides are equal throughout a volume, and have no surface
  // there. A rigid side in the middle plane of a hull faces away from the field
  // of one half.
  bool may_jump{false};

  bool IsOnAxis(std::size_t pose) const {
    const Vector3d& p = poses[pose].translation();
    const Vector3d across = p - GetApproach(pose).dot(p) * GetApproach(pose);
    const double reach = p.norm();
    return across.norm() == 0 && reach != std::round(4 * reach) / 4;
  }
  // Alternates poses above A (or with a ground below) and poses beside A.
  Vector3d GetApproach(std::size_t pose) const {
    if (pose % 2 == 0) return Vector3d::UnitZ();
    return B.is_half_space ? Vector3d::UnitY() : Vector3d::UnitX();
  }
};

// Places B above A and beside it, in steps of half a size: face on face, edge
// on edge, corner on corner; upright, lying and upside down.
std::vector<RigidTransformd> MakePoses(double top_A, double top_B) {
  std::vector<RigidTransformd> poses;
  for (const double depth : {1e-5, 1e-3, 0.0625, 0.25}) {
    for (const double x : {0.0, 0.5, -0.75}) {
      for (const double y : {0.0, 0.5}) {
        for (const double angle : {0.0, M_PI / 2, M_PI}) {
          poses.emplace_back(RotationMatrixd::MakeXRotation(angle),
                             Vector3d(x, y, top_A + top_B - depth));
          poses.emplace_back(RotationMatrixd::MakeZRotation(angle),
                             Vector3d(1 - depth, y, x));
        }
      }
    }
  }
  return poses;
}

// Places a ground below A, with the same depths as above.
std::vector<RigidTransformd> MakeGroundPoses(double top) {
  std::vector<RigidTransformd> poses;
  for (const double depth : {1e-5, 1e-3, 0.0625, 0.25}) {
    for (const double angle : {0.0, M_PI / 4}) {
      poses.emplace_back(RotationMatrixd::MakeZRotation(angle),
                         Vector3d(0, 0.5, depth - top));
      poses.emplace_back(RotationMatrixd::MakeXRotation(M_PI / 2),
                         Vector3d(0, 0.5 - depth, angle));
    }
  }
  return poses;
}

std::vector<AlignedPair> MakeAlignedPairs() {
  std::vector<AlignedPair> pairs;
  const std::vector<Named> shapes = MakeShapes();
  const auto soften = [](const Named& s, double modulus = kModulus) {
    return test::MakeCompliant(*s.shape, 0.5, modulus);
  };
  const auto has_sides = [](const Named& s) {
    return s.name == "box" || s.name == "cylinder" || s.name == "mesh";
  };
  for (const Named& a : shapes) {
    const auto A = soften(a);
    for (const Named& b : shapes) {
      const auto poses = MakePoses(a.top, b.top);
      pairs.push_back({a.name + ", " + b.name, A, soften(b), poses,
                       has_sides(a) && has_sides(b)});
      pairs.push_back(
          {a.name + ", stiffer " + b.name, A, soften(b, 3e5), poses});
      pairs.push_back({a.name + ", rigid " + b.name, A,
                       test::MakeRigid(*b.shape, 0.5), poses,
                       a.name == "convex" && has_sides(b)});
    }
    const auto poses = MakeGroundPoses(a.top);
    const auto ground = test::MakeCompliantHalfSpace(0.5, kModulus);
    pairs.push_back({a.name + ", soft ground", A, ground, poses});
    pairs.push_back(
        {a.name + ", rigid ground", A, test::MakeRigid(HalfSpace()), poses});
    pairs.push_back({"rigid " + a.name + ", soft ground",
                     test::MakeRigid(*a.shape, 0.5), ground, poses});
  }
  return pairs;
}

// Returns the force on M and its moment about the world's origin.
template <typename T>
struct PatchSum {
  Vector3<T> force{Vector3<T>::Zero()}, torque{Vector3<T>::Zero()};
};
template <typename T>
PatchSum<T> SumPatches(const std::vector<ContactSurface<T>>& surfaces) {
  PatchSum<T> sum;
  for (const ContactSurface<T>& s : surfaces) {
    for (const auto& patch : s.patches()) {
      const auto q = patch.CalcCentre();
      const Vector3<T> f = q.pressure * q.area * patch.normal();
      sum.force += f;
      sum.torque += q.p_WQ.cross(f);
    }
  }
  return sum;
}

TEST(AlignedPairs, FacesHaveAnAreaAndPatchesTheirForceInBothRepresentations) {
  int num_surfaces = 0;
  for (const AlignedPair& pair : MakeAlignedPairs()) {
    for (const RigidTransformd& X_AB : pair.poses) {
      for (const auto representation :
           {Representation::kPolygon, Representation::kTriangle}) {
        const auto surface =
            CalcSurface(pair.A, {}, pair.B, X_AB, representation);
        const auto sum = Integrate(surface);
        const auto patches = SumPatches(surface);
        const double size = sum.force.norm() + sum.area * 1e-3;
        EXPECT_TRUE(Near(patches.force, sum.force, 1e-9 * size)) << pair.name;
        EXPECT_TRUE(Near(patches.torque, sum.torque, 1e-9 * size)) << pair.name;
        for (const auto& s : surface) {
          ++num_surfaces;
          for (int f = 0; f < s.num_faces(); ++f) {
            EXPECT_GT(s.area(f), 0) << pair.name;
            EXPECT_NEAR(s.face_normal(f).norm(), 1, 1e-12) << pair.name;
          }
        }
      }
    }
  }
  EXPECT_GT(num_surfaces, 5000);
}

TEST(AlignedPairs, ForcesAreOpposite) {
  const TwoIds ids;
  const TwoIds swapped{ids.b, ids.a};
  for (const AlignedPair& pair : MakeAlignedPairs()) {
    for (const RigidTransformd& X_AB : pair.poses) {
      const auto action = SumPatches(
          CalcSurface(pair.A, {}, pair.B, X_AB, Representation::kPolygon, ids));
      const auto reaction = SumPatches(CalcSurface(
          pair.A, {}, pair.B, X_AB, Representation::kTriangle, swapped));
      // The scale is a pressure of 1e5 Pa over a few square metres.
      EXPECT_TRUE(Near(action.force, -reaction.force, 1e-8)) << pair.name;
      EXPECT_TRUE(Near(action.torque, -reaction.torque, 1e-8)) << pair.name;
    }
  }
}

TEST(AlignedPairs, ForcesChangeLittleOverATinyWay) {
  int num_pressed = 0;
  for (const AlignedPair& pair : MakeAlignedPairs()) {
    if (pair.may_jump) continue;
    for (const RigidTransformd& X_AB : pair.poses) {
      const auto here = SumPatches(CalcSurface(pair.A, {}, pair.B, X_AB));
      num_pressed += here.force.norm() > 1 ? 1 : 0;
      for (const Vector3d& way :
           {Vector3d(0, 0, 1), Vector3d(1, 0, 0), Vector3d(-1, 1, -1)}) {
        const RigidTransformd X(X_AB.rotation(),
                                X_AB.translation() + 1e-12 * way);
        const auto there = SumPatches(CalcSurface(pair.A, {}, pair.B, X));
        // The stiffness is at most 1e6 N/m.
        EXPECT_TRUE(Near(here.force, there.force, 1e-5))
            << pair.name << " at " << X_AB.translation().transpose() << "\n"
            << X_AB.rotation().matrix();
        EXPECT_TRUE(Near(here.torque, there.torque, 1e-5)) << pair.name;
      }
    }
  }
  EXPECT_GT(num_pressed, 3000);
}

// The sides of two equal cubes are in line. The energy, the integral of the
// smaller pressure, has a kink -2 E V |x| there, with V the volume of equal
// pressures behind a side. The force across the approach jumps from 2 E V to
// -2 E V, around its mean, 0. The force along the approach does not jump.
TEST(AlignedPairs, SidesInLineJumpAcrossTheApproachOnly) {
  const double h = 0.25, slope = 2 * kModulus;
  const auto A = test::MakeCompliant(Box(1, 1, 1), 0.5, kModulus);
  const auto calc = [&](double x) {
    return SumPatches(
               CalcSurface(A, {}, A, RigidTransformd(Vector3d(x, 0.25, 1 - h))))
        .force;
  };
  const Vector3d in_line = calc(0);
  EXPECT_NEAR(in_line[0], 0, 1e-8);
  for (const double x : {1e-13, 1e-12, 1e-11, 1e-10}) {
    const Vector3d right = calc(x), left = calc(-x);
    EXPECT_TRUE(Near(right.tail<2>(), in_line.tail<2>(), 1e-5)) << x;
    EXPECT_TRUE(Near(left.tail<2>(), in_line.tail<2>(), 1e-5)) << x;
    EXPECT_NEAR(right[0], -left[0], 1e-5) << x;
    EXPECT_LE(std::abs(right[0]), slope * h * h / 4) << x;
  }
}

#if WYVERN_AUTODIFF

TEST(AlignedPairs, DerivativesAreFiniteAndValuesThoseOfDouble) {
  for (const AlignedPair& pair : MakeAlignedPairs()) {
    for (std::size_t k = 0; k < pair.poses.size(); k += 5) {
      const RigidTransformd& X_AB = pair.poses[k];
      VectorX<AutoDiffXd> p = X_AB.translation().cast<AutoDiffXd>();
      for (int i = 0; i < 3; ++i) p[i].derivatives() = Vector3d::Unit(i);
      const math::RigidTransform<AutoDiffXd> X(
          X_AB.rotation().cast<AutoDiffXd>(), Vector3<AutoDiffXd>(p));
      const auto ad = SumPatches(CalcSurface<AutoDiffXd>(
          pair.A, {}, pair.B, X, Representation::kTriangle));
      const auto sum = SumPatches(CalcSurface(pair.A, {}, pair.B, X_AB));
      EXPECT_TRUE(Near(math::internal::ValuesOf(ad.force), sum.force, 1e-8));
      EXPECT_TRUE(Near(math::internal::ValuesOf(ad.torque), sum.torque, 1e-8));
      for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(ad.force[i].derivatives().allFinite()) << pair.name;
        EXPECT_TRUE(ad.torque[i].derivatives().allFinite()) << pair.name;
      }
    }
  }
}

// Tests poses on the axis, where corners of the surface are on faces of both
// meshes.
TEST(AlignedPairs, DerivativesAlongTheApproachAreThoseOfBothSides) {
  const double d = 1e-7;
  for (const AlignedPair& pair : MakeAlignedPairs()) {
    for (std::size_t i = 0; i < pair.poses.size(); ++i) {
      if (!pair.IsOnAxis(i)) continue;
      const RigidTransformd& X_AB = pair.poses[i];
      const Vector3d way = pair.GetApproach(i);
      const auto at = [&](const auto& s) {
        using T = std::decay_t<decltype(s)>;
        const math::RigidTransform<T> X(
            X_AB.rotation().template cast<T>(),
            Vector3<T>(X_AB.translation().template cast<T>() +
                       way.template cast<T>() * s));
        return SumPatches(CalcSurface<T>(pair.A, {}, pair.B, X))
            .force.dot(way.template cast<T>());
      };
      const AutoDiffXd ad = at(AutoDiffXd(0, Eigen::VectorXd::Ones(1)));
      if (std::abs(ad.value()) < 1) continue;
      const double right = (at(d) - ad.value()) / d;
      const double left = (ad.value() - at(-d)) / d;
      const double rounding = 1e-4 * (1 + std::abs(right) + std::abs(left));
      const double slope = ad.derivatives()[0];
      EXPECT_GE(slope, std::min(left, right) - rounding) << pair.name << i;
      EXPECT_LE(slope, std::max(left, right) + rounding) << pair.name << i;
    }
  }
}

#endif

}  // namespace aligned_pairs_test
}  // namespace wyvern::geometry
