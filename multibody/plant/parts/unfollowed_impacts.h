#pragma once

#include "wyvern/multibody/plant/parts/step_scratch.h"

namespace wyvern::multibody::internal {

/** Returns the share, 0 to 1, of a step's change of velocity that the step is
too long to follow, because it stops an approach that the contact would have
reflected.

Let u0 > 0 and u1 be the speeds of approach at a contact at the start and the
end of the step. A step that follows the impact changes u by a small part of u0.
If it changes u by more than a quarter of it, the missing part of the impact is
that excess, times the coefficient of restitution that Hunt and Crossley's law
of dissipation d has, bounded by

  e(d u0) = 1 / (1 + d u0).

(Hunt, Crossley, "Coefficient of restitution interpreted as damping in
vibroimpact", 1975: e is about 1 - (2/3) d u0 if d u0 is small.) The result is
the largest over all contacts.
@param v Velocities at the start of the step, of the problem in `scratch`.
@param v_next Velocities at its end. */
template <typename T>
double CalcUnfollowedShare(const VectorX<T>& v, const VectorX<T>& v_next,
                           StepScratch<T>* scratch);

}  // namespace wyvern::multibody::internal
