#include "wyvern/systems/primitives/pass_through.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {
namespace {

Eigen::VectorXd PassThroughZeros(int size) {
  wyvern::internal::RequireAtLeast("PassThrough", "vector_size", size, 0);
  return Eigen::VectorXd::Zero(size);
}

}  // namespace

template <typename T>
PassThrough<T>::PassThrough(int vector_size)
    : PassThrough(vector_size, PassThroughZeros(vector_size), nullptr) {}

template <typename T>
PassThrough<T>::PassThrough(const Eigen::Ref<const Eigen::VectorXd>& value)
    : PassThrough(static_cast<int>(value.size()), value, nullptr) {}

template <typename T>
PassThrough<T>::PassThrough(const AbstractValue& abstract_model_value)
    : PassThrough(0, Eigen::VectorXd(), &abstract_model_value) {}

template <typename T>
PassThrough<T>::PassThrough(int vector_size, const Eigen::VectorXd& value,
                            const AbstractValue* abstract_model_value)
    : LeafSystem<T>(SystemTypeTag<PassThrough>{}),
      default_value_(value),
      abstract_model_value_(abstract_model_value != nullptr
                                ? abstract_model_value->Clone()
                                : nullptr) {
  wyvern::internal::RequireFinite("PassThrough", "value", value);
  if (is_abstract()) {
    this->DeclareAbstractInputPort("u", *abstract_model_value_);
    this->DeclareAbstractOutputPort(
        "y", [this]() { return abstract_model_value_->Clone(); },
        [this](const Context<T>& context, AbstractValue* y) {
          CopyAbstract(context, y);
        },
        {this->all_input_ports_ticket()});
  } else {
    this->DeclareVectorInputPort("u", vector_size);
    this->DeclareVectorOutputPort("y", vector_size, &PassThrough<T>::CopyVector,
                                  {this->all_input_ports_ticket()});
  }
}

template <typename T>
PassThrough<T>::~PassThrough() = default;

template <typename T>
void PassThrough<T>::CopyVector(const Context<T>& context,
                                BasicVector<T>* y) const {
  const InputPort<T>& u = get_input_port();
  if (u.HasValue(context)) {
    y->get_mutable_value() = u.Eval(context);
  } else {
    y->get_mutable_value() = default_value_.template cast<T>();
  }
}

template <typename T>
void PassThrough<T>::CopyAbstract(const Context<T>& context,
                                  AbstractValue* y) const {
  const InputPort<T>& u = get_input_port();
  y->SetFrom(u.HasValue(context) ? u.template Eval<AbstractValue>(context)
                                 : *abstract_model_value_);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::PassThrough);
