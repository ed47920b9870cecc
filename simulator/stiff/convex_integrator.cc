#include "wyvern/simulator/stiff/convex_integrator.h"

#include "wyvern/simulator/integrators/convex_steps.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ConvexIntegrator<T>::ConvexIntegrator(const System<T>& system,
                                      Context<T>* context)
    : IntegratorBase<T>(system, context) {}

template <typename T>
ConvexIntegrator<T>::~ConvexIntegrator() = default;

template <typename T>
int64_t ConvexIntegrator<T>::get_num_implicit_steps() const {
  return steps_ == nullptr ? 0 : steps_->num_implicit_steps();
}

template <typename T>
void ConvexIntegrator<T>::DoInitialize() {
  steps_ = std::make_unique<internal::ConvexSteps<T>>(this->get_system(),
                                                      this->get_context());
  error_.setZero(this->get_context().num_continuous_states());
}

template <typename T>
void ConvexIntegrator<T>::DoResetStatistics() {
  if (steps_ != nullptr) steps_->ResetStatistics();
}

template <typename T>
bool ConvexIntegrator<T>::DoIsBoundByStability() const {
  return steps_ == nullptr || !steps_->has_steps();
}

template <typename T>
bool ConvexIntegrator<T>::DoNeedsStartDerivative() const {
  return DoIsBoundByStability();
}

template <typename T>
bool ConvexIntegrator<T>::DoStep(const T&) {
  const typename internal::ConvexSteps<T>::Surroundings surroundings{
      [this](const T& t) -> VectorBase<T>& { return this->MoveWithinStep(t); },
      [this] { return this->CopyTimeDerivatives(&error_); }};
  const int64_t before = steps_->num_evaluations();
  const bool made =
      steps_->Step(this->step_start_state(), this->step_start_time(),
                   this->step_end_time(), surroundings, &error_);
  this->add_derivative_evaluations(
      static_cast<double>(steps_->num_evaluations() - before));
  if (made) this->get_mutable_error_estimate()->SetFromVector(error_);
  return made;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ConvexIntegrator);
