#pragma once

#include <array>
#include <memory>
#include <vector>

#include "wyvern/geometry/hydroelastic/hydroelastic_geometry.h"

namespace wyvern::geometry::internal {

/** Signed distances from a closed surface of triangles (of one that is open:
negative behind it): what is inside is said by the normals at the nearest point,
those of an edge or a vertex being the sum of their triangles' by angle. (J. A.
Baerentzen, H. Aanaes, "Signed distance computation using the angle weighted
pseudonormal", IEEE TVCG 2005.) Vertices at the same place are one. Threads may
share one. */
class SurfaceDistance {
 public:
  explicit SurfaceDistance(std::shared_ptr<const RigidMesh> surface);

  /** m, negative inside, at a point Q in the mesh's frame M.
  @param reach [m] as far as the surface is looked for: a bound that is known
  saves time; +infinity if nothing is nearer */
  double Calc(const Vector3<double>& p_MQ, double reach) const;

 private:
  // Seven features of a triangle: itself, its edges (k from vertex k on), and
  // its vertices.
  using Normals = std::array<Vector3<double>, 7>;

  std::shared_ptr<const RigidMesh> surface_;
  std::vector<Normals> normals_;
};

}  // namespace wyvern::geometry::internal
