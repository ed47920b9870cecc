#include "wyvern/systems/primitives/constant_value_source.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ConstantValueSource<T>::ConstantValueSource(const AbstractValue& value)
    : LeafSystem<T>(SystemTypeTag<ConstantValueSource>{}),
      source_value_(value.Clone()) {
  this->DeclareAbstractOutputPort(
      kUseDefaultName, [this]() { return source_value_->Clone(); },
      [this](const Context<T>&, AbstractValue* output) {
        output->SetFrom(*source_value_);
      },
      {this->nothing_ticket()});
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ConstantValueSource);
