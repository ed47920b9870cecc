#pragma once

#include <type_traits>
#include <utility>

namespace wyvern {

/** A value that is copied as usual; a move resets the source to T(). */
template <typename T>
class reset_after_move {
 public:
  reset_after_move() noexcept(std::is_nothrow_default_constructible_v<T>) =
      default;
  // NOLINTNEXTLINE(runtime/explicit): it stands for a T.
  reset_after_move(const T& value) : value_(value) {}

  reset_after_move(const reset_after_move&) = default;
  reset_after_move& operator=(const reset_after_move&) = default;
  reset_after_move(reset_after_move&& other) noexcept
      : value_(std::exchange(other.value_, T())) {}
  reset_after_move& operator=(reset_after_move&& other) noexcept {
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
