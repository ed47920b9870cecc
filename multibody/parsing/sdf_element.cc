// Reading one element of an SDFormat document as it is written, without the
// defaults that libsdformat fills in: children and attributes by name, numbers
// by parse_number.h, and errors that say "file:line: subject: message".
#include "wyvern/multibody/parsing/sdf_element.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <sdf/Element.hh>

#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/systems/common/file_paths.h"

namespace wyvern::multibody::internal {

namespace {

sdf::Element& Get(const std::shared_ptr<void>& element) {
  return *static_cast<sdf::Element*>(element.get());
}

std::size_t PrefixSize(const std::string& name) {
  for (const std::string_view prefix : {"drake:", "wyvern:"}) {
    if (name.starts_with(prefix)) return prefix.size();
  }
  return 0;
}

// Returns whether `path` is the name that errors give a document without a
// file.
bool IsNoFile(const std::string& path) {
  return path.empty() || path.starts_with("<");
}

}  // namespace

std::string SdfElement::name() const { return Get(element_).GetName(); }

std::string SdfElement::unprefixed_name() const {
  const std::string full = name();
  return full.substr(PrefixSize(full));
}

bool SdfElement::IsExtension() const { return PrefixSize(name()) > 0; }

std::string SdfElement::place() const {
  for (auto* e = &Get(element_); e != nullptr; e = e->GetParent().get()) {
    if (!e->LineNumber().has_value()) continue;
    const std::string& file = e->FilePath();
    return fmt::format("{}:{}", IsNoFile(file) ? "<string>" : file,
                       *e->LineNumber());
  }
  return IsNoFile(Get(element_).FilePath()) ? "<string>"
                                            : Get(element_).FilePath();
}

std::optional<std::filesystem::path> SdfElement::folder() const {
  for (auto* e = &Get(element_); e != nullptr; e = e->GetParent().get()) {
    if (IsNoFile(e->FilePath())) continue;
    return wyvern::internal::MakeAbsolute("Parser", e->FilePath())
        .parent_path();
  }
  return {};
}

void SdfElement::Throw(std::string_view message) const {
  throw std::runtime_error(
      subject_.empty() ? fmt::format("{}: {}", place(), message)
                       : fmt::format("{}: {}: {}", place(), subject_, message));
}

void SdfElement::Warn(std::string_view message, WarningLog* log) const {
  log->Add(place(), subject_.empty()
                        ? std::string(message)
                        : fmt::format("{}: {}", subject_, message));
}

std::vector<SdfElement> SdfElement::children() const {
  std::vector<SdfElement> result;
  for (auto child = Get(element_).GetFirstElement(); child != nullptr;
       child = child->GetNextElement()) {
    if (child->GetExplicitlySetInFile()) result.emplace_back(child, subject_);
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

std::string SdfElement::text() const {
  const sdf::ParamPtr value = Get(element_).GetValue();
  return value == nullptr ? "" : std::string(Trim(value->GetAsString()));
}

std::optional<std::string> SdfElement::Attribute(std::string_view name) const {
  const sdf::ParamPtr value = Get(element_).GetAttribute(std::string(name));
  if (value == nullptr || !value->GetSet()) return {};
  return std::string(Trim(value->GetAsString()));
}

std::string SdfElement::RequiredAttribute(std::string_view name) const {
  const std::optional<std::string> value = Attribute(name);
  if (!value.has_value() || value->empty()) {
    Throw(fmt::format("<{}> has no attribute '{}'; one is wanted.",
                      this->name(), name));
  }
  return *value;
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

void SdfElement::SetBool(const std::string& child, bool value) const {
  Get(element_).GetElement(child)->Set(value);
}

std::optional<bool> SdfElement::Bool(std::string_view child) const {
  const std::optional<SdfElement> element = Child(child);
  if (!element.has_value()) return {};
  const std::string text = element->text();
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  element->Throw(fmt::format("<{}> is '{}'; true or false is wanted.",
                             element->name(), text));
}

}  // namespace wyvern::multibody::internal
