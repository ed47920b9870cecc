#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Keeps an object alive as long as a Diagram: something that other systems in
the Diagram point at. It has no ports, state or events; a scalar-converted copy
shares the object. */
template <typename T>
class SharedPointerSystem final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SharedPointerSystem);

  /** Keeps `value_to_hold`, which may be null. */
  template <typename Held>
  explicit SharedPointerSystem(std::shared_ptr<Held> value_to_hold)
      : SharedPointerSystem(std::shared_ptr<void>(std::move(value_to_hold)),
                            std::type_index(typeid(Held))) {}
  /** Overload for an object with one owner. */
  template <typename Held>
  explicit SharedPointerSystem(std::unique_ptr<Held> value_to_hold)
      : SharedPointerSystem(std::shared_ptr<Held>(std::move(value_to_hold))) {}

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit SharedPointerSystem(const SharedPointerSystem<U>& other)
      : SharedPointerSystem(other.held_, other.type_) {}

  /** Adds a system that holds the value to `builder` and returns the value. */
  template <typename Held>
  static Held* AddToBuilder(DiagramBuilder<T>* builder,
                            std::shared_ptr<Held> value_to_hold) {
    wyvern::internal::RequireNotNull("SharedPointerSystem::AddToBuilder",
                                     "builder", builder);
    return builder
        ->template AddSystem<SharedPointerSystem<T>>(std::move(value_to_hold))
        ->template get<Held>();
  }
  /** Overload for an object with one owner. */
  template <typename Held>
  static Held* AddToBuilder(DiagramBuilder<T>* builder,
                            std::unique_ptr<Held> value_to_hold) {
    return AddToBuilder(builder,
                        std::shared_ptr<Held>(std::move(value_to_hold)));
  }

  /** The object.
  @throws std::logic_error if it is held as another type than Held. */
  template <typename Held>
  Held* get() const {
    if (type_ != std::type_index(typeid(Held))) ThrowOtherType(typeid(Held));
    return static_cast<Held*>(held_.get());
  }

 private:
  template <typename U>
  friend class SharedPointerSystem;

  SharedPointerSystem(std::shared_ptr<void> held, std::type_index type);

  [[noreturn]] void ThrowOtherType(const std::type_info& wanted) const;

  const std::shared_ptr<void> held_;
  const std::type_index type_;
};

}  // namespace wyvern::systems
