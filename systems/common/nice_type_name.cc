#include "wyvern/systems/common/nice_type_name.h"

#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace wyvern {
namespace {

void ReplaceAll(const std::string& from, const std::string& to,
                std::string* text) {
  for (std::size_t at = text->find(from); at != std::string::npos;
       at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

// The index just after the template argument list that opens at `open`.
std::size_t EndOfArguments(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1;
  }
  return text.size();
}

// Removes ", std::allocator<...>" wherever it is the last argument.
void RemoveDefaultAllocators(std::string* text) {
  const std::string start = ", std::allocator<";
  for (std::size_t at = text->find(start); at != std::string::npos;
       at = text->find(start, at)) {
    text->erase(at, EndOfArguments(*text, at + start.size() - 1) - at);
  }
}

}  // namespace

std::string NiceTypeName::Get(const std::type_info& info) {
  return Canonicalize(Demangle(info.name()));
}

std::string NiceTypeName::Demangle(const char* type_id_name) {
  int status = -1;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(type_id_name, nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(demangled.get()) : type_id_name;
}

std::string NiceTypeName::Canonicalize(const std::string& demangled_name) {
  std::string name = demangled_name;
  ReplaceAll("std::__cxx11::", "std::", &name);
  ReplaceAll("std::__1::", "std::", &name);
  ReplaceAll("(anonymous namespace)", "(anonymous)", &name);
  ReplaceAll("> >", ">>", &name);
  ReplaceAll("> >", ">>", &name);
  ReplaceAll(
      "std::basic_string<char, std::char_traits<char>, std::allocator<char>>",
      "std::string", &name);
  RemoveDefaultAllocators(&name);
  return name;
}

std::string NiceTypeName::RemoveNamespaces(const std::string& canonical_name) {
  std::size_t name_start = 0;
  for (std::size_t i = 0; i < canonical_name.size(); ++i) {
    if (canonical_name[i] == '<') break;
    if (canonical_name[i] == ':') name_start = i + 1;
  }
  return canonical_name.substr(name_start);
}

}  // namespace wyvern
