#include "wyvern/geometry/meshes/mesh_files.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/geometry/meshes/test_meshes.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/shapes/in_memory_mesh.h"

namespace wyvern::geometry::internal {
namespace {

// Two tetrahedra, numbers dealt to lines in odd ways, and data to pass over.
const char kTwo[] = R"(# vtk DataFile Version 3.0
POINTS 7 is a title
ASCII
DATASET UNSTRUCTURED_GRID

POINTS 5 double
0 0 0 2 0
0 0 2 0
0 0 2
0 0 -1
METADATA
INFORMATION 0

CELLS 2 10
4 0 1 2 3
4 0 2
1 4
CELL_TYPES 2
10
10
CELL_DATA 2
anything 1 nan
)";

MeshSource InMemory(const std::string& text, const std::string& extension) {
  return InMemoryMesh{MemoryFile(text, extension, "two"), {}};
}

std::string Replaced(std::string text, const std::string& old,
                     const std::string& by) {
  return text.replace(text.find(old), old.size(), by);
}

TEST(MeshFiles, VtkHasTetrahedraAndTheirSurface) {
  const VolumeMesh<double> mesh = ReadVtkToVolumeMesh(InMemory(kTwo, ".vtk"));
  EXPECT_EQ(mesh.num_vertices(), 5);
  EXPECT_EQ(mesh.num_elements(), 2);
  EXPECT_NEAR(mesh.CalcVolume(), 8.0 / 6 + 4.0 / 6, 1e-15);
  const VolumeMesh<double> large =
      ReadVtkToVolumeMesh(InMemory(kTwo, ".vtk"), 10);
  EXPECT_NEAR(large.CalcVolume(), 2000, 1e-12);
  const TriangleSurfaceMesh<double> surface =
      ReadSurfaceMesh(InMemory(kTwo, ".vtk"));
  EXPECT_EQ(surface.num_triangles(), 6);
  EXPECT_TRUE(geometry::test::IsBall(surface));
}

TEST(MeshFiles, VtkThatIsOfNoUseSaysWhereAndWhy) {
  const auto expect = [](const std::string& old, const std::string& by,
                         const std::string& message) {
    EXPECT_THROWS_MESSAGE(
        ReadVtkToVolumeMesh(InMemory(Replaced(kTwo, old, by), ".vtk")),
        std::runtime_error, message);
  };
  expect("# vtk", "# wtk", "The mesh 'two' cannot be read: line 1: '# vtk");
  expect("ASCII", "BINARY", "line 3: 'ASCII' is wanted, not 'BINARY'");
  expect("UNSTRUCTURED_GRID", "POLYDATA", "line 4: 'UNSTRUCTURED_GRID' is");
  expect("POINTS 5", "POINTS 500000000",
         "line 6: the number of points is 500000000, for which the file of");
  expect("POINTS 5", "POINTS -5", "the number of points is -5; a whole number");
  expect("POINTS 5", "POINTS 1e300", "a whole number is wanted");
  expect("POINTS 5", "POINTS 6", "line 11: 'METADATA' is not a number");
  expect("POINTS 5", "POINTS 4", "line 10: '0' is not known");
  expect("0 0 -1", "0 nan -1", "line 10: a coordinate is nan, which is not");
  expect("0 0 -1", "0 inf -1", "line 10: a coordinate is inf, which is not");
  expect("0 0 -1", "0 zero -1", "line 10: 'zero' is not a number");
  expect("CELLS 2 10", "CELLS 2 9", "line 14: 2 cells of 9 numbers are not");
  expect("CELLS 2 10", "CELLS 3 15", "line 18: 'CELL_TYPES' is not a number");
  expect("4 0 1 2 3", "8 0 1 2 3", "line 15: cell 0 has 8 vertices");
  expect("4 0 1 2 3", "4 0 1 2 0.5", "the number of a vertex is 0.5");
  expect("4 0 1 2 3", "4 0 1 2 9",
         "cannot be used: VolumeMesh: element 0 has vertex 9; there are 5");
  expect("4 0 1 2 3", "4 1 0 2 3", "cannot be used: VolumeMesh: element 0 of");
  expect("10\n10", "10\n12", "line 20: cell 1 is of type 12");
  expect("CELL_TYPES 2", "CELL_TYPES 1", "line 20: '10' is not known");
  expect("CELL_TYPES 2\n10\n10", "", "2 cells and 0 cell types");
  expect("CELLS 2 10\n4 0 1 2 3\n4 0 2\n1 4\n", "", "5 points, 0 cells and 2");
  EXPECT_THROWS_MESSAGE(ReadVtkToVolumeMesh(InMemory(kTwo, ".vtk"), HUGE_VAL),
                        std::runtime_error, "not finite with the scale inf");
}

TEST(MeshFiles, VtkCutOrSpoiltAnywhereIsAnErrorOrAMesh) {
  const std::string text = kTwo;
  for (std::size_t n = 0; n < text.find("10\nCELL_DATA"); ++n) {
    EXPECT_THROW(ReadVtkToVolumeMesh(InMemory(text.substr(0, n), ".vtk")),
                 std::runtime_error)
        << n;
  }
  std::mt19937 random(1);
  for (int k = 0; k < 3000; ++k) {
    std::string spoilt = text;
    for (int i = 0; i < 3; ++i) {
      spoilt[random() % text.size()] = static_cast<char>(random() % 128);
    }
    try {
      const auto mesh = ReadVtkToVolumeMesh(InMemory(spoilt, ".vtk"));
      EXPECT_GT(mesh.CalcVolume(), 0) << spoilt;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("The mesh 'two'"),
                std::string::npos);
    }
  }
}

TEST(MeshFiles, FilesOnDiskAreReadAndMissingOnesNamed) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "mesh_files_test.vtk";
  std::ofstream(path) << kTwo;
  EXPECT_EQ(ReadVtkToVolumeMesh(MeshSource(path)).num_elements(), 2);
  std::filesystem::remove(path);
  EXPECT_THROWS_MESSAGE(ReadVtkToVolumeMesh(MeshSource(path)),
                        std::runtime_error,
                        "mesh_files_test.vtk' is not a file that can be read");
  EXPECT_THROWS_MESSAGE(ReadVtkToVolumeMesh(InMemory(kTwo, ".obj")),
                        std::runtime_error, "the extension '.obj'; .vtk is");
}

TEST(MeshFiles, ObjBecomesASurface) {
  const std::string quad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
  const TriangleSurfaceMesh<double> mesh =
      ReadSurfaceMesh(InMemory(quad, ".obj"), 2);
  EXPECT_EQ(mesh.num_triangles(), 2);
  EXPECT_DOUBLE_EQ(mesh.total_area(), 4);
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "mesh_files_test.obj";
  std::ofstream(path) << quad;
  EXPECT_DOUBLE_EQ(ReadObjToTriangleSurfaceMesh(path).total_area(), 1);
  EXPECT_DOUBLE_EQ(ReadObjToTriangleSurfaceMesh(path, 3).total_area(), 9);
  std::filesystem::remove(path);
  EXPECT_THROWS_MESSAGE(ReadObjToTriangleSurfaceMesh("x.stl"),
                        std::runtime_error, "the extension '.stl'; .obj is");
  EXPECT_THROWS_MESSAGE(ReadSurfaceMesh(InMemory(
                            "v 0 0 0\nv 1e60 0 0\nv 0 1 0\nf 1 2 3\n", ".obj")),
                        std::runtime_error,
                        "cannot be used: TriangleSurfaceMesh: vertex 1");
}

}  // namespace
}  // namespace wyvern::geometry::internal
