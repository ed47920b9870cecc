#include "wyvern/geometry/shapes/geometry_properties.h"

#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <string_view>

#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::geometry {

const std::string& GeometryProperties::default_group_name() {
  static const std::string name("__default__");
  return name;
}

GeometryProperties::GeometryProperties(const GeometryProperties& other) {
  *this = other;
}

GeometryProperties& GeometryProperties::operator=(
    const GeometryProperties& other) {
  if (this == &other) return *this;
  groups_.clear();
  for (const auto& [group_name, group] : other.groups_) {
    for (const auto& [name, value] : group) {
      groups_[group_name][name] = value->Clone();
    }
  }
  return *this;
}

const GeometryProperties::Group& GeometryProperties::GetPropertiesInGroup(
    const std::string& group_name) const {
  const auto found = groups_.find(group_name);
  if (found == groups_.end()) {
    throw std::logic_error(fmt::format(
        "GeometryProperties::GetPropertiesInGroup(): there is no group '{}'; "
        "see GetGroupNames().",
        group_name));
  }
  return found->second;
}

std::set<std::string> GeometryProperties::GetGroupNames() const {
  std::set<std::string> result;
  for (const auto& [name, group] : groups_) result.insert(name);
  return result;
}

const AbstractValue* GeometryProperties::Find(const std::string& group_name,
                                              const std::string& name) const {
  const auto group = groups_.find(group_name);
  if (group == groups_.end()) return nullptr;
  const auto found = group->second.find(name);
  return found == group->second.end() ? nullptr : found->second.get();
}

void GeometryProperties::AddPropertyAbstract(const std::string& group_name,
                                             const std::string& name,
                                             const AbstractValue& value) {
  if (HasProperty(group_name, name)) {
    throw std::logic_error(fmt::format(
        "GeometryProperties::AddProperty(): the property ('{}', '{}') exists "
        "already; use UpdateProperty() to change it.",
        group_name, name));
  }
  groups_[group_name][name] = value.Clone();
}

void GeometryProperties::UpdatePropertyAbstract(const std::string& group_name,
                                                const std::string& name,
                                                const AbstractValue& value) {
  const AbstractValue* now = Find(group_name, name);
  if (now != nullptr && now->static_type_info() != value.static_type_info()) {
    throw std::logic_error(fmt::format(
        "GeometryProperties::UpdateProperty(): the property ('{}', '{}') is a "
        "{} and was given a {}; remove it first to change its type.",
        group_name, name, now->GetNiceTypeName(), value.GetNiceTypeName()));
  }
  groups_[group_name][name] = value.Clone();
}

const AbstractValue& GeometryProperties::GetPropertyAbstract(
    const std::string& group_name, const std::string& name) const {
  const AbstractValue* value = Find(group_name, name);
  if (value == nullptr) {
    throw std::logic_error(fmt::format(
        "GeometryProperties::GetProperty(): there is no property ('{}', '{}'); "
        "add it, or use GetPropertyOrDefault().",
        group_name, name));
  }
  return *value;
}

bool GeometryProperties::RemoveProperty(const std::string& group_name,
                                        const std::string& name) {
  const auto group = groups_.find(group_name);
  if (group == groups_.end()) return false;
  return group->second.erase(name) > 0;
}

void GeometryProperties::ThrowWrongType(const std::string& group_name,
                                        const std::string& name,
                                        const AbstractValue& value,
                                        const std::type_info& wanted) {
  throw std::logic_error(fmt::format(
      "GeometryProperties::GetProperty(): the property ('{}', '{}') is a {}, "
      "not a {}; ask for its own type.",
      group_name, name, value.GetNiceTypeName(), NiceTypeName::Get(wanted)));
}

std::ostream& operator<<(std::ostream& out,
                         const GeometryProperties& properties) {
  for (const std::string& group : properties.GetGroupNames()) {
    out << '[' << group << "]\n";
    std::map<std::string_view, std::string> types;
    for (const auto& [name, value] : properties.GetPropertiesInGroup(group)) {
      types[name] = value->GetNiceTypeName();
    }
    for (const auto& [name, type] : types) {
      out << "  " << name << ": " << type << '\n';
    }
  }
  return out;
}

}  // namespace wyvern::geometry
