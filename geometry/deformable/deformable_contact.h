#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/geometry/deformable/deformable_contact_surface.h"
#include "wyvern/geometry/deformable/deformable_geometry.h"
#include "wyvern/geometry/deformable/rigid_surface.h"
#include "wyvern/geometry/hydroelastic/clipped_polygon.h"
#include "wyvern/geometry/proximity/proximity_engine.h"

namespace wyvern::geometry::internal {

/** All geometries with the proximity role as contact of what deforms sees
them. */
struct DeformableContactModel {
  struct Deformable {
    GeometryId id;
    std::shared_ptr<const DeformableGeometry> geometry;
    /** Where its vertices are among all configurations. */
    int place{};
  };
  /** By increasing id. */
  std::vector<Deformable> deformables;
  /** The rigid ones, in the order of the engine. */
  std::vector<std::shared_ptr<const RigidSurface>> rigids;
};

/** Scratch memory of contact of deformables. One thread at a time uses it; its
content never changes a result. */
struct DeformableContactScratch {
  DeformableContactScratch() = default;
  // A copy is for others, who write on it before they read.
  DeformableContactScratch(const DeformableContactScratch&) {}
  DeformableContactScratch& operator=(const DeformableContactScratch&) {
    return *this;
  }

  /** A tetrahedron where it is. */
  struct Element {
    /** For which query this was calculated. */
    int64_t query{};
    bool is_flat{};
    std::array<int, 4> vertices;
    Vector4<double> phi;
    /** At the centroid, if the element is level. */
    double centre_phi{};
    Vector3<double> gradient;
    MovedTetrahedron tetrahedron;

    /** All of its corners are on the surface, as those at a box's edges. */
    bool IsLevel() const { return phi.minCoeff() == phi.maxCoeff(); }
    /** At a point of it; in a level one linear from its faces to its centroid.
     */
    double CalcPhi(const Vector4<double>& weights) const {
      if (!IsLevel()) return weights.dot(phi);
      return 4 * centre_phi * std::max(0.0, weights.minCoeff());
    }
  };
  /** One deformable in the world. */
  struct Posed {
    /** Geometry that the tree was built for; null until it is built. */
    std::shared_ptr<const DeformableGeometry> planted;
    Aabb bounds;
    bool is_fitted{};
    /** Bounding boxes of the tetrahedra. */
    std::vector<Aabb> boxes;
    AabbTree tree;
    /** Elements that a query found. */
    std::vector<Element> elements;
  };
  int64_t query{0};
  std::vector<Posed> posed;
  std::vector<IndexPair> pairs;
  ClippedPolygon<double> polygon;
  /** Storage of surfaces that there are no more. */
  std::vector<DeformableContactSurface> spare;
};

/** Replaces `surfaces` by those of all pairs that are not excluded, sorted by
(id_A, id_B), none of them empty.

A triangle of a rigid surface counts where a tetrahedron holds it, and so does
the plane of a half space; one in the plane of a face counts once, or not at all
if the two only touch. Its phi is how deep A's surface, seen from C against the
normal, is in the rigid shape, by that shape's own distance, of a Mesh by that
from its triangles (surface_distance.h). Where no such surface is in the shape,
as where A holds it all, phi is A's distance.

Of two deformables it is the plane of equal distance of two tetrahedra, with the
sum of both distances as phi; one counts if its normal makes an angle of at most
5 pi / 8 with the ways in which they fall. In tetrahedra with all corners on the
surface the distance is that along the normal; of two such it is A's surface in
B. Tetrahedra
that are inside out count as they lie, flat ones do not; nor do polygons below
1e-14 m². Its cost is linear in the pairs of elements whose boxes touch, and in
the elements of deformables whose bounding box touches another's.
@param X_WGs poses, in the order of the engine
@param q_WGs the vertices in the world, finite, by place
@param describe what messages call a geometry
@throws std::logic_error or std::runtime_error naming a rigid geometry whose
surface cannot be made; there are no surfaces then. */
void CalcDeformableContact(
    const ProximityEngine& engine, const DeformableContactModel& model,
    const std::vector<math::RigidTransform<double>>& X_WGs,
    const std::vector<VectorX<double>>& q_WGs,
    const std::function<std::string(GeometryId)>& describe,
    DeformableContactScratch* scratch,
    std::vector<DeformableContactSurface>* surfaces);

}  // namespace wyvern::geometry::internal
