#pragma once

#include <memory>
#include <string>

#include "wyvern/systems/framework/output_port.h"

namespace wyvern::systems {

/** An output port of a Diagram: hands on the output port of a subsystem. */
template <typename T>
class DiagramOutputPort final : public OutputPort<T> {
 public:
  /** For Diagram. `source` is a port of its subsystem number
  `subsystem_index`. */
  DiagramOutputPort(const System<T>* diagram, SystemBase* system_base,
                    std::string name, OutputPortIndex index,
                    DependencyTicket ticket, const OutputPort<T>* source,
                    SubsystemIndex subsystem_index);

  /** The port of a subsystem that this port hands on. */
  const OutputPort<T>& get_source_output_port() const { return *source_; }

 private:
  std::unique_ptr<AbstractValue> DoAllocate() const final;
  void DoCalc(const Context<T>& context, AbstractValue* value) const final;
  const AbstractValue& DoEval(const Context<T>& context) const final;
  const Context<T>& SubsystemContext(const Context<T>& context) const;

  const OutputPort<T>* const source_;
  const SubsystemIndex subsystem_index_;
};

}  // namespace wyvern::systems
