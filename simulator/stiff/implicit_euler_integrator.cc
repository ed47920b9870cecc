#include "wyvern/simulator/stiff/implicit_euler_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ImplicitEulerIntegrator<T>::ImplicitEulerIntegrator(const System<T>& system,
                                                    Context<T>* context)
    : ImplicitIntegrator<T>(system, context) {}

template <typename T>
bool ImplicitEulerIntegrator<T>::DoImplicitIntegratorStep(const T& h) {
  // One whole step.
  c_ = this->step_start_state();
  x_ = c_;
  if (!this->Solve(this->step_end_time(), c_, h, &x_)) return false;

  // Another way there, to compare with.
  {
    typename ImplicitIntegrator<T>::EstimatorScope scope(this);
    if (use_trapezoid_ ? !DoTrapezoid(h) : !DoHalfSteps(h)) return false;
  }
  c_ = x_ - other_;
  this->get_mutable_error_estimate()->SetFromVector(c_);
  this->MoveWithinStep(this->step_end_time())
      .SetFromVector(use_trapezoid_ ? x_ : other_);
  return true;
}

template <typename T>
std::string ImplicitEulerIntegrator<T>::DoDescribeSettings() const {
  return ImplicitIntegrator<T>::DoDescribeSettings() +
         (use_trapezoid_ ? ", trapezoid estimate" : ", half step estimate");
}

template <typename T>
bool ImplicitEulerIntegrator<T>::DoHalfSteps(const T& h) {
  const T half = T(0.5) * h;
  other_ = T(0.5) * (c_ + x_);
  if (!this->Solve(this->step_start_time() + half, c_, half, &other_)) {
    return false;
  }
  c_ = other_;
  other_ = x_;
  return this->Solve(this->step_end_time(), c_, half, &other_);
}

template <typename T>
bool ImplicitEulerIntegrator<T>::DoTrapezoid(const T& h) {
  const T half = T(0.5) * h;
  c_ = this->step_start_state() + half * this->step_start_derivative();
  other_ = x_;
  return this->Solve(this->step_end_time(), c_, half, &other_);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ImplicitEulerIntegrator);
