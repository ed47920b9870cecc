#pragma once

#include "wyvern/multibody/parsing/mjcf_element.h"

namespace wyvern::multibody::internal {

/** The law of an MJCF actuator, a <general> or one of its short forms: the
force is gain u + bias[0] + bias[1] x + bias[2] v of its input u and its length
x. */
struct MjcfServo {
  double gain{1};
  Vector3<double> bias{Vector3<double>::Zero()};
  /** If positive, bias[2] = -damping_ratio 2 sqrt(gain m). */
  double damping_ratio{0};
};

/** @param actuator over its defaults, of any form.
@throws std::runtime_error "file:line: ..." if it is not valid, or has a law or
a state that is not modelled. */
MjcfServo ReadMjcfServo(const MjcfElement& actuator);

}  // namespace wyvern::multibody::internal
