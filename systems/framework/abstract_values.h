#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/value.h"

namespace wyvern::systems {

/** Values of any types: abstract states, and abstract parameters. */
class AbstractValues {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(AbstractValues);

  /** Holds no values. */
  AbstractValues();
  /** Owns the values. @throws std::logic_error if any is null; so do the
  others. */
  explicit AbstractValues(std::vector<std::unique_ptr<AbstractValue>>&& data);
  /** Does not own the values, which must outlive it. */
  explicit AbstractValues(const std::vector<AbstractValue*>& data);
  /** Owns the one value. */
  explicit AbstractValues(std::unique_ptr<AbstractValue> datum);
  virtual ~AbstractValues();

  /** Number of values. */
  int size() const { return static_cast<int>(data_.size()); }
  /** Returns the value of an index, of any type.
  @throws std::out_of_range on a bad index. */
  const AbstractValue& get_value(int index) const {
    RequireExisting(index);
    return *data_[index];
  }
  /** Mutable variant of get_value(). */
  AbstractValue& get_mutable_value(int index) {
    RequireExisting(index);
    return *data_[index];
  }

  /** Copies what `other` holds. @throws std::logic_error if the numbers of
  values or the types differ. */
  void SetFrom(const AbstractValues& other);

  /** A deep copy that owns its values. */
  std::unique_ptr<AbstractValues> Clone() const;

 private:
  void RequireExisting(int index) const {
    if (index < 0 || index >= size()) ThrowOutOfRange(index);
  }
  [[noreturn]] void ThrowOutOfRange(int index) const;

  std::vector<AbstractValue*> data_;
  std::vector<std::unique_ptr<AbstractValue>> owned_data_;
};

}  // namespace wyvern::systems
