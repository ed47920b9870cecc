#include "wyvern/simulator/integrators/odeint_integrator.h"

#include <algorithm>
#include <cmath>

#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::systems::internal {
namespace {

template <typename T>
using DormandPrince5 =
    boost::numeric::odeint::runge_kutta_dopri5<std::vector<T>, T>;
template <typename T>
using Fehlberg78 =
    boost::numeric::odeint::runge_kutta_fehlberg78<std::vector<T>, T>;

// Leaves a stepper from inside: it knows no other way to stop.
struct NotFinite {};

template <typename T>
Eigen::Map<const VectorX<T>> AsVector(const std::vector<T>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

template <typename T>
void Copy(const VectorX<T>& from, std::vector<T>* to) {
  std::copy(from.data(), from.data() + from.size(), to->begin());
}

}  // namespace

template <typename T>
class OdeintIntegrator<T>::Stepper {
 public:
  virtual ~Stepper() = default;
  // From `owner`'s start_ to its end_ and error_.
  virtual void DoStep(OdeintIntegrator<T>* owner, const T& h) = 0;
};

template <typename T>
template <typename OdeintStepper>
class OdeintIntegrator<T>::StepperOf final : public Stepper {
 public:
  void DoStep(OdeintIntegrator<T>* owner, const T& h) final {
    const auto derivatives = [owner](const std::vector<T>& x,
                                     std::vector<T>& xdot, const T& t) {
      if (!owner->CalcDerivatives(x, &xdot, t)) throw NotFinite{};
    };
    const T& t = owner->step_start_time();
    if constexpr (std::is_same_v<OdeintStepper, DormandPrince5<T>>) {
      // Its last derivative is that at the end, which the cache keeps as well.
      end_derivative_.resize(owner->start_.size());
      stepper_.do_step(derivatives, owner->start_, owner->start_derivative_, t,
                       owner->end_, end_derivative_, h, owner->error_);
    } else {
      stepper_.do_step(derivatives, owner->start_, owner->start_derivative_, t,
                       owner->end_, h, owner->error_);
    }
  }

 private:
  OdeintStepper stepper_;
  std::vector<T> end_derivative_;
};

template <typename T>
OdeintIntegrator<T>::OdeintIntegrator(const System<T>& system,
                                      Context<T>* context, OdeintMethod method)
    : IntegratorBase<T>(system, context), method_(method) {}

template <typename T>
OdeintIntegrator<T>::~OdeintIntegrator() = default;

template <typename T>
void OdeintIntegrator<T>::DoInitialize() {
  const int n = this->get_context().num_continuous_states();
  if (method_ == OdeintMethod::kDormandPrince5) {
    stepper_ = std::make_unique<StepperOf<DormandPrince5<T>>>();
  } else {
    stepper_ = std::make_unique<StepperOf<Fehlberg78<T>>>();
  }
  for (auto* x : {&start_, &start_derivative_, &end_, &error_}) {
    x->assign(n, T(0.0));
  }
  xdot_.setZero(n);
}

template <typename T>
bool OdeintIntegrator<T>::CalcDerivatives(const std::vector<T>& x,
                                          std::vector<T>* xdot, const T& t) {
  // A stage at the end of the step is at exactly that time.
  using std::abs;
  const T& end = this->step_end_time();
  const bool at_end =
      abs(end - t) <= T(1e-10) * (end - this->step_start_time());
  this->get_mutable_context()
      ->SetTimeAndGetMutableContinuousStateVector(at_end ? end : t)
      .SetFromVector(AsVector(x));
  if (!this->CopyTimeDerivatives(&xdot_)) return false;
  Copy(xdot_, xdot);
  return true;
}

template <typename T>
bool OdeintIntegrator<T>::DoStep(const T& h) {
  Copy(this->step_start_state(), &start_);
  Copy(this->step_start_derivative(), &start_derivative_);
  try {
    stepper_->DoStep(this, h);
  } catch (const NotFinite&) {
    return false;
  }
  // The last stage of Dormand and Prince's method is the result.
  if (method_ != OdeintMethod::kDormandPrince5) {
    this->get_mutable_context()
        ->SetTimeAndGetMutableContinuousStateVector(this->step_end_time())
        .SetFromVector(AsVector(end_));
  }
  this->get_mutable_error_estimate()->SetFromVector(AsVector(error_));
  return true;
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::OdeintIntegrator);
