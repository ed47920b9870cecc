#include "wyvern/geometry/hydroelastic/contact_surface_builder.h"

#include <utility>

#include "wyvern/systems/common/default_scalars.h"

/* Faces come one by one in a frame F and are kept in W, in arrays that are used
again by the next pair. Fill() copies them into a surface, also one of an
earlier step, whose memory stays. A surface's M is the geometry with the
smaller id: if that is B, corners go round the other way, and the gradients
of A and B change places.

Faces come one by one, in the frame in which they were found, and are kept in
flat arrays in the world. A finished surface is made of those: into the
storage of one that is no more needed, if the list has one. Neighbours do not
share vertices: each polygon brings its own. */

namespace wyvern::geometry {

template <typename T>
void ContactSurfaceList<T>::MoveTo(std::vector<ContactSurface<T>>* surfaces) {
  for (int i = 0; i < size_; ++i) surfaces->push_back(std::move(surfaces_[i]));
  surfaces_.clear();
  size_ = 0;
}

namespace internal {

template <typename T>
void ContactSurfaceBuilder<T>::Start(
    GeometryId id_A, GeometryId id_B,
    HydroelasticContactRepresentation representation,
    const math::RigidTransform<T>& X_WF, bool has_gradient_A,
    bool has_gradient_B) {
  id_A_ = id_A;
  id_B_ = id_B;
  is_triangle_ = representation == HydroelasticContactRepresentation::kTriangle;
  turn_over_ = id_B < id_A;
  has_gradient_A_ = has_gradient_A;
  has_gradient_B_ = has_gradient_B;
  X_WF_ = X_WF;
  vertices_.clear();
  pressures_.clear();
  face_data_.clear();
  triangles_.clear();
  patches_.clear();
  for (auto* gradients : {&gradients_, &gradients_A_, &gradients_B_}) {
    gradients->clear();
  }
}

template <typename T>
int ContactSurfaceBuilder<T>::AddVertex(const Vector3<T>& p_F,
                                        const T& pressure) {
  vertices_.push_back(X_WF_ * p_F);
  pressures_.push_back(pressure);
  return static_cast<int>(vertices_.size()) - 1;
}

template <typename T>
int ContactSurfaceBuilder<T>::AddTriangles(int num_corners,
                                           const Vector3<T>& area_F) {
  // Two corners coincide where a plane passes through a vertex, and all corners
  // of a needle lie on one line. Such a triangle has no normal.
  constexpr double kLeastShare = 1e-12;
  const Vector3<T> area =
      (turn_over_ ? -1.0 : 1.0) * (X_WF_.rotation() * area_F);
  const T least = 2 * kLeastShare * area.squaredNorm();
  const int middle = static_cast<int>(vertices_.size()) - 1;
  const int first = middle - num_corners;
  const int before = static_cast<int>(triangles_.size());
  for (int k = 0; k < num_corners; ++k) {
    const int i = first + k, j = first + (k + 1) % num_corners;
    const Vector3<T> twice = (vertices_[i] - vertices_[middle])
                                 .cross(vertices_[j] - vertices_[middle]);
    if (twice.dot(area) > least) triangles_.emplace_back(middle, i, j);
  }
  return static_cast<int>(triangles_.size()) - before;
}

template <typename T>
void ContactSurfaceBuilder<T>::AddFace(const ClippedPolygon<T>& polygon,
                                       const Vector3<T>& normal_F,
                                       const Vector3<double>& p_FQ,
                                       const T& pressure,
                                       const Vector3<T>& gradient_F,
                                       const Vector3<T>& gradient_A_F,
                                       const Vector3<T>& gradient_B_F) {
  const int n = polygon.size();
  if (n < 3) return;
  const Vector3<T> area = polygon.CalcAreaVector();
  const T size = area.dot(normal_F);
  if (!(size >= kLeastFaceArea)) return;

  if (!is_triangle_) face_data_.push_back(n);
  for (int k = 0; k < n; ++k) {
    const Vector3<T>& p_F = polygon.p(turn_over_ ? n - 1 - k : k);
    const int v = AddVertex(p_F, pressure + gradient_F.dot(p_F - p_FQ));
    if (!is_triangle_) face_data_.push_back(v);
  }
  int num_faces = 1;
  if (is_triangle_) {
    // The triangles share the centroid of the polygon's area as a vertex.
    const Vector3<T> centroid = polygon.CalcCentroid(normal_F, size);
    AddVertex(centroid, pressure + gradient_F.dot(centroid - p_FQ));
    num_faces = AddTriangles(n, area);
    if (num_faces == 0) return;
  }
  pressed_.Set(polygon, normal_F, p_FQ, pressure, gradient_F);
  pressed_.AddPatches(static_cast<int>(gradients_.size()), X_WF_,
                      turn_over_ ? -1 : 1, &patches_);
  const math::RotationMatrix<T>& R_WF = X_WF_.rotation();
  const Vector3<T> in_plane =
      R_WF * Vector3<T>(gradient_F - normal_F.dot(gradient_F) * normal_F);
  const auto add = [num_faces](const Vector3<T>& g,
                               std::vector<Vector3<T>>* gradients) {
    for (int i = 0; i < num_faces; ++i) gradients->push_back(g);
  };
  add(in_plane, &gradients_);
  if (has_gradient_A_) add(R_WF * gradient_A_F, &gradients_A_);
  if (has_gradient_B_) add(R_WF * gradient_B_F, &gradients_B_);
}

template <typename T>
void ContactSurfaceBuilder<T>::Finish(ContactSurfaceList<T>* list) {
  if (gradients_.empty()) return;
  std::vector<ContactSurface<T>>& surfaces = list->surfaces_;
  if (list->size_ == static_cast<int>(surfaces.size())) {
    surfaces.push_back(ContactSurface<T>());
  }
  Fill(&surfaces[list->size_]);
  ++list->size_;
}

namespace {

// Returns the object that `pointer` owns, or makes one.
template <typename V, typename... Args>
bool MakeIfNull(std::unique_ptr<V>* pointer, Args&&... args) {
  if (*pointer != nullptr) return false;
  *pointer = std::make_unique<V>(std::forward<Args>(args)...);
  return true;
}

template <typename V>
void Assign(bool has, const std::vector<V>& values,
            std::unique_ptr<std::vector<V>>* pointer) {
  if (!has) {
    pointer->reset();
  } else if (!MakeIfNull(pointer, values)) {
    **pointer = values;
  }
}

}  // namespace

template <typename T>
void ContactSurfaceBuilder<T>::Fill(ContactSurface<T>* surface) const {
  ContactSurface<T>& s = *surface;
  s.id_M_ = turn_over_ ? id_B_ : id_A_;
  s.id_N_ = turn_over_ ? id_A_ : id_B_;
  s.patches_ = patches_;
  if (is_triangle_) {
    s.poly_e_MN_.reset();
    s.poly_mesh_W_.reset();
    if (!MakeIfNull(&s.tri_mesh_W_, triangles_, vertices_)) {
      s.tri_mesh_W_->Assign(triangles_, vertices_);
    }
    if (!MakeIfNull(&s.tri_e_MN_, pressures_, s.tri_mesh_W_.get(),
                    gradients_)) {
      s.tri_e_MN_->Assign(pressures_, gradients_);
    }
  } else {
    s.tri_e_MN_.reset();
    s.tri_mesh_W_.reset();
    if (!MakeIfNull(&s.poly_mesh_W_, face_data_, vertices_)) {
      s.poly_mesh_W_->Assign(face_data_, vertices_);
    }
    if (!MakeIfNull(&s.poly_e_MN_, pressures_, s.poly_mesh_W_.get(),
                    gradients_)) {
      s.poly_e_MN_->Assign(pressures_, gradients_);
    }
  }
  Assign(turn_over_ ? has_gradient_B_ : has_gradient_A_,
         turn_over_ ? gradients_B_ : gradients_A_, &s.grad_eM_W_);
  Assign(turn_over_ ? has_gradient_A_ : has_gradient_B_,
         turn_over_ ? gradients_A_ : gradients_B_, &s.grad_eN_W_);
}

#define WYVERN_INSTANTIATE(T) template class ContactSurfaceBuilder<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ContactSurfaceList);

}  // namespace wyvern::geometry
