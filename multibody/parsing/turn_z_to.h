#pragma once

#include "wyvern/geometry/math/rotation_matrix.h"

namespace wyvern::multibody::internal {

/** Returns the smallest rotation that takes z to the direction of `z`, which is
not 0; a half turn about x if `z` points along -z. File formats use this frame
if they give only one axis, such as a planar joint of URDF or `zaxis` of
MJCF. */
math::RotationMatrix<double> TurnZTo(const Vector3<double>& z);

}  // namespace wyvern::multibody::internal
