#pragma once

/** @file
Hashes of structs, from those of their fields. A type joins by a
friend:
@code
template <class HashAlgorithm>
friend void hash_append(HashAlgorithm& hasher, const Foo& foo) noexcept {
  using drake::hash_append;
  hash_append(hasher, foo.name);
  hash_append(hasher, foo.size);
}
@endcode
and is then a key: std::unordered_set<Foo, drake::DefaultHash>. */

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace wyvern {

/** FNV-1a of 64 bits: quick, and no defence against chosen keys. */
class FNV1aHasher {
 public:
  using result_type = std::size_t;

  void operator()(const void* data, std::size_t length) noexcept {
    const auto* const bytes = static_cast<const std::uint8_t*>(data);
    for (std::size_t i = 0; i < length; ++i) add_byte(bytes[i]);
  }
  constexpr void add_byte(std::uint8_t byte) noexcept {
    hash_ = (hash_ ^ byte) * 0x100000001b3u;
  }
  explicit constexpr operator std::size_t() noexcept { return hash_; }

 private:
  std::uint64_t hash_{0xcbf29ce484222325u};
};

using DefaultHasher = FNV1aHasher;

template <class HashAlgorithm, typename T>
requires(std::is_integral_v<T> || std::is_enum_v<T> ||
         std::is_pointer_v<T>) void hash_append(HashAlgorithm& hasher,
                                                const T& item) noexcept {
  hasher(&item, sizeof(item));
}

/** 0 and -0 are equal, so that their hashes must be. */
template <class HashAlgorithm, std::floating_point T>
void hash_append(HashAlgorithm& hasher, const T& item) noexcept {
  const T value = item == 0 ? T(0) : item;
  hasher(&value, sizeof(value));
}

template <class HashAlgorithm, typename... Rest>
void hash_append(HashAlgorithm& hasher,
                 const std::basic_string<char, Rest...>& item) noexcept {
  hasher(item.data(), item.size());
  hash_append(hasher, item.size());
}

// Each may hold any other, so all are declared before the first is defined.
template <class HashAlgorithm, typename T1, typename T2>
void hash_append(HashAlgorithm& hasher, const std::pair<T1, T2>& item) noexcept;
template <class HashAlgorithm, typename T>
void hash_append(HashAlgorithm& hasher, const std::optional<T>& item) noexcept;
template <class HashAlgorithm, typename... Args>
void hash_append(HashAlgorithm& hasher,
                 const std::vector<Args...>& item) noexcept;
template <class HashAlgorithm, typename... Args>
void hash_append(HashAlgorithm& hasher, const std::map<Args...>& item) noexcept;
template <class HashAlgorithm, typename... Args>
void hash_append(HashAlgorithm& hasher, const std::set<Args...>& item) noexcept;

/** A type that std::hash knows, such as an index or identifier of Wyvern. */
template <class HashAlgorithm, typename T>
requires(std::is_class_v<T>&& requires(const T& x) {
  { std::hash<T>{}(x) } -> std::convertible_to<std::size_t>;
}) void hash_append(HashAlgorithm& hasher, const T& item) noexcept {
  hash_append(hasher, std::hash<T>{}(item));
}

/** Every item, then their number. */
template <class HashAlgorithm, typename Iterator>
void hash_append_range(HashAlgorithm& hasher, Iterator begin,
                       Iterator end) noexcept {
  std::size_t count = 0;
  for (; begin != end; ++begin, ++count) hash_append(hasher, *begin);
  hash_append(hasher, count);
}

template <class HashAlgorithm, typename T1, typename T2>
void hash_append(HashAlgorithm& hasher,
                 const std::pair<T1, T2>& item) noexcept {
  hash_append(hasher, item.first);
  hash_append(hasher, item.second);
}
template <class HashAlgorithm, typename T>
void hash_append(HashAlgorithm& hasher, const std::optional<T>& item) noexcept {
  if (item) hash_append(hasher, *item);
  hash_append(hasher, item.has_value());
}
template <class HashAlgorithm, typename... Args>
void hash_append(HashAlgorithm& hasher,
                 const std::vector<Args...>& item) noexcept {
  hash_append_range(hasher, item.begin(), item.end());
}
template <class HashAlgorithm, typename... Args>
void hash_append(HashAlgorithm& hasher,
                 const std::map<Args...>& item) noexcept {
  hash_append_range(hasher, item.begin(), item.end());
}
template <class HashAlgorithm, typename... Args>
void hash_append(HashAlgorithm& hasher,
                 const std::set<Args...>& item) noexcept {
  hash_append_range(hasher, item.begin(), item.end());
}

/** A hash function for what hash_append() knows, by any algorithm. */
template <class HashAlgorithm>
struct uhash {
  template <typename T>
  std::size_t operator()(const T& item) const noexcept {
    HashAlgorithm hasher;
    hash_append(hasher, item);
    return static_cast<std::size_t>(hasher);
  }
};

using DefaultHash = uhash<DefaultHasher>;

}  // namespace wyvern
