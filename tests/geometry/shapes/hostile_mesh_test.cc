/** @file Whatever is in a mesh file, reading it ends in a mesh or in a
std::runtime_error that names it. */

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry {
namespace hostile_mesh_test {

namespace fs = std::filesystem;

Mesh MakeMesh(const std::string& contents, const std::string& extension) {
  return Mesh(InMemoryMesh{MemoryFile(contents, extension, "hostile"), {}});
}

std::string Bytes(std::uint32_t number) {
  return std::string(reinterpret_cast<const char*>(&number), sizeof(number));
}

// A .glb file with this text.
std::string MakeGlb(const std::string& json) {
  const auto size = static_cast<std::uint32_t>(json.size());
  return "glTF" + Bytes(2) + Bytes(20 + size) + Bytes(size) +
         Bytes(0x4E4F534A) + json;
}

// A glTF of a triangle, in nodes with these texts from the second on.
std::string MakeGltf(const std::string& first_node,
                     const std::string& other_nodes) {
  return R"({"asset": {"version": "2.0"}, "scene": 0,
    "scenes": [{"nodes": [0]}],
    "nodes": [)" +
         first_node + other_nodes + R"(],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "buffers": [{"byteLength": 48,
      "uri": "data:application/octet-stream;base64,)" +
         std::string(64, 'A') + R"("}],
    "bufferViews": [{"buffer": 0, "byteLength": 48}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3,
                   "type": "VEC3"}]})";
}

// Nodes that are in each other, the last with the triangle.
std::string MakeChain(int depth, const std::string& children = "[{}]") {
  std::string others;
  const auto node = [&](int i) {
    const std::string next = std::to_string(i + 1);
    std::string list = children;
    for (std::size_t at; (at = list.find("{}")) != list.npos;) {
      list.replace(at, 2, next);
    }
    return R"({"children": )" + list + "}";
  };
  for (int i = 1; i + 1 < depth; ++i) others += ", " + node(i);
  return MakeGltf(node(0), others + R"(, {"mesh": 0})");
}

TEST(HostileMesh, ScenesOfWhichNoneIsShownAreRefused) {
  EXPECT_THROWS_MESSAGE(
      MakeMesh(R"({"asset": {"version": "1.0"}, "scenes": {"a": {}},
                   "nodes": {}})",
               ".gltf")
          .GetConvexHull(),
      std::runtime_error, "has nothing to show");
}

TEST(HostileMesh, JsonNestedDeeplyIsRefusedBeforeItIsRead) {
  const std::string deep(200000, '[');
  const char* const said = "'hostile' cannot be read: its JSON is nested";
  for (const std::string& json :
       {R"({"a": )" + deep, R"({"a": )" + deep + std::string(200000, ']') + "}",
        R"({"x": "\"", "a": )" + deep}) {
    for (const std::string extension : {".gltf", ".glb"}) {
      EXPECT_THROWS_MESSAGE(MakeMesh(json, extension).GetConvexHull(),
                            std::runtime_error, said);
      EXPECT_THROWS_MESSAGE(MakeMesh(MakeGlb(json), extension).GetConvexHull(),
                            std::runtime_error, said);
    }
  }
  EXPECT_THROWS_MESSAGE(MakeMesh(deep, ".gltf").GetConvexHull(),
                        std::runtime_error, "does not begin as glTF does");
  const std::string brackets_in_text =
      R"({"a": ")" + std::string(200000, '[') + R"("})";
  EXPECT_THROWS_MESSAGE(MakeMesh(brackets_in_text, ".gltf").GetConvexHull(),
                        std::runtime_error, "'hostile' cannot be read");
}

TEST(HostileMesh, JsonNestedDeeplyInAFileIsRefused) {
  const fs::path file = fs::path(testing::TempDir()) / "deep.gltf";
  std::ofstream(file) << R"({"a": )" << std::string(200000, '[');
  EXPECT_THROWS_MESSAGE(Convex(file).GetConvexHull(), std::runtime_error,
                        "deep.gltf' cannot be read: its JSON is nested");
  fs::remove(file);
}

// The triangle is read, and has no corners that differ.
TEST(HostileMesh, NodesMayBeInEachOther) {
  for (const int depth : {2, 150}) {
    EXPECT_THROWS_MESSAGE(MakeMesh(MakeChain(depth), ".gltf").GetConvexHull(),
                          std::runtime_error, "no triangles whose corners");
  }
}

TEST(HostileMesh, NodesDeeplyInEachOtherOrInThemselvesAreRefused) {
  EXPECT_THROWS_MESSAGE(MakeMesh(MakeChain(300000), ".gltf").GetConvexHull(),
                        std::runtime_error, "nodes are more than 200 in each");
  // Each node twice in the one before: 2^60 triangles.
  EXPECT_THROWS_MESSAGE(
      MakeMesh(MakeChain(60, "[{}, {}]"), ".gltf").GetConvexHull(),
      std::runtime_error, "more than 1000000 in one");
  const std::string circle = R"(, {"children": [0]})";
  EXPECT_THROWS_MESSAGE(
      MakeMesh(MakeGltf(R"({"children": [1]})", circle), ".gltf")
          .GetConvexHull(),
      std::runtime_error, "one of its nodes is in itself");
}

TEST(HostileMesh, KeysThatHideNodesAreRefused) {
  std::string text = MakeChain(300);
  for (std::size_t at; (at = text.find("children")) != text.npos;) {
    text.replace(at, 8, "c\\u0068ildre\\u006e");
  }
  EXPECT_THROWS_MESSAGE(MakeMesh(text, ".gltf").GetConvexHull(),
                        std::runtime_error, "has an escape");
}

TEST(HostileMesh, SizesThatTheFileDoesNotHaveTakeNoRoom) {
  std::string glb = MakeGlb(MakeChain(2));
  glb.replace(12, 4, Bytes(0xfffffff0));
  EXPECT_THROWS_MESSAGE(MakeMesh(glb, ".glb").GetConvexHull(),
                        std::runtime_error, "a chunk that is to have 42949672");
  glb = MakeGlb(MakeChain(2)) + Bytes(0xfffffff0) + Bytes(0x004E4942);
  EXPECT_THROWS_MESSAGE(MakeMesh(glb, ".glb").GetConvexHull(),
                        std::runtime_error, "a chunk that is to have 42949672");
  for (const std::string key : {"byteLength", "count"}) {
    for (const std::string number : {"4294967000", "99999999999", "-5"}) {
      std::string text = MakeChain(2);
      for (std::size_t at = 0; (at = text.find(key, at)) != text.npos; ++at) {
        const std::size_t begin = text.find_first_of("0123456789", at);
        text.replace(begin, text.find_first_of(",}", begin) - begin, number);
      }
      EXPECT_THROWS_MESSAGE(MakeMesh(text, ".gltf").GetConvexHull(),
                            std::runtime_error, "hostile");
    }
  }
}

TEST(HostileMesh, TextInTheWrongPlacesIsNamedWithItsLine) {
  const auto expect = [](const std::string& text, const std::string& type,
                         const std::string& said) {
    EXPECT_THROWS_MESSAGE(MakeMesh(text, type).GetConvexHull(),
                          std::runtime_error,
                          "'hostile' cannot be read: " + said);
  };
  expect("v 0 0 0\nv 1 x 0\n", ".obj", "line 2: 'x' is not a number");
  expect("v 0 0\n", ".obj", "line 1: a vertex has fewer than three");
  expect("v 0 0 0\n\nf 1 0 1\n", ".obj", "line 3: vertex 0 of a face is not");
  expect("v 0 0 0\nf 1 -2 1\n", ".obj", "line 2: vertex -2 of a face is not");
  expect("v 0 0 0\nf 1 2 1\n", ".obj", "vertex 2 of a face is not there");
  expect("v 0 0 0\nf 1 a/b 1\n", ".obj", "line 2: 'a' is not the number of a");
  expect("v 0 0 0\nf 1 99999999999 1\n", ".obj", "line 2: '99999999999' is");
  expect("v 0 0 1e999\n", ".obj", "line 1: '1e999' is not a number");
  expect("solid x\nvertex 1 2 3\nendfacet\n", ".stl",
         "line 3: a facet has 1 vertices");
  expect("solid x\nvertex 1 2 3\n", ".stl", "line 3: the file ends inside");
  expect(std::string(90, 'x'), ".stl", "its 90 bytes are not as many");
}

// Text with some bytes changed, taken away or doubled.
std::string Mutate(std::string text, std::mt19937* random) {
  const auto any = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(*random);
  };
  for (std::size_t n = 1 + any(4); n > 0 && !text.empty(); --n) {
    const std::size_t at = any(text.size());
    const std::size_t size = std::min(text.size() - at, 1 + any(8));
    switch (any(4)) {
      case 0:
        text[at] = static_cast<char>(any(256));
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(any(text.size()), text.substr(at, size));
        break;
      default:
        text[at] = "0123456789-+.e[]{},:\"/# \n"[any(25)];
    }
  }
  return text;
}

TEST(HostileMesh, SurvivesMutation) {
  const std::string obj =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
      "f 1/1 3//2 2\nf -4 -3 -1\nf 1 4 \\\n3\nf 2 3 4\n";
  std::string stl = "solid s\n";
  for (const char* facet :
       {"0 0 0 vertex 0 1 0 vertex 1 0 0", "0 0 0 vertex 1 0 0 vertex 0 0 1"}) {
    stl += std::string("facet normal 0 0 1 outer loop vertex ") + facet +
           " endloop\nendfacet\n";
  }
  const std::string bytes =
      std::string(80, ' ') + Bytes(2) + std::string(100, '\x11');
  const std::string gltf = MakeChain(3);
  std::mt19937 random(1);
  const std::pair<std::string, std::string> files[] = {{obj, ".obj"},
                                                       {stl, ".stl"},
                                                       {bytes, ".stl"},
                                                       {gltf, ".gltf"},
                                                       {MakeGlb(gltf), ".glb"}};
  for (const auto& [contents, extension] : files) {
    for (int i = 0; i < 300; ++i) {
      const std::string mutant = Mutate(contents, &random);
      try {
        MakeMesh(mutant, extension).GetConvexHull();
      } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("'hostile'"),
                  std::string::npos)
            << error.what();
      }
    }
  }
}

// A Collada scene of these nodes.
std::string MakeDae(const std::string& nodes) {
  return "<COLLADA><library_nodes>" + nodes +
         "</library_nodes><library_visual_scenes><visual_scene><node>"
         "<instance_node url='#n0'/></node></visual_scene>"
         "</library_visual_scenes></COLLADA>";
}

TEST(HostileMesh, ColladaNodesInThemselvesOrTooMany) {
  EXPECT_THROWS_MESSAGE(
      MakeMesh(MakeDae("<node id='n0'><instance_node url='#n0'/></node>"),
               ".dae")
          .GetConvexHull(),
      std::runtime_error, "is in too many others, or in itself");
  // Each twice in the one before: 2^40 in all.
  std::string nodes;
  for (int i = 0; i < 40; ++i) {
    const std::string next =
        "<instance_node url='#n" + std::to_string(i + 1) + "'/>";
    nodes += "<node id='n" + std::to_string(i) + "'>" + next + next + "</node>";
  }
  EXPECT_THROWS_MESSAGE(
      MakeMesh(MakeDae(nodes + "<node id='n40'/>"), ".dae").GetConvexHull(),
      std::runtime_error, "is in too many others, or in itself");
}

TEST(HostileMesh, ColladaOfFlippedBytesIsReadOrRefused) {
  const std::string text =
      "<COLLADA><asset><unit meter='1'/></asset><library_geometries>"
      "<geometry id='g'><mesh><source id='s'><float_array>0 0 0 1 0 0 0 1 0 0 "
      "0 "
      "1</float_array><technique_common><accessor stride='3'/>"
      "</technique_common></source><vertices id='v'><input semantic='POSITION' "
      "source='#s'/></vertices><polylist><input semantic='VERTEX' offset='0' "
      "source='#v'/><vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p>"
      "</polylist></mesh></geometry></library_geometries>"
      "<library_visual_scenes><visual_scene id='w'><node><translate>1 2 3"
      "</translate><rotate>0 0 1 90</rotate><instance_geometry "
      "url='#g'/></node>"
      "</visual_scene></library_visual_scenes></COLLADA>";
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> position(0, text.size() - 1);
  std::uniform_int_distribution<int> byte(' ', '~');
  int num_read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string mutant = text;
    for (int k = 0; k <= i % 3; ++k) {
      mutant[position(random)] = static_cast<char>(byte(random));
    }
    try {
      MakeMesh(mutant, ".dae").GetConvexHull();
      ++num_read;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("hostile"), std::string::npos)
          << error.what();
    }
  }
  EXPECT_GT(num_read, 0);
  EXPECT_LT(num_read, 5000);
}

}  // namespace hostile_mesh_test
}  // namespace wyvern::geometry
