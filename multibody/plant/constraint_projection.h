#pragma once

namespace wyvern::multibody {

/** Correction of a continuous plant's constraint errors by the Simulator before
each of its steps, besides their stabilization. */
enum class ConstraintProjection {
  kNone,
  /** Moves positions and velocities the least, in the metric of the mass
  matrix, to where the constraints hold to rounding. */
  kEveryStep,
};

}  // namespace wyvern::multibody
