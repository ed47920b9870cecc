#include "wyvern/systems/controllers/state_feedback.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"

namespace wyvern::systems::controllers {

template <typename T>
StateFeedback<T>::StateFeedback(const Eigen::Ref<const Eigen::MatrixXd>& K,
                                bool has_feedforward_port)
    : LeafSystem<T>(SystemTypeTag<controllers::StateFeedback>{}),
      K_(K),
      has_feedforward_port_(has_feedforward_port) {
  wyvern::internal::RequireNotEmpty("StateFeedback", "K", K_.size() == 0);
  wyvern::internal::RequireFinite("StateFeedback", "K", K_);
  const int n = static_cast<int>(K_.cols());
  const int m = static_cast<int>(K_.rows());
  this->DeclareVectorInputPort("estimated_state", n);
  this->DeclareVectorInputPort("desired_state", n);
  if (has_feedforward_port) this->DeclareVectorInputPort("feedforward", m);
  const VectorX<T> gains =
      Eigen::Map<const Eigen::VectorXd>(K_.data(), K_.size())
          .template cast<T>();
  this->DeclareNumericParameter(BasicVector<T>(gains));
  this->DeclareVectorOutputPort(
      "control", m, &StateFeedback<T>::CalcControl,
      {this->all_input_ports_ticket(), this->all_parameters_ticket()});
}

template <typename T>
MatrixX<T> StateFeedback<T>::GetGain(const Context<T>& context) const {
  this->ValidateContext(context);
  return Eigen::Map<const MatrixX<T>>(
      context.get_numeric_parameter(0).value().data(), K_.rows(), K_.cols());
}

template <typename T>
void StateFeedback<T>::SetGain(
    Context<T>* context, const Eigen::Ref<const Eigen::MatrixXd>& K) const {
  this->ValidateContext(context);
  const char* const who = "StateFeedback::SetGain";
  wyvern::internal::RequireShape(who, "K", K, K_.rows(), K_.cols());
  wyvern::internal::RequireFinite(who, "K", K);
  auto gains = context->get_mutable_numeric_parameter(0).get_mutable_value();
  for (Eigen::Index i = 0; i < K.size(); ++i) {
    gains[i] = T(K(i % K.rows(), i / K.rows()));
  }
}

template <typename T>
void StateFeedback<T>::CalcControl(const Context<T>& context,
                                   BasicVector<T>* control) const {
  const VectorX<T>& gains = context.get_numeric_parameter(0).value();
  const VectorX<T>& x = get_input_port_estimated_state().Eval(context);
  const VectorX<T>& x_d = get_input_port_desired_state().Eval(context);
  auto u = control->get_mutable_value();
  if (has_feedforward_port_) {
    u = get_input_port_feedforward().Eval(context);
  } else {
    u.setZero();
  }
  const Eigen::Index m = K_.rows();
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const T error = x_d[j] - x[j];
    for (Eigen::Index i = 0; i < m; ++i) u[i] += gains[j * m + i] * error;
  }
  systems::internal::RequireNoOverflow(*this, context, *control);
}

}  // namespace wyvern::systems::controllers

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::StateFeedback);
