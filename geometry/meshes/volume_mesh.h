#pragma once

#include <array>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/mesh_checks.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry {

/** One tetrahedron of a VolumeMesh: the indices of its vertices. The right-hand
normal of the first three points to the fourth. */
class VolumeElement {
 public:
  /** Takes the indices of four vertices. */
  VolumeElement(int v0, int v1, int v2, int v3) : vertex_{v0, v1, v2, v3} {}
  /** Overload for an array of four indices. */
  explicit VolumeElement(const int v[4]) : vertex_{v[0], v[1], v[2], v[3]} {}

  /** Number of vertices, 4. */
  int num_vertices() const { return 4; }
  /** Returns the index of vertex i in the mesh.
  @throws std::out_of_range unless 0 <= i < 4. */
  int vertex(int i) const {
    return vertex_[internal::CheckedIndex("VolumeElement: vertex", i, 4)];
  }
  bool operator==(const VolumeElement&) const = default;

 private:
  std::array<int, 4> vertex_;
};

/** A volume of tetrahedra, in a frame M. Lengths in meter. Every tetrahedron
has a volume, which is positive; so gradients are finite. An index of no
element or vertex throws std::out_of_range.

@tparam T double or AutoDiffXd. */
template <class T>
class VolumeMesh {
 public:
  /** The scalar type of the vertices. */
  using ScalarType = T;
  /** Number of vertices of an element. */
  static constexpr int kVertexPerElement = 4;
  /** The barycentric coordinates of a point: its shares of the vertices. */
  template <typename U = T>
  using Barycentric = Vector<U, kVertexPerElement>;

  /** Takes the tetrahedra, each four indexes of vertices, and the vertices, in
  metres.
  @throws std::logic_error naming the element or the vertex if there are no
  elements, an index is out of range or twice in an element, a position is not
  finite or farther than 1e50 m, or an element is flat or inside out. */
  VolumeMesh(std::vector<VolumeElement> elements,
             std::vector<Vector3<T>> vertices);

  /** Number of vertices. */
  int num_vertices() const { return static_cast<int>(vertices_.size()); }
  /** Number of tetrahedra. */
  int num_elements() const { return static_cast<int>(elements_.size()); }
  /** A tetrahedron. */
  const VolumeElement& element(int e) const {
    return elements_[RequireTetrahedron(e)];
  }
  /** All tetrahedra. */
  const std::vector<VolumeElement>& tetrahedra() const { return elements_; }
  /** Position p_MV of vertex v. */
  const Vector3<T>& vertex(int v) const {
    return vertices_[internal::CheckedIndex("VolumeMesh: vertex", v,
                                            vertices_.size())];
  }
  /** p_MV of all vertices, [m]. */
  const std::vector<Vector3<T>>& vertices() const { return vertices_; }

  /** Unit, into element e, of its face opposite to its vertex f.
  @throws std::out_of_range unless 0 <= f < 4. */
  Vector3<T> inward_normal(int e, int f) const;
  /** From vertex a to vertex b of element e, each 0 to 3, in M. */
  Vector3<T> edge_vector(int e, int a, int b) const {
    return corner(e, b) - corner(e, a);
  }
  /** Volume of tetrahedron e, m³. */
  T CalcTetrahedronVolume(int e) const;
  /** Volume of all tetrahedra, m³. */
  T CalcVolume() const;

  /** Moves the mesh to another frame: p_NV = X_NM * p_MV.
  @throws std::logic_error if a position is then not finite. */
  void TransformVertices(const math::RigidTransform<T>& X_NM);
  /** Returns true if both have the same elements in the same order, and each
  pair of vertices lies within the tolerance, [m]. */
  bool Equal(const VolumeMesh<T>& mesh, double vertex_tolerance = 0) const;

  /** Returns the barycentric coordinates of point Q, inside element e or not;
  they add up to 1. */
  template <typename C>
  Vector4<internal::Promoted<T, C>> CalcBarycentric(const Vector3<C>& p_MQ,
                                                    int e) const {
    using U = internal::Promoted<T, C>;
    const Matrix3<T>& grad = gradients_[RequireTetrahedron(e)];
    const Vector3<U> b = grad * (p_MQ - corner(e, 0));
    return {1.0 - b[0] - b[1] - b[2], b[0], b[1], b[2]};
  }
  /** The gradient, in M, of the linear field with these values at the vertices
  of element e. */
  template <typename FieldValue>
  Vector3<internal::Promoted<T, FieldValue>> CalcGradientVectorOfLinearField(
      const std::array<FieldValue, 4>& field_value, int e) const {
    using U = internal::Promoted<T, FieldValue>;
    const Matrix3<T>& grad = gradients_[RequireTetrahedron(e)];
    Vector3<U> sum = Vector3<U>::Zero();
    for (int i = 0; i < 3; ++i) {
      sum += (field_value[i + 1] - field_value[0]) * grad.row(i).transpose();
    }
    return sum;
  }

 private:
  std::size_t RequireTetrahedron(int e) const {
    return internal::CheckedIndex("VolumeMesh: element", e, elements_.size());
  }
  const Vector3<T>& corner(int e, int i) const {
    return vertices_[element(e).vertex(i)];
  }
  Matrix3<T> CalcGradients(int e) const;

  std::vector<VolumeElement> elements_;
  std::vector<Vector3<T>> vertices_;
  // Gradients of each element: row i is the gradient of the barycentric
  // coordinate of vertex i + 1.
  std::vector<Matrix3<T>> gradients_;
};

}  // namespace wyvern::geometry
