#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "wyvern/systems/common/value.h"

namespace wyvern::systems {

/** Values of any type by name: what flows through a bus port, from a BusCreator
to BusSelectors. Vectors are kept as BasicVector<T>. */
class BusValue {
 public:
  /** Signals by name. */
  using Map =
      std::map<std::string, std::unique_ptr<AbstractValue>, std::less<>>;

  BusValue() = default;
  /** Copies all values. */
  BusValue(const BusValue& other) { *this = other; }
  BusValue(BusValue&&) = default;
  /** Copies all values; those with a name and type in common are set in
  place. */
  BusValue& operator=(const BusValue& other);
  BusValue& operator=(BusValue&&) = default;

  /** Number of values. */
  int size() const { return static_cast<int>(values_.size()); }

  /** The value of that name, or null. */
  const AbstractValue* Find(std::string_view name) const;

  /** Copies `value` in under `name`, in place if the type is as before. */
  void Set(std::string_view name, const AbstractValue& value);

  /** Removes all values. */
  void Clear() { values_.clear(); }

  /** (name, unique_ptr to value) in order of the names. */
  Map::const_iterator begin() const { return values_.begin(); }
  /** End of the range that begin() starts. */
  Map::const_iterator end() const { return values_.end(); }

 private:
  Map values_;
};

}  // namespace wyvern::systems
