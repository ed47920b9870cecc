#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

class ContextBase;

namespace internal {
/** Entries that a change at a leaf's input port makes stale: in the flags of
the tree of Contexts, `num_words` words from `first_word`, the bits of `mask`.
*/
struct InputReader {
  int first_word{};
  int num_words{};
  const uint64_t* mask{};
};
}  // namespace internal

/** A value that a Context itself holds for one of its input ports, made by
InputPort::FixValue(). It takes precedence over a connection. */
class FixedInputPortValue {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FixedInputPortValue);

  /** For ContextBase: `owning_context` holds this value. */
  FixedInputPortValue(std::unique_ptr<AbstractValue> value,
                      ContextBase* owning_context)
      : value_(std::move(value)), owning_context_(owning_context) {}

  /** The value, valid until GetMutableData() or a new FixValue() changes it. */
  const AbstractValue& get_value() const { return *value_; }
  /** The value of a vector-valued port.
  @throws std::logic_error if the port is abstract-valued. */
  template <typename T>
  const BasicVector<T>& get_vector_value() const {
    return value_->get_value<BasicVector<T>>();
  }

  /** Writable access; everything that depends on this input becomes stale
  now, so write before evaluating anything and do not keep the pointer. */
  AbstractValue* GetMutableData();
  /** Writable access to the value of a vector-valued port; see
  GetMutableData(). */
  template <typename T>
  BasicVector<T>* GetMutableVectorData() {
    return &GetMutableData()->get_mutable_value<BasicVector<T>>();
  }

  /** Counts changes, from 1. */
  int64_t serial_number() const { return serial_number_; }
  /** The Context that holds the value. */
  const ContextBase& get_owning_context() const { return *owning_context_; }

 private:
  friend class ContextBase;
  std::unique_ptr<AbstractValue> value_;
  ContextBase* const owning_context_;
  int64_t serial_number_{1};
  // The leaf input ports that read this value.
  std::vector<internal::InputReader> readers_;
};

}  // namespace wyvern::systems
