#pragma once

#include <memory>

#include "wyvern/simulator/integrators/integrator_base.h"
#include "wyvern/systems/framework/basic_vector.h"

namespace wyvern::systems {

/** The semi-explicit (symplectic) Euler method, first order:

    v' = v + h vdot(t, q, v, z),   q' = q + h N(q) v',   z' = z + h zdot

Positions move with the new velocities, so that a mechanical system without
losses keeps its energy within a bound for ever (Hairer, Lubich, Wanner,
Geometric Numerical Integration, I.1.2, eq. 1.9). One derivative a step. Without
velocities it is Euler's explicit method. */
template <typename T>
class SemiExplicitEulerIntegrator final : public IntegratorBase<T> {
 public:
  /** Steps have `max_step_size` [s]. See IntegratorBase for the rest. */
  SemiExplicitEulerIntegrator(const System<T>& system, const T& max_step_size,
                              Context<T>* context = nullptr);
  ~SemiExplicitEulerIntegrator() final = default;

  bool supports_error_estimation() const final { return false; }
  int get_error_estimate_order() const final { return 0; }

 private:
  void DoInitialize() final;
  bool DoStep(const T& h) final;

  VectorX<T> x_;
  VectorX<T> v_;
  std::unique_ptr<BasicVector<T>> qdot_;
};

}  // namespace wyvern::systems
