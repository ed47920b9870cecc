#pragma once

#include <memory>
#include <utility>

namespace wyvern {

/** A std::unique_ptr whose copy is a clone of the object, made by its Clone():
for a member or a vector's element of a polymorphic type. Null copies to null.
*/
template <typename T>
class copyable_unique_ptr : public std::unique_ptr<T> {
 public:
  using std::unique_ptr<T>::unique_ptr;
  copyable_unique_ptr() = default;
  /** Takes over the object, or null. */
  copyable_unique_ptr(std::unique_ptr<T> object)  // NOLINT(runtime/explicit)
      : std::unique_ptr<T>(std::move(object)) {}
  /** Holds a clone of `object`. */
  explicit copyable_unique_ptr(const T& object)
      : std::unique_ptr<T>(object.Clone()) {}

  /** Holds a clone of the other's object, or null. */
  copyable_unique_ptr(const copyable_unique_ptr& other)
      : std::unique_ptr<T>(other == nullptr ? nullptr : other->Clone()) {}
  copyable_unique_ptr(copyable_unique_ptr&&) noexcept = default;
  /** Holds a clone of the other's object, or null; its own is destroyed. */
  copyable_unique_ptr& operator=(const copyable_unique_ptr& other) {
    return *this = copyable_unique_ptr(other);
  }
  copyable_unique_ptr& operator=(copyable_unique_ptr&&) noexcept = default;
};

}  // namespace wyvern
