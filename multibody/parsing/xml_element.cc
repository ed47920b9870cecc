#include "wyvern/multibody/parsing/xml_element.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include "wyvern/multibody/parsing/parse_number.h"

/* Reading one XML element: attributes and children by name, numbers by
parse_number.h, and errors that say "file:line: subject: message". What is
not known is a warning. The prefixes drake: and wyvern: mark the same
extensions. */

namespace wyvern::multibody::internal {

namespace {

// The name after an extension's prefix; nothing if there is no such prefix.
std::optional<std::string_view> WithoutPrefix(std::string_view name) {
  for (const std::string_view prefix : {"drake:", "wyvern:"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return {};
}

}  // namespace

XmlElement XmlElement::With(const std::string& attribute,
                            std::string value) const {
  std::map<std::string, std::string, std::less<>> instead;
  if (instead_ != nullptr) instead = *instead_;
  instead[attribute] = std::move(value);
  XmlElement result = *this;
  result.instead_ =
      std::make_shared<const decltype(instead)>(std::move(instead));
  return result;
}

std::string_view XmlElement::name() const { return element_->Name(); }

bool XmlElement::IsExtension() const {
  return WithoutPrefix(name()).has_value();
}

bool XmlElement::IsExtensionNamed(std::string_view name) const {
  return WithoutPrefix(this->name()) == name;
}

std::string_view XmlElement::unprefixed_name() const {
  return WithoutPrefix(name()).value_or(name());
}

std::string XmlElement::place() const {
  return fmt::format("{}:{}", *source_, element_->GetLineNum());
}

void XmlElement::Throw(std::string_view message) const {
  throw std::runtime_error(
      subject_.empty() ? fmt::format("{}: {}", place(), message)
                       : fmt::format("{}: {}: {}", place(), subject_, message));
}

void XmlElement::Warn(std::string_view message, WarningLog* log) const {
  log->Add(place(), subject_.empty()
                        ? std::string(message)
                        : fmt::format("{}: {}", subject_, message));
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> result;
  for (auto* child = element_->FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    result.emplace_back(child, source_, subject_);
  }
  return result;
}

template <class Predicate>
std::optional<XmlElement> XmlElement::OnlyChild(
    const Predicate& is_wanted) const {
  std::optional<XmlElement> result;
  for (const XmlElement& child : children()) {
    if (!is_wanted(child)) continue;
    if (result.has_value()) {
      child.Throw(fmt::format("<{}> has a second <{}>; at most one is wanted.",
                              name(), child.name()));
    }
    result = child;
  }
  return result;
}

std::optional<XmlElement> XmlElement::Child(std::string_view name) const {
  return OnlyChild([&](const XmlElement& e) { return e.IsNamed(name); });
}

std::optional<XmlElement> XmlElement::FirstChild(std::string_view name,
                                                 WarningLog* log) const {
  std::optional<XmlElement> result;
  for (const XmlElement& child : children()) {
    if (!child.IsNamed(name)) continue;
    if (!result.has_value()) {
      result = child;
    } else if (log != nullptr) {
      log->Add(
          child.place(),
          fmt::format("a second <{}> in <{}> is ignored; the first counts.",
                      name, this->name()));
    }
  }
  return result;
}

std::optional<XmlElement> XmlElement::ExtensionChild(
    std::string_view name) const {
  return OnlyChild(
      [&](const XmlElement& e) { return e.IsExtensionNamed(name); });
}

XmlElement XmlElement::RequiredChild(std::string_view name) const {
  const std::optional<XmlElement> child = Child(name);
  if (!child.has_value()) {
    Throw(fmt::format("<{}> has no <{}>; one is wanted.", this->name(), name));
  }
  return *child;
}

std::string_view XmlElement::text() const {
  const char* const text = element_->GetText();
  return text == nullptr ? std::string_view() : Trim(text);
}

std::optional<std::string_view> XmlElement::Attribute(
    std::string_view name) const {
  if (instead_ != nullptr) {
    const auto found = instead_->find(name);
    if (found != instead_->end()) return found->second;
  }
  for (auto* a = element_->FirstAttribute(); a != nullptr; a = a->Next()) {
    if (name == a->Name()) return a->Value();
  }
  return {};
}

std::optional<std::string_view> XmlElement::ExtensionAttribute(
    std::string_view name) const {
  for (auto* a = element_->FirstAttribute(); a != nullptr; a = a->Next()) {
    if (WithoutPrefix(a->Name()) == name) return a->Value();
  }
  return {};
}

std::string_view XmlElement::RequiredAttribute(std::string_view name) const {
  const std::optional<std::string_view> value = Attribute(name);
  if (!value.has_value()) {
    Throw(fmt::format("<{}> has no attribute '{}'; one is wanted.",
                      this->name(), name));
  }
  return *value;
}

std::string XmlElement::RequiredName(std::string_view attribute) const {
  const std::string_view name = RequiredAttribute(attribute);
  if (Trim(name).empty() || name.find("::") != std::string_view::npos) {
    Throw(fmt::format(
        "{}=\"{}\" in <{}> is no name; it must have letters and no \"::\", "
        "which parts the names of a model instance and its elements.",
        attribute, name, this->name()));
  }
  return std::string(name);
}

std::optional<double> XmlElement::ToBound(std::optional<std::string_view> text,
                                          std::string_view attribute) const {
  if (!text.has_value()) return {};
  const std::optional<double> value = ParseNumber(*text);
  if (!value.has_value()) {
    Throw(fmt::format("{}=\"{}\" in <{}> is not a number.", attribute, *text,
                      name()));
  }
  return value;
}

std::optional<double> XmlElement::Number(std::string_view attribute) const {
  const std::optional<double> value = Bound(attribute);
  if (value.has_value() && !std::isfinite(*value)) {
    Throw(fmt::format("{} in <{}> is infinite; give a finite number.",
                      attribute, name()));
  }
  return value;
}

double XmlElement::RequiredNumber(std::string_view attribute) const {
  RequiredAttribute(attribute);
  return *Number(attribute);
}

std::optional<double> XmlElement::Bound(std::string_view attribute) const {
  return ToBound(Attribute(attribute), attribute);
}

std::optional<double> XmlElement::ExtensionBound(
    std::string_view attribute) const {
  return ToBound(ExtensionAttribute(attribute), attribute);
}

std::optional<Vector3<double>> XmlElement::Triple(
    std::string_view attribute) const {
  const std::optional<std::string_view> text = Attribute(attribute);
  if (!text.has_value()) return {};
  const std::optional<std::vector<double>> numbers = ParseNumbers(*text);
  if (!numbers.has_value() || numbers->size() != 3 ||
      !std::ranges::all_of(*numbers,
                           [](double x) { return std::isfinite(x); })) {
    Throw(fmt::format(
        "{}=\"{}\" in <{}> is not three finite numbers parted by spaces.",
        attribute, *text, name()));
  }
  return Vector3<double>((*numbers)[0], (*numbers)[1], (*numbers)[2]);
}

bool XmlElement::IsTrue(std::string_view attribute) const {
  const std::string_view value = Trim(Attribute(attribute).value_or("false"));
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  Throw(fmt::format("{}=\"{}\" in <{}> is neither true nor false.", attribute,
                    value, name()));
}

void XmlElement::ExpectAttributes(std::initializer_list<std::string_view> known,
                                  WarningLog* log) const {
  for (auto* a = element_->FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string_view attribute = a->Name();
    const auto extension = WithoutPrefix(attribute);
    const std::string wanted = extension ? fmt::format("drake:{}", *extension)
                                         : std::string(attribute);
    if (attribute.starts_with("xmlns")) continue;
    if (std::ranges::find(known, wanted) != known.end()) continue;
    // Without the subject, so that it is said once of all that have it.
    log->Add(
        place(),
        fmt::format("the attribute '{}' of <{}> is not known and is "
                    "ignored; {}.",
                    attribute, name(),
                    known.size() == 0 ? "none is read"
                                      : fmt::format("those read are: {}",
                                                    fmt::join(known, ", "))));
  }
}

void XmlElement::ExpectAttributesOf(const std::set<std::string>& known,
                                    WarningLog* log) const {
  for (auto* a = element_->FirstAttribute(); a != nullptr; a = a->Next()) {
    if (known.contains(a->Name())) continue;
    if (std::string_view(a->Name()).starts_with("xmlns")) continue;
    log->Add(place(),
             fmt::format("the attribute '{}' of <{}> is not known and is "
                         "ignored.",
                         a->Name(), name()));
  }
}

void XmlElement::ExpectLeaf(std::initializer_list<std::string_view> known,
                            WarningLog* log) const {
  ExpectAttributes(known, log);
  for (const XmlElement& child : children()) {
    log->Add(child.place(),
             fmt::format("<{}> in <{}> is not known and is ignored.",
                         child.name(), name()));
  }
}

}  // namespace wyvern::multibody::internal
