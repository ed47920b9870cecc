#pragma once

#include <functional>
#include <utility>

namespace wyvern {

/** Two things of one kind in increasing order: {a, b} is {b, a}. T has
operator< and operator==. */
template <class T>
class SortedPair {
 public:
  SortedPair() = default;
  /** Takes two things in any order. */
  SortedPair(const T& a, const T& b) : first_(a), second_(b) {
    if (second_ < first_) std::swap(first_, second_);
  }

  /** The lesser. */
  const T& first() const { return first_; }
  /** The greater. */
  const T& second() const { return second_; }
  /** Exchanges the contents of both pairs. */
  void Swap(SortedPair<T>& other) { std::swap(*this, other); }
  /** The pair as in `const auto [a, b] = pair.objects()`. */
  std::pair<T, T> objects() const { return {first_, second_}; }

  friend bool operator==(const SortedPair& a, const SortedPair& b) {
    return a.first_ == b.first_ && a.second_ == b.second_;
  }
  friend bool operator<(const SortedPair& a, const SortedPair& b) {
    if (a.first_ == b.first_) return a.second_ < b.second_;
    return a.first_ < b.first_;
  }
  /** The lesser for 0, the greater otherwise; for structured binding. */
  template <std::size_t I>
  const T& get() const {
    return I == 0 ? first_ : second_;
  }

 private:
  T first_{};
  T second_{};
};

/** Returns the pair of `a` and `b`, the smaller first. */
template <class T>
SortedPair<T> MakeSortedPair(const T& a, const T& b) {
  return SortedPair<T>(a, b);
}

}  // namespace wyvern

template <class T>
struct std::tuple_size<wyvern::SortedPair<T>>
    : std::integral_constant<std::size_t, 2> {};
template <std::size_t I, class T>
struct std::tuple_element<I, wyvern::SortedPair<T>> {
  using type = T;
};
template <class T>
struct std::hash<wyvern::SortedPair<T>> {
  std::size_t operator()(const wyvern::SortedPair<T>& pair) const noexcept {
    const std::size_t a = std::hash<T>{}(pair.first());
    const std::size_t b = std::hash<T>{}(pair.second());
    return a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2));
  }
};
