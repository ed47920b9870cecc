#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::systems::internal {

/** Systems that a function adds to its caller's builder. Unless Keep() is
called, once all are connected, they are removed again with their connections:
then the builder is as it was. */
template <typename T>
class DiagramAdditions {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiagramAdditions);

  /** @throws std::logic_error naming `function` if `builder` is null. */
  DiagramAdditions(const char* function, DiagramBuilder<T>* builder)
      : builder_(
            wyvern::internal::RequireNotNull(function, "builder", builder)) {}
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
  std::vector<const System<T>*> added_;
};

}  // namespace wyvern::systems::internal
