#pragma once

#include <type_traits>
#include <utility>

namespace wyvern {

/** A value that copies do not inherit: the copy has T(), and the original keeps
its value. A move resets the source to T(). Use it for a data member that would
be wrong in a copy, such as a pointer to another member. */
template <typename T>
class reset_on_copy {
 public:
  static_assert(std::is_scalar_v<T>, "T must be a number, enum or pointer.");

  reset_on_copy() noexcept = default;
  // NOLINTNEXTLINE(runtime/explicit): it stands for a T.
  reset_on_copy(const T& value) noexcept : value_(value) {}

  reset_on_copy(const reset_on_copy&) noexcept {}
  reset_on_copy& operator=(const reset_on_copy& other) noexcept {
    if (this != &other) value_ = T();
    return *this;
  }
  reset_on_copy(reset_on_copy&& other) noexcept
      : value_(std::exchange(other.value_, T())) {}
  reset_on_copy& operator=(reset_on_copy&& other) noexcept {
    if (this != &other) value_ = std::exchange(other.value_, T());
    return *this;
  }

  operator T&() noexcept { return value_; }              // NOLINT
  operator const T&() const noexcept { return value_; }  // NOLINT

  /** Access the object that a stored pointer points to. */
  T operator->() const noexcept requires std::is_pointer_v<T> { return value_; }
  std::remove_pointer_t<T>& operator*() const noexcept
      requires(std::is_pointer_v<T> &&
               !std::is_void_v<std::remove_pointer_t<T>>) {
    return *value_;
  }

 private:
  T value_{};
};

}  // namespace wyvern
