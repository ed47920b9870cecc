#include "wyvern/systems/framework/leaf_output_port.h"

#include <utility>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems {

template <typename T>
LeafOutputPort<T>::LeafOutputPort(const System<T>* system,
                                  SystemBase* system_base, std::string name,
                                  OutputPortIndex index,
                                  DependencyTicket ticket,
                                  PortDataType data_type, int size,
                                  CacheEntry* cache_entry)
    : OutputPort<T>(system, system_base, std::move(name), index, ticket,
                    data_type, size),
      cache_entry_(cache_entry) {}

template <typename T>
std::unique_ptr<AbstractValue> LeafOutputPort<T>::DoAllocate() const {
  return cache_entry_->Allocate();
}

template <typename T>
void LeafOutputPort<T>::DoCalc(const Context<T>& context,
                               AbstractValue* value) const {
  cache_entry_->Calc(context, value);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::LeafOutputPort);
