// Specializations that let RollPitchYaw<symbolic::Expression> hold angles. An
// expression has no value yet, so its angles are not checked.

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::math {

template <>
void RollPitchYaw<symbolic::Expression>::RequireFiniteAngles(
    const Vector3<symbolic::Expression>&) {}

}  // namespace wyvern::math
