#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace wyvern::tests {

/// Local names of a source file, by its text: the names that its anonymous
/// namespaces declare, and its macros.
struct LocalNames {
  /// Types, functions and constants of anonymous namespaces. An alias maps to
  /// its declaration, which other files may repeat; any other name maps to "".
  std::map<std::string, std::string> declared;
  /// Macros that the file defines and does not undefine, but
  /// WYVERN_INSTANTIATE, which every batch undefines after each file.
  std::set<std::string> macros;
};

/// Reads C++ as this project writes it (clang-format's Google style).
LocalNames FindLocalNames(const std::string& source);

/// The source without comments, strings and characters.
std::string WithoutText(const std::string& source);

/// The identifiers of a source that no `.`, `->`, `::` or `##` precedes.
std::set<std::string> FreeIdentifiers(const std::string& source);

}  // namespace wyvern::tests
