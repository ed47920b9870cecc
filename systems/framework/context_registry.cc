#include "wyvern/systems/framework/context_registry.h"

namespace wyvern::systems::internal {

void ContextRegistry::Add(ContextBase* context) {
  const std::lock_guard lock(mutex_);
  contexts_.insert(context);
}

void ContextRegistry::Remove(ContextBase* context) {
  const std::lock_guard lock(mutex_);
  contexts_.erase(context);
}

bool ContextRegistry::is_empty() const {
  const std::lock_guard lock(mutex_);
  return contexts_.empty();
}

void ContextRegistry::AddFollower(
    const std::shared_ptr<ContextRegistry>& follower) {
  const std::lock_guard lock(mutex_);
  std::erase_if(followers_, [](const auto& f) { return f.expired(); });
  followers_.push_back(follower);
}

void ContextRegistry::ForEach(
    const std::function<void(ContextBase*)>& visit) const {
  const std::lock_guard lock(mutex_);
  for (ContextBase* context : contexts_) visit(context);
  for (const std::weak_ptr<ContextRegistry>& follower : followers_) {
    if (const auto alive = follower.lock()) alive->ForEach(visit);
  }
}

}  // namespace wyvern::systems::internal
