#include <cstdint>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/mesh_text.h"

namespace wyvern::geometry::internal {

namespace {

// As bytes: 80 of any kind, the number of triangles as 32 bits, and 50 bytes a
// triangle, which are its normal and its corners as twelve floats, and two
// more.
constexpr std::size_t kHead = 84;
constexpr std::size_t kTriangle = 50;

bool IsBinary(std::string_view bytes) {
  return bytes.size() >= kHead &&
         bytes.size() ==
             kHead +
                 kTriangle * std::uint64_t{ReadPlace<std::uint32_t>(bytes, 80)};
}

RawMesh ReadBytes(std::string_view bytes) {
  RawMesh mesh;
  for (std::size_t at = kHead; at < bytes.size(); at += kTriangle) {
    const int first = static_cast<int>(mesh.vertices.size());
    for (std::size_t corner = 1; corner <= 3; ++corner) {
      Eigen::Vector3d p;
      for (std::size_t i = 0; i < 3; ++i) {
        p[static_cast<int>(i)] =
            ReadPlace<float>(bytes, at + 12 * corner + 4 * i);
      }
      mesh.vertices.push_back(p);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

// Reads the text form: only "vertex" and the end of a facet matter.
RawMesh ReadAscii(std::string_view contents, const std::string& file) {
  RawMesh mesh;
  MeshText text(contents, file);
  std::size_t first = 0;
  while (text.NextLine()) {
    std::string_view word = text.NextWord();
    if (word == "solid") continue;  // Its name follows.
    for (; !word.empty(); word = text.NextWord()) {
      if (word == "vertex") mesh.vertices.push_back(text.NextTriple());
      if (word != "endfacet") continue;
      const int a = static_cast<int>(first);
      if (mesh.vertices.size() != first + 3) {
        text.Throw(fmt::format("a facet has {} vertices; three are wanted.",
                               mesh.vertices.size() - first));
      }
      mesh.triangles.push_back({a, a + 1, a + 2});
      first += 3;
    }
  }
  if (first != mesh.vertices.size()) {
    text.Throw("the file ends inside a facet; 'endfacet' is wanted.");
  }
  return mesh;
}

}  // namespace

RawMesh ReadStl(std::string_view bytes, const std::string& file) {
  if (IsBinary(bytes)) return ReadBytes(bytes);
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin != bytes.npos && bytes.substr(begin).starts_with("solid")) {
    return ReadAscii(bytes, file);
  }
  ThrowOfMesh(file,
              fmt::format("cannot be read: its {} bytes are not as many as the "
                          "number of triangles asks for, and it is no text "
                          "that begins with 'solid'.",
                          bytes.size()));
}

}  // namespace wyvern::geometry::internal
