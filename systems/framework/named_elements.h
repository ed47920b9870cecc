#pragma once

#include <string>
#include <vector>

namespace wyvern::systems {

/** Names for the elements of a vector type. A class that derives from
BasicVector and from this one has names in drawings and on the page of a Viewer:
on the output ports that declare it as their model, and along their wires. */
class NamedElements {
 public:
  virtual ~NamedElements() = default;
  /** Returns one name for each element. */
  virtual std::vector<std::string> GetElementNames() const = 0;

 protected:
  NamedElements() = default;
  NamedElements(const NamedElements&) = default;
  NamedElements& operator=(const NamedElements&) = default;
};

}  // namespace wyvern::systems
