#include "wyvern/systems/primitives/shared_pointer_system.h"

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
SharedPointerSystem<T>::SharedPointerSystem(std::shared_ptr<void> held,
                                            std::type_index type)
    : LeafSystem<T>(SystemTypeTag<SharedPointerSystem>{}),
      held_(std::move(held)),
      type_(type) {}

template <typename T>
void SharedPointerSystem<T>::ThrowOtherType(
    const std::type_info& wanted) const {
  throw std::logic_error(fmt::format(
      "SharedPointerSystem::get(): '{}' was asked for {} and holds another "
      "type, {}; ask for the type it was given.",
      this->GetSystemPathname(), NiceTypeName::Demangle(wanted.name()),
      NiceTypeName::Demangle(type_.name())));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::SharedPointerSystem);
