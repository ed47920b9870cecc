#include "wyvern/geometry/hydroelastic/hydroelastic_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/hydroelastic/pairs.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::geometry {
namespace hydroelastic_geometry_test {

using Eigen::Vector3d;
using internal::HydroelasticGeometry;
using internal::MakeHydroelasticGeometry;
using test::MakeCompliant;
using test::MakeRigid;

// Returns a cube with edges of 2 m, made of six pyramids, as a legacy VTK file.
// On request it has a point that no element uses.
std::string WriteCube(const std::string& name, bool has_stray = false) {
  const std::string path = testing::TempDir() + name;
  std::ofstream file(path);
  file << "# vtk DataFile Version 3.0\ncube\nASCII\n"
          "DATASET UNSTRUCTURED_GRID\nPOINTS "
       << (has_stray ? 10 : 9) << " double\n";
  for (int k = 0; k < 8; ++k) {
    file << (k & 1 ? 1 : -1) << " " << (k & 2 ? 1 : -1) << " "
         << (k & 4 ? 1 : -1) << "\n";
  }
  file << (has_stray ? "0 0 0\n300 0 0\n" : "0 0 0\n") << "CELLS 12 60\n";
  for (const auto& [a, b, c] : std::vector<std::array<int, 3>>{{0, 2, 1},
                                                               {1, 2, 3},
                                                               {4, 5, 6},
                                                               {5, 7, 6},
                                                               {0, 1, 4},
                                                               {1, 5, 4},
                                                               {2, 6, 3},
                                                               {3, 6, 7},
                                                               {0, 4, 2},
                                                               {2, 4, 6},
                                                               {1, 3, 5},
                                                               {3, 7, 5}}) {
    file << "4 " << b << " " << a << " " << c << " 8\n";
  }
  file << "CELL_TYPES 12\n";
  for (int i = 0; i < 12; ++i) file << "10\n";
  return path;
}

TEST(HydroelasticGeometry, EveryShapeHasAMeshOfEachType) {
  const Eigen::Matrix3Xd points = (Eigen::Matrix3Xd(3, 4) << 0, 1, 0, 0,  //
                                   0, 0, 1, 0,                            //
                                   0, 0, 0, 1)
                                      .finished();
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(Box(1, 2, 3).Clone());
  shapes.push_back(Capsule(0.5, 1).Clone());
  shapes.push_back(Convex(points, "tetrahedron").Clone());
  shapes.push_back(Cylinder(0.5, 1).Clone());
  shapes.push_back(Ellipsoid(0.5, 0.6, 0.7).Clone());
  shapes.push_back(Mesh(WriteCube("any.vtk")).Clone());
  shapes.push_back(Sphere(0.5).Clone());
  for (const auto& shape : shapes) {
    const auto rigid = MakeRigid(*shape, 0.3);
    EXPECT_GE(rigid.rigid->mesh.num_triangles(), 4) << shape->to_string();
    EXPECT_EQ(rigid.compliant, nullptr);
    const auto soft = MakeCompliant(*shape, 0.3, 1e5);
    const auto& depth = soft.compliant->depth.values();
    EXPECT_EQ(std::ranges::min(depth), 0) << shape->to_string();
    EXPECT_EQ(std::ranges::max(depth), 1) << shape->to_string();
    EXPECT_EQ(soft.modulus, 1e5);
    EXPECT_TRUE(soft.missing.empty());
  }
}

TEST(HydroelasticGeometry, AMarginGoesOnWithTheFieldOutside) {
  const Eigen::Matrix3Xd points = (Eigen::Matrix3Xd(3, 5) << 0, 1, 0, 0, 1,  //
                                   0, 0, 1, 0, 1,                            //
                                   0, 0, 0, 1, 1)
                                      .finished();
  const double margin = 0.05;
  // On an element that has a point of the medial axis, the depth is zero where
  // the element of the shape without a margin ends.
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(Box(1, 2, 3).Clone());
  shapes.push_back(Sphere(0.5).Clone());
  shapes.push_back(Convex(points, "hull").Clone());
  for (const auto& pointer : shapes) {
    const Shape& shape = *pointer;
    const auto plain = MakeCompliant(shape, 1, 1);
    const auto wide = MakeCompliant(shape, 1, 1, margin);
    const auto& mesh = plain.compliant->mesh;
    ASSERT_EQ(mesh.num_elements(), wide.compliant->mesh.num_elements());
    for (int e = 0; e < mesh.num_elements(); ++e) {
      for (int i = 0; i < 4; ++i) {
        const int v = mesh.element(e).vertex(i);
        EXPECT_NEAR(wide.compliant->depth.EvaluateCartesian(e, mesh.vertex(v)),
                    plain.compliant->depth.values()[v], 1e-12)
            << shape.to_string();
      }
    }
    EXPECT_LT(std::ranges::min(wide.compliant->depth.values()), 0);
  }
}

TEST(HydroelasticGeometry, AVolumeMeshOfAFileIsTakenAsItIs) {
  const std::string path = WriteCube("cube.vtk");
  const auto soft = MakeCompliant(Mesh(path, 0.5), 1, 1e5);
  EXPECT_EQ(soft.compliant->mesh.num_elements(), 12);
  EXPECT_NEAR(soft.compliant->mesh.CalcVolume(), 1, 1e-14);
  EXPECT_EQ(MakeRigid(Mesh(path)).rigid->mesh.num_triangles(), 12);
  EXPECT_NEAR(CalcVolume(Mesh(path)), 8, 1e-14);
  EXPECT_NEAR(CalcVolume(Convex(path, 0.5)), 1, 1e-14);
  EXPECT_EQ(Mesh(path).GetConvexHull().num_vertices(), 8);
  EXPECT_THROWS_MESSAGE(MakeCompliant(Mesh("no.vtk"), 1, 1e5),
                        std::runtime_error, "no.vtk");
}

TEST(HydroelasticGeometry, APointThatNoElementUsesChangesNothing) {
  const Mesh plain(WriteCube("plain.vtk")), stray(WriteCube("stray.vtk", true));
  const auto plate = MakeRigid(Box(4, 4, 1));
  for (const double margin : {0.0, 0.1}) {
    const auto sum = [&](const Mesh& mesh) {
      return test::Integrate(
          test::CalcSurface(MakeCompliant(mesh, 1, 1e5, margin), {}, plate,
                            math::RigidTransformd(Vector3d(0, 0, -1.4))));
    };
    EXPECT_GT(sum(plain).force[2], 1e4);
    EXPECT_EQ(sum(plain).force, sum(stray).force) << margin;
    EXPECT_EQ(sum(plain).area, sum(stray).area) << margin;
  }
  EXPECT_EQ(MakeRigid(stray).rigid->mesh.num_triangles(), 12);
  EXPECT_EQ(CalcVolume(stray), CalcVolume(plain));
  // Point contact uses the convex hull.
  EXPECT_EQ(stray.GetConvexHull().num_vertices(), 8);
}

TEST(HydroelasticGeometry, ATetrahedronWithoutItsVertexIsAnErrorOfTheHullToo) {
  const Mesh mesh(InMemoryMesh{
      MemoryFile("# vtk DataFile Version 3.0\nbad\nASCII\nDATASET "
                 "UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0\n1 0 0\n0 1 0\n"
                 "0 0 1\nCELLS 1 5\n4 0 1 2 7\nCELL_TYPES 1\n10\n",
                 ".vtk", "bad"),
      {}});
  EXPECT_THROWS_MESSAGE(mesh.GetConvexHull(), std::runtime_error,
                        "has a tetrahedron with vertex 7; there are 4");
}

TEST(HydroelasticGeometry, AVolumeMeshOfAFileHasAMarginAroundIt) {
  const std::string path = WriteCube("margin.vtk");
  const auto plain = MakeCompliant(Mesh(path), 1, 1e5);
  const auto wide = MakeCompliant(Mesh(path), 1, 1e5, 0.1);
  EXPECT_NEAR(wide.compliant->mesh.CalcVolume(), 2.2 * 2.2 * 2.2, 1e-13);
  // The field of a cube, inside and out: one that has the same edges.
  const auto box = MakeCompliant(Box(2, 2, 2), 1, 1e5, 0.1);
  wyvern::test::RandomPose random;
  for (int k = 0; k < 200; ++k) {
    const Vector3d p = random.Vector3(1.09);
    const auto depth = [&p](const HydroelasticGeometry& g) {
      const auto& mesh = g.compliant->mesh;
      for (int e = 0; e < mesh.num_elements(); ++e) {
        if (mesh.CalcBarycentric(p, e).minCoeff() >= -1e-12) {
          return g.compliant->depth.EvaluateCartesian(e, p);
        }
      }
      return -HUGE_VAL;
    };
    EXPECT_NEAR(depth(wide), depth(box), 1e-12);
  }
  for (int v = 0; v < plain.compliant->mesh.num_vertices(); ++v) {
    EXPECT_EQ(wide.compliant->depth.EvaluateAtVertex(v),
              plain.compliant->depth.EvaluateAtVertex(v));
  }
}

TEST(HydroelasticGeometry, EqualMeshesAreOneWhileSomebodyHasThem) {
  std::weak_ptr<const internal::CompliantMesh> before;
  {
    const auto a = MakeCompliant(Sphere(0.123), 0.1, 1);
    const auto b = MakeCompliant(Sphere(0.123), 0.1, 5e7);
    const auto c = MakeCompliant(Sphere(0.123), 0.1, 1, 0.01);
    const auto d = MakeCompliant(Ellipsoid(0.123, 0.123, 0.123), 0.1, 1);
    EXPECT_EQ(a.compliant, b.compliant);
    EXPECT_NE(a.compliant, c.compliant);
    EXPECT_NE(a.compliant, d.compliant);
    // The hint does not count for a box.
    EXPECT_EQ(MakeRigid(Box(1, 2, 3), 0.1).rigid,
              MakeRigid(Box(1, 2, 3), 0.2).rigid);
    before = a.compliant;
  }
  EXPECT_TRUE(before.expired());
}

TEST(HydroelasticGeometry, AFileThatChangedIsReadAgain) {
  const std::string path = WriteCube("changing.vtk");
  const auto before = MakeRigid(Mesh(path));
  {
    std::ofstream file(path, std::ios::app);
    file << "\n\n";
  }
  EXPECT_NE(MakeRigid(Mesh(path)).rigid, before.rigid);
}

TEST(HydroelasticGeometry, WhatIsMissingIsSaid) {
  const auto make = [](const Shape& shape, HydroelasticType type) {
    ProximityProperties properties;
    properties.AddProperty("hydroelastic", "compliance_type", type);
    return MakeHydroelasticGeometry(shape, properties);
  };
  const auto has = [](const HydroelasticGeometry& g, const std::string& text) {
    return g.missing.find(text) != std::string::npos && !g.rigid &&
           !g.compliant;
  };
  constexpr auto kRigid = HydroelasticType::kRigid;
  constexpr auto kCompliant = HydroelasticType::kCompliant;
  EXPECT_TRUE(has(make(Sphere(1), kRigid), "'resolution_hint') [m]"));
  EXPECT_TRUE(has(make(Cylinder(1, 1), kCompliant), "'resolution_hint'"));
  EXPECT_TRUE(has(make(Box(1, 1, 1), kCompliant), "'hydroelastic_modulus'"));
  EXPECT_TRUE(has(make(HalfSpace(), kCompliant), "'hydroelastic_modulus'"));
  EXPECT_TRUE(make(Box(1, 1, 1), kRigid).missing.empty());
  EXPECT_TRUE(make(HalfSpace(), kRigid).missing.empty());
  EXPECT_TRUE(make(Sphere(1), HydroelasticType::kUndefined).missing.empty());
}

}  // namespace hydroelastic_geometry_test
}  // namespace wyvern::geometry
