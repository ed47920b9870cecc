#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include <fmt/core.h>

namespace wyvern {

namespace internal {

/** @throws std::out_of_range that names the value. */
[[noreturn]] void ThrowIndexOutOfRange(std::intmax_t index);
[[noreturn]] void ThrowIndexOutOfRange(std::uintmax_t index);

}  // namespace internal

/** A non-negative integer that only mixes with its own kind: a BodyIndex can
not be passed for a JointIndex. `Tag` is any type that names the kind.

Converts implicitly to int, explicitly from any integer. A default-constructed
index is invalid; making one from, or stepping one to, a number that is negative
or more than an int holds throws std::out_of_range. */
template <class Tag>
class TypeSafeIndex {
 public:
  TypeSafeIndex() = default;
  /** Takes an index of 0 or more.
  @throws std::out_of_range if `index` is negative. */
  explicit constexpr TypeSafeIndex(int index) : index_(index) {
    if (index < 0) ThrowOutOfRange(index);
  }
  /** An unsigned, std::size_t, Eigen::Index and so on. */
  template <std::integral Integer>
  requires(sizeof(Integer) >=
           sizeof(int)) explicit constexpr TypeSafeIndex(Integer index)
      : index_(static_cast<int>(index)) {
    if (!std::in_range<int>(index) || index < 0) ThrowOutOfRange(index);
  }

  /** True unless default-constructed. */
  constexpr bool is_valid() const { return index_ >= 0; }
  /** Returns the integer; -1 for an invalid index. */
  constexpr operator int() const { return index_; }  // NOLINT

  /** Steps to the next index. */
  constexpr TypeSafeIndex& operator++() {
    *this = TypeSafeIndex(index_ + 1);
    return *this;
  }
  /** Steps to the next index, and returns the one before. */
  constexpr TypeSafeIndex operator++(int) {
    TypeSafeIndex before(*this);
    ++*this;
    return before;
  }
  /** Steps to the index before. */
  constexpr TypeSafeIndex& operator--() {
    *this = TypeSafeIndex(index_ - 1);
    return *this;
  }
  /** Steps by `i`, which may be negative. */
  constexpr TypeSafeIndex& operator+=(int i) {
    *this = TypeSafeIndex(index_ + i);
    return *this;
  }

  friend constexpr bool operator==(TypeSafeIndex a, TypeSafeIndex b) {
    return a.index_ == b.index_;
  }
  friend constexpr bool operator<(TypeSafeIndex a, TypeSafeIndex b) {
    return a.index_ < b.index_;
  }
  /** An index of another kind never compares equal: it does not compile. */
  template <class U>
  bool operator==(TypeSafeIndex<U>) const = delete;
  template <class U>
  bool operator<(TypeSafeIndex<U>) const = delete;

 private:
  template <std::integral Integer>
  [[noreturn]] static void ThrowOutOfRange(Integer index) {
    using Widest = std::conditional_t<std::is_signed_v<Integer>, std::intmax_t,
                                      std::uintmax_t>;
    internal::ThrowIndexOutOfRange(static_cast<Widest>(index));
  }

  int index_{-1};
};

}  // namespace wyvern

template <class Tag>
struct std::hash<wyvern::TypeSafeIndex<Tag>> {
  std::size_t operator()(wyvern::TypeSafeIndex<Tag> index) const noexcept {
    return std::hash<int>{}(static_cast<int>(index));
  }
};

/// @cond  Doxygen does not see what it specializes.
template <class Tag>
struct fmt::formatter<wyvern::TypeSafeIndex<Tag>> : fmt::formatter<int> {
  template <typename FormatContext>
  auto format(wyvern::TypeSafeIndex<Tag> index, FormatContext& ctx) const {
    return fmt::formatter<int>::format(static_cast<int>(index), ctx);
  }
};
/// @endcond
