#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Children of an extension element to be written, by name, with their values;
an empty one for those that have none. */
using TagTexts = std::vector<std::pair<std::string, std::string>>;

/** The children of an extension element, as <drake:proximity_properties>, of
either format: URDF has their value in an attribute, SDFormat in their text. All
that read throw std::runtime_error "file:line: message". */
class ExtensionTags {
 public:
  struct Tag {
    /** Without prefix. */
    std::string name;
    std::string value;
    /** "file:line". */
    std::string place;
  };

  /** @param name and @param place of the element that the tags are in. */
  ExtensionTags(std::string name, std::string place, std::vector<Tag> tags)
      : name_(std::move(name)),
        place_(std::move(place)),
        tags_(std::move(tags)) {}

  const std::string& name() const { return name_; }
  const std::string& place() const { return place_; }
  [[noreturn]] void Throw(std::string_view message) const;

  /** Warns of a tag that is not among these, which is not read. */
  void Expect(std::initializer_list<std::string_view> known,
              WarningLog* log) const;
  /** Throws if there are two. */
  const Tag* Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  /** The values of all of that name. */
  std::vector<std::string> All(std::string_view name) const;

  std::optional<std::string> Text(std::string_view name) const;
  std::string RequiredText(std::string_view name) const;
  /** Finite. */
  std::optional<double> Number(std::string_view name) const;
  double RequiredNumber(std::string_view name) const;
  /** Finite, and zero or more. */
  std::optional<double> NotNegative(std::string_view name) const;
  /** Finite, and more than zero. */
  std::optional<double> Positive(std::string_view name) const;
  Vector3<double> RequiredTriple(std::string_view name) const;

 private:
  [[noreturn]] static void ThrowAt(const Tag& tag, std::string_view wanted);
  const Tag& Required(std::string_view name) const;

  std::string name_;
  std::string place_;
  std::vector<Tag> tags_;
};

}  // namespace wyvern::multibody::internal
