#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/multibody/parsing/extension_tags.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"
#include "wyvern/multibody/parsing/xml_element.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** An SDFormat file, or text, and the version that it declares. */
struct SdfFile {
  const XmlDocument* document{};
  /** The parts of the version between its points: 1.9 is {1, 9}. */
  std::vector<int> version{};
};

/** An element of an SDFormat document, as it is written there. Its file must
outlive it. Extensions are as in XmlElement. Functions that read throw
std::runtime_error "file:line: subject: message". */
class SdfElement {
 public:
  SdfElement(XmlElement element, const SdfFile* file)
      : element_(std::move(element)), file_(file) {}

  /** Returns this element. Its errors, and those of its children, name
  `subject`, for example "joint 'elbow'". */
  SdfElement About(std::string subject) const {
    return {element_.About(std::move(subject)), file_};
  }

  /** Returns whether the file declares a version before 1.`minor`. */
  bool IsOlderThan(int minor) const {
    return file_->version < std::vector<int>{1, minor};
  }

  std::string name() const;
  std::string unprefixed_name() const;
  bool IsExtension() const;
  /** "file:line". */
  std::string place() const { return element_.place(); }
  /** Returns the folder of the element's file; nothing if there is no file. */
  std::optional<std::filesystem::path> folder() const {
    return file_->document->folder();
  }
  [[noreturn]] void Throw(std::string_view message) const {
    element_.Throw(message);
  }
  /** Logs "file:line: subject: message". */
  void Warn(std::string_view message, WarningLog* log) const {
    element_.Warn(message, log);
  }

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
  /** See XmlElement::IsTrue(). */
  bool IsTrue(std::string_view attribute) const {
    return element_.IsTrue(attribute);
  }
  /** Returns the attribute 'name': not empty, without "::" since SDFormat 1.8,
  and not reserved, which "world" and names between two underscores each are. */
  std::string RequiredName() const;
  /** Throws if `name`, which this element gives to a part of a model, is not
  such a name without "::". */
  void RequireValidName(std::string_view name) const;

  /** @name The numbers in a child, finite but for Bound()
  A quotation mark after a single number, as models in use have, is passed over.
  @{ */
  std::optional<double> Number(std::string_view child) const;
  double RequiredNumber(std::string_view child) const;
  std::optional<double> Bound(std::string_view child) const;
  std::optional<Vector3<double>> Triple(std::string_view child) const;
  /** @} */
  /** The truth value in a child: true, false, 1 or 0, in capitals as well. */
  std::optional<bool> Bool(std::string_view child) const;

 private:
  XmlElement element_;
  const SdfFile* file_;
};

}  // namespace wyvern::multibody::internal
