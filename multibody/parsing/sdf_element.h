#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/multibody/parsing/extension_tags.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** An element of an SDFormat document as it is written there: without the
defaults that libsdformat adds. Extensions are as in XmlElement. All that read
throw std::runtime_error "file:line: subject: message". */
class SdfElement {
 public:
  /** @param element an sdf::ElementPtr; opaque, so that no header of
  libsdformat is needed here. */
  SdfElement(std::shared_ptr<void> element, std::string subject)
      : element_(std::move(element)), subject_(std::move(subject)) {}

  std::string name() const;
  std::string unprefixed_name() const;
  bool IsExtension() const;
  /** "file:line", of the nearest element around it of which that is known. */
  std::string place() const;
  /** Returns the folder of the element's file; nothing if there is no file. */
  std::optional<std::filesystem::path> folder() const;
  [[noreturn]] void Throw(std::string_view message) const;
  /** Logs "file:line: subject: message". */
  void Warn(std::string_view message, WarningLog* log) const;

  std::vector<SdfElement> children() const;
  /** The child, or the extension, of that name, of which there may be one. */
  std::optional<SdfElement> Child(std::string_view name) const;
  SdfElement RequiredChild(std::string_view name) const;
  /** Warns of a child that is not among these, which is not read; extensions
  are named with the prefix `drake:`. */
  void WarnOfOtherChildren(std::initializer_list<std::string_view> known,
                           WarningLog* log) const;
  /** The children as tags, with their texts. */
  ExtensionTags Tags() const;

  /** Without white space around it. */
  std::string text() const;
  std::optional<std::string> Attribute(std::string_view name) const;
  std::string RequiredAttribute(std::string_view name) const;

  /** @name The numbers in a child, finite but for Bound()
  A quotation mark after a single number, as models in use have, is passed over.
  @{ */
  std::optional<double> Number(std::string_view child) const;
  double RequiredNumber(std::string_view child) const;
  std::optional<double> Bound(std::string_view child) const;
  std::optional<Vector3<double>> Triple(std::string_view child) const;
  /** @} */
  /** The truth value in a child: true, false, 1 or 0. */
  std::optional<bool> Bool(std::string_view child) const;
  /** Sets the child element to that value. */
  void SetBool(const std::string& child, bool value) const;

 private:
  std::shared_ptr<void> element_;
  std::string subject_;
};

}  // namespace wyvern::multibody::internal
