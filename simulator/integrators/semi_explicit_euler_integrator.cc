#include "wyvern/simulator/integrators/semi_explicit_euler_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
SemiExplicitEulerIntegrator<T>::SemiExplicitEulerIntegrator(
    const System<T>& system, const T& max_step_size, Context<T>* context)
    : IntegratorBase<T>(system, context) {
  this->set_maximum_step_size(max_step_size);
}

template <typename T>
void SemiExplicitEulerIntegrator<T>::DoInitialize() {
  const ContinuousState<T>& xc = this->get_context().get_continuous_state();
  x_.setZero(xc.size());
  v_.setZero(xc.num_v());
  qdot_ = std::make_unique<BasicVector<T>>(xc.num_q());
}

template <typename T>
bool SemiExplicitEulerIntegrator<T>::DoStep(const T& h) {
  Context<T>& context = *this->get_mutable_context();
  const int nq = context.get_continuous_state().num_q();
  const int nv = context.get_continuous_state().num_v();

  // The Context is where the step starts, so N(q) is that of the start.
  x_ = this->step_start_state() + h * this->step_start_derivative();
  if (nv > 0) {
    v_ = x_.segment(nq, nv);
    this->get_system().MapVelocityToQDot(context, v_, qdot_.get());
    x_.head(nq) = this->step_start_state().head(nq) + h * qdot_->value();
  }
  this->MoveWithinStep(this->step_end_time()).SetFromVector(x_);
  return true;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::SemiExplicitEulerIntegrator);
