#include "wyvern/systems/controllers/pid_compensator.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"

/* Both integrals, that of the error and that in the derivative's filter, follow
one rule for 1/s: an integral of w with the state q is

  continuous   q + 0 w,         dq/dt = w
  sampled      q[k] + a h w[k], q[k+1] = q[k] + h w[k],

whose transfer function h/(z - 1) + a h is forward Euler's for a = 0,
backward Euler's for a = 1 and Tustin's for a = 1/2. The filtered derivative
of w is the loop d = N (kd w - integral of d), solved for d:

  d = N (kd w - q_d) / (1 + N a h).

(K. J. Astrom, R. M. Murray, "Feedback Systems", 2008, section 10.4, has the
weights and back-calculation: dI/dt = ki e + kb (u - v).) The sampled output
uses ki e alone for the integral's present share, since the excess u - v is
known only afterwards; the state gets both. */

namespace wyvern::systems::controllers {

namespace {

constexpr char kCompensator[] = "PidCompensator";
constexpr int kReferencePort = 0;
constexpr int kMeasurementPort = 1;
constexpr int kFeedforwardPort = 2;

void RequireFittingSettings(const PidSettings& s) {
  using wyvern::internal::RequireFinite;
  RequireFinite(kCompensator, "kp", s.kp);
  RequireFinite(kCompensator, "ki", s.ki);
  RequireFinite(kCompensator, "kd", s.kd);
  RequireFinite(kCompensator, "proportional_weight", s.proportional_weight);
  RequireFinite(kCompensator, "derivative_weight", s.derivative_weight);
  wyvern::internal::RequirePositive(kCompensator, "derivative_bandwidth",
                                    s.derivative_bandwidth);
  wyvern::internal::RequireNonNegative(kCompensator, "back_calculation",
                                       s.back_calculation);
  wyvern::internal::RequireNonNegative(kCompensator, "period", s.period);
  wyvern::internal::RequireNotNan(kCompensator, "lower", s.lower);
  wyvern::internal::RequireNotNan(kCompensator, "upper", s.upper);
  if (s.lower > s.upper) {
    throw std::logic_error(fmt::format(
        "PidCompensator(): lower = {} is above upper = {}; give limits with "
        "lower <= upper.",
        s.lower, s.upper));
  }
  if (s.method == PidMethod::kForwardEuler &&
      s.derivative_bandwidth * s.period >= 2) {
    throw std::logic_error(fmt::format(
        "PidCompensator(): derivative_bandwidth = {} rad/s is unstable with "
        "the forward Euler method and the period {} s; use less than 2 / "
        "period, or another method.",
        s.derivative_bandwidth, s.period));
  }
  if (s.anti_windup == AntiWindup::kBackCalculation &&
      s.back_calculation * s.period >= 2) {
    throw std::logic_error(fmt::format(
        "PidCompensator(): back_calculation = {} 1/s is unstable with the "
        "period {} s; use less than 2 / period.",
        s.back_calculation, s.period));
  }
}

}  // namespace

template <typename T>
PidCompensator<T>::PidCompensator(const PidSettings& settings, int size)
    : LeafSystem<T>(SystemTypeTag<controllers::PidCompensator>{}),
      settings_(settings),
      size_(size) {
  wyvern::internal::RequireAtLeast(kCompensator, "size", size, 1);
  RequireFittingSettings(settings);
  this->DeclareVectorInputPort("reference", size);
  this->DeclareVectorInputPort("measurement", size);
  if (settings.has_feedforward_port) {
    this->DeclareVectorInputPort("feedforward", size);
  }
  this->DeclareNumericParameter(
      BasicVector<T>({T(settings.kp), T(settings.ki), T(settings.kd)}));
  if (is_sampled()) {
    this->DeclareDiscreteState(3 * size);
    this->DeclarePeriodicDiscreteUpdateEvent(settings.period, 0,
                                             &PidCompensator<T>::Sample);
    this->DeclareVectorOutputPort(
        "control", size, &PidCompensator<T>::CalcControl, {this->xd_ticket()});
  } else {
    this->DeclareContinuousState(2 * size);
    this->DeclareVectorOutputPort(
        "control", size, &PidCompensator<T>::CalcControl,
        {this->all_input_ports_ticket(), this->xc_ticket(),
         this->all_parameters_ticket()});
  }
}

template <typename T>
const InputPort<T>& PidCompensator<T>::get_input_port_reference() const {
  return this->get_input_port(kReferencePort);
}

template <typename T>
const InputPort<T>& PidCompensator<T>::get_input_port_measurement() const {
  return this->get_input_port(kMeasurementPort);
}

template <typename T>
const InputPort<T>& PidCompensator<T>::get_input_port_feedforward() const {
  return this->get_input_port(kFeedforwardPort);
}

template <typename T>
double PidCompensator<T>::CalcPresentShare() const {
  if (!is_sampled() || settings_.method == PidMethod::kForwardEuler) return 0;
  return settings_.period * (settings_.method == PidMethod::kTustin ? 0.5 : 1);
}

template <typename T>
const T& PidCompensator<T>::GetState(const Context<T>& context, int i) const {
  if (is_sampled()) return context.get_discrete_state(0)[i];
  return context.get_continuous_state_vector()[i];
}

template <typename T>
void PidCompensator<T>::SetState(Context<T>* context, int i,
                                 const T& value) const {
  if (is_sampled()) {
    context->get_mutable_discrete_state(0)[i] = value;
  } else {
    context->get_mutable_continuous_state_vector()[i] = value;
  }
}

template <typename T>
auto PidCompensator<T>::CalcTerms(const Context<T>& context, int i) const
    -> Terms {
  const PidSettings& s = settings_;
  const BasicVector<T>& gains = context.get_numeric_parameter(0);
  const T& r = get_input_port_reference().Eval(context)[i];
  const T& m = get_input_port_measurement().Eval(context)[i];
  const double share = CalcPresentShare();

  Terms terms;
  terms.error_rate = gains[1] * (r - m);
  const T w = gains[2] * (s.derivative_weight * r - m);
  const double bandwidth = s.derivative_bandwidth;
  terms.filter_rate =
      bandwidth * (w - GetState(context, size_ + i)) / (1 + bandwidth * share);
  terms.rest = gains[0] * (s.proportional_weight * r - m) + terms.filter_rate;
  if (s.has_feedforward_port) {
    terms.rest += get_input_port_feedforward().Eval(context)[i];
  }
  terms.integral = GetState(context, i) + share * terms.error_rate;
  terms.unlimited = terms.rest + terms.integral;
  const bool is_above = terms.unlimited > s.upper;
  const bool is_below = terms.unlimited < s.lower;
  terms.limited = terms.unlimited;
  if (is_above) terms.limited = T(s.upper);
  if (is_below) terms.limited = T(s.lower);
  terms.integral_rate = terms.error_rate;
  const bool goes_out =
      (is_above && terms.error_rate > 0) || (is_below && terms.error_rate < 0);
  if (s.anti_windup == AntiWindup::kClamping && goes_out) {
    terms.integral_rate = T(0);
  } else if (s.anti_windup == AntiWindup::kBackCalculation &&
             (is_above || is_below)) {
    terms.integral_rate +=
        s.back_calculation * (terms.limited - terms.unlimited);
  }
  return terms;
}

template <typename T>
void PidCompensator<T>::MoveIntegral(Context<T>* context, int i,
                                     const T& wanted) const {
  const Terms terms = CalcTerms(*context, i);
  SetState(context, i, GetState(*context, i) + (wanted - terms.unlimited));
}

template <typename T>
void PidCompensator<T>::Start(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& control) const {
  this->ValidateContext(context);
  const char* const who = "PidCompensator::Start";
  wyvern::internal::RequireSize(who, "control", control.size(), size_);
  wyvern::internal::RequireFinite(who, "control", control);
  for (int i = 0; i < size_; ++i) {
    wyvern::internal::RequireInRange(who, "control",
                                     wyvern::internal::NumberIn(control[i]),
                                     settings_.lower, settings_.upper);
  }
  const BasicVector<T>& gains = context->get_numeric_parameter(0);
  for (int i = 0; i < size_; ++i) {
    const T r = get_input_port_reference().Eval(*context)[i];
    const T m = get_input_port_measurement().Eval(*context)[i];
    SetState(context, size_ + i,
             gains[2] * (settings_.derivative_weight * r - m));
    MoveIntegral(context, i, control[i]);
    if (is_sampled()) SetState(context, 2 * size_ + i, control[i]);
  }
}

template <typename T>
void PidCompensator<T>::ChangeGains(Context<T>* context, double kp, double ki,
                                    double kd) const {
  this->ValidateContext(context);
  const char* const who = "PidCompensator::ChangeGains";
  wyvern::internal::RequireFinite(who, "kp", kp);
  wyvern::internal::RequireFinite(who, "ki", ki);
  wyvern::internal::RequireFinite(who, "kd", kd);
  VectorX<T> before(size_);
  VectorX<T> filters(size_);
  const T old_kd = context->get_numeric_parameter(0)[2];
  for (int i = 0; i < size_; ++i) {
    before[i] = CalcTerms(*context, i).unlimited;
    // The filter's state includes kd, so the derivative term scales with kd. If
    // it was zero, the filter starts anew, with a derivative term of zero.
    if (old_kd != 0) {
      filters[i] = GetState(*context, size_ + i) * (kd / old_kd);
    } else {
      const T r = get_input_port_reference().Eval(*context)[i];
      const T m = get_input_port_measurement().Eval(*context)[i];
      filters[i] = kd * (settings_.derivative_weight * r - m);
    }
  }
  BasicVector<T>& gains = context->get_mutable_numeric_parameter(0);
  gains[0] = T(kp);
  gains[1] = T(ki);
  gains[2] = T(kd);
  for (int i = 0; i < size_; ++i) {
    SetState(context, size_ + i, filters[i]);
    MoveIntegral(context, i, before[i]);
  }
}

template <typename T>
void PidCompensator<T>::CalcControl(const Context<T>& context,
                                    BasicVector<T>* control) const {
  for (int i = 0; i < size_; ++i) {
    (*control)[i] = is_sampled() ? GetState(context, 2 * size_ + i)
                                 : CalcTerms(context, i).limited;
  }
  systems::internal::RequireNoOverflow(*this, context, *control);
}

template <typename T>
EventStatus PidCompensator<T>::Sample(const Context<T>& context,
                                      DiscreteValues<T>* next) const {
  for (int i = 0; i < size_; ++i) {
    const Terms terms = CalcTerms(context, i);
    (*next)[i] = GetState(context, i) + settings_.period * terms.integral_rate;
    (*next)[size_ + i] =
        GetState(context, size_ + i) + settings_.period * terms.filter_rate;
    (*next)[2 * size_ + i] = terms.limited;
  }
  return EventStatus::Succeeded();
}

template <typename T>
void PidCompensator<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  if (is_sampled()) return;
  VectorBase<T>& dx = derivatives->get_mutable_vector();
  for (int i = 0; i < size_; ++i) {
    const Terms terms = CalcTerms(context, i);
    dx[i] = terms.integral_rate;
    dx[size_ + i] = terms.filter_rate;
  }
}

}  // namespace wyvern::systems::controllers

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::PidCompensator);
