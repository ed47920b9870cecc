#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "wyvern/geometry/hydroelastic/clipped_polygon.h"
#include "wyvern/geometry/hydroelastic/contact_surface.h"
#include "wyvern/geometry/math/rigid_transform.h"

namespace wyvern::geometry {

/** Contact surfaces whose storage is used again: Clear() keeps it, and Add()
hands it out. Once it has grown, nothing is allocated. */
template <typename T>
class ContactSurfaceList {
 public:
  /** Number of surfaces. */
  int size() const { return size_; }
  /** A surface.
  @throws std::out_of_range if there is no such surface. */
  const ContactSurface<T>& operator[](int i) const {
    return surfaces_[internal::CheckedIndex("ContactSurfaceList: surface", i,
                                            size_)];
  }
  /** Removes all surfaces and keeps the storage. */
  void Clear() { size_ = 0; }
  /** Moves the surfaces to the end of `surfaces`, and clears. */
  void MoveTo(std::vector<ContactSurface<T>>* surfaces);

 private:
  friend class internal::ContactSurfaceBuilder<T>;
  std::vector<ContactSurface<T>> surfaces_;
  int size_{0};
};

namespace internal {

/** Collects the faces of one contact surface at a time, for geometries A and B:
normals point out of B into A. */
template <typename T>
class ContactSurfaceBuilder {
 public:
  /** Begins a surface. Faces are to come in frame F.
  @param has_gradient_A,has_gradient_B whether the geometry is compliant. */
  void Start(GeometryId id_A, GeometryId id_B,
             HydroelasticContactRepresentation representation,
             const math::RigidTransform<T>& X_WF, bool has_gradient_A,
             bool has_gradient_B);
  /** Adds a face, unless it is too small.
  @param normal_F unit, out of B into A; corners run around it.
  @param p_FQ a point, and the pressure there.
  @param gradient_F of the pressure on the face: the gradient of A's or of B's
  field. Those of geometries that are not compliant are not read. */
  void AddFace(const ClippedPolygon<T>& polygon, const Vector3<T>& normal_F,
               const Vector3<double>& p_FQ, const T& pressure,
               const Vector3<T>& gradient_F, const Vector3<T>& gradient_A_F,
               const Vector3<T>& gradient_B_F);
  /** Adds the surface to the list, if it has a face. */
  void Finish(ContactSurfaceList<T>* list);

 private:
  int AddVertex(const Vector3<T>& p_F, const T& pressure);
  // Adds the triangles between the last vertex and the sides of the polygon
  // before it. Returns how many of them have an area.
  int AddTriangles(int num_corners, const Vector3<T>& area_F);
  void Fill(ContactSurface<T>* surface) const;

  GeometryId id_A_, id_B_;
  bool is_triangle_{};
  // Whether A has the larger id, and so becomes N.
  bool turn_over_{};
  bool has_gradient_A_{}, has_gradient_B_{};
  math::RigidTransform<T> X_WF_;
  std::vector<Vector3<T>> vertices_;
  std::vector<T> pressures_;
  std::vector<int> face_data_;
  std::vector<SurfaceTriangle> triangles_;
  PressedPolygon<T> pressed_;
  std::vector<PressurePatch<T>> patches_;
  // One a face: of the pressure in the plane of the face, and of the fields.
  std::vector<Vector3<T>> gradients_, gradients_A_, gradients_B_;
};

}  // namespace internal
}  // namespace wyvern::geometry
