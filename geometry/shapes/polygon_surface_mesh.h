#pragma once

#include <utility>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/mesh_checks.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry {

/** One face of a PolygonSurfaceMesh: the indices of its vertices. It refers to
the mesh, and lives no longer than it. */
class SurfacePolygon {
 public:
  /** Number of vertices of the face, at least 3. */
  int num_vertices() const { return data_[0]; }
  /** Returns the index of vertex i in the mesh.
  @throws std::out_of_range unless 0 <= i < num_vertices(). */
  int vertex(int i) const {
    return data_[1 +
                 internal::CheckedIndex("SurfacePolygon: vertex", i, data_[0])];
  }

 private:
  template <class T>
  friend class PolygonSurfaceMesh;
  explicit SurfacePolygon(const int* data) : data_(data) {}
  const int* data_;  // Count, then indices.
};

/** A surface of flat, convex polygons, whose vertices run counter-clockwise
seen from outside, in a frame M. Lengths in meter. An index of no face or vertex
throws std::out_of_range.

@tparam T double or AutoDiffXd. */
template <class T>
class PolygonSurfaceMesh {
 public:
  /** The scalar type of the vertices. */
  using ScalarType = T;

  PolygonSurfaceMesh() = default;
  /** `face_data` lists, face after face, the number of vertices and their
  indices.
  @throws std::logic_error if a number is less than three, an index is out of
  range, the list ends early, or a position is not finite or farther than 1e50
  m. */
  PolygonSurfaceMesh(std::vector<int> face_data,
                     std::vector<Vector3<T>> vertices);
  /** Replaces all, as the constructor would, and reuses the storage. */
  void Assign(const std::vector<int>& face_data,
              const std::vector<Vector3<T>>& vertices);

  /** Number of vertices. */
  int num_vertices() const { return static_cast<int>(vertices_.size()); }
  /** Number of faces. */
  int num_faces() const { return static_cast<int>(begin_.size()); }
  /** Does num_faces(). */
  int num_elements() const { return num_faces(); }
  /** Position p_MV of vertex v. */
  const Vector3<T>& vertex(int v) const {
    return vertices_[internal::CheckedIndex("PolygonSurfaceMesh: vertex", v,
                                            vertices_.size())];
  }
  /** p_MV of all vertices, [m]. */
  const std::vector<Vector3<T>>& vertices() const { return vertices_; }
  /** A face. */
  SurfacePolygon element(int f) const {
    return SurfacePolygon(&face_data_[begin_[RequireFace(f)]]);
  }
  /** The list of faces, as in the constructor. */
  const std::vector<int>& face_data() const { return face_data_; }
  /** Area of face f, m². */
  const T& area(int f) const { return areas_[RequireFace(f)]; }
  /** Area of all faces, [m²]. */
  const T& total_area() const { return total_area_; }
  /** Unit, outward; zero for a face without area. */
  const Vector3<T>& face_normal(int f) const {
    return normals_[RequireFace(f)];
  }
  /** Returns the centroid of the area of a face, or of the whole surface. */
  const Vector3<T>& element_centroid(int f) const {
    return centroids_[RequireFace(f)];
  }
  /** Centroid of the whole surface's area, p_MC, [m]. */
  const Vector3<T>& centroid() const { return centroid_; }
  /** The volume enclosed, m³, if the surface is closed. */
  T CalcVolume() const;
  /** The box along the axes of M that just holds all vertices: its centre and
  its size.
  @throws std::logic_error if there are no vertices. */
  std::pair<Vector3<T>, Vector3<T>> CalcBoundingBox() const;

  /** Moves the mesh to another frame: p_NV = X_NM * p_MV.
  @throws std::logic_error if a position is then not finite. */
  void TransformVertices(const math::RigidTransform<T>& X_NM);
  /** Turns all faces over. */
  void ReverseFaceWinding();
  /** Returns true if both have the same faces in the same order, and the same
  positions. */
  bool Equal(const PolygonSurfaceMesh<T>& mesh) const;

 private:
  std::size_t RequireFace(int f) const {
    return internal::CheckedIndex("PolygonSurfaceMesh: face", f, begin_.size());
  }
  void MeasureAll();
  void Measure(int f);

  std::vector<int> face_data_;
  std::vector<int> begin_;  // Of each face in face_data_.
  std::vector<Vector3<T>> vertices_;
  std::vector<T> areas_;
  std::vector<Vector3<T>> normals_;
  std::vector<Vector3<T>> centroids_;
  T total_area_{0};
  Vector3<T> centroid_{Vector3<T>::Zero()};
};

}  // namespace wyvern::geometry
