#pragma once

#include <string>
#include <typeinfo>

namespace wyvern {

/** Readable names of C++ types, for messages: "wyvern::systems::Gain<double>",
"std::vector<int>", "std::string". */
class NiceTypeName {
 public:
  NiceTypeName() = delete;

  /** The name of type T. */
  template <typename T>
  static std::string Get() {
    return Get(typeid(T));
  }
  /** The name of the most derived type of `thing`, if it is polymorphic. */
  template <typename T>
  static std::string Get(const T& thing) {
    return Get(typeid(thing));
  }
  /** The name of a type that is known at run time. */
  static std::string Get(const std::type_info& info);

  /** Returns the type that a mangled name stands for, or the input if it is not
  mangled. */
  static std::string Demangle(const char* type_id_name);
  /** A demangled name without what differs between standard libraries: inline
  namespaces, default allocators and the like, `std::string` spelled out. */
  static std::string Canonicalize(const std::string& demangled_name);
  /** Drops the namespaces in front, keeping those of template arguments:
  "Value<wyvern::systems::Gain<double>>" of that in wyvern. */
  static std::string RemoveNamespaces(const std::string& canonical_name);
};

}  // namespace wyvern
