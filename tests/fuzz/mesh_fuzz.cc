// A mesh file, whatever is in it, has a convex hull or is refused in plain
// words. WYVERN_FUZZ_TYPE is ".obj", ".stl", ".gltf", ".dae" or ".msh".
#include <exception>
#include <string>

#include "tests/fuzz/fuzz.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern {
namespace {

// Finite, and with the vertices, edges and faces of a convex polyhedron.
void RequirePolyhedron(const geometry::PolygonSurfaceMesh<double>& hull) {
  int edges = 0;
  for (int f = 0; f < hull.num_faces(); ++f) {
    fuzz::Require(hull.face_normal(f).allFinite(), "normals are finite");
    edges += hull.element(f).num_vertices();
  }
  for (int v = 0; v < hull.num_vertices(); ++v) {
    fuzz::Require(hull.vertex(v).allFinite(), "vertices are finite");
  }
  fuzz::Require(hull.num_vertices() - edges / 2 + hull.num_faces() == 2,
                "V - E + F = 2");
}

}  // namespace
}  // namespace wyvern

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wyvern;  // NOLINT(build/namespaces)
  try {
    const geometry::Convex shape(geometry::InMemoryMesh{
        MemoryFile(std::string(reinterpret_cast<const char*>(data), size),
                   WYVERN_FUZZ_TYPE, "fuzz"),
        {}});
    RequirePolyhedron(shape.GetConvexHull());
  } catch (const std::exception& error) {
    fuzz::Refused(error,
                  std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
  }
  fuzz::Accepted();
  return 0;
}
