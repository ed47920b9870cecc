#include "wyvern/multibody/parsing/mesh_files.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::multibody::internal {
namespace mesh_files_test {

namespace fs = std::filesystem;
using Use = MeshFiles::Use;

// A tetrahedron of volume 1/6 and its like, in a folder of their own.
class MeshFilesTest : public testing::Test {
 protected:
  MeshFilesTest() {
    fs::create_directories(folder_ / "meshes");
    Write("meshes/tetra.obj", kVertices + kFaces);
    Write("meshes/open.obj", kVertices + "f 1 3 2\nf 1 2 4\n");
    Write("meshes/flat.obj", kVertices + "f 1 3 2\n");
    Write("meshes/nan.obj", "v nan 0 0\n" + kVertices + kFaces);
    Write("meshes/empty.obj", "");
    Write("meshes/odd.mesh", "?");
    packages_.Add("here", folder_.string());
  }
  ~MeshFilesTest() override { fs::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }

  std::unique_ptr<geometry::Shape> Read(
      const std::string& uri, Use use = Use::kTouch,
      const Vector3<double>& scale = Vector3<double>::Ones()) const {
    return MeshFiles(&packages_, folder_).Read(uri, scale, use);
  }

  const std::string kVertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  const std::string kFaces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      testing::UnitTest::GetInstance()->current_test_info()->name();
  PackageMap packages_;
};

TEST_F(MeshFilesTest, FindsFilesByUrlByPathAndNextToTheModel) {
  const MeshFiles files(&packages_, folder_);
  const fs::path file = folder_ / "meshes/tetra.obj";
  for (const std::string& uri :
       {std::string("meshes/tetra.obj"), std::string("x/../meshes/tetra.obj"),
        file.string(), std::string("package://here/meshes/tetra.obj"),
        std::string("model://here/meshes/tetra.obj"),
        std::string("package:///here/meshes/tetra.obj"),
        "file://" + file.string()}) {
    EXPECT_TRUE(fs::equivalent(files.Resolve(uri), file)) << uri;
  }
}

TEST_F(MeshFilesTest, SayWhichFileIsNotThere) {
  EXPECT_THROWS_MESSAGE(Read("no.obj"), std::runtime_error, "no.obj");
  EXPECT_THROWS_MESSAGE(Read("meshes"), std::runtime_error,
                        "is not a file but a folder");
  EXPECT_THROWS_MESSAGE(Read("package://other/no.obj"), std::runtime_error,
                        "there is no package 'other'");
  EXPECT_THROWS_MESSAGE(MeshFiles(&packages_, {}).Resolve("meshes/tetra.obj"),
                        std::runtime_error, "the model is in a string");
}

TEST_F(MeshFilesTest, MakeMeshesAndConvexShapes) {
  EXPECT_EQ(Read("meshes/tetra.obj")->type_name(), "Mesh");
  EXPECT_EQ(Read("meshes/tetra.obj", Use::kTouchConvex)->type_name(), "Convex");
  EXPECT_EQ(Read("meshes/tetra.obj", Use::kSee)->type_name(), "Mesh");
}

TEST_F(MeshFilesTest, StretchAndMirror) {
  for (const Vector3<double>& scale :
       {Vector3<double>(2, 2, 2), Vector3<double>(1, 2, 3),
        Vector3<double>(-1, 1, 0.5), Vector3<double>(-1, -1, -1)}) {
    const auto shape = Read("meshes/tetra.obj", Use::kTouch, scale);
    // Positive whatever is mirrored, as faces are turned then. Rounding of the
    // single precision of mesh files.
    EXPECT_NEAR(CalcVolume(*shape), std::abs(scale.prod()) / 6, 1e-7);
    const auto& mesh = dynamic_cast<const geometry::Mesh&>(*shape);
    EXPECT_NEAR(mesh.GetConvexHull().CalcVolume(), std::abs(scale.prod()) / 6,
                1e-7);
  }
}

TEST_F(MeshFilesTest, RefuseToTouchWhatHasNoVolume) {
  EXPECT_THROWS_MESSAGE(Read("meshes/flat.obj"), std::runtime_error,
                        "flat.obj");
  EXPECT_THROWS_MESSAGE(Read("meshes/empty.obj"), std::runtime_error,
                        "empty.obj");
  EXPECT_THROWS_MESSAGE(Read("meshes/nan.obj"), std::runtime_error, "nan.obj");
}

TEST_F(MeshFilesTest, TakeTheHullOfAnOpenSurface) {
  EXPECT_EQ(Read("meshes/open.obj")->type_name(), "Mesh");
}

TEST_F(MeshFilesTest, RefuseFormatsThatAreNotKnown) {
  for (const Use use : {Use::kSee, Use::kTouch}) {
    EXPECT_THROWS_MESSAGE(Read("meshes/odd.mesh", use), std::runtime_error,
                          ".mesh");
  }
}

}  // namespace mesh_files_test
}  // namespace wyvern::multibody::internal
