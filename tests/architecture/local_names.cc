#include "tests/architecture/local_names.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace wyvern::tests {
namespace {

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// The identifier that ends before `end`, spaces skipped.
std::string WordBefore(const std::string& text, size_t end) {
  while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1]))) {
    --end;
  }
  size_t start = end;
  while (start > 0 && IsWord(text[start - 1])) --start;
  return text.substr(start, end - start);
}

// Drops `template <...>` from the start of a declaration.
std::string WithoutTemplateHead(const std::string& declaration) {
  if (!declaration.starts_with("template")) return declaration;
  int depth = 0;
  for (size_t i = 0; i < declaration.size(); ++i) {
    if (declaration[i] == '<') ++depth;
    if (declaration[i] == '>' && --depth == 0) {
      const size_t next = declaration.find_first_not_of(" \n", i + 1);
      if (next == std::string::npos) return "";
      return WithoutTemplateHead(declaration.substr(next));
    }
  }
  return "";
}

// The name that a declaration at namespace level introduces, or "", and the
// declaration if it is an alias.
std::pair<std::string, std::string> Declared(const std::string& statement) {
  static const std::regex directive(R"(^\s*#[^\n]*(\\\n[^\n]*)*)",
                                    std::regex::multiline);
  std::string text = std::regex_replace(statement, directive, "");
  const size_t first = text.find_first_not_of(" \n\t");
  if (first == std::string::npos) return {};
  text = WithoutTemplateHead(text.substr(first));
  static const std::regex type(
      R"(^(?:struct|class|enum class|enum|union)\s+(\w+))");
  static const std::regex alias(R"(^using\s+(\w+)\s*=)");
  std::smatch match;
  if (std::regex_search(text, match, type)) return {match[1], ""};
  if (std::regex_search(text, match, alias)) return {match[1], text};
  for (const char* other :
       {"using", "TEST", "TYPED_TEST", "INSTANTIATE", "friend", "template",
        "static_assert", "WYVERN_", "BENCHMARK", "MATCHER"}) {
    if (text.starts_with(other)) return {};
  }
  const size_t paren = text.find('('), equal = text.find('=');
  const size_t bracket = text.find('[');
  if (paren < equal) return {WordBefore(text, paren), ""};
  return {WordBefore(text, std::min({equal, bracket, text.size()})), ""};
}

enum class Scope { kNamespace, kAnonymous, kOther };

}  // namespace

std::string WithoutText(const std::string& source) {
  std::string result;
  for (size_t i = 0; i < source.size();) {
    if (source.compare(i, 2, "//") == 0) {
      i = std::min(source.find('\n', i), source.size());
    } else if (source.compare(i, 2, "/*") == 0) {
      const size_t end = source.find("*/", i);
      i = end == std::string::npos ? source.size() : end + 2;
    } else if (source.compare(i, 2, "R\"") == 0 &&
               (i == 0 || !IsWord(source[i - 1]))) {
      const size_t open = source.find('(', i);
      const std::string close = ")" + source.substr(i + 2, open - i - 2) + "\"";
      i = std::min(source.find(close, open), source.size() - close.size()) +
          close.size();
      result += "\"\"";
    } else if (source[i] == '"' ||
               (source[i] == '\'' && (i == 0 || !IsWord(source[i - 1])))) {
      const char quote = source[i++];
      while (i < source.size() && source[i] != quote) {
        i += source[i] == '\\' ? 2 : 1;
      }
      ++i;
      result += "\"\"";
    } else {
      result += source[i++];
    }
  }
  return result;
}

LocalNames FindLocalNames(const std::string& source) {
  const std::string text = WithoutText(source);
  LocalNames names;
  static const std::regex macro(R"(#\s*(define|undef)\s+(\w+))");
  for (std::sregex_iterator it(text.begin(), text.end(), macro), end; it != end;
       ++it) {
    if ((*it)[1] == "define") {
      names.macros.insert((*it)[2]);
    } else {
      names.macros.erase((*it)[2]);
    }
  }
  names.macros.erase("WYVERN_INSTANTIATE");

  std::vector<Scope> scopes;
  int anonymous = 0, other = 0;
  std::string statement;
  const auto record = [&]() {
    if (anonymous > 0 && other == 0) {
      const auto declared = Declared(statement);
      if (!declared.first.empty()) names.declared.insert(declared);
    }
    statement.clear();
  };
  static const std::regex space_head(R"((^|[\s;}])namespace(\s+[\w:]+)?\s*$)");
  static const std::regex anonymous_head(R"((^|[\s;}])namespace\s*$)");
  for (const char c : text) {
    if (c == '{') {
      Scope scope = Scope::kOther;
      if (std::regex_search(statement, anonymous_head)) {
        scope = Scope::kAnonymous;
        statement.clear();
      } else if (std::regex_search(statement, space_head)) {
        scope = Scope::kNamespace;
        statement.clear();
      } else if (other == 0) {
        record();
      }
      scopes.push_back(scope);
      anonymous += scope == Scope::kAnonymous;
      other += scope == Scope::kOther;
    } else if (c == '}') {
      if (!scopes.empty()) {
        anonymous -= scopes.back() == Scope::kAnonymous;
        other -= scopes.back() == Scope::kOther;
        scopes.pop_back();
      }
      statement.clear();
    } else if (c == ';') {
      record();
    } else {
      statement += c;
    }
  }
  return names;
}

std::set<std::string> FreeIdentifiers(const std::string& source) {
  const std::string text = WithoutText(source);
  std::set<std::string> result;
  for (size_t i = 0; i < text.size();) {
    if (!IsWord(text[i])) {
      ++i;
      continue;
    }
    const size_t start = i;
    while (i < text.size() && IsWord(text[i])) ++i;
    // Part of an object, a scope, or of a name that a macro pastes together.
    const bool is_part =
        start > 0 && (text[start - 1] == '.' || text[start - 1] == ':' ||
                      text[start - 1] == '#' ||
                      (start > 1 && text.compare(start - 2, 2, "->") == 0));
    if (!is_part) result.insert(text.substr(start, i - start));
  }
  return result;
}

}  // namespace wyvern::tests
