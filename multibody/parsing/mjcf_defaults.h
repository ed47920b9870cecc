#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_element.h"

namespace wyvern::multibody::internal {

/** The classes of MJCF's <default> sections: each says attributes of elements
of a tag, and inherits those of the class that it is in. */
class MjcfDefaults {
 public:
  /** Reads the default classes of the document.
  @throws std::runtime_error "file:line: ..." if a class has no name or one
  that is taken. */
  explicit MjcfDefaults(const MjcfDocument& document);

  /** The outermost class. */
  const std::string& main() const { return main_; }

  /** `element` over the defaults of its tag of the class that it names or, if
  it names none, of `childclass`; an empty one is the outermost.
  @throws std::runtime_error "file:line: ..." if there is no such class. */
  MjcfElement Apply(const XmlElement& element,
                    const std::string& childclass) const {
    return Apply(element, childclass, {element.name()});
  }
  /** Applies the defaults of any of these tags, the last in a class nearest. */
  MjcfElement Apply(const XmlElement& element, const std::string& childclass,
                    const std::vector<std::string_view>& tags) const;

  /** The class that children of `element` have if they name none.
  @throws std::runtime_error "file:line: ..." if there is no such class. */
  std::string ChildClass(const XmlElement& element,
                         const std::string& inherited) const;

 private:
  struct Class {
    std::string parent;
    std::vector<XmlElement> elements;
  };

  void ReadAttached(const MjcfAttachment& attachment);
  void Read(const MjcfNode& node, const std::string& parent, bool is_top);
  void RequireClass(const XmlElement& element, const std::string& name) const;

  std::map<std::string, Class> classes_;
  // Name of the outermost class.
  std::string main_;
};

}  // namespace wyvern::multibody::internal
