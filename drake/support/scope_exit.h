#pragma once

#include <functional>
#include <stdexcept>
#include <utility>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern {

/** Calls a function when it goes out of scope. */
class ScopeExit final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ScopeExit);

  /** Takes the function that the destructor calls.
  @throws std::logic_error if there is no function. */
  explicit ScopeExit(std::function<void()> function)
      : function_(std::move(function)) {
    if (!function_) {
      throw std::logic_error(
          "ScopeExit: the function is empty; give one to call.");
    }
  }
  ~ScopeExit() {
    if (function_) function_();
  }

  /** Nothing will be called. */
  void Disarm() { function_ = nullptr; }

 private:
  std::function<void()> function_;
};

}  // namespace wyvern
