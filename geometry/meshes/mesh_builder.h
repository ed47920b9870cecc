#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"

namespace wyvern::geometry::internal {

/** The most elements that a maker of meshes makes. */
inline constexpr double kMaxElements = 1e6;

/** How many parts of at most `hint` make up `length`: `least` or more.
@throws std::logic_error naming the shape unless the hint is positive. */
double CountParts(const std::string& shape, double length, double hint,
                  int least);

/** @throws std::logic_error naming the shape, the hint and the number of
elements it would make, if that is more than kMaxElements. */
void RequireElementCount(const std::string& shape, double hint, double count);

/** Collects vertices and tetrahedra. */
class VolumeBuilder {
 public:
  /** The number of the new vertex. */
  int AddVertex(double x, double y, double z);
  /** With its faces seen anticlockwise from outside, whatever the order given;
  nothing if two corners are the same. */
  void AddTetrahedron(int a, int b, int c, int d);
  /** Adds a convex hexahedron with flat faces, as six tetrahedra around its
  diagonal from corner 0 to corner 7. Bit k of a corner's number says on which
  side it is along direction k. Corners may coincide, by having one number;
  tetrahedra without volume are then left out. Faces are split from their corner
  of the lowest number to that of the highest, so that hexahedra whose
  directions agree on a common face conform. */
  void AddHexahedron(const std::array<int, 8>& corners);
  VolumeMesh<double> Build() &&;

 private:
  std::vector<Eigen::Vector3d> vertices_;
  std::vector<VolumeElement> elements_;
};

/** Collects triangles whose vertices are points of a lattice. */
class SurfaceBuilder {
 public:
  using Point = std::array<int, 3>;

  /** Counter-clockwise from outside. */
  void AddTriangle(const Point& a, const Point& b, const Point& c);
  /** `place` says where a point of the lattice is, in meter. */
  template <typename Place>
  TriangleSurfaceMesh<double> Build(const Place& place) const {
    std::vector<Eigen::Vector3d> vertices(number_.size());
    for (const auto& [point, v] : number_) vertices[v] = place(point);
    return {triangles_, std::move(vertices)};
  }

 private:
  int Number(const Point& point);
  std::map<Point, int> number_;
  std::vector<SurfaceTriangle> triangles_;
};

}  // namespace wyvern::geometry::internal
