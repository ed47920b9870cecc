#include <fmt/format.h>

#include "wyvern/geometry/shapes/mesh_text.h"

namespace wyvern::geometry::internal {

namespace {

// Triangles of the polygon on the rest of the line. Their signed areas add up
// to the polygon's, convex or not, as long as it is plane.
void ReadFace(MeshText* text, RawMesh* mesh) {
  const int num_vertices = static_cast<int>(mesh->vertices.size());
  std::array<int, 3> triangle{};
  int count = 0;
  while (true) {
    std::string_view word = text->NextWord();
    if (word.empty()) return;
    const int number = text->ToInt(word.substr(0, word.find('/')));
    // Counted from 1, or from the present end.
    const int vertex = number < 0 ? num_vertices + number : number - 1;
    if (vertex < 0) {
      text->Throw(fmt::format("vertex {} of a face is not there; there are {}.",
                              number, num_vertices));
    }
    if (count < 3) {
      triangle[count] = vertex;
    } else {
      triangle[1] = triangle[2];
      triangle[2] = vertex;
    }
    if (++count >= 3) mesh->triangles.push_back(triangle);
  }
}

}  // namespace

RawMesh ReadObj(std::string_view contents, const std::string& file) {
  RawMesh mesh;
  MeshText text(contents, file);
  while (text.NextLine()) {
    const std::string_view word = text.NextWord();
    if (word == "v") {
      Eigen::Vector3d p = text.NextTriple();
      const std::optional<double> w = text.NextNumber();
      // After more numbers than one it is a colour.
      if (w.has_value() && !text.NextNumber().has_value()) p /= *w;
      mesh.vertices.push_back(p);
    } else if (word == "f") {
      ReadFace(&text, &mesh);
    }
  }
  // Vertices may come after the faces that they are of.
  const int num_vertices = static_cast<int>(mesh.vertices.size());
  for (const auto& triangle : mesh.triangles) {
    for (const int vertex : triangle) {
      if (vertex < num_vertices) continue;
      ThrowOfMesh(file, fmt::format("cannot be read: vertex {} of a face is "
                                    "not there; there are {}.",
                                    vertex + 1, num_vertices));
    }
  }
  return mesh;
}

}  // namespace wyvern::geometry::internal
