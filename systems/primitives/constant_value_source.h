#pragma once

#include <memory>

#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** An abstract value that never changes. Output port y0. */
template <typename T>
class ConstantValueSource final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ConstantValueSource);

  /** Keeps a clone of `value`. */
  explicit ConstantValueSource(const AbstractValue& value);

  /** Scalar-converting copy constructor. The value itself is not converted. */
  template <typename U>
  explicit ConstantValueSource(const ConstantValueSource<U>& other)
      : ConstantValueSource(*other.source_value_) {}

 private:
  template <typename U>
  friend class ConstantValueSource;

  const std::unique_ptr<const AbstractValue> source_value_;
};

}  // namespace wyvern::systems
