#pragma once

#include <memory>

#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/geometry/shapes/polygon_surface_mesh.h"

namespace wyvern::geometry {

/** The surface on which two geometries M and N press against each other, in the
world; its normals point out of N into M. id_M < id_N.

@tparam T double or AutoDiffXd. */
template <typename T>
class ContactSurface {
 public:
  /** @throws std::logic_error if the mesh is null, or unless id_M < id_N. */
  ContactSurface(GeometryId id_M, GeometryId id_N,
                 std::unique_ptr<PolygonSurfaceMesh<T>> mesh_W);

  GeometryId id_M() const { return id_M_; }
  GeometryId id_N() const { return id_N_; }
  int num_faces() const { return mesh_W_.num_faces(); }
  int num_vertices() const { return mesh_W_.num_vertices(); }
  const T& area(int face_index) const { return mesh_W_.area(face_index); }
  const T& total_area() const { return mesh_W_.total_area(); }
  const Vector3<T>& face_normal(int face_index) const {
    return mesh_W_.face_normal(face_index);
  }
  const Vector3<T>& centroid(int face_index) const {
    return mesh_W_.element_centroid(face_index);
  }
  const Vector3<T>& centroid() const { return mesh_W_.centroid(); }
  const PolygonSurfaceMesh<T>& poly_mesh_W() const { return mesh_W_; }

 private:
  GeometryId id_M_;
  GeometryId id_N_;
  PolygonSurfaceMesh<T> mesh_W_;
};

}  // namespace wyvern::geometry
