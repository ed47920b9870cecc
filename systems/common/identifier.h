#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>

#include <fmt/format.h>

namespace wyvern {

/** A number that no other object of its kind has in this process. `Tag` is any
type that names the kind:
@code
using WheelId = Identifier<class WheelTag>;
const WheelId id = WheelId::get_new_id();
@endcode
A default-constructed identifier is invalid; all invalid ones are equal. Ids
are given out in increasing order, from any thread. */
template <class Tag>
class Identifier {
 public:
  Identifier() = default;

  /** A new identifier, never given out before. */
  static Identifier get_new_id() {
    static std::atomic<int64_t> last{0};
    return Identifier(++last);
  }

  /** True unless default-constructed. */
  bool is_valid() const { return value_ > 0; }
  /** The number itself; 0 if invalid. */
  int64_t get_value() const { return value_; }

  friend bool operator==(Identifier a, Identifier b) {
    return a.value_ == b.value_;
  }
  friend bool operator<(Identifier a, Identifier b) {
    return a.value_ < b.value_;
  }
  friend std::ostream& operator<<(std::ostream& out, Identifier id) {
    return out << id.value_;
  }

 private:
  explicit Identifier(int64_t value) : value_(value) {}

  int64_t value_{0};
};

}  // namespace wyvern

template <class Tag>
struct std::hash<wyvern::Identifier<Tag>> {
  std::size_t operator()(wyvern::Identifier<Tag> id) const noexcept {
    return std::hash<int64_t>{}(id.get_value());
  }
};

/// @cond  Doxygen does not see what it specializes.
template <class Tag>
struct fmt::formatter<wyvern::Identifier<Tag>> : fmt::formatter<int64_t> {
  template <typename FormatContext>
  auto format(wyvern::Identifier<Tag> id, FormatContext& ctx) const {
    return fmt::formatter<int64_t>::format(id.get_value(), ctx);
  }
};
/// @endcond
