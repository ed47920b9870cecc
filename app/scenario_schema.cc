#include "wyvern/app/scenario_schema.h"

#include <cmath>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "wyvern/app/scenario.h"
#include "wyvern/systems/yaml/yaml_types.h"

namespace wyvern::app {

namespace {

using yaml::internal::EigenMatrix;
using yaml::internal::IsArray;
using yaml::internal::IsMap;
using yaml::internal::IsOptional;
using yaml::internal::IsVariant;
using yaml::internal::IsVector;

template <typename T>
std::string SchemaOf(const T& value);

/** Is handed the fields of a struct, and describes each. */
class SchemaArchive {
 public:
  template <typename NameAndValue>
  void Visit(const NameAndValue& field) {
    properties_ += fmt::format("{}\"{}\": {}", properties_.empty() ? "" : ", ",
                               field.name(), SchemaOf(*field.value()));
  }
  const std::string& properties() const { return properties_; }

 private:
  std::string properties_;
};

std::string SchemaOfArray(const std::string& item, int size) {
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
      one.insert(1, fmt::format("\"title\": \"{}\", ",
                                yaml::internal::TagOf<Alternative>()));
    }
    all += (all.empty() ? "" : ", ") + one;
  };
  (add(V{}), ...);
  return fmt::format(R"({{"anyOf": [{}]}})", all);
}

template <typename T>
std::string SchemaOf(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return fmt::format(R"({{"type": "boolean", "default": {}}})", value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    const char* const name = std::is_integral_v<T> ? "integer" : "number";
    // JSON has neither infinity nor NaN.
    return std::isfinite(static_cast<double>(value))
               ? fmt::format(R"({{"$ref": "#/$defs/{}", "default": {}}})", name,
                             value)
               : fmt::format(R"({{"$ref": "#/$defs/{}"}})", name);
  } else if constexpr (std::is_convertible_v<T, std::string>) {
    return fmt::format(R"({{"type": "string", "default": "{}"}})",
                       std::string(value));
  } else if constexpr (IsOptional<T>::value) {
    return fmt::format(R"({{"anyOf": [{}, {{"type": "null"}}]}})",
                       SchemaOf(typename T::value_type{}));
  } else if constexpr (IsVariant<T>::value) {
    return SchemaOfVariant(value);
  } else if constexpr (IsVector<T>::value) {
    return SchemaOfArray(SchemaOf(typename T::value_type{}), -1);
  } else if constexpr (IsArray<T>::value) {
    return SchemaOfArray(SchemaOf(typename T::value_type{}),
                         static_cast<int>(value.size()));
  } else if constexpr (IsMap<T>::value) {
    return fmt::format(R"({{"type": "object", "additionalProperties": {}}})",
                       SchemaOf(typename T::mapped_type{}));
  } else if constexpr (EigenMatrix<T>) {
    const std::string number = R"({"$ref": "#/$defs/number"})";
    return T::ColsAtCompileTime == 1
               ? fmt::format(
                     R"({{"anyOf": [{}, {{"$ref": "#/$defs/distribution"}}]}})",
                     SchemaOfArray(number, T::RowsAtCompileTime))
               : SchemaOfArray(SchemaOfArray(number, T::ColsAtCompileTime),
                               T::RowsAtCompileTime);
  } else {
    T fields{value};
    SchemaArchive archive;
    yaml::internal::CallSerialize(&fields, &archive);
    return fmt::format(R"({{"type": "object", "properties": {{{}}}, )"
                       R"("additionalProperties": false}})",
                       archive.properties());
  }
}

}  // namespace

std::string MakeScenarioSchema() {
  std::string schema = SchemaOf(Scenario{});
  // Numbers may be spelt as JSON cannot (.inf), or be drawn.
  schema.insert(1, R"("$schema": "https://json-schema.org/draft/2020-12/schema",
"title": "Wyvern scenario",
"$defs": {
  "distribution": {"type": "object", "minProperties": 1,
    "properties": {"value": {}, "min": {}, "max": {}, "mean": {}, "stddev": {},
      "values": {}}, "additionalProperties": false},
  "number": {"anyOf": [{"type": "number"},
    {"enum": [".inf", "-.inf"]}, {"$ref": "#/$defs/distribution"}]},
  "integer": {"anyOf": [{"type": "integer"},
    {"$ref": "#/$defs/distribution"}]}
},
)");
  return schema + "\n";
}

}  // namespace wyvern::app
