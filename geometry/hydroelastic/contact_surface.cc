#include "wyvern/geometry/hydroelastic/contact_surface.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

/* A contact surface holds triangles or polygons, of which the other kind is
null. Pressure is linear on each face, so its gradient in the face's plane
follows from the values at the corners: by the divergence theorem, the integral
of grad p over a polygon of area A is the integral of p n_s over its sides,
where n_s is the outward normal of a side in the plane. The geometry with the
smaller identifier is M; a surface that is given the other way is turned over.
*/

namespace wyvern::geometry {
namespace {

// Returns the gradient of a linear pressure in the plane of a polygon of area
// A and normal n. The integral of grad p over the polygon is that of p along
// its boundary, times the outward normals of its sides.
template <typename T, typename Mesh>
Vector3<T> CalcGradient(const Mesh& mesh, const std::vector<T>& pressures,
                        int face) {
  const auto element = mesh.element(face);
  const int num_corners = element.num_vertices();
  Vector3<T> sum = Vector3<T>::Zero();
  for (int i = 0; i < num_corners; ++i) {
    const int v = element.vertex(i), w = element.vertex((i + 1) % num_corners);
    sum += (0.5 * (pressures[v] + pressures[w])) *
           (mesh.vertex(w) - mesh.vertex(v));
  }
  return sum.cross(mesh.face_normal(face)) / mesh.area(face);
}

// Appends the patches of all faces. Faces with more corners than a polygon may
// have become several that share their first corner.
template <typename T, typename Mesh>
void AddPatches(const Mesh& mesh, const std::vector<T>& pressures,
                std::vector<internal::PressurePatch<T>>* patches) {
  internal::ClippedPolygon<T> polygon;
  internal::PressedPolygon<T> pressed;
  for (int f = 0; f < mesh.num_elements(); ++f) {
    if (!(mesh.area(f) >= internal::kLeastFaceArea)) continue;
    const auto element = mesh.element(f);
    const Vector3<T> gradient = CalcGradient<T>(mesh, pressures, f);
    const int num_corners = element.num_vertices();
    constexpr int kMost = internal::ClippedPolygon<T>::kMaxCorners;
    for (int first = 1; first + 1 < num_corners; first += kMost - 2) {
      polygon.Clear();
      polygon.Add(mesh.vertex(element.vertex(0)));
      const int end = std::min(first + kMost - 1, num_corners);
      for (int i = first; i < end; ++i) {
        polygon.Add(mesh.vertex(element.vertex(i)));
      }
      const Vector3<double> origin = math::internal::ValuesOf(polygon.p(0));
      const T pressure =
          pressures[element.vertex(0)] +
          gradient.dot(Vector3<T>(origin.template cast<T>() - polygon.p(0)));
      pressed.Set(polygon, mesh.face_normal(f), origin, pressure, gradient);
      pressed.AddPatches(f, {}, 1, patches);
    }
  }
}

}  // namespace

template <typename T>
ContactSurface<T>::ContactSurface(
    GeometryId id_M, GeometryId id_N,
    std::unique_ptr<TriangleSurfaceMesh<T>> mesh_W,
    std::unique_ptr<TriangleField> e_MN, std::unique_ptr<Gradients> grad_eM_W,
    std::unique_ptr<Gradients> grad_eN_W)
    : id_M_(id_M),
      id_N_(id_N),
      tri_mesh_W_(std::move(mesh_W)),
      tri_e_MN_(std::move(e_MN)),
      grad_eM_W_(std::move(grad_eM_W)),
      grad_eN_W_(std::move(grad_eN_W)) {
  RequireMeshAndPressure(
      tri_mesh_W_ != nullptr,
      tri_e_MN_ != nullptr && &tri_e_MN_->mesh() == tri_mesh_W_.get());
}

template <typename T>
ContactSurface<T>::ContactSurface(GeometryId id_M, GeometryId id_N,
                                  std::unique_ptr<PolygonSurfaceMesh<T>> mesh_W,
                                  std::unique_ptr<PolygonField> e_MN,
                                  std::unique_ptr<Gradients> grad_eM_W,
                                  std::unique_ptr<Gradients> grad_eN_W)
    : id_M_(id_M),
      id_N_(id_N),
      poly_mesh_W_(std::move(mesh_W)),
      poly_e_MN_(std::move(e_MN)),
      grad_eM_W_(std::move(grad_eM_W)),
      grad_eN_W_(std::move(grad_eN_W)) {
  RequireMeshAndPressure(
      poly_mesh_W_ != nullptr,
      poly_e_MN_ != nullptr && &poly_e_MN_->mesh() == poly_mesh_W_.get());
}

template <typename T>
void ContactSurface<T>::RequireMeshAndPressure(bool has_mesh,
                                               bool is_field_of_mesh) {
  if (!has_mesh || !is_field_of_mesh) {
    throw std::logic_error(fmt::format(
        "ContactSurface: was given {} for geometries {} and {}; give a mesh, "
        "and a pressure on it.",
        has_mesh ? "no pressure on its mesh" : "no mesh", id_M_, id_N_));
  }
  if (!id_M_.is_valid() || !id_N_.is_valid() || id_M_ == id_N_) {
    throw std::logic_error(
        "ContactSurface: the two geometries are to have valid ids that "
        "differ.");
  }
  for (const Gradients* gradients : {grad_eM_W_.get(), grad_eN_W_.get()}) {
    if (gradients == nullptr ||
        static_cast<int>(gradients->size()) == num_faces()) {
      continue;
    }
    throw std::logic_error(
        fmt::format("ContactSurface: {} gradients were given for {} faces; "
                    "give one a face, or null.",
                    gradients->size(), num_faces()));
  }
  if (id_N_ < id_M_) {
    std::swap(id_M_, id_N_);
    std::swap(grad_eM_W_, grad_eN_W_);
    if (is_triangle()) {
      tri_mesh_W_->ReverseFaceWinding();
    } else {
      poly_mesh_W_->ReverseFaceWinding();
    }
  }
  if (is_triangle()) {
    AddPatches(*tri_mesh_W_, tri_e_MN_->values(), &patches_);
  } else {
    AddPatches(*poly_mesh_W_, poly_e_MN_->values(), &patches_);
  }
}

template <typename T>
ContactSurface<T>::ContactSurface(const ContactSurface& other) {
  *this = other;
}

template <typename T>
ContactSurface<T>& ContactSurface<T>::operator=(const ContactSurface& other) {
  if (this == &other) return *this;
  const auto copy = [](const auto& pointer) {
    using V = typename std::remove_cvref_t<decltype(pointer)>::element_type;
    return pointer ? std::make_unique<V>(*pointer) : nullptr;
  };
  id_M_ = other.id_M_;
  id_N_ = other.id_N_;
  tri_mesh_W_ = copy(other.tri_mesh_W_);
  poly_mesh_W_ = copy(other.poly_mesh_W_);
  grad_eM_W_ = copy(other.grad_eM_W_);
  grad_eN_W_ = copy(other.grad_eN_W_);
  patches_ = other.patches_;
  tri_e_MN_ = nullptr;
  poly_e_MN_ = nullptr;
  if (tri_mesh_W_) {
    tri_e_MN_ = other.tri_e_MN_->CloneAndSetMesh(tri_mesh_W_.get());
  }
  if (poly_mesh_W_) {
    poly_e_MN_ = other.poly_e_MN_->CloneAndSetMesh(poly_mesh_W_.get());
  }
  return *this;
}

template <typename T>
void ContactSurface<T>::RequireRepresentation(bool triangle) const {
  if (is_triangle() == triangle) return;
  throw std::logic_error(fmt::format(
      "ContactSurface: the surface of geometries {} and {} is made of {}; use "
      "{}_mesh_W() and {}_e_MN(), or ask for the other representation.",
      id_M_, id_N_, triangle ? "polygons" : "triangles",
      triangle ? "poly" : "tri", triangle ? "poly" : "tri"));
}

template <typename T>
const Vector3<T>& ContactSurface<T>::EvaluateGradient(
    char geometry, const Gradients* gradients, int index) const {
  if (gradients == nullptr) {
    throw std::runtime_error(fmt::format(
        "ContactSurface: there are no gradients of the pressure of geometry "
        "{} (id {}), which is rigid; ask HasGradE_{}() first.",
        geometry, geometry == 'M' ? id_M_ : id_N_, geometry));
  }
  return (*gradients)[internal::CheckedIndex("ContactSurface: face", index,
                                             gradients->size())];
}

template <typename T>
bool ContactSurface<T>::Equal(const ContactSurface<T>& surface) const {
  const auto same = [](const std::unique_ptr<Gradients>& a,
                       const std::unique_ptr<Gradients>& b) {
    return a && b ? internal::AreNear(*a, *b, 0) : !a && !b;
  };
  if (!(id_M_ == surface.id_M_ && id_N_ == surface.id_N_ &&
        is_triangle() == surface.is_triangle() &&
        same(grad_eM_W_, surface.grad_eM_W_) &&
        same(grad_eN_W_, surface.grad_eN_W_))) {
    return false;
  }
  return is_triangle() ? tri_e_MN_->Equal(*surface.tri_e_MN_)
                       : poly_e_MN_->Equal(*surface.poly_e_MN_);
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ContactSurface);

}  // namespace wyvern::geometry
