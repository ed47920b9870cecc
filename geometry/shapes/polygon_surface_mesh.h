#pragma once

#include <utility>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry {

/** One face of a PolygonSurfaceMesh: the indices of its vertices. */
class SurfacePolygon {
 public:
  int num_vertices() const { return data_[0]; }
  int vertex(int i) const { return data_[1 + i]; }

 private:
  template <class T>
  friend class PolygonSurfaceMesh;
  explicit SurfacePolygon(const int* data) : data_(data) {}
  const int* data_;  // Count, then indices.
};

/** A surface of flat, convex polygons, whose vertices run counter-clockwise
seen from outside. Lengths in meter.

@tparam T double or AutoDiffXd. */
template <class T>
class PolygonSurfaceMesh {
 public:
  PolygonSurfaceMesh() = default;
  /** `face_data` lists, face after face, the number of vertices and their
  indices.
  @throws std::logic_error if a number is less than three, an index is out of
  range, or the list ends early. */
  PolygonSurfaceMesh(std::vector<int> face_data,
                     std::vector<Vector3<T>> vertices);

  int num_vertices() const { return static_cast<int>(vertices_.size()); }
  int num_faces() const { return static_cast<int>(begin_.size()); }
  int num_elements() const { return num_faces(); }
  const Vector3<T>& vertex(int v) const { return vertices_[v]; }
  const std::vector<Vector3<T>>& vertices() const { return vertices_; }
  SurfacePolygon element(int f) const {
    return SurfacePolygon(&face_data_[begin_[f]]);
  }
  const std::vector<int>& face_data() const { return face_data_; }
  /** m². */
  const T& area(int f) const { return areas_[f]; }
  const T& total_area() const { return total_area_; }
  /** Unit, outward; zero for a face without area. */
  const Vector3<T>& face_normal(int f) const { return normals_[f]; }
  /** Of the area of a face, and of the whole surface. */
  const Vector3<T>& element_centroid(int f) const { return centroids_[f]; }
  const Vector3<T>& centroid() const { return centroid_; }
  /** The volume enclosed, m³, if the surface is closed. */
  T CalcVolume() const;

 private:
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
