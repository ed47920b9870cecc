#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/yaml/yaml_types.h"

/** @file
The JSON Schema (draft 2020-12) of what a struct reads from YAML. */

namespace wyvern::yaml {

/** Returns the schema of a value, whose fields are the defaults. Numbers refer
to "#/$defs/number" and "#/$defs/integer", vectors also to
"#/$defs/distribution": the document around the schema defines these. A field
that is a DescribedValue has its description. JSON has no tags: the tag of a
variant's alternative is its title. */
template <typename T>
std::string SchemaOf(const T& value);

namespace internal {

/** Adds members at the front of a schema: `"title": "..."`. */
inline void AddToSchema(const char* key, const std::string& text,
                        std::string* schema) {
  schema->insert(
      1, fmt::format("\"{}\": {}, ", key, wyvern::internal::JsonString(text)));
}

/** Is handed the fields of a struct, and describes each. */
class SchemaArchive {
 public:
  template <typename NameAndValue>
  void Visit(const NameAndValue& field) {
    std::string schema = SchemaOf(*field.value());
    if constexpr (requires { field.description(); }) {
      AddToSchema("description", field.description(), &schema);
    }
    properties_ += fmt::format("{}\"{}\": {}", properties_.empty() ? "" : ", ",
                               field.name(), schema);
  }
  const std::string& properties() const { return properties_; }

 private:
  std::string properties_;
};

inline std::string SchemaOfArray(const std::string& item, int size) {
  if (size < 0) {
    return fmt::format(R"({{"type": "array", "items": {}}})", item);
  }
  return fmt::format(
      R"({{"type": "array", "items": {}, "minItems": {}, "maxItems": {}}})",
      item, size, size);
}

template <typename... V>
std::string SchemaOfVariant(const std::variant<V...>&) {
  std::string all;
  const auto add = [&all]<typename Alternative>(const Alternative& value) {
    std::string one = SchemaOf(value);
    if constexpr (std::is_class_v<Alternative> &&
                  !std::is_same_v<Alternative, std::string> &&
                  !EigenMatrix<Alternative> && !IsVector<Alternative>::value) {
      AddToSchema("title", TagOf<Alternative>(), &one);
    }
    all += (all.empty() ? "" : ", ") + one;
  };
  (add(V{}), ...);
  return fmt::format(R"({{"anyOf": [{}]}})", all);
}

}  // namespace internal

template <typename T>
std::string SchemaOf(const T& value) {
  if constexpr (requires { T::MakeSchema(); }) {
    return T::MakeSchema();
  } else if constexpr (std::is_same_v<T, bool>) {
    return fmt::format(R"({{"type": "boolean", "default": {}}})", value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    const char* const name = std::is_integral_v<T> ? "integer" : "number";
    // JSON has neither infinity nor NaN.
    return std::isfinite(static_cast<double>(value))
               ? fmt::format(R"({{"$ref": "#/$defs/{}", "default": {}}})", name,
                             value)
               : fmt::format(R"({{"$ref": "#/$defs/{}"}})", name);
  } else if constexpr (std::is_convertible_v<T, std::string>) {
    return fmt::format(R"({{"type": "string", "default": {}}})",
                       wyvern::internal::JsonString(std::string(value)));
  } else if constexpr (internal::IsOptional<T>::value) {
    return fmt::format(R"({{"anyOf": [{}, {{"type": "null"}}]}})",
                       SchemaOf(typename T::value_type{}));
  } else if constexpr (internal::IsVariant<T>::value) {
    return internal::SchemaOfVariant(value);
  } else if constexpr (internal::IsVector<T>::value) {
    return internal::SchemaOfArray(SchemaOf(typename T::value_type{}), -1);
  } else if constexpr (internal::IsArray<T>::value) {
    return internal::SchemaOfArray(SchemaOf(typename T::value_type{}),
                                   static_cast<int>(value.size()));
  } else if constexpr (internal::IsMap<T>::value) {
    return fmt::format(R"({{"type": "object", "additionalProperties": {}}})",
                       SchemaOf(typename T::mapped_type{}));
  } else if constexpr (internal::EigenMatrix<T>) {
    const std::string number = R"({"$ref": "#/$defs/number"})";
    return T::ColsAtCompileTime == 1
               ? fmt::format(
                     R"({{"anyOf": [{}, {{"$ref": "#/$defs/distribution"}}]}})",
                     internal::SchemaOfArray(number, T::RowsAtCompileTime))
               : internal::SchemaOfArray(
                     internal::SchemaOfArray(number, T::ColsAtCompileTime),
                     T::RowsAtCompileTime);
  } else {
    T fields{value};
    internal::SchemaArchive archive;
    internal::CallSerialize(&fields, &archive);
    return fmt::format(R"({{"type": "object", "properties": {{{}}}, )"
                       R"("additionalProperties": false}})",
                       archive.properties());
  }
}

}  // namespace wyvern::yaml
