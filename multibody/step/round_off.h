#pragma once

#include <span>

#include "wyvern/multibody/step/step_problem.h"

namespace wyvern::multibody::internal {

/** Returns a bound on the round-off in the residual of an island, [sqrt(J)], in
the norm of diag(A)^-1. The velocity of a row is a sum of terms J v, each exact
to eps; the slope G of its law turns the error into an impulse, as the inertia A
does with the error of v. The bound matters if impulses nearly vanish or cancel
while bodies move fast.
@param constraints,trees Those of the island.
@param row_velocities J v.
@param inverse 1 / diag(A), by velocity.
@param e Work space of the size of v. */
double CalcRoundOff(const StepProblem<double>& problem,
                    std::span<const int> constraints,
                    std::span<const int> trees,
                    const VectorX<double>& row_velocities,
                    const VectorX<double>& v, const VectorX<double>& inverse,
                    VectorX<double>* e);

/** Returns a bound on the round-off in the normal impulse, [N s], of contact
`i` of constraint `c` at velocities v: the errors of its rows' velocities times
its slopes. For example, between neighbouring numbers v the impulse of a contact
with f0 dt d = 1e7 kg changes by 2e-9 N s at 1 m/s. */
double CalcNormalRoundOff(const StepProblem<double>& problem, int c, int i,
                          const VectorX<double>& v);

}  // namespace wyvern::multibody::internal
