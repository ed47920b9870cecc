#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/multibody/parsing/xml_element.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** An element of MJCF with the defaults of its class. An attribute that is
missing or empty takes the value of the nearest default. Functions throw
std::runtime_error "file:line: subject: message", at the element with the faulty
value. */
class MjcfElement {
 public:
  /** @param defaults from the innermost class to the outermost. */
  MjcfElement(const XmlElement& own, std::vector<XmlElement> defaults);

  const XmlElement& own() const { return layers_.front(); }
  /** This one, then the defaults. */
  const std::vector<XmlElement>& layers() const { return layers_; }
  [[noreturn]] void Throw(std::string_view message) const {
    own().Throw(message);
  }

  bool Has(std::string_view attribute) const {
    return Holder(attribute).has_value();
  }
  /** The nearest that says it; `fallback` if nothing does. */
  std::string Text(std::string_view attribute,
                   std::string_view fallback = {}) const;
  /** A finite number. */
  double Number(std::string_view attribute, double fallback) const;
  /** Finite, and not negative. */
  double NotNegative(std::string_view attribute, double fallback) const;
  /** Finite numbers. Each layer says the first few; the rest is as the layers
  below and `fallback` have it. @throws also if a layer has more than that. */
  VectorX<double> Numbers(std::string_view attribute,
                          const VectorX<double>& fallback) const;
  /** Exactly three. */
  Vector3<double> Triple(std::string_view attribute,
                         const Vector3<double>& fallback) const;
  /** "true" or "false". */
  bool Flag(std::string_view attribute, bool fallback) const;
  /** Whether a range acts: as the attribute `limited` says or, if that is
  "auto", as `range` is given, or is not 0 0. */
  bool IsLimited(std::string_view limited, std::string_view range,
                 bool autolimits) const;
  /** The lower and the upper number. @throws also if they are not in order. */
  Vector2<double> Range(std::string_view attribute) const;
  /** The innermost layer with one of these; the layer must have no second. */
  std::optional<std::pair<XmlElement, std::string_view>> OneOf(
      std::initializer_list<std::string_view> attributes) const;

 private:
  std::optional<XmlElement> Holder(std::string_view attribute) const;

  std::vector<XmlElement> layers_;
};

/** Finite numbers of an attribute, at most `most` of them. */
std::vector<double> ReadMjcfNumbers(const XmlElement& element,
                                    std::string_view attribute,
                                    std::size_t most);
/** "true" or "false". */
bool ReadMjcfFlag(const XmlElement& element, std::string_view attribute,
                  bool fallback);

}  // namespace wyvern::multibody::internal
