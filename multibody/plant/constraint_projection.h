#pragma once

namespace wyvern::multibody {

/** What the Simulator does about the errors of a continuous plant's constraints
before each of its steps, besides their stabilization. */
enum class ConstraintProjection {
  kNone,
  /** Moves positions and velocities the least, in the metric of the mass
  matrix, to where the constraints hold to rounding. */
  kEveryStep,
};

}  // namespace wyvern::multibody
