#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/mesh_checks.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry {

/** One triangle of a TriangleSurfaceMesh: the indices of its vertices,
counter-clockwise seen from where its normal points. */
class SurfaceTriangle {
 public:
  /** Takes the indices of three vertices. */
  SurfaceTriangle(int v0, int v1, int v2) : vertex_{v0, v1, v2} {}
  /** Overload for an array of three indices. */
  explicit SurfaceTriangle(const int v[3]) : vertex_{v[0], v[1], v[2]} {}

  /** Number of vertices, 3. */
  int num_vertices() const { return 3; }
  /** Returns the index of vertex i in the mesh.
  @throws std::out_of_range unless i is 0, 1 or 2. */
  int vertex(int i) const {
    return vertex_[internal::CheckedIndex("SurfaceTriangle: vertex", i, 3)];
  }
  /** Turns the triangle over: the normal points the other way. */
  void ReverseWinding() { std::swap(vertex_[0], vertex_[1]); }
  bool operator==(const SurfaceTriangle&) const = default;

 private:
  std::array<int, 3> vertex_;
};

/** A surface of triangles, in a frame M. Lengths in meter.

A triangle without area is allowed: its normal is zero, and what has no meaning
on it (barycentric coordinates, gradients) throws std::runtime_error naming it.
An index of no triangle or vertex throws std::out_of_range.

@tparam T double or AutoDiffXd. */
template <class T>
class TriangleSurfaceMesh {
 public:
  /** The scalar type of the vertices. */
  using ScalarType = T;
  /** Number of vertices of an element. */
  static constexpr int kVertexPerElement = 3;
  /** The barycentric coordinates of a point: its shares of the vertices. */
  template <typename U = T>
  using Barycentric = Vector<U, kVertexPerElement>;

  /** Takes the triangles, each three indexes of vertices, and the vertices, in
  metres.
  @throws std::logic_error naming the triangle or the vertex if there are no
  triangles, an index is out of range or twice in a triangle, or a position is
  not finite or farther than 1e50 m. */
  TriangleSurfaceMesh(std::vector<SurfaceTriangle> triangles,
                      std::vector<Vector3<T>> vertices);
  /** Replaces all, as the constructor would, and reuses the storage. */
  void Assign(const std::vector<SurfaceTriangle>& triangles,
              const std::vector<Vector3<T>>& vertices);

  /** Number of vertices. */
  int num_vertices() const { return static_cast<int>(vertices_.size()); }
  /** Number of triangles. */
  int num_triangles() const { return static_cast<int>(triangles_.size()); }
  /** Does num_triangles(). */
  int num_elements() const { return num_triangles(); }
  /** A triangle. */
  const SurfaceTriangle& element(int e) const {
    return triangles_[RequireTriangle(e)];
  }
  /** All triangles. */
  const std::vector<SurfaceTriangle>& triangles() const { return triangles_; }
  /** Position p_MV of vertex v. */
  const Vector3<T>& vertex(int v) const {
    return vertices_[internal::CheckedIndex("TriangleSurfaceMesh: vertex", v,
                                            vertices_.size())];
  }
  /** p_MV of all vertices, [m]. */
  const std::vector<Vector3<T>>& vertices() const { return vertices_; }

  /** Area of triangle t, m². */
  const T& area(int t) const { return areas_[RequireTriangle(t)]; }
  /** Area of all triangles, m². */
  const T& total_area() const { return total_area_; }
  /** Unit, by the right-hand rule; zero for a triangle without area. */
  const Vector3<T>& face_normal(int t) const {
    return normals_[RequireTriangle(t)];
  }
  /** Centroid of a triangle, p_MC, [m]. */
  Vector3<T> element_centroid(int t) const;
  /** Returns the centroid of the surface's area; zero for a surface without
  area. */
  const Vector3<T>& centroid() const { return centroid_; }
  /** The box along the axes of M that just holds all vertices: its centre and
  its size. */
  std::pair<Vector3<T>, Vector3<T>> CalcBoundingBox() const;

  /** Moves the mesh to another frame: p_NV = X_NM * p_MV.
  @throws std::logic_error if a position is then not finite. */
  void TransformVertices(const math::RigidTransform<T>& X_NM);
  /** Turns all triangles over. */
  void ReverseFaceWinding();
  /** Returns true if both have the same triangles in the same order, and the
  same positions. */
  bool Equal(const TriangleSurfaceMesh<T>& mesh) const;

  /** The point with these barycentric coordinates. */
  template <typename B>
  Vector3<internal::Promoted<T, B>> CalcCartesianFromBarycentric(
      int element_index, const Vector3<B>& b_Q) const;
  /** Returns the barycentric coordinates of the point nearest to Q in the plane
  of triangle t; they add up to 1.
  @throws std::runtime_error if the triangle has no area. */
  template <typename C>
  Vector3<internal::Promoted<T, C>> CalcBarycentric(const Vector3<C>& p_MQ,
                                                    int t) const;
  /** The gradient, in M and in the plane of triangle t, of the linear field
  with these values at its vertices.
  @throws std::runtime_error if the triangle has no area. */
  template <typename FieldValue>
  Vector3<internal::Promoted<T, FieldValue>> CalcGradientVectorOfLinearField(
      const std::array<FieldValue, 3>& field_value, int t) const {
    const auto [grad_b1, grad_b2] = CalcGradBarycentric(t);
    return (field_value[1] - field_value[0]) * grad_b1 +
           (field_value[2] - field_value[0]) * grad_b2;
  }
  /** Returns the gradient, or nothing for a triangle without area. */
  template <typename FieldValue>
  std::optional<Vector3<internal::Promoted<T, FieldValue>>>
  MaybeCalcGradientVectorOfLinearField(
      const std::array<FieldValue, 3>& field_value, int t) const {
    if (IsDegenerate(t)) return {};
    return CalcGradientVectorOfLinearField(field_value, t);
  }

 private:
  std::size_t RequireTriangle(int t) const {
    return internal::CheckedIndex("TriangleSurfaceMesh: triangle", t,
                                  triangles_.size());
  }
  const Vector3<T>& corner(int t, int i) const {
    return vertices_[element(t).vertex(i)];
  }
  void RequireVerticesAndTriangles() const;
  void Measure();
  // True if the area is no more than its own rounding.
  bool IsDegenerate(int t) const;
  // Gradients of the barycentric coordinates of vertices 1 and 2.
  std::pair<Vector3<T>, Vector3<T>> CalcGradBarycentric(int t) const;

  std::vector<SurfaceTriangle> triangles_;
  std::vector<Vector3<T>> vertices_;
  std::vector<T> areas_;
  std::vector<Vector3<T>> normals_;
  T total_area_{0};
  Vector3<T> centroid_;
};

template <class T>
template <typename B>
Vector3<internal::Promoted<T, B>>
TriangleSurfaceMesh<T>::CalcCartesianFromBarycentric(
    int element_index, const Vector3<B>& b_Q) const {
  return b_Q[0] * corner(element_index, 0) + b_Q[1] * corner(element_index, 1) +
         b_Q[2] * corner(element_index, 2);
}

template <class T>
template <typename C>
Vector3<internal::Promoted<T, C>> TriangleSurfaceMesh<T>::CalcBarycentric(
    const Vector3<C>& p_MQ, int t) const {
  using U = internal::Promoted<T, C>;
  const auto [grad_b1, grad_b2] = CalcGradBarycentric(t);
  const Vector3<U> p_V0Q = p_MQ - corner(t, 0);
  const U b1 = p_V0Q.dot(grad_b1);
  const U b2 = p_V0Q.dot(grad_b2);
  return {1.0 - b1 - b2, b1, b2};
}

}  // namespace wyvern::geometry
