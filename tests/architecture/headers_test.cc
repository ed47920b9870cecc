// Each public header compiles alone. Where sources are compiled one by one
// (preset dev) the compiler proves it: a source includes its header first,
// which is checked here, and the other headers are compiled as they are. In
// batches this file reads them instead: what a header names, its includes must
// declare.
#include <algorithm>
#include <map>
#include <regex>

#include <gtest/gtest.h>

#include "tests/architecture/include_law.h"
#include "tests/architecture/local_names.h"

namespace wyvern::tests {
namespace headers_test {

const std::filesystem::path kTop = WYVERN_SOURCE_DIR;

struct Header {
  std::string text;  // Without comments and strings.
  std::vector<std::string> includes;
};

std::map<std::string, Header> AllHeaders() {
  std::map<std::string, Header> headers;
  for (const std::string& path : LibrarySources(kTop)) {
    if (!path.ends_with(".h")) continue;
    const std::string source = ReadFile(kTop / path);
    headers[path] = {WithoutText(source), IncludesOf(source)};
  }
  return headers;
}

// The headers that `path` includes, whatever the way, and itself; those of the
// library by their paths from the top folder.
std::set<std::string> Closure(const std::map<std::string, Header>& headers,
                              const std::string& path) {
  std::set<std::string> seen{path};
  std::vector<std::string> open{path};
  while (!open.empty()) {
    const auto found = headers.find(open.back());
    open.pop_back();
    if (found == headers.end()) continue;
    for (const std::string& include : found->second.includes) {
      const std::string name =
          include.starts_with("wyvern/") ? include.substr(7) : include;
      if (seen.insert(name).second) open.push_back(name);
    }
  }
  return seen;
}

// The first group of each match.
std::set<std::string> FindAll(const std::string& text, const std::regex& what) {
  std::set<std::string> result;
  for (std::sregex_iterator it(text.begin(), text.end(), what), end; it != end;
       ++it) {
    result.insert((*it)[1]);
  }
  return result;
}

// Names of the standard library and the header that each is sought in.
const std::map<std::string, std::string> kStandardHeader = {
    {"any", "any"},
    {"array", "array"},
    {"atomic", "atomic"},
    {"bitset", "bitset"},
    {"complex", "complex"},
    {"conditional_t", "type_traits"},
    {"deque", "deque"},
    {"filesystem", "filesystem"},
    {"function", "functional"},
    {"is_same_v", "type_traits"},
    {"list", "list"},
    {"logic_error", "stdexcept"},
    {"make_shared", "memory"},
    {"make_unique", "memory"},
    {"map", "map"},
    {"mutex", "mutex"},
    {"nullopt", "optional"},
    {"numeric_limits", "limits"},
    {"optional", "optional"},
    {"partial_ordering", "compare"},
    {"runtime_error", "stdexcept"},
    {"set", "set"},
    {"shared_ptr", "memory"},
    {"span", "span"},
    {"string", "string"},
    {"string_view", "string_view"},
    {"thread", "thread"},
    {"tuple", "tuple"},
    {"type_index", "typeindex"},
    {"unique_ptr", "memory"},
    {"unordered_map", "unordered_map"},
    {"unordered_set", "unordered_set"},
    {"variant", "variant"},
    {"vector", "vector"},
};

TEST(Headers, EachIncludesWhatItNamesOfTheStandardLibrary) {
  const std::map<std::string, Header> headers = AllHeaders();
  int checked = 0;
  for (const auto& [path, header] : headers) {
    const std::set<std::string> closure = Closure(headers, path);
    for (const std::string& name :
         FindAll(header.text, std::regex(R"(\bstd::(\w+))"))) {
      const auto found = kStandardHeader.find(name);
      if (found == kStandardHeader.end()) continue;
      EXPECT_TRUE(closure.contains(found->second))
          << path << " names std::" << name << " and neither it nor what it "
          << "includes has <" << found->second << ">.";
      ++checked;
    }
  }
  EXPECT_GT(checked, 500);
}

TEST(Headers, EachIncludesOrDeclaresTheClassesThatItNames) {
  const std::map<std::string, Header> headers = AllHeaders();
  // Every class that some header defines, and who declares which.
  const std::regex definition(
      R"(\n(?:class|struct|enum class)\s+(\w+)[^:;{(]*(?::[^:][^;{(]*)?\{)");
  const std::regex declaration(
      R"(\b(?:class|struct|enum class|enum|using|typename)\s+(\w+))");
  const std::regex function(R"(\b(\w+)\()");
  const std::regex enumeration(R"(\benum class [^;{]*\{([^}]*)\})");
  const std::regex word(R"((\w+))");
  std::set<std::string> classes;
  std::map<std::string, std::set<std::string>> declared;
  for (const auto& [path, header] : headers) {
    classes.merge(FindAll(header.text, definition));
    declared[path] = FindAll(header.text, declaration);
  }
  int checked = 0;
  for (const auto& [path, header] : headers) {
    std::set<std::string> known = FindAll(header.text, function);
    // An enumerator may have the name of a class.
    for (const std::string& body : FindAll(header.text, enumeration)) {
      known.merge(FindAll(body, word));
    }
    for (const std::string& include : Closure(headers, path)) {
      const auto found = declared.find(include);
      if (found != declared.end())
        known.insert(found->second.begin(), found->second.end());
    }
    for (const std::string& name : FreeIdentifiers(header.text)) {
      if (!classes.contains(name)) continue;
      EXPECT_TRUE(known.contains(name))
          << path << " names " << name << ", which neither it nor what it "
          << "includes declares.";
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(Headers, EachSourceIncludesItsOwnHeaderFirst) {
  const std::vector<std::string> sources = LibrarySources(kTop);
  int checked = 0;
  for (const std::string& source : sources) {
    if (!source.ends_with(".cc")) continue;
    const std::string header = source.substr(0, source.size() - 2) + "h";
    if (!std::binary_search(sources.begin(), sources.end(), header)) continue;
    const auto includes = IncludesOf(ReadFile(kTop / source));
    ASSERT_FALSE(includes.empty()) << source;
    EXPECT_EQ(includes.front(), "wyvern/" + header) << "in " << source;
    ++checked;
  }
  RecordProperty("checked", checked);
}

TEST(Headers, EachIsGuardedByPragmaOnce) {
  for (const std::string& source : LibrarySources(kTop)) {
    if (!source.ends_with(".h")) continue;
    const std::string content = ReadFile(kTop / source);
    EXPECT_NE(content.find("#pragma once\n"), std::string::npos) << source;
  }
}

TEST(Headers, EachNamedLibraryHeaderExists) {
  for (const std::string& source : LibrarySources(kTop)) {
    for (const std::string& include : IncludesOf(ReadFile(kTop / source))) {
      if (!include.starts_with("wyvern/")) continue;
      EXPECT_TRUE(std::filesystem::exists(kTop / include.substr(7)))
          << source << " includes " << include;
    }
  }
}

}  // namespace headers_test
}  // namespace wyvern::tests
