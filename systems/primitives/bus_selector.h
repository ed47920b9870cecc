#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "wyvern/systems/framework/bus_value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Takes values out of a BusValue, each by the name of its output port.

One input port, abstract-valued; the output ports are those that the user
declares, with direct feedthrough. Evaluating one throws std::logic_error if the
bus has no value of its name, or one of another type or size. */
template <typename T>
class BusSelector final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BusSelector);

  /** Makes a block without output ports. */
  explicit BusSelector(std::variant<std::string, UseDefaultName>
                           input_port_name = kUseDefaultName);

  /** Scalar-converting copy constructor. Abstract values keep their types. */
  template <typename U>
  explicit BusSelector(const BusSelector<U>& other)
      : BusSelector(other.get_input_port(0).get_name()) {
    for (int i = 0; i < other.num_output_ports(); ++i) {
      const OutputPort<U>& port = other.get_output_port(i);
      if (port.get_data_type() == kVectorValued) {
        DeclareVectorOutputPort(port.get_name(), port.size());
      } else {
        DeclareAbstractOutputPort(port.get_name(), *other.models_[i]);
      }
    }
  }

  ~BusSelector() override;

  /** Adds an output port for vectors.
  @throws std::logic_error if the name is taken or the size negative. */
  const OutputPort<T>& DeclareVectorOutputPort(
      std::variant<std::string, UseDefaultName> name, int size);

  /** Adds an output port for values of the type of `model_value`.
  @throws std::logic_error if the name is taken. */
  const OutputPort<T>& DeclareAbstractOutputPort(
      std::variant<std::string, UseDefaultName> name,
      const AbstractValue& model_value);

 private:
  template <typename U>
  friend class BusSelector;

  const AbstractValue& FindInBus(const Context<T>& context,
                                 int output_port_index) const;
  void CopyVectorOut(const Context<T>& context, int output_port_index,
                     BasicVector<T>* output) const;
  void CopyAbstractOut(const Context<T>& context, int output_port_index,
                       AbstractValue* output) const;

  // One per output port; null for vectors.
  std::vector<std::shared_ptr<const AbstractValue>> models_;
};

}  // namespace wyvern::systems
