#pragma once

#include <array>
#include <vector>

#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry::internal {

/** One polygon of a contact surface, by its centroid C. */
struct DeformableContactPoint {
  /** m */
  Vector3<double> p_WC;
  /** Unit, out of B into A. */
  Vector3<double> nhat_BA_W;
  /** m² */
  double area{};
  /** Signed distance, m; negative where the two overlap: of A's surface from B
  if B is rigid, and of two that deform the sum of C's from both surfaces, as in
  their reference configurations. */
  double phi{};
  /** The tetrahedron of A that holds C, by its vertices in A's reference mesh,
  and C's barycentric coordinates in it. */
  std::array<int, 4> vertices_A{};
  Vector4<double> weights_A{Vector4<double>::Zero()};
  /** Vertices of the tetrahedron of B, if B deforms; otherwise zeros. */
  std::array<int, 4> vertices_B{};
  Vector4<double> weights_B{Vector4<double>::Zero()};
};

/** Where geometry A, which deforms, touches geometry B, which may. Of two that
deform, A has the smaller id. */
struct DeformableContactSurface {
  GeometryId id_A;
  GeometryId id_B;
  bool is_B_deformable{};
  std::vector<DeformableContactPoint> points;
  /** The polygons of the points, counter-clockwise around their normals, as
  PolygonSurfaceMesh takes them: number of vertices and their indices, polygon
  after polygon, and the vertices in the world, m. */
  std::vector<int> face_data;
  std::vector<Vector3<double>> vertices;
};

}  // namespace wyvern::geometry::internal
