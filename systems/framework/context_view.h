#pragma once

#include <memory>

#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/context_base.h"

namespace wyvern::systems::internal {

/** Base of a cached value, besides Value<V>, that shows the Context it is
cached in rather than holding figures of its own. Its copy in a copy of that
Context must show the copy, and making it may evaluate nothing. */
class ContextView {
 public:
  virtual ~ContextView() = default;
  /** A value that shows `context`, which may be under construction: it is
  remembered, not read. */
  virtual std::unique_ptr<AbstractValue> CloneFor(
      const ContextBase& context) const = 0;
};

}  // namespace wyvern::systems::internal
