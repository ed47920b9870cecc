#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::systems::internal {

/** Makes a builder throw mistakes at once, for as long as this lives. */
template <typename T>
class ThrowsAtOnce {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ThrowsAtOnce);
  /** `builder` must not be null. */
  explicit ThrowsAtOnce(DiagramBuilder<T>* builder)
      : builder_(builder), before_(builder->throws_at_once()) {
    builder->set_throws_at_once(true);
  }
  ~ThrowsAtOnce() { builder_->set_throws_at_once(before_); }

 private:
  DiagramBuilder<T>* const builder_;
  const bool before_;
};

/** Systems that a function adds to its caller's builder. Unless Keep() is
called, once all are connected, they are removed again with their connections:
then the builder is as it was. Meanwhile the builder throws mistakes at once. */
template <typename T>
class DiagramAdditions {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiagramAdditions);

  /** Begins to add to `builder`.
  @throws std::logic_error naming `function` if `builder` is null. */
  DiagramAdditions(const char* function, DiagramBuilder<T>* builder)
      : builder_(
            wyvern::internal::RequireNotNull(function, "builder", builder)),
        throws_at_once_(builder) {}
  ~DiagramAdditions() {
    for (const System<T>* system : added_) builder_->RemoveSystem(*system);
  }

  /** Adds a System and returns it. */
  template <typename S>
  S* Add(std::unique_ptr<S> system) {
    added_.reserve(added_.size() + 1);
    S* const result = builder_->AddSystem(std::move(system));
    added_.push_back(result);
    return result;
  }
  void Keep() { added_.clear(); }

  DiagramBuilder<T>& builder() { return *builder_; }

 private:
  DiagramBuilder<T>* const builder_;
  const ThrowsAtOnce<T> throws_at_once_;
  std::vector<const System<T>*> added_;
};

}  // namespace wyvern::systems::internal
