#pragma once

#include <string>
#include <variant>

#include "wyvern/systems/framework/bus_value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Bundles its inputs into a BusValue, each under the name of its port.

The input ports are those that the user declares; the one output port is
abstract-valued, with direct feedthrough. An input that is not connected is
missing in the bus. */
template <typename T>
class BusCreator final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BusCreator);

  /** Makes a block without input ports. */
  explicit BusCreator(std::variant<std::string, UseDefaultName>
                          output_port_name = kUseDefaultName);

  /** Scalar-converting copy constructor. Abstract values keep their types. */
  template <typename U>
  explicit BusCreator(const BusCreator<U>& other)
      : BusCreator(other.get_output_port(0).get_name()) {
    for (int i = 0; i < other.num_input_ports(); ++i) {
      const InputPort<U>& port = other.get_input_port(i);
      if (port.get_data_type() == kVectorValued) {
        this->DeclareVectorInputPort(port.get_name(), port.size());
      } else {
        this->DeclareAbstractInputPort(port.get_name(),
                                       *other.AllocateInputAbstract(port));
      }
    }
  }

  /** Adds an input port; before a Context is made.
  @throws std::logic_error if the name is taken. */
  using LeafSystem<T>::DeclareVectorInputPort;
  using LeafSystem<T>::DeclareAbstractInputPort;

 private:
  void CalcBus(const Context<T>& context, BusValue* bus) const;
};

}  // namespace wyvern::systems
