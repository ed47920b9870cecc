#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/systems/common/eigen_types.h"

namespace tinyxml2 {
class XMLElement;
}  // namespace tinyxml2

namespace wyvern::multibody::internal {

/** An element of an XmlDocument, which must outlive it: reads what is in it,
and says where it is when that is not what it should be.

An extension is an element or attribute that URDF does not have, marked by the
prefix `drake:` or `wyvern:`, which mean the same. Functions ending in Extension
take its name without the prefix. All that read throw std::runtime_error
"file:line: subject: message" on what they cannot read. */
class XmlElement {
 public:
  XmlElement(const tinyxml2::XMLElement* element, const std::string* source,
             std::string subject = {})
      : element_(element), source_(source), subject_(std::move(subject)) {}

  /** This element, of which, and of whose children, errors say that they are
  about `subject`, as "joint 'elbow'". */
  XmlElement About(std::string subject) const {
    XmlElement result = *this;
    result.subject_ = std::move(subject);
    return result;
  }
  /** This element with this value of an attribute, for Attribute() and what
  reads by it. */
  XmlElement With(const std::string& attribute, std::string value) const;

  /** Whether both are of one document. */
  bool IsOf(const XmlElement& other) const { return source_ == other.source_; }

  /** The tag, with its prefix. */
  std::string_view name() const;
  bool IsNamed(std::string_view name) const { return this->name() == name; }
  bool IsExtension() const;
  bool IsExtensionNamed(std::string_view name) const;
  /** The tag, without an extension's prefix. */
  std::string_view unprefixed_name() const;

  /** "file:line". */
  std::string place() const;
  /** @throws std::runtime_error "file:line: subject: message". */
  [[noreturn]] void Throw(std::string_view message) const;
  /** Logs "file:line: subject: message". */
  void Warn(std::string_view message, WarningLog* log) const;

  /** @name Children
  @{ */
  std::vector<XmlElement> children() const;
  /** The child of that name, of which there may be at most one. */
  std::optional<XmlElement> Child(std::string_view name) const;
  /** Returns the first child of that name. Each further child is ignored with a
  warning.
  @param log null: without warnings. */
  std::optional<XmlElement> FirstChild(std::string_view name,
                                       WarningLog* log) const;
  std::optional<XmlElement> ExtensionChild(std::string_view name) const;
  /** Throws also if there is none. */
  XmlElement RequiredChild(std::string_view name) const;
  /** The text directly inside, without white space around it. */
  std::string_view text() const;
  /** @} */

  /** @name Attributes
  @{ */
  std::optional<std::string_view> Attribute(std::string_view name) const;
  std::optional<std::string_view> ExtensionAttribute(
      std::string_view name) const;
  std::string_view RequiredAttribute(std::string_view name) const;
  /** The attribute as the name of an element of a model: not empty and without
  "::". */
  std::string RequiredName(std::string_view attribute) const;
  /** A finite number. */
  std::optional<double> Number(std::string_view attribute) const;
  double RequiredNumber(std::string_view attribute) const;
  /** A number or infinity. */
  std::optional<double> Bound(std::string_view attribute) const;
  std::optional<double> ExtensionBound(std::string_view attribute) const;
  /** Three finite numbers parted by white space. */
  std::optional<Vector3<double>> Triple(std::string_view attribute) const;
  /** Whether the attribute is true or 1; false if it is not there. Throws if it
  is neither true nor false. */
  bool IsTrue(std::string_view attribute) const;
  /** Warns of an attribute that is not among these, which is not read;
  extensions are named with the prefix `drake:`, and `xmlns` declarations may be
  anywhere. */
  void ExpectAttributes(std::initializer_list<std::string_view> known,
                        WarningLog* log) const;
  /** Warns of an attribute that is none of these, nor an `xmlns` declaration.
   */
  void ExpectAttributesOf(const std::set<std::string>& known,
                          WarningLog* log) const;
  /** Calls ExpectAttributes(), and warns of children, which there should not
  be. */
  void ExpectLeaf(std::initializer_list<std::string_view> known,
                  WarningLog* log) const;
  /** @} */

 private:
  template <class Predicate>
  std::optional<XmlElement> OnlyChild(const Predicate& is_wanted) const;
  std::optional<double> ToBound(std::optional<std::string_view> text,
                                std::string_view attribute) const;

  const tinyxml2::XMLElement* element_;
  const std::string* source_;
  std::string subject_;
  // Values that replace attributes; null for none.
  std::shared_ptr<const std::map<std::string, std::string, std::less<>>>
      instead_{};
};

}  // namespace wyvern::multibody::internal
