#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "wyvern/simulator/integrators/dense_output.h"
#include "wyvern/simulator/integrators/integrator_base.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::systems {

/** The solution of dx/dt = f(t, x; k), x(t0) = x0, of a plain function, for
whom a System would be too much. Parameters k are constants.

Uses RungeKutta3Integrator with accuracy 1e-4 and steps of at most 0.1 unless
told otherwise. Not to be used from two threads at once.

@tparam T the scalar type: double or AutoDiffXd. */
template <typename T>
class InitialValueProblem {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(InitialValueProblem);

  /** dx/dt, of the size of x, from t, x and k. */
  using OdeFunction = std::function<VectorX<T>(const T& t, const VectorX<T>& x,
                                               const VectorX<T>& k)>;

  /** Takes the right-hand side, the initial state x0, and the parameters k,
  none by default.
  @throws std::logic_error if `ode_function` is empty. */
  InitialValueProblem(const OdeFunction& ode_function,
                      const Eigen::Ref<const VectorX<T>>& x0,
                      const Eigen::Ref<const VectorX<T>>& k = VectorX<T>());
  ~InitialValueProblem();

  /** x(tf), given x(t0) = x0. Each call starts anew.
  @throws std::logic_error if tf < t0, or if the function returns another size
  than x has. */
  VectorX<T> Solve(const T& t0, const T& tf) const;
  /** x as a function of time over [t0, tf].
  @throws std::logic_error likewise, and if tf = t0. */
  std::unique_ptr<DenseOutput<T>> DenseSolve(const T& t0, const T& tf) const;

  /** Replaces the integrator by an Integrator(system, args...), which must have
  a maximum step size before Solve(). */
  template <typename Integrator, typename... Args>
  Integrator* reset_integrator(Args&&... args) {
    auto integrator =
        std::make_unique<Integrator>(get_system(), std::forward<Args>(args)...);
    integrator->reset_context(context_.get());
    Integrator* const result = integrator.get();
    integrator_ = std::move(integrator);
    return result;
  }
  /** The integrator. */
  const IntegratorBase<T>& get_integrator() const { return *integrator_; }
  /** The integrator, to change its settings. */
  IntegratorBase<T>& get_mutable_integrator() { return *integrator_; }

 private:
  class OdeSystem;

  const System<T>& get_system() const { return *system_; }
  void Start(const char* function, const T& t0, const T& tf) const;

  const VectorX<T> x0_;
  std::unique_ptr<const System<T>> system_;
  std::unique_ptr<Context<T>> context_;
  std::unique_ptr<IntegratorBase<T>> integrator_;
};

}  // namespace wyvern::systems
