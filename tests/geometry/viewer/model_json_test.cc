// Materials of mesh files, as pages get them.
#include "wyvern/geometry/viewer/model_json.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_browser.h"
#include "wyvern/geometry/viewer/shape_json.h"
#include "wyvern/geometry/viewer/viewer.h"

namespace wyvern::geometry::internal {
namespace model_json_test {

namespace fs = std::filesystem;
using nlohmann::json;

// A picture of 1 x 1, red.
const unsigned char kPng[] = {
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D,
    0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01,
    0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00,
    0x0C, 0x49, 0x44, 0x41, 0x54, 0x08, 0xD7, 0x63, 0xF8, 0xCF, 0xC0, 0x00,
    0x00, 0x03, 0x01, 0x01, 0x00, 0x18, 0xDD, 0x8D, 0xB0, 0x00, 0x00, 0x00,
    0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};

class ModelJson : public geometry::test::PageTest {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) / "model_json_test" / "meshes";
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder.parent_path()); }

  static void Write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  static std::string Picture() {
    return {reinterpret_cast<const char*>(kPng), sizeof(kPng)};
  }

  // A triangle that is blue, and one with an image.
  fs::path WriteObj(const std::string& image) {
    Write(folder / "two.mtl",
          "newmtl blue\nKd 0 0 1\nd 0.5\n"
          "newmtl picture\nKd 1 1 1\nmap_Kd " +
              image + "\n");
    Write(folder / "two.obj",
          "mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
          "vt 0 0\nvt 1 0\nvt 0 1\nusemtl blue\nf 1 2 3\n"
          "usemtl picture\nf 1/1 2/2 4/3\n");
    return folder / "two.obj";
  }

  fs::path folder;
};

TEST_F(ModelJson, HasColorsAndImagesOfAnObj) {
  Write(folder.parent_path() / "red.png", Picture());
  const auto text = internal::ModelJson(Mesh(WriteObj("../red.png"), 2.0));
  ASSERT_TRUE(text.has_value());
  const json model = json::parse(*text);
  ASSERT_EQ(model["parts"].size(), 2u);
  EXPECT_EQ(model["parts"][0]["color"], (json{0, 0, 1, 0.5}));
  EXPECT_EQ(model["parts"][0]["image"], -1);
  EXPECT_FALSE(model["parts"][0].contains("uv"));
  EXPECT_EQ(model["parts"][1]["image"], 0);
  // u, v of the three corners: 6 numbers of 4 bytes.
  EXPECT_EQ(model["parts"][1]["uv"].get<std::string>().size(), 32u);
  ASSERT_EQ(model["images"].size(), 1u);
  EXPECT_EQ(model["images"][0][0], "image/png");
}

// A file that is no image, one that is elsewhere, one that is not there.
TEST_F(ModelJson, SendsNoOtherFile) {
  Write(folder / "secret.png", "root:x:0:0");
  const fs::path outside = fs::path(testing::TempDir()) / "outside.png";
  Write(outside, Picture());
  fs::create_symlink(outside, folder / "link.png");
  for (const std::string image : {"secret.png", "../../outside.png", "link.png",
                                  "/etc/passwd", "none.png"}) {
    const auto text = internal::ModelJson(Mesh(WriteObj(image)));
    ASSERT_TRUE(text.has_value());
    EXPECT_TRUE(json::parse(*text)["images"].empty()) << image;
  }
  fs::remove(outside);
}

TEST_F(ModelJson, IsNothingWithoutMaterials) {
  Write(folder / "bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_FALSE(internal::ModelJson(Mesh(folder / "bare.obj")).has_value());
  EXPECT_EQ(json::parse(ShapeJson(Mesh(folder / "bare.obj")))["shape"],
            "triangles");
}

// y is up in it, and z in ours.
TEST_F(ModelJson, HasColorsOfAGltf) {
  Write(folder / "one.gltf", R"({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
    "materials": [{"name": "red", "pbrMetallicRoughness":
        {"baseColorFactor": [1, 0, 0, 1]}}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3,
        "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})");
  const auto text = internal::ModelJson(Mesh(folder / "one.gltf"));
  ASSERT_TRUE(text.has_value());
  const json part = json::parse(*text)["parts"][0];
  EXPECT_EQ(part["color"], (json{1, 0, 0, 1}));
  EXPECT_EQ(part["linear"], true);
  // The last number is 1, the third point's z: 00 00 80 3F.
  EXPECT_TRUE(part["vertices"].get<std::string>().ends_with("AIA/"));
}

TEST_F(ModelJson, IsShownByThePage) {
  PageTest::SetUp();
  if (IsSkipped()) return;
  Write(folder / "red.png", Picture());
  Viewer viewer;
  viewer.SetObject("/two", Mesh(WriteObj("red.png")));
  viewer.SetLabel("/two/name", "two");
  viewer.SetProperty("/two", "trail", true);
  viewer.SetTransform("/two", math::RigidTransformd());
  const auto said = Do(viewer.web_url(), {"wait-for=/two/name", "model=/two"});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0], (std::vector<double>{2, 1, 0, 1}));
}

}  // namespace model_json_test
}  // namespace wyvern::geometry::internal
