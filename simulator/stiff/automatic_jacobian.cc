#include "wyvern/simulator/stiff/automatic_jacobian.h"

#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::internal {
namespace {

// Row i of *J from the derivatives of x[first + i].
template <typename T>
void CopyDerivatives(const VectorBase<AutoDiffXd>& x, int first,
                     MatrixX<T>* J) {
  for (int i = 0; i < J->rows(); ++i) {
    const AutoDiffDerivatives& row = x[first + i].derivatives();
    // A constant has no derivatives at all.
    if (row.size() == 0) {
      J->row(i).setZero();
    } else {
      for (int j = 0; j < J->cols(); ++j) (*J)(i, j) = row[j];
    }
  }
}

}  // namespace

template <typename T>
AutomaticJacobian<T>::AutomaticJacobian(const System<T>& system)
    : system_(system) {
  Convert();
}

template <typename T>
void AutomaticJacobian<T>::Convert() {
  if constexpr (std::is_same_v<T, double>) {
    converted_ = system_.ToAutoDiffXdMaybe();
  }
  if (converted_ == nullptr) {
    throw std::logic_error(fmt::format(
        "ImplicitIntegrator::set_jacobian_computation_scheme(): '{}' cannot "
        "be converted to AutoDiffXd; choose a difference scheme.",
        system_.GetSystemPathname()));
  }
  if constexpr (kHasScalar<AutoDiffXd>) {
    context_ = converted_->CreateDefaultContext();
    qdot_ = std::make_unique<BasicVector<AutoDiffXd>>(
        context_->get_continuous_state().num_q());
  }
  settings_ = SystemBase::num_settings_changes();
}

template <typename T>
AutomaticJacobian<T>::~AutomaticJacobian() = default;

template <typename T>
void AutomaticJacobian<T>::CopyFrom(const Context<T>& context) {
  if (settings_ != SystemBase::num_settings_changes()) Convert();
  if constexpr (kHasScalar<AutoDiffXd> && std::is_same_v<T, double>) {
    context_->SetTimeStateAndParametersFrom(context);
    converted_->FixInputPortsFrom(system_, context, context_.get());
  }
}

template <typename T>
void AutomaticJacobian<T>::Calc(const Context<T>& context, MatrixX<T>* J) {
  if constexpr (kHasScalar<AutoDiffXd>) {
    CopyFrom(context);
    const int n = context_->num_continuous_states();
    VectorBase<AutoDiffXd>& x = context_->get_mutable_continuous_state_vector();
    for (int i = 0; i < n; ++i) x[i] = AutoDiffXd(x[i].value(), n, i);
    CopyDerivatives(converted_->EvalTimeDerivatives(*context_).get_vector(), 0,
                    J);
  }
}

template <typename T>
void AutomaticJacobian<T>::CalcByVelocity(const Context<T>& context,
                                          const VectorX<T>& q0, const T& h,
                                          MatrixX<T>* J) {
  if constexpr (kHasScalar<AutoDiffXd>) {
    CopyFrom(context);
    const ContinuousState<AutoDiffXd>& xc = context_->get_continuous_state();
    const int nq = xc.num_q();
    const int nv = xc.num_v();
    const int ny = xc.size() - nq;
    VectorX<AutoDiffXd> x = xc.CopyToVector();
    for (int i = 0; i < ny; ++i)
      x[nq + i] = AutoDiffXd(x[nq + i].value(), ny, i);
    if (nq > 0) {
      const VectorX<AutoDiffXd> v = x.segment(nq, nv);
      converted_->MapVelocityToQDot(*context_, v, qdot_.get());
      for (int i = 0; i < nq; ++i) {
        x[i] = AutoDiffXd(q0[i]) + AutoDiffXd(h) * qdot_->value()[i];
      }
    }
    context_->SetContinuousState(x);
    CopyDerivatives(converted_->EvalTimeDerivatives(*context_).get_vector(), nq,
                    J);
  }
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::AutomaticJacobian);
