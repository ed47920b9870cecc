#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>
#include <vector>

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

// A unit cube with a corner here, as a file of this type.
InMemoryMesh MakeCube(const Vector3d& corner, const std::string& extension) {
  std::vector<Vector3d> p;
  for (int i = 0; i < 8; ++i) {
    p.push_back(corner + Vector3d(i & 1, (i >> 1) & 1, (i >> 2) & 1));
  }
  std::string text = extension == ".stl" ? "solid cube\n" : "";
  for (const auto& [a, b, c, d] :
       std::vector<std::array<int, 4>>{{0, 2, 3, 1},
                                       {4, 5, 7, 6},
                                       {0, 1, 5, 4},
                                       {2, 6, 7, 3},
                                       {0, 4, 6, 2},
                                       {1, 3, 7, 5}}) {
    if (extension == ".obj") {
      for (const int i : {a, b, c, d}) {
        text += fmt::format("v {} {} {}\n", p[i][0], p[i][1], p[i][2]);
      }
      text += "f -4 -3 -2 -1\n";
      continue;
    }
    for (const auto& t : {std::array{a, b, c}, std::array{a, c, d}}) {
      text += "facet normal 0 0 0\n outer loop\n";
      for (const int i : t) {
        text += fmt::format("  vertex {} {} {}\n", p[i][0], p[i][1], p[i][2]);
      }
      text += " endloop\nendfacet\n";
    }
  }
  return MakeMesh(std::move(text), extension);
}

// The greatest distance of a corner of the cube from its nearest vertex.
double CalcError(const PolygonSurfaceMesh<double>& hull,
                 const Vector3d& corner) {
  double error = 0;
  for (int i = 0; i < 8; ++i) {
    const Vector3d p = corner + Vector3d(i & 1, (i >> 1) & 1, (i >> 2) & 1);
    double nearest = INFINITY;
    for (const Vector3d& v : hull.vertices()) {
      nearest = std::min(nearest, (v - p).norm());
    }
    error = std::max(error, nearest);
  }
  return error;
}

// The prisms of height fields have known faces, and do not need Qhull. A point
// in the middle makes Qhull compute the same hull.
TEST(ConvexHull, OfAPrismIsBitForBitThatOfQhull) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 400; ++i) {
    const double cell = i % 5 == 0 ? 1e-3 : 1 + uniform(generator);
    std::vector<Vector3d> points;
    for (int k = 0; k < 3; ++k) {
      // Slopes, flat tops, and steps of the full height.
      const double height = i % 3 == 0   ? uniform(generator)
                            : i % 3 == 1 ? 0.25
                                         : (i >> k) % 2;
      points.emplace_back(cell * (k == 1) + 3, cell * (k == 2) - 7, height);
    }
    if (i % 4 == 1) std::swap(points[1], points[2]);  // Clockwise.
    for (int k = 0; k < 3; ++k) {
      points.emplace_back(points[k].x(), points[k].y(),
                          i % 7 == 0 ? -0.1 - uniform(generator) : -0.1);
    }
    if (i % 4 >= 2) {  // Upside down.
      std::rotate(points.begin(), points.begin() + 3, points.end());
    }
    const PolygonSurfaceMesh<double> prism =
        internal::MakeConvexHull(points, "");
    Vector3d middle = Vector3d::Zero();
    for (const Vector3d& p : points) middle += p / 6;
    points.push_back(middle);
    EXPECT_TRUE(prism.Equal(internal::MakeConvexHull(points, ""))) << i;
    ExpectConvex(prism);
  }
}

TEST(ConvexHull, FarFromTheOriginIsAsExactAsItsPoints) {
  for (const double far : {0.1, 1e4 + 0.1, 1e9 + 0.3}) {
    const Vector3d corner(far, -far, far / 3);
    Eigen::Matrix3Xd points(3, 8);
    for (int i = 0; i < 8; ++i) {
      points.col(i) = corner + Vector3d(i & 1, (i >> 1) & 1, (i >> 2) & 1);
    }
    for (const Convex& cube :
         {Convex(MakeCube(corner, ".obj")), Convex(MakeCube(corner, ".stl")),
          Convex(points, "cube")}) {
      const auto& hull = cube.GetConvexHull();
      EXPECT_EQ(CalcError(hull, corner), 0) << far;
      EXPECT_EQ(hull.num_vertices(), 8) << far;
      EXPECT_EQ(hull.num_faces(), 6) << far;
      // The edges are exact to an epsilon of their distance.
      EXPECT_NEAR(CalcVolume(cube), 1, 1e-15 * (1 + 6 * far));
      EXPECT_NEAR(CalcVolume(Mesh(cube.source())), 1, 1e-15 * (1 + 6 * far));
    }
  }
}

TEST(ConvexHull, OfAnySizeThatADoubleCanMeasureIsFound) {
  for (const double scale : {1e-45, 1e-9, 1e9, 1e45}) {
    const Convex cube(MakeCube(Vector3d(0.25, 0, 0), ".obj"), scale);
    EXPECT_EQ(cube.GetConvexHull().num_faces(), 6) << scale;
    EXPECT_NEAR(CalcVolume(cube) / (scale * scale * scale), 1, 1e-14);
  }
}

TEST(ConvexHull, TooLargeOrTooSmallSaysSo) {
  const auto hull = [](double scale) {
    Mesh(MakeCube(Vector3d::Zero(), ".obj"), scale).GetConvexHull();
  };
  EXPECT_THROWS_MESSAGE(hull(1e160), std::runtime_error,
                        "its points are as far as 1e+160 m from the origin");
  EXPECT_THROWS_MESSAGE(hull(1e-60), std::runtime_error, "Check its scale");
  const Mesh large(MakeCube(Vector3d(1e20, 0, 0), ".obj"), 1e300);
  EXPECT_THROWS_MESSAGE(large.GetConvexHull(), std::runtime_error,
                        "which is not finite with the scale 1e+300");
}

// A bar of 2 m x 2 m x 2e9 m with a slanted end.
TEST(ConvexHull, TooThinForItsSizeIsRefused) {
  const std::string bar =
      "v -1 -1 -1\nv 1 -1 -1\nv -2147483649 1 -1\nv -1 1 -1\n"
      "v -2147483649 -1 1\nv 1 1 1\nv -1 1 1\nv 1 -1 1\n"
      "f 3 4 8 7\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\n";
  EXPECT_THROWS_MESSAGE(Convex(MakeMesh(bar)).GetConvexHull(),
                        std::runtime_error, "too thin for its size");
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

TEST(Mesh, ObjMayHaveRemarksColoursWeightsAndLongLines) {
  const std::string text =
      "# A tetrahedron\r\nmtllib x.mtl\r\no body\r\nv 0 0 0 # corner\r\n"
      "v +2 0 0 2\nv 0 1e0 0 0.5 0.5 0.5\nv 0 0 1e-999\n v 0 0 1 1\n"
      "vn 0 0 1\nvt 0 0\nf 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 \\\n5//1\n"
      "l 1 2\nf 1 5 3\nf 2 3 5";
  const auto mesh = internal::ReadTriangleMesh(MakeMesh(text), 1.0);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NEAR(mesh.CalcVolume("obj"), 1.0 / 6, 1e-15);
}

TEST(Mesh, PolygonsThatAreNotConvexEncloseWhatTheyDo) {
  // A prism over an arrow head of area 1/2.
  const std::string text =
      "v 0 0 0\nv 1 0.5 0\nv 2 0 0\nv 1 1 0\n"
      "v 0 0 3\nv 1 0.5 3\nv 2 0 3\nv 1 1 3\n"
      "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  EXPECT_NEAR(CalcVolume(Mesh(MakeMesh(text))), 1.5, 1e-15);
}

TEST(Mesh, StlOfBytesIsReadToTheBit) {
  std::string bytes(80, ' ');
  const auto add = [&bytes](const auto& number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  add(uint32_t{1});
  for (const float x :
       {0.f, 0.f, 1.f, 0.1f, 0.2f, 0.3f, 1.f, 0.f, 0.f, 0.f, 1e9f, 0.f}) {
    add(x);
  }
  add(uint16_t{0});
  const auto mesh = internal::ReadTriangleMesh(MakeMesh(bytes, ".stl"), 1.0);
  ASSERT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.vertices[0], Vector3d(0.1f, 0.2f, 0.3f));
  EXPECT_EQ(mesh.vertices[2], Vector3d(0, 1e9f, 0));
}

TEST(Mesh, APathIsMadeAbsolute) {
  const Mesh mesh("folder/a.obj");
  EXPECT_EQ(mesh.source().path(),
            std::filesystem::current_path() / "folder/a.obj");
}

TEST(Mesh, OfVerticesAloneHasAHull) {
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  EXPECT_NEAR(Mesh(MakeMesh(text), 2).GetConvexHull().CalcVolume(), 8.0 / 6,
              1e-15);
  EXPECT_THROWS_MESSAGE(internal::ReadTriangleMesh(MakeMesh(text), 1),
                        std::runtime_error, "has no triangles");
  EXPECT_THROWS_MESSAGE(Mesh(MakeMesh(text + "v 0 0 nan\n")).GetConvexHull(),
                        std::runtime_error, "test mesh");
}

// A Collada document with this in the visual scene and the library of nodes.
// Its geometry is a tetrahedron whose faces are `primitives`.
std::string MakeCollada(const std::string& scene, const std::string& nodes = "",
                        const std::string& primitives =
                            "<triangles><input semantic='NORMAL' offset='0' "
                            "source='#n'/><input semantic='VERTEX' offset='1' "
                            "source='#v'/><p>0 0 0 2 0 1 0 0 0 1 0 3\n 0 0 0 3 "
                            "0 2 0 1 0 2 0 3</p></triangles>") {
  return "<?xml version='1.0'?>\n<COLLADA><asset><unit name='cm' meter='0.01'/>"
         "<up_axis>Y_UP</up_axis></asset><library_geometries><geometry id='g'>"
         "<mesh><source id='s'><float_array id='f' count='12'>0 0 0 1 0 0\n0 1 "
         "0 0 0 1</float_array><technique_common><accessor source='#f' "
         "count='4' stride='3'/></technique_common></source>"
         "<vertices id='v'><input semantic='POSITION' "
         "source='#s'/></vertices>" +
         primitives + "</mesh></geometry></library_geometries><library_nodes>" +
         nodes +
         "</library_nodes><library_visual_scenes><visual_scene id='w'>" +
         scene +
         "</visual_scene></library_visual_scenes><scene>"
         "<instance_visual_scene url='#w'/></scene></COLLADA>";
}

constexpr char kInstance[] = "<instance_geometry url='#g'/>";

internal::TriangleMesh ReadCollada(const std::string& text) {
  return internal::ReadTriangleMesh(MakeMesh(text, ".dae"), 1);
}

TEST(Mesh, ColladaIsPlacedByItsNodesInMetre) {
  const auto mesh = ReadCollada(MakeCollada(
      std::string("<node><translate>100 0 0</translate><node><rotate>0 0 1 90"
                  "</rotate><scale>2 3 4</scale>") +
      kInstance + "</node></node>"));
  EXPECT_EQ(mesh.triangles.size(), 4u);
  // Turned by 90 degrees, x is along y.
  const std::vector<Vector3d> expected{
      {1, 0, 0}, {1, 0.02, 0}, {0.97, 0, 0}, {1, 0, 0.04}};
  ASSERT_EQ(mesh.vertices.size(), 4u);
  for (const Vector3d& p : expected) {
    EXPECT_TRUE(std::ranges::any_of(mesh.vertices, [&](const Vector3d& v) {
      return (v - p).norm() < 1e-15;
    })) << p.transpose();
  }
  EXPECT_NEAR(mesh.CalcVolume("dae"), 24e-6 / 6, 1e-20);
}

TEST(Mesh, ColladaNodesMayBeInstances) {
  const auto mesh = ReadCollada(
      MakeCollada("<node><instance_node url='#two'/></node>",
                  std::string("<node id='one'>") + kInstance +
                      "</node><node id='two'><instance_node url='#one'/><node>"
                      "<matrix>1 0 0 500 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"
                      "<instance_node url='#one'/></node></node>"));
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_NEAR(mesh.CalcVolume("dae"), 2e-6 / 6, 1e-20);
}

TEST(Mesh, ColladaHasPolygonsStripsAndFans) {
  const std::string input = "<input semantic='VERTEX' offset='0' source='#v'/>";
  const std::string node = std::string("<node>") + kInstance + "</node>";
  for (const std::string& primitives :
       {"<polylist>" + input +
            "<vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>",
        "<polygons>" + input +
            "<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>",
        "<tristrips>" + input + "<p>0 2 1 3 0 2</p></tristrips>",
        "<trifans>" + input + "<p>0 1 3 2 1</p></trifans><triangles>" + input +
            "<p>1 2 3</p></triangles>"}) {
    EXPECT_NEAR(
        ReadCollada(MakeCollada(node, "", primitives)).CalcVolume("dae"),
        1e-6 / 6, 1e-20)
        << primitives;
  }
}

TEST(Mesh, BadFilesAreNamed) {
  EXPECT_THROWS_MESSAGE(Mesh("/no/such/file.obj").GetConvexHull(),
                        std::runtime_error,
                        "'/no/such/file.obj' is not a file");
  EXPECT_THROWS_MESSAGE(Mesh("/no/such/file.xyz").GetConvexHull(),
                        std::runtime_error, "has the extension '.xyz'");
  EXPECT_THROWS_MESSAGE(Mesh("a.obj", 0), std::logic_error,
                        "/a.obj': scale is 0; it must be positive");
  for (const char* extension :
       {".obj", ".gltf", ".glb", ".stl", ".dae", ".msh"}) {
    for (const char* text : {"", "garbage", "v 1 2\nf 1 2 3\n", "{\"asset\""}) {
      EXPECT_THROWS_MESSAGE(Mesh(MakeMesh(text, extension)).GetConvexHull(),
                            std::runtime_error, "test mesh");
    }
  }
  EXPECT_THROWS_MESSAGE(
      Mesh(MakeMesh(MakeGltf("none.bin"), ".gltf")).GetConvexHull(),
      std::runtime_error, "test mesh");
}

// The tetrahedron of the corner of a cube, with a normal and a texel that are
// passed over.
std::string MakeMsh(std::vector<unsigned> triangles) {
  const std::vector<unsigned> counts = {
      4, 1, 1, static_cast<unsigned>(triangles.size() / 3)};
  std::vector<float> places = {0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
  places.insert(places.end(), {0, 0, 1, 0.5, 0.5});
  std::string bytes(16 + 4 * (places.size() + triangles.size()), '\0');
  std::memcpy(bytes.data(), counts.data(), 16);
  std::memcpy(bytes.data() + 16, places.data(), 4 * places.size());
  std::memcpy(bytes.data() + 16 + 4 * places.size(), triangles.data(),
              4 * triangles.size());
  return bytes;
}

TEST(MujocoMesh, HasTheVolumeOfItsTrianglesAndRefusesWhatIsNone) {
  const std::vector<unsigned> triangles = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const Mesh mesh(MakeMesh(MakeMsh(triangles), ".msh"));
  EXPECT_NEAR(CalcVolume(mesh), 4, 1e-14);
  EXPECT_EQ(mesh.GetConvexHull().num_faces(), 4);
  // Without triangles the vertices have a hull.
  EXPECT_EQ(Mesh(MakeMesh(MakeMsh({}), ".msh")).GetConvexHull().num_faces(), 4);
  EXPECT_THROWS_MESSAGE(
      Mesh(MakeMesh(MakeMsh({0, 1, 4}), ".msh")).GetConvexHull(),
      std::runtime_error, "refers to a vertex it lacks");
  EXPECT_THROWS_MESSAGE(
      Mesh(MakeMesh(MakeMsh(triangles) + "x", ".msh")).GetConvexHull(),
      std::runtime_error, "is not as long as its header says");
}

TEST(MeshcatCone, HasAVolume) {
  EXPECT_NEAR(CalcVolume(MeshcatCone(3, 1, 2)), 2 * std::numbers::pi, 1e-14);
  EXPECT_THROWS_MESSAGE(MeshcatCone(-1), std::logic_error, "height is -1");
}

}  // namespace
}  // namespace wyvern::geometry
