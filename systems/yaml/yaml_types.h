#pragma once

/** @file
Which C++ types a YAML document can be read into and written from. */

#include <array>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <variant>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::yaml::internal {

/** The tag of a scalar with bytes in Base64. */
inline constexpr char kBinaryTag[] = "!!binary";

template <typename T>
struct IsMap : std::false_type {};
template <typename V, typename... Rest>
struct IsMap<std::map<std::string, V, Rest...>> : std::true_type {};
template <typename V, typename... Rest>
struct IsMap<std::unordered_map<std::string, V, Rest...>> : std::true_type {};

template <typename T>
struct IsVector : std::false_type {};
template <typename V, typename A>
struct IsVector<std::vector<V, A>> : std::true_type {};

template <typename T>
struct IsArray : std::false_type {};
template <typename V, std::size_t n>
struct IsArray<std::array<V, n>> : std::true_type {};

template <typename T>
struct IsOptional : std::false_type {};
template <typename V>
struct IsOptional<std::optional<V>> : std::true_type {};

template <typename T>
struct IsVariant : std::false_type {};
template <typename... V>
struct IsVariant<std::variant<V...>> : std::true_type {};

/** A matrix that owns its entries. */
template <typename T>
concept EigenMatrix = requires {
  requires std::is_base_of_v<Eigen::PlainObjectBase<T>, T>;
};

/** A type that says itself what it consists of, as a member or beside it. */
template <typename T, typename Archive>
concept HasSerializeMember = requires(T* value, Archive* archive) {
  value->Serialize(archive);
};

template <typename T, typename Archive>
void CallSerialize(T* value, Archive* archive) {
  if constexpr (HasSerializeMember<T, Archive>) {
    value->Serialize(archive);
  } else {
    Serialize(archive, value);
  }
}

/** The tag by which a variant's alternative is told from others: "!Gain" of
ns::Gain<double>; "!!bool", "!!int", "!!float" and "!!str" of plain values. */
template <typename T>
std::string TagOf() {
  if constexpr (std::is_same_v<T, bool>) {
    return "!!bool";
  } else if constexpr (std::is_integral_v<T>) {
    return "!!int";
  } else if constexpr (std::is_floating_point_v<T>) {
    return "!!float";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "!!str";
  } else {
    const std::string name =
        NiceTypeName::RemoveNamespaces(NiceTypeName::Get<T>());
    return "!" + name.substr(0, name.find('<'));
  }
}

}  // namespace wyvern::yaml::internal
