#pragma once

#include <span>

#include "wyvern/multibody/contact/step_problem.h"

namespace wyvern::multibody::internal {

/** What round-off may leave of the residual of an island, `constraints` between
`trees`: a row's velocity is a sum of terms J v, each exact to eps, and its
slope G makes an impulse of the error; so does the inertia A of that of v. It
counts where impulses nearly vanish or cancel while much moves fast.
@param row_velocities J v.
@param inverse 1 / diag(A), the square of the norm's scale.
@param e Room to work in, of the size of v.
@returns its norm [sqrt(J)]. */
double CalcRoundOff(const StepProblem<double>& problem,
                    std::span<const int> constraints,
                    std::span<const int> trees,
                    const VectorX<double>& row_velocities,
                    const VectorX<double>& v, const VectorX<double>& inverse,
                    VectorX<double>* e);

/** What round-off may make of the normal impulse of contact `i` of constraint
`c` at velocities v [N s]: the same errors of its rows' velocities, by its
slopes.
Between neighbouring numbers v, the impulse of a contact of f0 dt d = 1e7 kg
steps by 2e-9 N s at 1 m/s. */
double CalcNormalRoundOff(const StepProblem<double>& problem, int c, int i,
                          const VectorX<double>& v);

}  // namespace wyvern::multibody::internal
