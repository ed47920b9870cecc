#pragma once

#include "wyvern/systems/framework/context.h"

namespace wyvern::systems {

/** The interface of a System that can advance its continuous state by itself,
in one implicit step of any length. ConvexIntegrator looks for Systems with this
interface in a Diagram; all other states it advances explicitly. A System
inherits from it beside LeafSystem.

@tparam T the scalar type. */
template <typename T>
class ImplicitStep {
 public:
  virtual ~ImplicitStep() = default;

  /** Whether the System takes such steps as it is configured; false means that
  its state is advanced like all others. */
  virtual bool TakesImplicitSteps() const = 0;

  /** Computes the continuous state after a step of `h` [s] from the Context's
  state, with the values that its input ports have at the Context's time:

    x_next = x + h xdot + O(h^2).

  @param h Positive.
  @param guess A continuous state near the result to start iterations from, or
    null. It may change the result by no more than the rounding of the solver.
  @param x_next Of the size of the System's continuous state, [q; v; z].
  @returns how wrong the largest change of v may be because the step is too
    long to follow what happens in it, in the unit of v; 0 if it is not. An
    elastic impact that lasts shorter than the step, for example, reverses the
    velocity, which the step and its halves do not show.
  @throws std::runtime_error if a step of this length has no solution. Shorter
    ones may have one. */
  virtual double CalcImplicitStep(const Context<T>& context, double h,
                                  const VectorX<T>* guess,
                                  VectorX<T>* x_next) const = 0;

 protected:
  ImplicitStep() = default;
  ImplicitStep(const ImplicitStep&) = default;
  ImplicitStep& operator=(const ImplicitStep&) = default;
};

}  // namespace wyvern::systems
