#pragma once

#include "wyvern/multibody/constraint_sets/constraint_set.h"

namespace wyvern::multibody {

/** The units of moves and errors in an assembly: 1 rad for an angle, and the
length of the model's longest link for a length. The unit of a custom row is the
largest change of its error by a move of one unit, of one coordinate at the
Context's positions. Moves and errors in these units compare with 1 for a
mechanism of any size. */
template <typename T>
class AssemblyUnits {
 public:
  /** @param set Bound to the plant. */
  AssemblyUnits(const internal::MultibodyTreeSystem<T>& plant,
                const systems::Context<T>& context,
                const ConstraintSet<T>& set);

  /** Returns the unit of lengths; 1 for a model without lengths. [m] */
  static double LengthOf(const internal::MultibodyTreeSystem<T>& plant,
                         const systems::Context<T>& context);
  /** The unit of a displacement along velocity i, [rad] or [m]. */
  double of_velocity(int i) const { return of_velocities_[i]; }
  /** The unit of the error of row r; always positive. */
  double of_row(int r) const { return of_rows_[r]; }

 private:
  VectorX<double> of_velocities_, of_rows_;
};

}  // namespace wyvern::multibody
