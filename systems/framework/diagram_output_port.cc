#include "wyvern/systems/framework/diagram_output_port.h"

#include <utility>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_context.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems {

template <typename T>
DiagramOutputPort<T>::DiagramOutputPort(const System<T>* diagram,
                                        SystemBase* system_base,
                                        std::string name, OutputPortIndex index,
                                        DependencyTicket ticket,
                                        const OutputPort<T>* source,
                                        SubsystemIndex subsystem_index)
    : OutputPort<T>(diagram, system_base, std::move(name), index, ticket,
                    source->get_data_type(), source->size()),
      source_(source),
      subsystem_index_(subsystem_index) {
  this->set_units(source->units());
}

template <typename T>
const Context<T>& DiagramOutputPort<T>::SubsystemContext(
    const Context<T>& context) const {
  this->get_system().ValidateContext(context);
  return static_cast<const DiagramContext<T>&>(context).GetSubsystemContext(
      subsystem_index_);
}

template <typename T>
std::unique_ptr<AbstractValue> DiagramOutputPort<T>::DoAllocate() const {
  return source_->Allocate();
}

template <typename T>
void DiagramOutputPort<T>::DoCalc(const Context<T>& context,
                                  AbstractValue* value) const {
  source_->Calc(SubsystemContext(context), value);
}

template <typename T>
const AbstractValue& DiagramOutputPort<T>::DoEval(
    const Context<T>& context) const {
  return source_->template Eval<AbstractValue>(SubsystemContext(context));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::DiagramOutputPort);
