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

/** The Contexts of one System that exist now. The System and its Contexts share
it, so that either may outlive the other; Contexts may be made and destroyed in
several threads. */
class ContextRegistry {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ContextRegistry);
  ContextRegistry() = default;

  void Add(ContextBase* context);
  void Remove(ContextBase* context);
  bool is_empty() const;
  /** Has ForEach() visit the Contexts of `follower` as well, which follows none
  that follows this. */
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
