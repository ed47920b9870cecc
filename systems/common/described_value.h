#pragma once

#include "wyvern/systems/common/name_value.h"

namespace wyvern {

/** A NameValue with a sentence for users, which a schema shows with the key. */
template <typename T>
class DescribedValue : public NameValue<T> {
 public:
  /** `name` and `value` must not be null. */
  DescribedValue(const char* name, T* value, const char* description)
      : NameValue<T>(name, value), description_(description) {}

  /** Returns the text, which is shown in schemas. */
  const char* description() const { return description_; }

 private:
  const char* description_;
};

}  // namespace wyvern

/** The DescribedValue of a field: `a->Visit(WYVERN_DNVP(mass, "Mass [kg]."));`.
 */
#define WYVERN_DNVP(x, description) \
  ::wyvern::DescribedValue(#x, &(x), description)
