#include "wyvern/systems/primitives/linear/time_varying_affine_system.h"

#include "wyvern/systems/common/check_argument.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/math/symmetric_eigen.h"
#include "wyvern/systems/primitives/constant_matrix_product.h"
#include "wyvern/systems/primitives/overflow_check.h"

/* One class is both kinds of system: the period decides which state is
declared, and StateOf() and SetState() hide the difference from the rest. The
coefficients come from a subclass at each time, and so their shapes are
checked at each use. The subclass says what the output depends on, because a
list of everything would be direct feedthrough even where D is zero. A random
state is x0 + L w with independent Gaussians w and L L' the covariance; L is
made from eigenvalues, since Cholesky's factorization wants a covariance that
is definite. */

namespace wyvern::systems {

namespace {

constexpr char kAffineSystemName[] = "TimeVaryingAffineSystem";

// L with L L^T = P. Rounding may make P's smallest eigenvalues slightly
// negative, so a bound relative to the largest separates that from a P that is
// no covariance.
Eigen::MatrixXd SquareRoot(const Eigen::MatrixXd& P) {
  if (P.size() == 0) return P;
  const auto [values, V] = math::internal::CalcSymmetricEigen(P);
  const double smallest = values.minCoeff();
  const double largest = values.cwiseAbs().maxCoeff();
  if (smallest < -1e-12 * largest) {
    throw std::logic_error(fmt::format(
        "{}::configure_random_state(): the covariance has the eigenvalue {}; "
        "it must be positive semidefinite.",
        kAffineSystemName, smallest));
  }
  return V * values.cwiseMax(0).cwiseSqrt().asDiagonal();
}

}  // namespace

template <typename T>
TimeVaryingAffineSystem<T>::TimeVaryingAffineSystem(
    SystemScalarConverter converter, int num_states, int num_inputs,
    int num_outputs, double time_period,
    const internal::OutputDependence& output_dependence)
    : LeafSystem<T>(std::move(converter)),
      time_period_(time_period),
      num_states_(num_states),
      num_inputs_(num_inputs),
      num_outputs_(num_outputs) {
  wyvern::internal::RequireAtLeast(kAffineSystemName, "num_states", num_states,
                                   0);
  wyvern::internal::RequireAtLeast(kAffineSystemName, "num_inputs", num_inputs,
                                   0);
  wyvern::internal::RequireAtLeast(kAffineSystemName, "num_outputs",
                                   num_outputs, 0);
  wyvern::internal::RequireNonNegative(kAffineSystemName, "time_period",
                                       time_period);
  x0_ = VectorX<T>::Zero(num_states);
  sqrt_covariance_ = Eigen::MatrixXd::Zero(num_states, num_states);
  if (num_inputs > 0) this->DeclareVectorInputPort(kUseDefaultName, num_inputs);
  if (num_states > 0 && time_period == 0) {
    this->DeclareContinuousState(num_states);
  } else if (num_states > 0) {
    this->DeclareDiscreteState(num_states);
    this->DeclarePeriodicDiscreteUpdateEvent(
        time_period, 0.0, &TimeVaryingAffineSystem<T>::CalcDiscreteUpdate);
  }
  if (num_outputs > 0) {
    std::set<DependencyTicket> sources{this->nothing_ticket()};
    if (output_dependence.on_state) sources.insert(this->all_state_ticket());
    if (output_dependence.on_time) sources.insert(this->time_ticket());
    if (output_dependence.on_input) {
      sources.insert(this->all_input_ports_ticket());
    }
    this->DeclareVectorOutputPort(kUseDefaultName, num_outputs,
                                  &TimeVaryingAffineSystem<T>::CalcOutputY,
                                  sources);
  }
}

template <typename T>
TimeVaryingAffineSystem<T>::~TimeVaryingAffineSystem() = default;

template <typename T>
void TimeVaryingAffineSystem<T>::configure_default_state(
    const Eigen::Ref<const VectorX<T>>& x0) {
  constexpr char kWho[] = "TimeVaryingAffineSystem::configure_default_state()";
  wyvern::internal::RequireSize(kWho, "x0", x0.size(), num_states_);
  wyvern::internal::RequireFinite(kWho, "x0", x0);
  x0_ = x0;
}

template <typename T>
void TimeVaryingAffineSystem<T>::configure_random_state(
    const Eigen::Ref<const Eigen::MatrixXd>& covariance) {
  constexpr char kWho[] = "TimeVaryingAffineSystem::configure_random_state()";
  wyvern::internal::RequireShape(kWho, "the covariance", covariance,
                                 num_states_, num_states_);
  wyvern::internal::RequireFinite(kWho, "the covariance", covariance);
  if (num_states_ == 0) return;
  const double asymmetry =
      (covariance - covariance.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > 1e-12 * covariance.cwiseAbs().maxCoeff()) {
    throw std::logic_error(fmt::format(
        "{}: the covariance differs from its transpose by {}; it must be "
        "symmetric.",
        kWho, asymmetry));
  }
  sqrt_covariance_ = SquareRoot(covariance);
}

template <typename T>
Eigen::Map<const VectorX<T>> TimeVaryingAffineSystem<T>::StateOf(
    const Context<T>& context) const {
  if (num_states_ == 0) return {nullptr, 0};
  if (time_period_ > 0) {
    return internal::ViewOf<T>(context.get_discrete_state(0));
  }
  return internal::ViewOf<T>(context.get_continuous_state_vector());
}

template <typename T>
MatrixX<T> TimeVaryingAffineSystem<T>::RequireCoefficient(const char* name,
                                                          MatrixX<T> value,
                                                          int rows,
                                                          int cols) const {
  if (value.rows() != rows || value.cols() != cols) {
    throw std::logic_error(fmt::format(
        "{}: '{}' returned {}(t) with shape {} x {}; it must be {} x {}.",
        kAffineSystemName, this->GetSystemPathname(), name, value.rows(),
        value.cols(), rows, cols));
  }
  return value;
}

template <typename T>
void TimeVaryingAffineSystem<T>::CalcOutputY(
    const Context<T>& context, BasicVector<T>* output_vector) const {
  const T& t = context.get_time();
  auto y = output_vector->get_mutable_value();
  y = RequireCoefficient("y0", y0(t), num_outputs_, 1);
  if (num_states_ > 0) {
    y += RequireCoefficient("C", C(t), num_outputs_, num_states_) *
         StateOf(context);
  }
  if (num_inputs_ > 0) {
    y += RequireCoefficient("D", D(t), num_outputs_, num_inputs_) *
         get_input_port().Eval(context);
  }
  internal::RequireNoOverflow(*this, context, *output_vector);
}

template <typename T>
VectorX<T> TimeVaryingAffineSystem<T>::CalcRightHandSide(
    const Context<T>& context) const {
  const T& t = context.get_time();
  VectorX<T> result = RequireCoefficient("f0", f0(t), num_states_, 1);
  result += RequireCoefficient("A", A(t), num_states_, num_states_) *
            StateOf(context);
  if (num_inputs_ > 0) {
    result += RequireCoefficient("B", B(t), num_states_, num_inputs_) *
              get_input_port().Eval(context);
  }
  return result;
}

template <typename T>
void TimeVaryingAffineSystem<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  if (num_states_ == 0 || time_period_ > 0) return;
  derivatives->SetFromVector(CalcRightHandSide(context));
}

template <typename T>
EventStatus TimeVaryingAffineSystem<T>::CalcDiscreteUpdate(
    const Context<T>& context, DiscreteValues<T>* updates) const {
  updates->set_value(0, CalcRightHandSide(context));
  return EventStatus::Succeeded();
}

template <typename T>
void TimeVaryingAffineSystem<T>::SetState(const VectorX<T>& x,
                                          State<T>* state) const {
  if (num_states_ == 0) return;
  if (time_period_ > 0) {
    state->get_mutable_discrete_state().set_value(0, x);
  } else {
    state->get_mutable_continuous_state().SetFromVector(x);
  }
}

template <typename T>
void TimeVaryingAffineSystem<T>::SetDefaultState(const Context<T>& context,
                                                 State<T>* state) const {
  this->ValidateContext(context);
  SetState(x0_, state);
}

template <typename T>
void TimeVaryingAffineSystem<T>::SetRandomState(
    const Context<T>& context, State<T>* state,
    RandomGenerator* generator) const {
  this->ValidateContext(context);
  std::normal_distribution<double> gaussian;
  Eigen::VectorXd w(num_states_);
  for (double& w_i : w) w_i = gaussian(*generator);
  const Eigen::VectorXd offset = sqrt_covariance_ * w;
  SetState(x0_ + offset.template cast<T>(), state);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::TimeVaryingAffineSystem);
