#pragma once

namespace wyvern::yaml {

/** How strictly LoadYamlString() and LoadYamlFile() compare a document with the
structs that it is read into. */
struct LoadYamlOptions {
  /** Whether a mapping may have keys that no field is named after. */
  bool allow_yaml_with_no_cpp{false};
  /** Whether a field may be missing in the document; it keeps its value then.
   */
  bool allow_cpp_with_no_yaml{false};
  /** Whether a std::map keeps the entries that the document does not have. */
  bool retain_map_defaults{false};
};

}  // namespace wyvern::yaml
