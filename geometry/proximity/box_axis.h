#pragma once

#include "wyvern/geometry/math/rigid_transform.h"

namespace wyvern::geometry::internal {

/** The direction that two overlapping boxes are separated along the soonest. */
struct BoxAxis {
  /** False if the boxes are apart or touch along the axis, the first that was
  found. */
  bool overlap{};
  /** True if the axis is the normal of a face, false for one that is square to
  an edge of each. */
  bool is_face{};
  /** Unit, from B to A. */
  Eigen::Vector3d nhat_BA_W;
  /** How far they overlap along it, meter; not positive if they do not. */
  double depth{};
};

/** Looks for it among the fifteen axes that can separate two boxes
(S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996). `half_A` and
`half_B` are half their edges. An axis of edges must be better than the faces'
by a hundredth to be taken, so that faces nearly in contact count as that.
Boxes less than `slack` apart, [m], overlap by zero; so do those that overlap by
less than it. */
BoxAxis FindBoxAxis(const Eigen::Vector3d& half_A,
                    const math::RigidTransform<double>& X_WA,
                    const Eigen::Vector3d& half_B,
                    const math::RigidTransform<double>& X_WB, double slack = 0);

}  // namespace wyvern::geometry::internal
