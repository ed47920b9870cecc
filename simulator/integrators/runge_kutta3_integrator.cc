#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"

#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "wyvern/simulator/integrators/stiff_steps.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Kutta's method takes the steps, with the tableau kRungeKutta3, unless
StiffSteps says that the next one is implicit. Then LinearlyImplicitMethod or
ConvexSteps makes the trials, on the state and derivative where the step begins,
and error control goes on as before, with the order of that method's estimate.
What StiffSteps carries from step to step is saved with the place of the step,
so that a step that is taken back, or a simulation that is loaded, goes on with
the same method. */

namespace wyvern::systems {

template <typename T>
RungeKutta3Integrator<T>::RungeKutta3Integrator(const System<T>& system,
                                                Context<T>* context)
    : internal::ExplicitRungeKutta<T>(system, context, internal::kRungeKutta3) {
}

template <typename T>
RungeKutta3Integrator<T>::~RungeKutta3Integrator() = default;

template <typename T>
void RungeKutta3Integrator<T>::set_changes_method_when_stiff(bool changes) {
  if (!changes) {
    stiff_.reset();
    return;
  }
  if (!std::is_same_v<T, double>) {
    throw std::logic_error(
        "RungeKutta3Integrator::set_changes_method_when_stiff(): the other "
        "method is for double alone; choose RadauIntegrator for AutoDiffXd.");
  }
  if (stiff_ == nullptr) stiff_ = std::make_unique<internal::StiffSteps>();
}

template <typename T>
int RungeKutta3Integrator<T>::get_error_estimate_order() const {
  return stiff_ != nullptr && stiff_->is_convex() ? 2 : 3;
}

template <typename T>
int64_t RungeKutta3Integrator<T>::get_num_linearly_implicit_trials() const {
  return stiff_ == nullptr
             ? 0
             : stiff_->num_trials(internal::StiffSteps::kLinearlyImplicit);
}

template <typename T>
int64_t RungeKutta3Integrator<T>::get_num_convex_trials() const {
  return stiff_ == nullptr ? 0
                           : stiff_->num_trials(internal::StiffSteps::kConvex);
}

template <typename T>
void RungeKutta3Integrator<T>::DoInitialize() {
  internal::ExplicitRungeKutta<T>::DoInitialize();
  if constexpr (std::is_same_v<T, double>) {
    if (stiff_ == nullptr) return;
    auto convex = std::make_unique<internal::ConvexSteps<double>>(
        this->get_system(), this->get_context());
    stiff_->Reset(convex->has_steps() ? std::move(convex) : nullptr);
  }
}

template <typename T>
void RungeKutta3Integrator<T>::DoReset() {
  stiff_.reset();
}

template <typename T>
void RungeKutta3Integrator<T>::DoPrepareStep() {
  if (stiff_ == nullptr) return;
  stiff_->Prepare(ToDouble(this->step_start_time()),
                  ToDouble(this->get_ideal_next_step_size()),
                  this->stiffness_probe());
}

template <typename T>
bool RungeKutta3Integrator<T>::DoIsBoundByStability() const {
  return stiff_ == nullptr || !stiff_->is_implicit();
}

template <typename T>
bool RungeKutta3Integrator<T>::DoStep(const T& h) {
  if constexpr (std::is_same_v<T, double>) {
    const bool chosen = stiff_ != nullptr && !this->get_fixed_step_mode();
    if (chosen && stiff_->is_convex()) {
      VectorX<T>& error = this->mutable_trial_error();
      const internal::ConvexSteps<double>::Surroundings surroundings{
          [this](double t) -> VectorBase<double>& {
            return this->MoveWithinStep(t);
          },
          [this] {
            return this->CopyTimeDerivatives(&this->mutable_trial_error());
          }};
      if (!stiff_->StepConvexly(this->step_start_state(),
                                this->step_start_time(), this->step_end_time(),
                                surroundings, &error)) {
        return false;
      }
      this->get_mutable_error_estimate()->SetFromVector(error);
      return true;
    }
    if (chosen && stiff_->is_implicit()) {
      const auto f = [this](double t, const Eigen::VectorXd& x,
                            Eigen::VectorXd* xdot) {
        return this->CalcDerivatives(t, x, xdot);
      };
      const internal::LinearlyImplicitMethod::Start start{
          this->step_start_time(), this->step_start_state(),
          this->step_start_derivative(),
          this->ClampToStep(std::numeric_limits<double>::infinity()),
          [this](int i) { return this->CalcLeastSize(i); }};
      VectorX<T>& x = this->mutable_trial_state();
      VectorX<T>& error = this->mutable_trial_error();
      if (!stiff_->Step(start, this->step_end_time(), f,
                        &this->stiffness_probe(), &x, &error)) {
        return false;
      }
      this->get_mutable_error_estimate()->SetFromVector(error);
      return true;
    }
    if (chosen) stiff_->CountEvaluations(3);
  }
  return internal::ExplicitRungeKutta<T>::DoStep(h);
}

template <typename T>
void RungeKutta3Integrator<T>::DoSavePlace(VectorX<T>* carried) const {
  if (stiff_ == nullptr) {
    carried->resize(0);
    return;
  }
  if constexpr (std::is_same_v<T, double>) {
    carried->resize(internal::StiffSteps::kNumCarried);
    stiff_->Save(*carried);
  }
}

template <typename T>
void RungeKutta3Integrator<T>::DoReturnToPlace(const VectorX<T>& carried) {
  if constexpr (std::is_same_v<T, double>) {
    if (stiff_ != nullptr) stiff_->Restore(carried);
  }
}

template <typename T>
std::string RungeKutta3Integrator<T>::DoDescribeSettings() const {
  return stiff_ == nullptr ? "" : "another method while stiff";
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::RungeKutta3Integrator);
