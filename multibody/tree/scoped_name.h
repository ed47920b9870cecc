#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace wyvern::multibody {

/** The name of an element together with that of its model instance, written
`instance::element`. The instance part may itself contain `::`, the element part
may not; either part may be empty. */
class ScopedName {
 public:
  ScopedName() = default;
  /** Takes the namespace, "" for none, and the name within it.
  @throws std::logic_error if `element_name` is empty or contains `::`, or
  if `namespace_name` begins or ends with `::`. An empty namespace is fine. */
  ScopedName(std::string_view namespace_name, std::string_view element_name);

  /** Makes a name; returns nothing if the constructor would throw. */
  static std::optional<ScopedName> Make(std::string_view namespace_name,
                                        std::string_view element_name);
  /** Joins two parts, either of which may be empty or contain `::`. */
  static ScopedName Join(std::string_view name1, std::string_view name2);
  /** Splits at the last `::`. Leading, trailing and doubled delimiters do not
  count. Never throws. */
  static ScopedName Parse(std::string_view scoped_name);

  /** Name of the model instance, empty if there is none. */
  std::string_view get_namespace() const;
  /** Name of the element. */
  std::string_view get_element() const;
  /** Replaces the name of the model instance.
  @throws std::logic_error for what the constructor refuses; the name is
  then as it was. */
  void set_namespace(std::string_view namespace_name);
  /** Replaces the name of the element.
  @throws std::logic_error for what the constructor refuses; the name is then as
  it was. */
  void set_element(std::string_view element_name);
  /** "namespace::element", or "element" if there is no namespace. */
  std::string_view get_full() const { return name_; }
  /** A copy of get_full(). */
  std::string to_string() const { return name_; }

 private:
  std::string name_;
  // Where the element begins in name_.
  std::size_t element_begin_{0};
};

}  // namespace wyvern::multibody

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::multibody::ScopedName>
    : fmt::formatter<std::string_view> {
  template <typename FormatContext>
  auto format(const wyvern::multibody::ScopedName& name,
              FormatContext& context) const {
    return fmt::formatter<std::string_view>::format(name.get_full(), context);
  }
};
/// @endcond
