#include "wyvern/systems/primitives/first_order_low_pass_filter.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/the_one_value.h"

namespace wyvern::systems {

namespace {

Eigen::VectorXd RepeatTimeConstant(double time_constant, int size) {
  wyvern::internal::RequireAtLeast("FirstOrderLowPassFilter", "size", size, 1);
  wyvern::internal::RequirePositive("FirstOrderLowPassFilter", "time_constant",
                                    time_constant);
  return Eigen::VectorXd::Constant(size, time_constant);
}

}  // namespace

template <typename T>
FirstOrderLowPassFilter<T>::FirstOrderLowPassFilter(double time_constant,
                                                    int size)
    : FirstOrderLowPassFilter(RepeatTimeConstant(time_constant, size)) {}

template <typename T>
FirstOrderLowPassFilter<T>::FirstOrderLowPassFilter(
    const VectorX<double>& time_constants)
    : LeafSystem<T>(SystemTypeTag<FirstOrderLowPassFilter>{}),
      time_constants_(time_constants) {
  const int size = static_cast<int>(time_constants.size());
  wyvern::internal::RequireAtLeast("FirstOrderLowPassFilter",
                                   "the number of time constants", size, 1);
  for (double tau : time_constants) {
    wyvern::internal::RequirePositive("FirstOrderLowPassFilter",
                                      "a time constant", tau);
  }
  this->DeclareVectorInputPort(kUseDefaultName, size);
  const ContinuousStateIndex state = this->DeclareContinuousState(size);
  this->DeclareStateOutputPort(kUseDefaultName, state);
}

template <typename T>
double FirstOrderLowPassFilter<T>::get_time_constant() const {
  return internal::TheOneValue("FirstOrderLowPassFilter::get_time_constant()",
                               time_constants_, "get_time_constants_vector()");
}

template <typename T>
void FirstOrderLowPassFilter<T>::set_initial_output_value(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& z0) const {
  this->ValidateContext(context);
  wyvern::internal::RequireSize(
      "FirstOrderLowPassFilter::set_initial_output_value()", "z0", z0.size(),
      time_constants_.size());
  context->SetContinuousState(z0);
}

template <typename T>
void FirstOrderLowPassFilter<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  const VectorX<T>& u = this->get_input_port().Eval(context);
  const VectorBase<T>& z = context.get_continuous_state_vector();
  VectorBase<T>& dz = derivatives->get_mutable_vector();
  for (int i = 0; i < u.size(); ++i) dz[i] = (u[i] - z[i]) / time_constants_[i];
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::FirstOrderLowPassFilter);
