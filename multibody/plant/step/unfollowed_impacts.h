#pragma once

#include "wyvern/multibody/plant/step/step_scratch.h"

namespace wyvern::multibody::internal {

/** Returns the speed, [m/s], by which a step may be wrong because it stops an
approach that the contact would have reflected.

Let u0 > 0 and u1 be the speeds of approach at a contact at the start and the
end of the step. A step that follows the impact changes u by a small part of u0.
If it changes u by the share s > 1/4 of it, what is missing of the impact is
(s - 1/4) u0, at most u0, times the coefficient of restitution that Hunt and
Crossley's law of dissipation d has, bounded by

  e(d u0) = 1 / (1 + d u0).

(Hunt, Crossley, "Coefficient of restitution interpreted as damping in
vibroimpact", 1975: e is about 1 - (2/3) d u0 if d u0 is small.) The result is
the largest over all contacts.
@param v Velocities at the start of the step, of the problem in `scratch`.
@param v_next Velocities at its end. */
template <typename T>
double CalcUnfollowedSpeed(const VectorX<T>& v, const VectorX<T>& v_next,
                           StepScratch<T>* scratch);

}  // namespace wyvern::multibody::internal
