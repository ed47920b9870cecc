#pragma once

#include <memory>
#include <string>

#include "wyvern/simulator/integrators/explicit_runge_kutta.h"

namespace wyvern::systems {
namespace internal {
class StiffSteps;
}

/** Kutta's third order method with error control by the second order midpoint
rule within it: three derivatives a step. The Simulator's default. */
template <typename T>
class RungeKutta3Integrator final : public internal::ExplicitRungeKutta<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit RungeKutta3Integrator(const System<T>& system,
                                 Context<T>* context = nullptr);
  ~RungeKutta3Integrator() final;

  bool supports_error_estimation() const final { return true; }
  /** 3; 2 while convex steps are taken, see below. */
  int get_error_estimate_order() const final;

  /** Whether steps under error control are taken by another method while the
  System is stiff (false unless set; the Simulator sets it for the integrator
  that it chooses itself). Other methods are tried when internal::StiffnessProbe
  calls two of its last estimates stiff, or more of many, and stay as long as
  they get on faster, counted in derivatives:

  - for Systems that take implicit steps, such as a continuous MultibodyPlant,
    those of ConvexIntegrator, of which one counts as six derivatives;
  - internal::LinearlyImplicitMethod, with the same order of error: n + 3
    derivatives a step for n states, while h rho > 1.

  Then a stiff friction, limit, contact or gain does not hold up the rest. For
  T = double only; others never change the method.
  @throws std::logic_error if asked for another T. */
  void set_changes_method_when_stiff(bool changes);
  /** True if set_changes_method_when_stiff(true) is in force. */
  bool get_changes_method_when_stiff() const { return stiff_ != nullptr; }
  /** @name Steps since Initialize() that the other methods took or tried
  @{ */
  int64_t get_num_linearly_implicit_trials() const;
  int64_t get_num_convex_trials() const;
  /** @} */

 private:
  void DoInitialize() final;
  bool DoStep(const T& h) final;
  void DoReset() final;
  void DoPrepareStep() final;
  bool DoIsBoundByStability() const final;
  void DoSavePlace(VectorX<T>* carried) const final;
  void DoReturnToPlace(const VectorX<T>& carried) final;
  std::string DoDescribeSettings() const final;

  std::unique_ptr<internal::StiffSteps> stiff_;
};

}  // namespace wyvern::systems
