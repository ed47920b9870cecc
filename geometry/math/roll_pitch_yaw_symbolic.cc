// What a RollPitchYaw<symbolic::Expression> needs to hold angles: as a formula
// has no value yet, it is not checked.

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::math {

template <>
void RollPitchYaw<symbolic::Expression>::RequireFiniteAngles(
    const Vector3<symbolic::Expression>&) {}

}  // namespace wyvern::math
