#pragma once

#include <concepts>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/common/value.h"

namespace wyvern::geometry {

/** Values of any type by group and name: what is known of a geometry beyond its
shape. A group exists as soon as it has a property; the default group has the
name default_group_name(). */
class GeometryProperties {
 public:
  /** Properties of one group, by name. */
  using Group = std::unordered_map<std::string, std::shared_ptr<AbstractValue>>;

  virtual ~GeometryProperties() = default;
  /** Name of the default group. */
  static const std::string& default_group_name();

  /** True if the group has a property. */
  bool HasGroup(const std::string& group_name) const {
    return groups_.contains(group_name);
  }
  /** Number of groups. */
  int num_groups() const { return static_cast<int>(groups_.size()); }
  /** Returns the properties of a group, by name.
  @throws std::logic_error if there is no such group. */
  const Group& GetPropertiesInGroup(const std::string& group_name) const;
  /** Names of all groups, sorted. */
  std::set<std::string> GetGroupNames() const;

  /** Adds a property; its group is made if it is missing.
  @throws std::logic_error if the property exists. */
  template <typename ValueType>
  void AddProperty(const std::string& group_name, const std::string& name,
                   const ValueType& value) {
    AddPropertyAbstract(group_name, name, Value<ValueType>(value));
  }
  /** Overload for a text, stored as a std::string. */
  void AddProperty(const std::string& group_name, const std::string& name,
                   const char* value) {
    AddProperty(group_name, name, std::string(value));
  }
  /** Overload for a value whose type is known at run time, which is copied. */
  void AddPropertyAbstract(const std::string& group_name,
                           const std::string& name, const AbstractValue& value);
  /** Adds or replaces.
  @throws std::logic_error if the property exists with another type. */
  template <typename ValueType>
  void UpdateProperty(const std::string& group_name, const std::string& name,
                      const ValueType& value) {
    UpdatePropertyAbstract(group_name, name, Value<ValueType>(value));
  }
  /** Overload for a text, stored as a std::string. */
  void UpdateProperty(const std::string& group_name, const std::string& name,
                      const char* value) {
    UpdateProperty(group_name, name, std::string(value));
  }
  /** Overload for a value whose type is known at run time, which is copied. */
  void UpdatePropertyAbstract(const std::string& group_name,
                              const std::string& name,
                              const AbstractValue& value);

  /** True if the property exists. */
  bool HasProperty(const std::string& group_name,
                   const std::string& name) const {
    return Find(group_name, name) != nullptr;
  }
  /** Returns the value of a property, which is valid until it is changed.
  @throws std::logic_error if it does not exist or is of another type. */
  template <typename ValueType>
  const ValueType& GetProperty(const std::string& group_name,
                               const std::string& name) const {
    return Get<ValueType>(group_name, name,
                          GetPropertyAbstract(group_name, name));
  }
  /** The value of a property.
  @throws std::logic_error if it does not exist. */
  const AbstractValue& GetPropertyAbstract(const std::string& group_name,
                                           const std::string& name) const;
  /** The value, or `default_value` if there is none.
  @throws std::logic_error if it is of another type. */
  template <typename ValueType>
  ValueType GetPropertyOrDefault(const std::string& group_name,
                                 const std::string& name,
                                 ValueType default_value) const {
    const AbstractValue* value = Find(group_name, name);
    return value == nullptr ? std::move(default_value)
                            : Get<ValueType>(group_name, name, *value);
  }
  /** Overload for a text. */
  std::string GetPropertyOrDefault(const std::string& group_name,
                                   const std::string& name,
                                   const char* default_value) const {
    return GetPropertyOrDefault(group_name, name, std::string(default_value));
  }
  /** Returns false if there is none. */
  bool RemoveProperty(const std::string& group_name, const std::string& name);

 protected:
  GeometryProperties() = default;
  GeometryProperties(const GeometryProperties& other);
  GeometryProperties& operator=(const GeometryProperties& other);
  GeometryProperties(GeometryProperties&&) = default;
  GeometryProperties& operator=(GeometryProperties&&) = default;

 private:
  const AbstractValue* Find(const std::string& group_name,
                            const std::string& name) const;
  template <typename ValueType>
  static const ValueType& Get(const std::string& group_name,
                              const std::string& name,
                              const AbstractValue& value) {
    const ValueType* result = value.maybe_get_value<ValueType>();
    if (result == nullptr) {
      ThrowWrongType(group_name, name, value, typeid(ValueType));
    }
    return *result;
  }
  [[noreturn]] static void ThrowWrongType(const std::string& group_name,
                                          const std::string& name,
                                          const AbstractValue& value,
                                          const std::type_info& wanted);

  std::map<std::string, Group> groups_;
};

/** Prints a line "[group]" for each group. Below it follows a line "  name:
type" for each property of the group, in the order of the names. */
std::ostream& operator<<(std::ostream& out,
                         const GeometryProperties& properties);

}  // namespace wyvern::geometry

/// @cond  Doxygen does not see what it specializes.
// GeometryProperties and every class derived from it.
template <std::derived_from<wyvern::geometry::GeometryProperties> Properties>
struct fmt::formatter<Properties> : wyvern::StreamFormatter {};
/// @endcond
