#include "wyvern/multibody/tree/scoped_name.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::multibody {
namespace {
constexpr std::string_view kDelimiter = "::";
bool IsElementName(std::string_view name) {
  return !name.empty() && name.find(kDelimiter) == std::string_view::npos;
}

bool IsNamespace(std::string_view name) {
  return !name.starts_with(kDelimiter) && !name.ends_with(kDelimiter);
}

}  // namespace

ScopedName::ScopedName(std::string_view namespace_name,
                       std::string_view element_name) {
  if (!IsElementName(element_name)) {
    throw std::logic_error(fmt::format(
        "ScopedName(): element name '{}' must not be empty and must not "
        "contain '::'.",
        element_name));
  }
  if (!IsNamespace(namespace_name)) {
    throw std::logic_error(fmt::format(
        "ScopedName(): namespace '{}' must not begin or end with '::'.",
        namespace_name));
  }
  if (!namespace_name.empty()) {
    name_ = std::string(namespace_name) + std::string(kDelimiter);
  }
  element_begin_ = name_.size();
  name_ += element_name;
}

std::optional<ScopedName> ScopedName::Make(std::string_view namespace_name,
                                           std::string_view element_name) {
  if (!IsElementName(element_name) || !IsNamespace(namespace_name)) return {};
  return ScopedName(namespace_name, element_name);
}

ScopedName ScopedName::Join(std::string_view name1, std::string_view name2) {
  if (name1.empty()) return Parse(name2);
  if (name2.empty()) return Parse(name1);
  return Parse(fmt::format("{}::{}", name1, name2));
}

ScopedName ScopedName::Parse(std::string_view scoped_name) {
  ScopedName result;
  while (!scoped_name.empty()) {
    const std::size_t size = scoped_name.find(kDelimiter);
    const std::string_view part = scoped_name.substr(0, size);
    if (!part.empty()) {
      if (!result.name_.empty()) result.name_ += kDelimiter;
      result.element_begin_ = result.name_.size();
      result.name_ += part;
    }
    if (size == std::string_view::npos) break;
    scoped_name.remove_prefix(size + kDelimiter.size());
  }
  return result;
}

std::string_view ScopedName::get_namespace() const {
  if (element_begin_ == 0) return {};
  return std::string_view(name_).substr(0, element_begin_ - kDelimiter.size());
}

std::string_view ScopedName::get_element() const {
  return std::string_view(name_).substr(element_begin_);
}

// By way of a new name: a view given may be of this very name.
void ScopedName::set_namespace(std::string_view namespace_name) {
  *this = ScopedName(namespace_name, get_element());
}

void ScopedName::set_element(std::string_view element_name) {
  *this = ScopedName(get_namespace(), element_name);
}

}  // namespace wyvern::multibody
