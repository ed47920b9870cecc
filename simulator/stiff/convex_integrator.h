#pragma once

#include <cstdint>
#include <memory>

#include "wyvern/simulator/integrators/integrator_base.h"

namespace wyvern::systems {
namespace internal {
template <typename T>
class ConvexSteps;
}

/** Contact whose accuracy is chosen: error control for Systems that advance
themselves by implicit steps, such as a continuous MultibodyPlant with contact,
and for all other states of the Diagram.

A step Phi(h) of first order advances each System that is an ImplicitStep by its
own step, which is convex for a plant and therefore always has a solution. All
other states are advanced by x + h xdot. One step and two of half the size give

  x_1 = Phi(h) x,   x_2 = Phi(h/2) Phi(h/2) x,

the result 2 x_2 - x_1, which is of second order (Richardson's extrapolation;
Hairer, Norsett, Wanner, Solving ODEs I, II.9), and the error estimate
x_2 - x_1, of order h^2. The extrapolated implicit step is L-stable as Phi is:
stiff contact is damped at any step size. States outside of these Systems are
advanced by the explicit midpoint rule, which bounds the step by their fastest
rate; so are all states if no System takes implicit steps. Step doubling with
convex steps for contact: Kurtz, Castro, "CENIC: Convex Error-controlled
Numerical Integration for Contact" (2025).

Where a step stops an approach that the contact would have reflected, the step
is too long for the impact. The error that ImplicitStep reports is then part of
the estimate, so that steps resolve impacts that bounce, and do not
resolve those that are damped. */
template <typename T>
class ConvexIntegrator final : public IntegratorBase<T> {
 public:
  /** `system`, and `context` if given, must outlive this. Without a Context,
  reset_context() must come before Initialize(). */
  explicit ConvexIntegrator(const System<T>& system,
                            Context<T>* context = nullptr);
  ~ConvexIntegrator() final;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 2; }

  /** Steps Phi of Systems since Initialize() or ResetStatistics(); three for
  each step that is tried. */
  int64_t get_num_implicit_steps() const;

 private:
  bool DoStep(const T& h) final;
  void DoInitialize() final;
  void DoResetStatistics() final;
  bool DoIsBoundByStability() const final;
  bool DoNeedsStartDerivative() const final;

  std::unique_ptr<internal::ConvexSteps<T>> steps_;
  VectorX<T> error_;
};

}  // namespace wyvern::systems
