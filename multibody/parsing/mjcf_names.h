#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "wyvern/multibody/parsing/mjcf_document.h"

namespace wyvern::multibody::internal {

/** The names of the elements of one kind: those that an MJCF file gives, which
must differ, and those made for elements without one. */
class MjcfNames {
 public:
  /** @param tags of the kind's elements, anywhere in `node`. */
  MjcfNames(const MjcfNode& node, std::set<std::string_view> tags);

  /** The name of `element`, or `made`, with a number if that is taken.
  @throws std::runtime_error "file:line: ..." if the name is there twice, or is
  no name. */
  std::string Take(const XmlElement& element, const std::string& made);
  /** `made`, with a number if that is taken. */
  std::string Make(const std::string& made);
  bool contains(const std::string& name) const {
    return given_.contains(name) || taken_.contains(name);
  }

 private:
  void Collect(const MjcfNode& node, const std::set<std::string_view>& tags);

  std::set<std::string> given_;
  std::set<std::string> taken_;
  // By name: lower numbers behind it are taken.
  std::map<std::string, int> last_number_;
};

}  // namespace wyvern::multibody::internal
