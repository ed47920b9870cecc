#pragma once

#include <new>
#include <utility>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern {

/** Holds a T whose destructor never runs, for a function's static variable:
`static const never_destroyed<std::string> name("x"); return name.access();` */
template <typename T>
class never_destroyed {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(never_destroyed);

  template <typename... Args>
  explicit never_destroyed(Args&&... args) {
    new (&storage_) T(std::forward<Args>(args)...);
  }

  T& access() { return *std::launder(reinterpret_cast<T*>(&storage_)); }
  const T& access() const {
    return *std::launder(reinterpret_cast<const T*>(&storage_));
  }

 private:
  alignas(T) unsigned char storage_[sizeof(T)];
};

}  // namespace wyvern
