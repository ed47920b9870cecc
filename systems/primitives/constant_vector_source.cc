#include "wyvern/systems/primitives/constant_vector_source.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ConstantVectorSource<T>::ConstantVectorSource(
    const Eigen::Ref<const VectorX<T>>& source_value)
    : ConstantVectorSource(BasicVector<T>(VectorX<T>(source_value))) {}

template <typename T>
ConstantVectorSource<T>::ConstantVectorSource(const T& source_value)
    : ConstantVectorSource(Vector<T, 1>(source_value)) {}

template <typename T>
ConstantVectorSource<T>::ConstantVectorSource(
    const BasicVector<T>& source_value)
    : LeafSystem<T>(SystemTypeTag<ConstantVectorSource>{}),
      default_value_(source_value.value()) {
  wyvern::internal::RequireFinite("ConstantVectorSource", "source_value",
                                  default_value_);
  parameter_index_ = this->DeclareNumericParameter(source_value);
  this->DeclareVectorOutputPort(kUseDefaultName, source_value,
                                &ConstantVectorSource<T>::CopyValue,
                                {this->numeric_parameter_ticket(
                                    NumericParameterIndex(parameter_index_))});
}

template <typename T>
const BasicVector<T>& ConstantVectorSource<T>::get_source_value(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(parameter_index_);
}

template <typename T>
BasicVector<T>& ConstantVectorSource<T>::get_mutable_source_value(
    Context<T>* context) {
  this->ValidateContext(context);
  return context->get_mutable_numeric_parameter(parameter_index_);
}

template <typename T>
void ConstantVectorSource<T>::CopyValue(const Context<T>& context,
                                        BasicVector<T>* output) const {
  output->SetFromVector(
      context.get_numeric_parameter(parameter_index_).value());
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ConstantVectorSource);
