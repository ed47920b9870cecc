#include "wyvern/systems/framework/output_port_base.h"

#include <utility>

namespace wyvern::systems {

OutputPortBase::OutputPortBase(SystemBase* owning_system, std::string name,
                               OutputPortIndex index, DependencyTicket ticket,
                               PortDataType data_type, int size)
    : PortBase("OutputPort", owning_system, std::move(name), index, ticket,
               data_type, size) {}

}  // namespace wyvern::systems
