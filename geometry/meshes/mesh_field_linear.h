#pragma once

#include <memory>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"
#include "wyvern/geometry/shapes/mesh_checks.h"
#include "wyvern/geometry/shapes/polygon_surface_mesh.h"

namespace wyvern::geometry {

namespace internal {
/** How many barycentric coordinates points on an element have; 0 if none. */
template <class MeshType>
inline constexpr int kNumBarycentric = 0;
template <class MeshType>
requires requires { MeshType::kVertexPerElement; }
inline constexpr int kNumBarycentric<MeshType> = MeshType::kVertexPerElement;
}  // namespace internal

/** Treatment of gradients when a field is constructed. */
enum class MeshGradientMode {
  /** None are calculated. */
  kNone,
  /** All are calculated; an element that has none is an error. */
  kOkOrThrow,
  /** All are calculated; an element that has none marks the field as
  degenerate, and then it has none at all. */
  kOkOrMarkDegenerate,
};

/** A scalar field that is linear on each element of a mesh and continuous
across them, by its values at the vertices. The mesh is not owned and must
outlive the field.

@tparam T the scalar of the values: that of the mesh, double or AutoDiffXd.
@tparam MeshType TriangleSurfaceMesh, PolygonSurfaceMesh or VolumeMesh of T. */
template <class T, class MeshType>
class MeshFieldLinear {
 public:
  /** One value a vertex. On a polygon with more than three vertices they are to
  be those of a linear function.
  @throws std::logic_error if the mesh is null, or the values are not as many
  as its vertices or not finite.
  @throws std::runtime_error naming the element if its gradient is not finite,
  as on one without area, and `mode` says so. */
  MeshFieldLinear(std::vector<T> values, const MeshType* mesh,
                  MeshGradientMode mode = MeshGradientMode::kOkOrThrow);
  /** With known gradients, one an element, expressed in M.
  @throws std::logic_error as the other, also of the gradients. */
  MeshFieldLinear(std::vector<T> values, const MeshType* mesh,
                  std::vector<Vector3<T>> gradients);
  /** Replaces all but the mesh, which is to be as it should be, and reuses the
  storage. */
  void Assign(const std::vector<T>& values,
              const std::vector<Vector3<T>>& gradients);

  /** The mesh that the field is on. */
  const MeshType& mesh() const { return *mesh_; }
  /** The values at the vertices, by vertex. */
  const std::vector<T>& values() const { return values_; }
  /** True if gradients were asked for and an element has none. */
  bool is_gradient_field_degenerate() const { return is_degenerate_; }

  /** The value at a vertex.
  @throws std::out_of_range if there is no such vertex. */
  const T& EvaluateAtVertex(int v) const {
    return values_[internal::CheckedIndex("MeshFieldLinear: vertex", v,
                                          values_.size())];
  }
  /** By the barycentric coordinates of the point on element e. Polygons have
  none: there is EvaluateCartesian(). */
  template <typename B, int n>
  internal::Promoted<T, B> Evaluate(int e, const Vector<B, n>& b) const
      requires(internal::kNumBarycentric<MeshType> == n) {
    internal::Promoted<T, B> sum(0);
    const auto& element = mesh_->element(e);
    for (int i = 0; i < n; ++i) sum += b[i] * values_[element.vertex(i)];
    return sum;
  }
  /** At Q, which for a surface is taken in the plane of element e: the linear
  function of e, in or out of it. Without gradients, by way of barycentric
  coordinates.
  @throws std::runtime_error if element e has neither. */
  template <typename C>
  internal::Promoted<T, C> EvaluateCartesian(int e,
                                             const Vector3<C>& p_MQ) const {
    if constexpr (internal::kNumBarycentric < MeshType >> 0) {
      if (gradients_.empty())
        return Evaluate(e, mesh_->CalcBarycentric(p_MQ, e));
    }
    const Vector3<T>& gradient = EvaluateGradient(e);
    const int v = mesh_->element(e).vertex(0);
    return values_[v] + gradient.dot(p_MQ - mesh_->vertices()[v]);
  }
  /** At the origin of M, by the linear function of element e. */
  T EvaluateAtMo(int e) const {
    return EvaluateCartesian(e, Vector3<double>(Vector3<double>::Zero()));
  }
  /** Expressed in M, per meter; on a surface, in the plane of element e.
  @throws std::runtime_error if gradients were not asked for, or the field is
  degenerate. */
  const Vector3<T>& EvaluateGradient(int e) const {
    if (gradients_.empty()) ThrowNoGradients();
    return gradients_[internal::CheckedIndex("MeshFieldLinear: element", e,
                                             gradients_.size())];
  }

  /** Turns the gradients to go with TransformVertices(X_NM) of the mesh. */
  void Transform(const math::RigidTransform<T>& X_NM);
  /** Returns this field on another mesh, which must be a copy of this one's.
  @throws std::logic_error if it is null or of another size. */
  std::unique_ptr<MeshFieldLinear> CloneAndSetMesh(
      const MeshType* new_mesh) const;
  /** Returns true if the values are the same and the meshes equal. */
  bool Equal(const MeshFieldLinear& field) const;

 private:
  void RequireValues() const;
  void RequireGradients() const;
  void CalcGradients(MeshGradientMode mode);
  [[noreturn]] void ThrowNoGradients() const;

  std::vector<T> values_;
  const MeshType* mesh_;
  std::vector<Vector3<T>> gradients_;
  bool is_degenerate_{false};
};

/** @tparam FieldValue the scalar of the field's values, that of the mesh. */
template <typename FieldValue, typename T>
using TriangleSurfaceMeshFieldLinear =
    MeshFieldLinear<FieldValue, TriangleSurfaceMesh<T>>;
/** A field on a surface of polygons. */
template <typename FieldValue, typename T>
using PolygonSurfaceMeshFieldLinear =
    MeshFieldLinear<FieldValue, PolygonSurfaceMesh<T>>;
/** A field on a volume mesh of tetrahedra. */
template <typename FieldValue, typename T>
using VolumeMeshFieldLinear = MeshFieldLinear<FieldValue, VolumeMesh<T>>;

}  // namespace wyvern::geometry
