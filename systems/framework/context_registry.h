#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::systems {

class ContextBase;

namespace internal {

/** The existing Contexts of one System. The System and its Contexts share the
registry, so that either may outlive the other. Several threads may make and
destroy Contexts. */
class ContextRegistry {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ContextRegistry);
  ContextRegistry() = default;

  void Add(ContextBase* context);
  void Remove(ContextBase* context);
  bool is_empty() const;
  /** Makes ForEach() also visit the Contexts of `follower`. Registries must not
  follow each other in a circle. */
  void AddFollower(const std::shared_ptr<ContextRegistry>& follower);
  /** Calls `visit` with each Context, in no particular order; `visit` must not
  make or destroy one. */
  void ForEach(const std::function<void(ContextBase*)>& visit) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_set<ContextBase*> contexts_;
  std::vector<std::weak_ptr<ContextRegistry>> followers_;
};

}  // namespace internal
}  // namespace wyvern::systems
