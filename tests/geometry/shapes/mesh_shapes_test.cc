#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/shapes/convex_hull.h"
#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;

constexpr char kTetrahedron[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

InMemoryMesh MakeMesh(std::string contents, std::string extension = ".obj") {
  return {MemoryFile(std::move(contents), std::move(extension), "test mesh"),
          {}};
}

// The corners of a cube and a point inside of it, as triangles.
std::string CubeWithDent() {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += fmt::format("v {} {} {}\n", i & 1, (i >> 1) & 1, (i >> 2) & 1);
  }
  text += "v 0.5 0.5 0.5\n";
  // The top z = 1 goes down to the middle point.
  return text +
         "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
         "f 5 6 9\nf 6 8 9\nf 8 7 9\nf 7 5 9\n";
}

// Every vertex is on the inner side of every face, whose vertices run around
// its outward normal; vertices, edges and faces count as Euler says.
void ExpectConvex(const PolygonSurfaceMesh<double>& hull) {
  int edges = 0;
  for (int f = 0; f < hull.num_faces(); ++f) {
    const Vector3d n = hull.face_normal(f);
    EXPECT_NEAR(n.norm(), 1, 1e-14);
    edges += hull.element(f).num_vertices();
    for (int v = 0; v < hull.num_vertices(); ++v) {
      EXPECT_LT(n.dot(hull.vertex(v) - hull.element_centroid(f)), 1e-12);
    }
  }
  EXPECT_EQ(hull.num_vertices() - edges / 2 + hull.num_faces(), 2);
}

TEST(ConvexHull, OfRandomPointsIsConvexAndHoldsThem) {
  test::RandomPose random;
  for (const int n : {4, 5, 20, 200}) {
    std::vector<Vector3d> points(n);
    for (Vector3d& p : points) p = random.Vector3();
    const auto hull = internal::MakeConvexHull(points, "random points");
    ExpectConvex(hull);
    for (int f = 0; f < hull.num_faces(); ++f) {
      for (const Vector3d& p : points) {
        EXPECT_LT(hull.face_normal(f).dot(p - hull.element_centroid(f)), 1e-12);
      }
    }
  }
}

TEST(ConvexHull, OfACubeHasSixSquares) {
  const Convex cube(MakeMesh(CubeWithDent()), 2.0);
  const auto& hull = cube.GetConvexHull();
  ExpectConvex(hull);
  EXPECT_EQ(hull.num_vertices(), 8);
  EXPECT_EQ(hull.num_faces(), 6);
  EXPECT_NEAR(hull.total_area(), 24, 1e-13);
  EXPECT_TRUE(test::Near(hull.centroid(), Vector3d(1, 1, 1), 1e-14));
  EXPECT_NEAR(CalcVolume(cube), 8, 1e-13);
}

TEST(ConvexHull, WithoutVolumeIsRefused) {
  const Eigen::Matrix3Xd flat =
      (Eigen::Matrix3Xd(3, 4) << 0, 1, 1, 0, 0, 0, 1, 1, 2, 2, 2, 2).finished();
  EXPECT_THROWS_MESSAGE(Convex(flat, "a sheet"), std::runtime_error,
                        "'a sheet' was asked for; its points are on a plane");
  EXPECT_THROWS_MESSAGE(Convex(flat.leftCols(3), "a triangle"),
                        std::runtime_error, "it has 3 points");
  Eigen::Matrix3Xd bad = flat;
  bad(2, 1) = NAN;
  EXPECT_THROWS_MESSAGE(Convex(bad, "nan"), std::runtime_error,
                        "which is not finite");
}

TEST(Convex, OfPointsHasTheHullOfThem) {
  const Eigen::Matrix3Xd points =
      (Eigen::Matrix3Xd(3, 5) << 0, 1, 0, 0, 0.1,  //
       0, 0, 1, 0, 0.1,                            //
       0, 0, 0, 1, 0.1)
          .finished();
  const Convex convex(points, "corner", 3);
  EXPECT_EQ(convex.GetConvexHull().num_vertices(), 4);
  EXPECT_NEAR(CalcVolume(convex), 27.0 / 6, 1e-13);
  EXPECT_EQ(convex.extension(), ".obj");
  EXPECT_TRUE(convex.source().is_in_memory());
  EXPECT_EQ(convex.to_string(), "Convex(mesh_data='corner', scale=3)");
  EXPECT_THROWS_MESSAGE(convex.filename(), std::logic_error, "is in memory");
  // Copies share the hull.
  EXPECT_EQ(&Convex(convex).GetConvexHull(), &convex.GetConvexHull());
}

TEST(Mesh, VolumeIsThatOfTheSurfaceAndNotOfTheHull) {
  const Mesh dented(MakeMesh(CubeWithDent()));
  EXPECT_NEAR(CalcVolume(dented), 1 - 0.5 / 3, 1e-14);
  EXPECT_EQ(dented.GetConvexHull().num_vertices(), 8);
  EXPECT_NEAR(CalcVolume(Mesh(MakeMesh(kTetrahedron), 2)), 8.0 / 6, 1e-14);
}

TEST(Mesh, OpenSurfaceHasNoVolume) {
  const std::string text = kTetrahedron;
  const Mesh open(MakeMesh(text.substr(0, text.size() - 8)));
  EXPECT_THROWS_MESSAGE(CalcVolume(open), std::runtime_error,
                        "'test mesh' was asked for; its surface is not closed");
}

// A tetrahedron with corners at the origin and at 1, 2, 3 along x, y, z, in a
// node moved by 10 along x.
std::string MakeGltf(const std::string& uri) {
  return R"({"asset": {"version": "2.0"}, "scene": 0,
    "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0, "translation": [10, 0, 0]}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0},
                                "indices": 1}]}],
    "buffers": [{"byteLength": 72, "uri": ")" +
         uri + R"("}],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48},
                    {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
    "accessors": [
      {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
       "min": [0, 0, 0], "max": [1, 2, 3]},
      {"bufferView": 1, "componentType": 5123, "count": 12,
       "type": "SCALAR"}]})";
}

TEST(Mesh, GltfIsTurnedSoThatItsUpIsZ) {
  const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
  const uint16_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  std::string buffer(reinterpret_cast<const char*>(corners), sizeof(corners));
  buffer.append(reinterpret_cast<const char*>(faces), sizeof(faces));
  InMemoryMesh memory = MakeMesh(MakeGltf("data.bin"), ".gltf");
  memory.supporting_files["data.bin"] = MemoryFile(buffer, ".bin", "buffer");
  const auto mesh = internal::ReadTriangleMesh(std::move(memory), 1.0);
  ASSERT_EQ(mesh.vertices.size(), 4u);
  for (const Vector3d& expected : {Vector3d(10, 0, 0), Vector3d(11, 0, 0),
                                   Vector3d(10, 0, 2), Vector3d(10, -3, 0)}) {
    EXPECT_EQ(std::count(mesh.vertices.begin(), mesh.vertices.end(), expected),
              1)
        << expected.transpose();
  }
  EXPECT_NEAR(mesh.CalcVolume("gltf"), 1, 1e-12);
}

TEST(Mesh, BadFilesAreNamed) {
  EXPECT_THROWS_MESSAGE(Mesh("/no/such/file.obj").GetConvexHull(),
                        std::runtime_error,
                        "'/no/such/file.obj' is not a file");
  EXPECT_THROWS_MESSAGE(Mesh("/no/such/file.xyz").GetConvexHull(),
                        std::runtime_error, "has the extension '.xyz'");
  EXPECT_THROWS_MESSAGE(Mesh("a.obj", 0), std::logic_error,
                        "the scale of 'a.obj' is 0");
  for (const char* extension : {".obj", ".gltf", ".glb", ".stl"}) {
    for (const char* text : {"", "garbage", "v 1 2\nf 1 2 3\n", "{\"asset\""}) {
      EXPECT_THROWS_MESSAGE(Mesh(MakeMesh(text, extension)).GetConvexHull(),
                            std::runtime_error, "test mesh");
    }
  }
  EXPECT_THROWS_MESSAGE(
      Mesh(MakeMesh(MakeGltf("none.bin"), ".gltf")).GetConvexHull(),
      std::runtime_error, "test mesh");
}

TEST(MeshcatCone, HasAVolume) {
  EXPECT_NEAR(CalcVolume(MeshcatCone(3, 1, 2)), 2 * std::numbers::pi, 1e-14);
  EXPECT_THROWS_MESSAGE(MeshcatCone(-1), std::logic_error, "height is -1");
}

}  // namespace
}  // namespace wyvern::geometry
