#include "wyvern/simulator/odeint/odeint_integrator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <boost/numeric/odeint/stepper/modified_midpoint.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_cash_karp54.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Boost.Odeint's explicit steppers behind IntegratorBase, and extrapolation by
its modified midpoint rule. A stepper works on std::vector and calls back for
derivatives. The error estimate is the stepper's own: the difference of its two
orders. Extrapolation follows Bulirsch and Stoer with the step numbers 2, 4, 6,
8 (Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", II.9).
A derivative that is not finite leaves the stepper by an exception, and the step
fails as one with a large error. */

namespace wyvern::systems::internal {
namespace {

template <typename T>
using CashKarp5 =
    boost::numeric::odeint::runge_kutta_cash_karp54<std::vector<T>, T>;
template <typename T>
using DormandPrince5 =
    boost::numeric::odeint::runge_kutta_dopri5<std::vector<T>, T>;
template <typename T>
using Fehlberg78 =
    boost::numeric::odeint::runge_kutta_fehlberg78<std::vector<T>, T>;
template <typename T>
using ModifiedMidpoint =
    boost::numeric::odeint::modified_midpoint<std::vector<T>, T>;

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

// Row k of Neville's scheme for n_k = 2, 4, 6, 8 substeps starts with the
// midpoint rule's T_k0 and goes on with
//
//   T_kj = T_k,j-1 + (T_k,j-1 - T_k-1,j-1) / ((n_k / n_k-j)^2 - 1)
//
// (Hairer, Norsett, Wanner, Solving ODEs I, II.9, eq. 9.10).
template <typename T>
class OdeintIntegrator<T>::Extrapolation final : public Stepper {
 public:
  explicit Extrapolation(int n) {
    for (auto& row : rows_) row.assign(n, T(0.0));
  }

  void DoStep(OdeintIntegrator<T>* owner, const T& h) final {
    const auto derivatives = [owner](const std::vector<T>& x,
                                     std::vector<T>& xdot, const T& t) {
      if (!owner->CalcDerivatives(x, &xdot, t)) throw NotFinite{};
    };
    const T& t = owner->step_start_time();
    for (int k = 0; k < kRows; ++k) {
      midpoint_.set_steps(NumSubsteps(k));
      midpoint_.do_step(derivatives, owner->start_, owner->start_derivative_, t,
                        owner->end_, h);
      Extrapolate(k, &owner->end_, &owner->error_);
    }
  }

 private:
  static constexpr int kRows = 4;
  static int NumSubsteps(int k) { return 2 * (k + 1); }

  // Turns rows_[j] from T_k-1,j into T_k,j, given T_k0 in *x. Leaves T_kk in
  // *x and its last change in *change.
  void Extrapolate(int k, std::vector<T>* x, std::vector<T>* change) {
    for (size_t i = 0; i < x->size(); ++i) {
      T value = (*x)[i];
      for (int j = 0; j < k; ++j) {
        const double ratio =
            static_cast<double>(NumSubsteps(k)) / NumSubsteps(k - j - 1);
        const T previous = std::exchange(rows_[j][i], value);
        (*change)[i] = (value - previous) / (ratio * ratio - 1);
        value += (*change)[i];
      }
      rows_[k][i] = value;
      (*x)[i] = value;
    }
  }

  ModifiedMidpoint<T> midpoint_;
  std::array<std::vector<T>, kRows> rows_;
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
  switch (method_) {
    case OdeintMethod::kCashKarp5:
      stepper_ = std::make_unique<StepperOf<CashKarp5<T>>>();
      break;
    case OdeintMethod::kDormandPrince5:
      stepper_ = std::make_unique<StepperOf<DormandPrince5<T>>>();
      break;
    case OdeintMethod::kFehlberg78:
      stepper_ = std::make_unique<StepperOf<Fehlberg78<T>>>();
      break;
    case OdeintMethod::kBulirschStoer:
      stepper_ = std::make_unique<Extrapolation>(n);
      break;
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
  this->MoveWithinStep(at_end ? end : t).SetFromVector(AsVector(x));
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
    this->MoveWithinStep(this->step_end_time()).SetFromVector(AsVector(end_));
  }
  this->get_mutable_error_estimate()->SetFromVector(AsVector(error_));
  return true;
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::OdeintIntegrator);
