#pragma once

#include <memory>
#include <mutex>

#include "wyvern/geometry/deformable/surface_distance.h"
#include "wyvern/geometry/hydroelastic/hydroelastic_geometry.h"
#include "wyvern/geometry/proximity/collision_shape.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry::internal {

/** The surface on which a rigid shape touches what deforms: that of
hydroelastic contact if the shape is rigid there, or else one of its own, made
when it is first asked for. Threads may share one. */
class RigidSurface {
 public:
  /** @param resolution_hint [m] how long edges of round shapes are, at most; if
  it is 0, a quarter of the least radius */
  RigidSurface(std::shared_ptr<const Shape> shape, double resolution_hint,
               std::shared_ptr<const RigidMesh> known);
  RigidSurface(const RigidSurface&) = delete;
  RigidSurface& operator=(const RigidSurface&) = delete;

  /** It has no mesh, but is z = 0 of its frame, outward z. */
  bool is_half_space() const { return is_half_space_; }
  /** A point: it has no surface. */
  bool is_empty() const { return is_empty_; }
  /** Returns the mesh of triangles.
  @throws std::logic_error or std::runtime_error if the shape has none. */
  const RigidMesh& mesh() const;
  /** The signed distance of a point Q from the shape, m, negative inside: its
  own, of a Mesh that of its triangles, not of their hull. +infinity if that is
  farther than `reach`.
  @param shape as collision queries see it
  @throws as mesh() */
  double CalcDistance(const CollisionShape& shape, const Vector3<double>& p_RQ,
                      double reach) const;

 private:
  std::shared_ptr<const Shape> shape_;
  double resolution_hint_;
  bool is_half_space_;
  bool is_empty_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const RigidMesh> mesh_;
  mutable std::once_flag distance_once_;
  mutable std::unique_ptr<const SurfaceDistance> distance_;
};

}  // namespace wyvern::geometry::internal
