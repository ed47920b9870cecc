#include "wyvern/geometry/meshes/mesh_field_linear.h"

#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* A field is its values; what is calculated is one gradient an element, once.
A value at a point is then that of the element's first vertex plus the
gradient along the way from there, which loses no digits far from the origin. */

namespace wyvern::geometry {
namespace {

template <class T>
std::optional<Vector3<T>> MaybeCalcGradient(const VolumeMesh<T>& mesh,
                                            const std::vector<T>& f, int e) {
  const VolumeElement& tet = mesh.element(e);
  const std::array<T, 4> values = {f[tet.vertex(0)], f[tet.vertex(1)],
                                   f[tet.vertex(2)], f[tet.vertex(3)]};
  return mesh.CalcGradientVectorOfLinearField(values, e);
}

template <class T>
std::optional<Vector3<T>> MaybeCalcGradient(const TriangleSurfaceMesh<T>& mesh,
                                            const std::vector<T>& f, int e) {
  const SurfaceTriangle& t = mesh.element(e);
  const std::array<T, 3> values = {f[t.vertex(0)], f[t.vertex(1)],
                                   f[t.vertex(2)]};
  return mesh.MaybeCalcGradientVectorOfLinearField(values, e);
}

// By the divergence theorem in the plane of the polygon: the integral of grad f
// over the area A is that of f m around the rim, with m across the rim and
// outward. Along a side s, m |s| = s x n, and f is its mean of the ends:
// grad f = 1/A sum of (f_i + f_j) / 2 (s_ij x n). All vertices have their say,
// so that it does not matter if three of them lie on a line.
template <class T>
std::optional<Vector3<T>> MaybeCalcGradient(const PolygonSurfaceMesh<T>& mesh,
                                            const std::vector<T>& f, int e) {
  const SurfacePolygon polygon = mesh.element(e);
  const int n = polygon.num_vertices();
  const int first = polygon.vertex(0);
  if (!(mesh.area(e) > 0)) return {};
  Vector3<T> sum = Vector3<T>::Zero();
  for (int k = 0; k < n; ++k) {
    const int i = polygon.vertex(k), j = polygon.vertex((k + 1) % n);
    // Above that of the first vertex, so that a constant has no gradient.
    const T mean = (f[i] + f[j]) / 2.0 - f[first];
    sum += mean * (mesh.vertex(j) - mesh.vertex(i));
  }
  return Vector3<T>(sum.cross(mesh.face_normal(e)) / mesh.area(e));
}

}  // namespace

template <class T, class MeshType>
MeshFieldLinear<T, MeshType>::MeshFieldLinear(std::vector<T> values,
                                              const MeshType* mesh,
                                              MeshGradientMode mode)
    : values_(std::move(values)), mesh_(mesh) {
  RequireValues();
  if (mode != MeshGradientMode::kNone) CalcGradients(mode);
}

template <class T, class MeshType>
MeshFieldLinear<T, MeshType>::MeshFieldLinear(std::vector<T> values,
                                              const MeshType* mesh,
                                              std::vector<Vector3<T>> gradients)
    : values_(std::move(values)),
      mesh_(mesh),
      gradients_(std::move(gradients)) {
  RequireValues();
  RequireGradients();
}

template <class T, class MeshType>
void MeshFieldLinear<T, MeshType>::Assign(
    const std::vector<T>& values, const std::vector<Vector3<T>>& gradients) {
  values_ = values;
  gradients_ = gradients;
  is_degenerate_ = false;
  RequireValues();
  RequireGradients();
}

template <class T, class MeshType>
void MeshFieldLinear<T, MeshType>::RequireGradients() const {
  const std::size_t wanted = mesh_->num_elements();
  if (gradients_.size() != wanted) {
    throw std::logic_error(
        fmt::format("MeshFieldLinear: {} gradients were given for {} elements; "
                    "give one an element.",
                    gradients_.size(), wanted));
  }
  for (std::size_t e = 0; e < wanted; ++e) {
    if (!math::internal::ValuesOf(gradients_[e]).allFinite()) {
      throw std::logic_error(fmt::format(
          "MeshFieldLinear: the gradient of element {} is not finite.", e));
    }
  }
}

template <class T, class MeshType>
void MeshFieldLinear<T, MeshType>::RequireValues() const {
  wyvern::internal::RequireNotNull("MeshFieldLinear", "the mesh", mesh_,
                                   "give one");
  if (static_cast<int>(values_.size()) != mesh_->num_vertices()) {
    throw std::logic_error(
        fmt::format("MeshFieldLinear: {} values were given for {} vertices; "
                    "give one a vertex.",
                    values_.size(), mesh_->num_vertices()));
  }
  for (std::size_t v = 0; v < values_.size(); ++v) {
    const double value = math::internal::ValueOf(values_[v]);
    if (!std::isfinite(value)) {
      throw std::logic_error(fmt::format(
          "MeshFieldLinear: the value at vertex {} is {}; values must be "
          "finite.",
          v, value));
    }
  }
}

template <class T, class MeshType>
void MeshFieldLinear<T, MeshType>::CalcGradients(MeshGradientMode mode) {
  gradients_.reserve(mesh_->num_elements());
  for (int e = 0; e < mesh_->num_elements(); ++e) {
    const auto gradient = MaybeCalcGradient(*mesh_, values_, e);
    if (gradient && math::internal::ValuesOf(*gradient).allFinite()) {
      gradients_.push_back(*gradient);
      continue;
    }
    if (mode == MeshGradientMode::kOkOrThrow) {
      throw std::runtime_error(fmt::format(
          "MeshFieldLinear: element {} is too flat to have a gradient; leave "
          "it out, or pass MeshGradientMode::kOkOrMarkDegenerate.",
          e));
    }
    gradients_.clear();
    is_degenerate_ = true;
    return;
  }
}

template <class T, class MeshType>
void MeshFieldLinear<T, MeshType>::ThrowNoGradients() const {
  throw std::runtime_error(
      is_degenerate_
          ? "MeshFieldLinear: the field has no gradients, as an element of its "
            "mesh is too flat to have one."
          : "MeshFieldLinear: the field was made without gradients; pass "
            "MeshGradientMode::kOkOrThrow.");
}

template <class T, class MeshType>
void MeshFieldLinear<T, MeshType>::Transform(
    const math::RigidTransform<T>& X_NM) {
  for (Vector3<T>& g : gradients_) g = X_NM.rotation() * g;
}

template <class T, class MeshType>
std::unique_ptr<MeshFieldLinear<T, MeshType>>
MeshFieldLinear<T, MeshType>::CloneAndSetMesh(const MeshType* new_mesh) const {
  if (new_mesh == nullptr ||
      new_mesh->num_vertices() != mesh_->num_vertices() ||
      new_mesh->num_elements() != mesh_->num_elements()) {
    throw std::logic_error(fmt::format(
        "MeshFieldLinear::CloneAndSetMesh(): the new mesh is {}; give a copy "
        "of the mesh, with {} vertices and {} elements.",
        new_mesh == nullptr ? "null" : "of another size", mesh_->num_vertices(),
        mesh_->num_elements()));
  }
  auto result = std::make_unique<MeshFieldLinear>(*this);
  result->mesh_ = new_mesh;
  return result;
}

template <class T, class MeshType>
bool MeshFieldLinear<T, MeshType>::Equal(const MeshFieldLinear& field) const {
  return mesh_->Equal(*field.mesh_) && values_ == field.values_;
}

#define WYVERN_INSTANTIATE(T)                                \
  template class MeshFieldLinear<T, TriangleSurfaceMesh<T>>; \
  template class MeshFieldLinear<T, PolygonSurfaceMesh<T>>;  \
  template class MeshFieldLinear<T, VolumeMesh<T>>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry
