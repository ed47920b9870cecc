#pragma once

#include <string>

#include "wyvern/systems/framework/port_base.h"

namespace wyvern::systems {

class CacheEntry;

/** An output port, without its scalar type. */
class OutputPortBase : public PortBase {
 public:
  /** The index among the output ports of the System. */
  OutputPortIndex get_index() const { return OutputPortIndex(get_int_index()); }

 protected:
  OutputPortBase(SystemBase* owning_system, std::string name,
                 OutputPortIndex index, DependencyTicket ticket,
                 PortDataType data_type, int size);
};

}  // namespace wyvern::systems
