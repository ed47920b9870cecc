#include "wyvern/multibody/parsing/sdf_element.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"

/* Reading one element of an SDFormat document: children and attributes by name,
numbers in the text of a child by parse_number.h, and errors that say
"file:line: subject: message". */

namespace wyvern::multibody::internal {

std::string SdfElement::name() const { return std::string(element_.name()); }

std::string SdfElement::unprefixed_name() const {
  return std::string(element_.unprefixed_name());
}

bool SdfElement::IsExtension() const { return element_.IsExtension(); }

std::vector<SdfElement> SdfElement::children() const {
  std::vector<SdfElement> result;
  for (XmlElement& child : element_.children()) {
    result.emplace_back(std::move(child), file_);
  }
  return result;
}

std::optional<SdfElement> SdfElement::Child(std::string_view name) const {
  std::optional<SdfElement> result;
  for (const SdfElement& child : children()) {
    if (child.unprefixed_name() != name) continue;
    if (result.has_value()) {
      child.Throw(fmt::format("<{}> has a second <{}>; at most one is wanted.",
                              this->name(), child.name()));
    }
    result = child;
  }
  return result;
}

SdfElement SdfElement::RequiredChild(std::string_view name) const {
  const std::optional<SdfElement> child = Child(name);
  if (!child.has_value()) {
    Throw(fmt::format("<{}> has no <{}>; one is wanted.", this->name(), name));
  }
  return *child;
}

void SdfElement::WarnOfOtherChildren(
    std::initializer_list<std::string_view> known, WarningLog* log) const {
  for (const SdfElement& child : children()) {
    const std::string full =
        child.IsExtension() ? "drake:" + child.unprefixed_name() : child.name();
    if (std::ranges::find(known, full) != known.end()) continue;
    log->Add(child.place(),
             fmt::format("<{}> in <{}> is not read and is ignored.",
                         child.name(), name()));
  }
}

ExtensionTags SdfElement::Tags() const {
  std::vector<ExtensionTags::Tag> tags;
  for (const SdfElement& child : children()) {
    tags.push_back({child.unprefixed_name(), child.text(), child.place()});
  }
  return ExtensionTags(unprefixed_name(), place(), std::move(tags));
}

std::string SdfElement::text() const { return std::string(element_.text()); }

std::optional<std::string> SdfElement::Attribute(std::string_view name) const {
  const auto value = element_.Attribute(name);
  if (!value.has_value()) return {};
  return std::string(Trim(*value));
}

std::string SdfElement::RequiredAttribute(std::string_view name) const {
  const std::optional<std::string> value = Attribute(name);
  if (!value.has_value() || value->empty()) {
    Throw(fmt::format("<{}> has no attribute '{}'; one is wanted.",
                      this->name(), name));
  }
  return *value;
}

std::string SdfElement::RequiredName() const {
  const std::string name = RequiredAttribute("name");
  const bool has_scope = name.find("::") != std::string::npos;
  if (!has_scope || !IsOlderThan(8)) RequireValidName(name);
  return name;
}

void SdfElement::RequireValidName(std::string_view given) const {
  if (given.find("::") != std::string_view::npos) {
    Throw(
        fmt::format("the name '{}' of <{}> has \"::\" in it, which parts the "
                    "names of a model and its elements; take another.",
                    given, name()));
  }
  const bool is_between_underscores =
      given.size() >= 4 && given.starts_with("__") && given.ends_with("__");
  if (given.empty() || given == "world" || is_between_underscores) {
    Throw(fmt::format("the name '{}' of <{}> is {}; take another.", given,
                      name(), given.empty() ? "empty" : "reserved"));
  }
}

std::optional<double> SdfElement::Bound(std::string_view child) const {
  const std::optional<SdfElement> element = Child(child);
  if (!element.has_value()) return {};
  std::string number = element->text();
  if (number.ends_with('"')) number.pop_back();
  const std::optional<double> value = ParseNumber(number);
  if (!value.has_value()) {
    element->Throw(fmt::format("<{}> is '{}', which is not a number.",
                               element->name(), element->text()));
  }
  return value;
}

std::optional<double> SdfElement::Number(std::string_view child) const {
  const std::optional<double> value = Bound(child);
  if (value.has_value() && !std::isfinite(*value)) {
    Throw(fmt::format("<{}> in <{}> is infinite; give a finite number.", child,
                      name()));
  }
  return value;
}

double SdfElement::RequiredNumber(std::string_view child) const {
  RequiredChild(child);
  return *Number(child);
}

std::optional<Vector3<double>> SdfElement::Triple(
    std::string_view child) const {
  const std::optional<SdfElement> element = Child(child);
  if (!element.has_value()) return {};
  const auto numbers = ParseNumbers(element->text());
  if (!numbers.has_value() || numbers->size() != 3 ||
      !std::ranges::all_of(*numbers,
                           [](double x) { return std::isfinite(x); })) {
    element->Throw(fmt::format("<{}> is '{}'; three finite numbers are wanted.",
                               element->name(), element->text()));
  }
  return Vector3<double>((*numbers)[0], (*numbers)[1], (*numbers)[2]);
}

std::optional<bool> SdfElement::Bool(std::string_view child) const {
  const std::optional<SdfElement> element = Child(child);
  if (!element.has_value()) return {};
  std::string text = element->text();
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  element->Throw(fmt::format("<{}> is '{}'; true or false is wanted.",
                             element->name(), element->text()));
}

}  // namespace wyvern::multibody::internal
