#pragma once

#include <memory>
#include <string>

#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/output_port_base.h"
#include "wyvern/systems/framework/port_value_cast.h"

namespace wyvern::systems {

template <typename T>
class System;

/** An output port of a System: a LeafOutputPort, which computes and caches its
value, or a DiagramOutputPort, which hands on that of a subsystem. */
template <typename T>
class OutputPort : public OutputPortBase {
 public:
  /** The port's value, computed if it is out of date; ValueType as for
  InputPort::Eval().
  @throws std::logic_error on a Context of another System or a wrong type. */
  template <typename ValueType = VectorX<T>>
  const ValueType& Eval(const Context<T>& context) const {
    const AbstractValue& value = DoEval(context);
    return this->RequireType(internal::CastPortValue<T, ValueType>(value),
                             value);
  }

  /** A value of the port's type and size. */
  std::unique_ptr<AbstractValue> Allocate() const { return DoAllocate(); }
  /** Computes into `value`, whatever has been cached.
  @throws std::logic_error on a Context of another System or null `value`. */
  void Calc(const Context<T>& context, AbstractValue* value) const {
    DoCalc(context, value);
  }

  /** The System that has the port. */
  const System<T>& get_system() const { return system_; }

 protected:
  OutputPort(const System<T>* system, SystemBase* system_base, std::string name,
             OutputPortIndex index, DependencyTicket ticket,
             PortDataType data_type, int size);

  virtual std::unique_ptr<AbstractValue> DoAllocate() const = 0;
  virtual void DoCalc(const Context<T>& context,
                      AbstractValue* value) const = 0;
  virtual const AbstractValue& DoEval(const Context<T>& context) const = 0;

 private:
  const System<T>& system_;
};

}  // namespace wyvern::systems
