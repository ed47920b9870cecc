#pragma once

#include <memory>
#include <vector>

#include "wyvern/geometry/hydroelastic/pressure_patch.h"
#include "wyvern/geometry/meshes/mesh_field_linear.h"
#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/geometry/shapes/proximity_properties.h"

namespace wyvern::geometry {

namespace internal {
template <typename T>
class ContactSurfaceBuilder;
}  // namespace internal

/** The surface on which two geometries M and N press against each other, in the
world W, with the pressure e_MN [Pa] on it. Its normals point out of N into M.
id_M < id_N.

It is made of triangles or of polygons. Each face has the gradients of the
pressures of M and of N there [Pa/m], where known: a rigid geometry has none. An
index of no face throws std::out_of_range.

@tparam T double or AutoDiffXd. */
template <typename T>
class ContactSurface {
 public:
  /** Pressure on a surface of triangles. */
  using TriangleField = TriangleSurfaceMeshFieldLinear<T, T>;
  /** Pressure on a surface of polygons. */
  using PolygonField = PolygonSurfaceMeshFieldLinear<T, T>;
  /** Pressure gradients, one for each face, in Pa/m. */
  using Gradients = std::vector<Vector3<T>>;

  /** The normals of `mesh_W` point out of N into M; `e_MN` is on that mesh.
  Gradients are one a face, or null. If id_N < id_M, M and N change names, and
  the faces are turned over.
  @throws std::logic_error if the mesh or the field is null, the field is on
  another mesh, the ids are equal or invalid, or gradients are not as many as
  faces. */
  ContactSurface(GeometryId id_M, GeometryId id_N,
                 std::unique_ptr<TriangleSurfaceMesh<T>> mesh_W,
                 std::unique_ptr<TriangleField> e_MN,
                 std::unique_ptr<Gradients> grad_eM_W = nullptr,
                 std::unique_ptr<Gradients> grad_eN_W = nullptr);
  /** Overload for polygons. */
  ContactSurface(GeometryId id_M, GeometryId id_N,
                 std::unique_ptr<PolygonSurfaceMesh<T>> mesh_W,
                 std::unique_ptr<PolygonField> e_MN,
                 std::unique_ptr<Gradients> grad_eM_W = nullptr,
                 std::unique_ptr<Gradients> grad_eN_W = nullptr);
  /** A deep copy. */
  ContactSurface(const ContactSurface& other);
  /** Becomes a deep copy. */
  ContactSurface& operator=(const ContactSurface& other);
  ContactSurface(ContactSurface&&) = default;
  ContactSurface& operator=(ContactSurface&&) = default;
  ~ContactSurface() = default;

  /** Id of M, less than that of N. */
  GeometryId id_M() const { return id_M_; }
  /** Id of N. */
  GeometryId id_N() const { return id_N_; }
  /** True if the surface is made of triangles. */
  bool is_triangle() const { return tri_mesh_W_ != nullptr; }
  /** Returns what the surface is made of: triangles or polygons. */
  HydroelasticContactRepresentation representation() const {
    return is_triangle() ? HydroelasticContactRepresentation::kTriangle
                         : HydroelasticContactRepresentation::kPolygon;
  }

  /** Number of triangles or polygons. */
  int num_faces() const {
    return is_triangle() ? tri_mesh_W_->num_elements()
                         : poly_mesh_W_->num_elements();
  }
  /** Number of vertices. */
  int num_vertices() const {
    return is_triangle() ? tri_mesh_W_->num_vertices()
                         : poly_mesh_W_->num_vertices();
  }
  /** Area of a face, m². */
  const T& area(int face_index) const {
    return is_triangle() ? tri_mesh_W_->area(face_index)
                         : poly_mesh_W_->area(face_index);
  }
  /** Area of all faces, m². */
  const T& total_area() const {
    return is_triangle() ? tri_mesh_W_->total_area()
                         : poly_mesh_W_->total_area();
  }
  /** Unit, out of N into M. */
  const Vector3<T>& face_normal(int face_index) const {
    return is_triangle() ? tri_mesh_W_->face_normal(face_index)
                         : poly_mesh_W_->face_normal(face_index);
  }
  /** Returns the centroid of the area of a face, or of the whole surface. */
  Vector3<T> centroid(int face_index) const {
    return is_triangle() ? tri_mesh_W_->element_centroid(face_index)
                         : poly_mesh_W_->element_centroid(face_index);
  }
  /** Centroid of the whole surface's area, in W, [m]. */
  const Vector3<T>& centroid() const {
    return is_triangle() ? tri_mesh_W_->centroid() : poly_mesh_W_->centroid();
  }

  /** @name The mesh and its pressure, by the representation
  @throws std::logic_error if it has the other one.
  @{ */
  /** The triangles, in W. */
  const TriangleSurfaceMesh<T>& tri_mesh_W() const {
    RequireRepresentation(true);
    return *tri_mesh_W_;
  }
  /** The pressure on the triangles, [Pa]. */
  const TriangleField& tri_e_MN() const {
    RequireRepresentation(true);
    return *tri_e_MN_;
  }
  /** The polygons, in W. */
  const PolygonSurfaceMesh<T>& poly_mesh_W() const {
    RequireRepresentation(false);
    return *poly_mesh_W_;
  }
  /** The pressure on the polygons, [Pa]. */
  const PolygonField& poly_e_MN() const {
    RequireRepresentation(false);
    return *poly_e_MN_;
  }
  /** @} */

  /** @name Gradients of the pressures of M and of N on a face, in W
  @throws std::runtime_error if there are none.
  @{ */
  /** True if the gradients of M's pressure are known. */
  bool HasGradE_M() const { return grad_eM_W_ != nullptr; }
  /** True if the gradients of N's pressure are known. */
  bool HasGradE_N() const { return grad_eN_W_ != nullptr; }
  /** Gradient of M's pressure on a face, [Pa/m]. */
  const Vector3<T>& EvaluateGradE_M_W(int index) const {
    return EvaluateGradient('M', grad_eM_W_.get(), index);
  }
  /** Gradient of N's pressure on a face, [Pa/m]. */
  const Vector3<T>& EvaluateGradE_N_W(int index) const {
    return EvaluateGradient('N', grad_eN_W_.get(), index);
  }
  /** @} */

  /** @name For the plant
  @{ */
  /** Returns the surface as flat patches with integrals over them, whatever the
  representation. A face has one patch, or one for each sign of its pressure. A
  query that cuts polygons into triangles still returns patches of the polygons.
  */
  const std::vector<internal::PressurePatch<T>>& patches() const {
    return patches_;
  }
  /** @} */

  /** Returns whether both surfaces have the same ids, faces, positions,
  pressures and gradients, bit for bit. */
  bool Equal(const ContactSurface<T>& surface) const;

 private:
  friend class internal::ContactSurfaceBuilder<T>;

  ContactSurface() = default;
  void RequireMeshAndPressure(bool has_mesh, bool is_field_of_mesh);
  void RequireRepresentation(bool triangle) const;
  const Vector3<T>& EvaluateGradient(char geometry, const Gradients* gradients,
                                     int index) const;

  GeometryId id_M_;
  GeometryId id_N_;
  // Either the first two or the last two.
  std::unique_ptr<TriangleSurfaceMesh<T>> tri_mesh_W_;
  std::unique_ptr<TriangleField> tri_e_MN_;
  std::unique_ptr<PolygonSurfaceMesh<T>> poly_mesh_W_;
  std::unique_ptr<PolygonField> poly_e_MN_;
  std::unique_ptr<Gradients> grad_eM_W_;
  std::unique_ptr<Gradients> grad_eN_W_;
  std::vector<internal::PressurePatch<T>> patches_;
};

}  // namespace wyvern::geometry
