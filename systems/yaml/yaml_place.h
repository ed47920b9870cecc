#pragma once

#include <string>

#include "wyvern/systems/yaml/yaml_io_options.h"
#include "wyvern/systems/yaml/yaml_node.h"

namespace wyvern::yaml::internal {

/** Where in a document a value stands. Each is made on the stack of the one
that reads, beneath that of the value around it, which must outlive it. */
struct Place {
  /** The whole document. */
  Place(const std::string* source_in, const LoadYamlOptions* options_in)
      : source(source_in), options(options_in) {}
  /** The value of a key. */
  Place(const Place& around, const char* key_in)
      : Place(around.source, around.options) {
    parent = &around;
    key = key_in;
  }
  /** The item of a sequence. */
  Place(const Place& around, int index_in)
      : Place(around.source, around.options) {
    parent = &around;
    index = index_in;
  }

  const std::string* source;
  const LoadYamlOptions* options;
  const Place* parent{nullptr};
  const char* key{nullptr};
  int index{0};
};

/** "robot.gains[2]". */
std::string ToString(const Place& place);

/** @throws std::runtime_error naming the source, line, column and place, in
front of `what`. */
[[noreturn]] void Fail(const Place& place, const Node& node,
                       const std::string& what);
[[noreturn]] void Fail(const Place& place, const Spot& spot,
                       const std::string& what);
/** Fails for a value of another kind than the wanted one. */
[[noreturn]] void FailKind(const Place& place, const Node& node,
                           const std::string& wanted);

}  // namespace wyvern::yaml::internal
