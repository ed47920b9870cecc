#include "wyvern/app/file_kind.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "wyvern/app/scenario.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/multibody/parsing/root_element.h"
#include "wyvern/systems/yaml/yaml_io.h"
#include "wyvern/systems/yaml/yaml_node.h"
#include "wyvern/systems/yaml/yaml_parse.h"

/* The kind of a file comes from its first bytes: the magic numbers of HDF5,
MCAP and mesh formats, the root element of XML, the keys of a YAML mapping.
Names decide only between kinds that look alike, and for YAML that cannot be
parsed, so that its own error is shown. Messages never quote the file. */

namespace wyvern::app {

namespace fs = std::filesystem;

namespace {

bool EndsWith(const fs::path& file,
              std::initializer_list<std::string_view> endings) {
  std::string name = file.filename().string();
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return std::ranges::any_of(
      endings, [&name](std::string_view end) { return name.ends_with(end); });
}

std::string WithoutComments(std::string_view xml) {
  std::string result;
  for (;;) {
    const std::size_t begin = xml.find("<!--");
    result += xml.substr(0, begin);
    const std::size_t end =
        begin == xml.npos ? xml.npos : xml.find("-->", begin);
    if (end == xml.npos) return result;
    xml.remove_prefix(end + 3);
  }
}

// A URDF file that xacro made may still declare its namespace, and keeps the
// comments of its source.
bool IsXacro(std::string_view text) {
  if (text.find("xacro") == text.npos) return false;
  const std::string code = WithoutComments(text);
  return code.find("<xacro:") != code.npos ||
         (code.find("xmlns:xacro") != code.npos &&
          code.find("${") != code.npos);
}

FileKind FindKindOfXml(std::string_view root, std::string_view text) {
  if (root == "robot") {
    return IsXacro(text) ? FileKind::kXacro : FileKind::kUrdf;
  }
  if (root == "sdf") return FileKind::kSdf;
  if (root == "mujoco") return FileKind::kMjcf;
  if (root == "COLLADA") return FileKind::kMesh;
  if (root == "html") return FileKind::kPage;
  return FileKind::kOtherXml;
}

// Whether the mapping has a key of a scenario.
bool HasScenarioKey(const yaml::internal::Node& node) {
  const auto known = yaml::internal::Parse(SaveScenario({}), "defaults");
  return std::ranges::any_of(node.entries, [&known](const auto& entry) {
    return known->Find(entry.first) != nullptr;
  });
}

FileKind FindKindOfText(const fs::path& file, bool is_yaml_by_name) {
  try {
    const auto root = yaml::internal::Parse(
        yaml::internal::ReadFile(file.string()), file.string());
    if (root->kind == yaml::internal::Node::Kind::kMapping) {
      const bool is_scenario =
          is_yaml_by_name || root->entries.empty() || HasScenarioKey(*root);
      return is_scenario ? FileKind::kScenario : FileKind::kOther;
    }
    const bool is_nothing = root->kind == yaml::internal::Node::Kind::kNull;
    return is_nothing        ? FileKind::kEmpty
           : is_yaml_by_name ? FileKind::kOtherYaml
                             : FileKind::kOther;
  } catch (const std::exception&) {
    return is_yaml_by_name ? FileKind::kScenario : FileKind::kOther;
  }
}

struct KindWords {
  const char* name;
  const char* advice;
};

KindWords WordsFor(FileKind kind) {
  constexpr const char* kModelAdvice =
      "`wyvern run`, `wyvern view` and `wyvern inspect` take it";
  switch (kind) {
    case FileKind::kMissing:
      return {"does not exist", "check the path"};
    case FileKind::kFolder:
      return {"is a folder", "give a file"};
    case FileKind::kEmpty:
      return {"is empty", "give a scenario or a model"};
    case FileKind::kScenario:
      return {"is a scenario",
              "`wyvern run`, `wyvern view`, `wyvern diagram` and `wyvern "
              "sweep` take it"};
    case FileKind::kDirectives:
      return {"is a scene of model directives", kModelAdvice};
    case FileKind::kUrdf:
      return {"is a URDF model", kModelAdvice};
    case FileKind::kSdf:
      return {"is an SDFormat model", kModelAdvice};
    case FileKind::kMjcf:
      return {"is an MJCF model", kModelAdvice};
    case FileKind::kXacro:
      return {"is a xacro file",
              "convert it to URDF by ROS's program `xacro`, and give that"};
    case FileKind::kHdf5:
      return {"is a log (HDF5)",
              "`wyvern view`, `wyvern inspect` and `wyvern compare` take it"};
    case FileKind::kMcap:
      return {"is a log (MCAP) that `wyvern view` cannot replay",
              "log to a file that ends with .h5"};
    case FileKind::kCsv:
      return {"is a log or table (CSV) that does not say what was simulated",
              "log to a file that ends with .h5 for `wyvern view`"};
    case FileKind::kMesh:
      return {"is a mesh", "name it in a model, and give that"};
    case FileKind::kPage:
      return {"is a page", "open it in a browser"};
    case FileKind::kOtherXml:
      return {"is XML, but neither URDF, SDFormat nor MJCF",
              "give a model whose root element is <robot>, <sdf> or <mujoco>"};
    case FileKind::kOtherYaml:
      return {"is YAML, but no mapping of a scenario's keys",
              "`wyvern schema` prints the keys"};
    case FileKind::kOther:
      break;
  }
  return {"is neither a scenario, a model nor a log",
          "give a scenario (YAML), a model (URDF, SDFormat, MJCF, directives) "
          "or a log (HDF5)"};
}

}  // namespace

FileKind FindFileKind(const fs::path& file) {
  std::error_code error;
  const fs::file_type type = fs::status(file, error).type();
  if (error || type == fs::file_type::not_found) return FileKind::kMissing;
  if (type == fs::file_type::directory) return FileKind::kFolder;
  // A pipe can be read only once, by the reader of scenarios.
  if (type == fs::file_type::fifo) return FileKind::kScenario;
  if (type != fs::file_type::regular) return FileKind::kOther;
  if (fs::file_size(file, error) == 0) return FileKind::kEmpty;
  const std::string text = multibody::internal::ReadBeginning(file);
  const auto begins = [&text](std::string_view with) {
    return text.starts_with(with);
  };
  if (begins("\x89HDF\r\n\x1a\n")) return FileKind::kHdf5;
  if (begins("\x89MCAP0\r\n")) return FileKind::kMcap;
  if (begins("glTF") || EndsWith(file, {".stl", ".obj", ".dae", ".gltf", ".glb",
                                        ".vtk", ".vtu", ".ply", ".msh"})) {
    return FileKind::kMesh;
  }
  if (text.find('\0') != text.npos) return FileKind::kOther;
  const std::string_view root = multibody::internal::FindRootElement(text);
  if (EndsWith(file, {".html", ".htm"}) && !root.empty()) {
    return FileKind::kPage;
  }
  if (!root.empty()) return FindKindOfXml(root, text);
  // XML that is cut off or begins with other text keeps its parser's error.
  if (EndsWith(file, {".urdf"})) return FileKind::kUrdf;
  if (EndsWith(file, {".sdf", ".world"})) return FileKind::kSdf;
  if (EndsWith(file, {".xml"})) return FileKind::kOtherXml;
  if (EndsWith(file, {".csv", ".tsv"})) return FileKind::kCsv;
  if (EndsWith(file, {".dmd.yaml", ".dmd.yml"})) return FileKind::kDirectives;
  return FindKindOfText(file, EndsWith(file, {".yaml", ".yml"}));
}

bool IsModel(FileKind kind) {
  return kind == FileKind::kUrdf || kind == FileKind::kSdf ||
         kind == FileKind::kMjcf || kind == FileKind::kDirectives;
}

void RequireFileKind(const fs::path& file, const std::string& command,
                     const std::vector<FileKind>& wanted) {
  const FileKind kind = FindFileKind(file);
  if (std::ranges::find(wanted, kind) != wanted.end()) return;
  const KindWords words = WordsFor(kind);
  if (IsModel(kind) && (command == "diagram" || command == "sweep")) {
    throw std::runtime_error(fmt::format(
        "{} {}, and `wyvern {}` takes a scenario; make one by `wyvern run {} "
        "--print > scenario.yaml`.",
        file.string(), words.name, command, file.string()));
  }
  const bool is_known = kind != FileKind::kMissing && kind != FileKind::kFolder;
  throw std::runtime_error(
      is_known
          ? fmt::format("{} {}, which `wyvern {}` does not take; {}.",
                        file.string(), words.name, command, words.advice)
          : fmt::format("{} {}; {}.", file.string(), words.name, words.advice));
}

std::string SuggestCommandFor(const fs::path& file) {
  const FileKind kind = FindFileKind(file);
  if (kind == FileKind::kMissing || kind == FileKind::kFolder) return {};
  const KindWords words = WordsFor(kind);
  return fmt::format("{} {}, not a sub-command; {}.", file.string(), words.name,
                     words.advice);
}

}  // namespace wyvern::app
