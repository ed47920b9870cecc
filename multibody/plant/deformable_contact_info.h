#pragma once

#include <utility>
#include <vector>

#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/geometry/shapes/polygon_surface_mesh.h"
#include "wyvern/multibody/math/spatial_force.h"

namespace wyvern::multibody {

/** The contact of geometry A, which deforms, with geometry B, rigid or not. */
template <typename T>
class DeformableContactInfo {
 public:
  /** @param contact_mesh_W the surface of contact in W [m], a polygon a point
  of contact, normals out of B into A.
  @param F_Ac_W the spatial force on A at the mesh's centroid C, in W
  [N m; N]. */
  DeformableContactInfo(geometry::GeometryId id_A, geometry::GeometryId id_B,
                        geometry::PolygonSurfaceMesh<T> contact_mesh_W,
                        const SpatialForce<T>& F_Ac_W)
      : id_A_(id_A),
        id_B_(id_B),
        contact_mesh_(std::move(contact_mesh_W)),
        F_Ac_W_(F_Ac_W) {}

  /** Id of geometry A, which deforms. */
  geometry::GeometryId id_A() const { return id_A_; }
  /** Id of geometry B. */
  geometry::GeometryId id_B() const { return id_B_; }
  /** Contact surface in the world, with normals out of B into A. */
  const geometry::PolygonSurfaceMesh<T>& contact_mesh() const {
    return contact_mesh_;
  }
  /** Spatial force on A at the mesh's centroid, in the world, [N m; N]. */
  const SpatialForce<T>& F_Ac_W() const { return F_Ac_W_; }

  /** @name For the plant
  @{ */
  /** Nothing, to be written by Start(). */
  DeformableContactInfo() : F_Ac_W_(SpatialForce<T>::Zero()) {}
  /** Replaces all, without a force, and reuses the storage. */
  void Start(geometry::GeometryId id_A, geometry::GeometryId id_B,
             const std::vector<int>& face_data,
             const std::vector<Vector3<T>>& vertices) {
    id_A_ = id_A;
    id_B_ = id_B;
    contact_mesh_.Assign(face_data, vertices);
    F_Ac_W_ = SpatialForce<T>::Zero();
  }
  /** Adds a force on A at point Q. */
  void AddForce(const Vector3<T>& p_WQ, const Vector3<T>& f_Aq_W) {
    const Vector3<T> p_CQ = p_WQ - contact_mesh_.centroid();
    F_Ac_W_ += SpatialForce<T>(p_CQ.cross(f_Aq_W), f_Aq_W);
  }
  /** @} */

 private:
  geometry::GeometryId id_A_;
  geometry::GeometryId id_B_;
  geometry::PolygonSurfaceMesh<T> contact_mesh_;
  SpatialForce<T> F_Ac_W_;
};

}  // namespace wyvern::multibody
