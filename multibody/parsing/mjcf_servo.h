#pragma once

#include <optional>
#include <string>

#include "wyvern/multibody/parsing/mjcf_element.h"
#include "wyvern/multibody/tree/muscle.h"

namespace wyvern::multibody::internal {

/** The law of an MJCF actuator, a <general> or one of its short forms: the
force is gain u + bias[0] + bias[1] x + bias[2] v of its input u and its length
x. With dynamics, u is the activation that the dynamics make of the input. */
struct MjcfServo {
  double gain{1};
  Vector3<double> bias{Vector3<double>::Zero()};
  /** If positive, bias[2] = -damping_ratio 2 sqrt(gain m). */
  double damping_ratio{0};
  /** "none", or the linear dynamics "integrator", "filter" or "filterexact". */
  std::string dynamics{"none"};
  /** A muscle has its own law and dynamics instead; without the numbers that
  are no part of the law: length_range, gear and control_range. */
  std::optional<MuscleProperties> muscle{};
};

/** @param actuator over its defaults, of any form.
@throws std::runtime_error "file:line: ..." if it is not valid, or has a law or
dynamics that are not modelled. */
MjcfServo ReadMjcfServo(const MjcfElement& actuator);

}  // namespace wyvern::multibody::internal
