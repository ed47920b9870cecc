#include "wyvern/systems/framework/output_port.h"

#include <utility>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems {

template <typename T>
OutputPort<T>::OutputPort(const System<T>* system, SystemBase* system_base,
                          std::string name, OutputPortIndex index,
                          DependencyTicket ticket, PortDataType data_type,
                          int size)
    : OutputPortBase(system_base, std::move(name), index, ticket, data_type,
                     size),
      system_(*system) {}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::OutputPort);
