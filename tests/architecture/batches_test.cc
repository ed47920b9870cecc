// Sources are compiled in batches, each one translation unit (wyvern_unity in
// CMakeLists.txt). What a file keeps to itself must stay its own there: files
// of one target declare no local name twice, leave no macro behind and use no
// local name of another file. The build file by file (preset dev) is the full
// proof.
#include <map>
#include <regex>

#include <gtest/gtest.h>

#include "tests/architecture/include_law.h"
#include "tests/architecture/local_names.h"

namespace wyvern::tests {
namespace {

namespace fs = std::filesystem;

const fs::path kTop = WYVERN_SOURCE_DIR;

struct Source {
  std::string path;
  LocalNames locals;
  std::set<std::string> free;
};

// The .cc files of each target: a layer of the library or a folder of tests.
std::map<std::string, std::vector<Source>> Targets() {
  const IncludeLaw law(ReadFile(kTop / "tests/architecture/layers.txt"));
  std::vector<std::string> paths = LibrarySources(kTop);
  for (const auto& entry : fs::recursive_directory_iterator(kTop / "tests")) {
    const std::string path = fs::relative(entry.path(), kTop).string();
    if (path.ends_with("_test.cc") && !path.starts_with("tests/drake/")) {
      paths.push_back(path);
    }
  }
  std::map<std::string, std::vector<Source>> targets;
  for (const std::string& path : paths) {
    if (!path.ends_with(".cc")) continue;
    const std::string target = path.starts_with("tests/")
                                   ? fs::path(path).parent_path().string()
                                   : law.LayerOf(path);
    const std::string text = ReadFile(kTop / path);
    targets[target].push_back(
        {path, FindLocalNames(text), FreeIdentifiers(text)});
  }
  return targets;
}

TEST(Batches, FilesOfOneTargetDeclareNoLocalNameTwice) {
  for (const auto& [target, sources] : Targets()) {
    struct Owner {
      std::string path, alias;
    };
    std::map<std::string, Owner> owner;
    for (const Source& source : sources) {
      for (const auto& [name, alias] : source.locals.declared) {
        const auto [found, is_new] =
            owner.emplace(name, Owner{source.path, alias});
        EXPECT_TRUE(is_new || (!alias.empty() && alias == found->second.alias))
            << source.path << " and " << found->second.path << " both declare '"
            << name << "' in an anonymous namespace, and " << target
            << " compiles them as one; give one of them another name, or a "
               "test file a namespace of its own name.";
      }
    }
  }
}

TEST(Batches, FilesLeaveNoMacroBehind) {
  for (const auto& [target, sources] : Targets()) {
    for (const Source& source : sources) {
      for (const std::string& macro : source.locals.macros) {
        ADD_FAILURE() << source.path << " defines the macro " << macro
                      << " and does not undefine it.";
      }
    }
  }
}

// A name that only one file of a target declares, and no header, is that
// file's.
TEST(Batches, FilesUseNoLocalNameOfAnother) {
  std::set<std::string> in_headers;
  for (const std::string& path : LibrarySources(kTop)) {
    if (path.ends_with(".h"))
      in_headers.merge(FreeIdentifiers(ReadFile(kTop / path)));
  }
  for (const auto& [target, sources] : Targets()) {
    std::map<std::string, std::string> owner;
    for (const Source& source : sources) {
      for (const auto& [name, alias] : source.locals.declared) {
        if (name.size() > 3 && !in_headers.contains(name)) {
          owner.emplace(name, source.path);
        }
      }
    }
    for (const Source& source : sources) {
      static const std::regex not_a_type(R"(\b(return|else|throw|case)\s)");
      const std::string text = std::regex_replace(
          WithoutText(ReadFile(kTop / source.path)), not_a_type, ";");
      for (const auto& [name, path] : owner) {
        if (path == source.path || !source.free.contains(name)) continue;
        // A parameter, a member or a local variable of the same name is
        // declared with a type before it, or initialized.
        const std::regex own("[\\w>&*,\\]]\\s+[&*]?" + name + "\\b|\\b" + name +
                             "\\s*[={]|\\b" + name +
                             "_?\\(.*\\)\\s*(const)?\\s*\\{");
        EXPECT_TRUE(std::regex_search(text, own))
            << source.path << " uses '" << name << "', which only " << path
            << " declares, in an anonymous namespace.";
      }
    }
  }
}

TEST(Batches, LocalNamesAreFoundInText) {
  const LocalNames names = FindLocalNames(R"--(
#define LEFT 1
#define GONE 2
#undef GONE
namespace a {
namespace {
constexpr double kTolerance = 1e-9;  // struct No {
template <typename T, int n = 3>
std::vector<T> Find(const T& x) { const int inner = 1; return {x}; }
struct Body { int member; };
enum class Kind { kOne };
using Row = Eigen::RowVectorXd;
const char kText[] = "struct NotThis {";
}  // namespace
void Outside() {}
}  // namespace a
)--");
  EXPECT_EQ(names.declared, (std::map<std::string, std::string>{
                                {"kTolerance", ""},
                                {"Find", ""},
                                {"Body", ""},
                                {"Kind", ""},
                                {"Row", "using Row = Eigen::RowVectorXd"},
                                {"kText", ""}}));
  EXPECT_EQ(names.macros, std::set<std::string>{"LEFT"});
}

}  // namespace
}  // namespace wyvern::tests
