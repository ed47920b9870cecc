#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/input_port_base.h"
#include "wyvern/systems/framework/port_value_cast.h"

namespace wyvern::systems {

template <typename T>
class System;

/** An input port of a System. Its value in a Context comes from an output port
it is connected to, or from FixValue().

A Context of another System throws std::logic_error in every method that takes
one. */
template <typename T>
class InputPort final : public InputPortBase {
 public:
  /** For System::DeclareInputPort(). */
  InputPort(const System<T>* system, SystemBase* system_base, std::string name,
            InputPortIndex index, DependencyTicket ticket,
            PortDataType data_type, int size,
            const std::optional<RandomDistribution>& random_type);

  /** The port's value, computed if need be: Eval(context) as VectorX<T>,
  Eval<BasicVector<T>>(context), Eval<MyVector>(context) for a subclass of
  BasicVector, Eval<Foo>(context) for an abstract-valued port.
  @throws std::logic_error if nothing feeds the port, or of the wrong type. */
  template <typename ValueType = VectorX<T>>
  const ValueType& Eval(const Context<T>& context) const {
    const AbstractValue& value = this->DoEvalRequired(context);
    return this->RequireType(internal::CastPortValue<T, ValueType>(value),
                             value);
  }

  /** True if Eval() would find a value. */
  bool HasValue(const Context<T>& context) const {
    return this->DoEvalOptional(context) != nullptr;
  }

  /** Fixes the port's value in `context`; wins over a connection. `value` can
  be a T, an Eigen vector or a part of one, a BasicVector<T>, or for an
  abstract-valued port an AbstractValue or a value of the port's type.
  @throws std::logic_error on a wrong type or size; std::runtime_error if a
  vector has an element that is not finite. */
  template <typename ValueType>
  FixedInputPortValue& FixValue(Context<T>* context,
                                const ValueType& value) const {
    RequireFixable(context);
    if constexpr (std::is_base_of_v<AbstractValue, ValueType>) {
      return FixAbstract(context, value);
    } else if constexpr (std::is_base_of_v<BasicVector<T>, ValueType>) {
      return FixVector(context, value);
    } else if constexpr (is_eigen_type<ValueType>::value) {
      if (this->get_data_type() == PortDataType::kVectorValued) {
        if constexpr (ValueType::ColsAtCompileTime == 1 ||
                      ValueType::ColsAtCompileTime == Eigen::Dynamic) {
          return FixVector(
              context, BasicVector<T>(VectorX<T>(value.template cast<T>())));
        }
      }
      return FixAbstract(context,
                         Value<typename ValueType::PlainObject>(value));
    } else if constexpr (std::is_convertible_v<ValueType, T>) {
      if (this->get_data_type() == PortDataType::kVectorValued) {
        return FixVector(context, BasicVector<T>(VectorX<T>::Constant(
                                      1, static_cast<T>(value))));
      }
      return FixAbstract(context, Value<ValueType>(value));
    } else if constexpr (std::is_convertible_v<const ValueType&, std::string> &&
                         !std::is_same_v<ValueType, std::string>) {
      return FixAbstract(context, Value<std::string>(std::string(value)));
    } else {
      return FixAbstract(context, Value<ValueType>(value));
    }
  }

  /** The System that has the port. */
  const System<T>& get_system() const { return system_; }

 private:
  void RequireFixable(const Context<T>* context) const;
  FixedInputPortValue& FixVector(Context<T>* context,
                                 const BasicVector<T>& value) const;
  FixedInputPortValue& FixAbstract(Context<T>* context,
                                   const AbstractValue& value) const;

  const System<T>& system_;
};

}  // namespace wyvern::systems
