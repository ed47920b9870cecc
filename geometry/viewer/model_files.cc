#include "wyvern/geometry/viewer/model_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace wyvern::geometry::internal {

namespace fs = std::filesystem;

namespace {

// Takes the word after a keyword at the start of a line, and the last word of
// the line: options may stand before the name of an image.
void TakeName(std::string_view line, const fs::path& folder,
              std::vector<fs::path>* files) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t end = line.find_last_not_of(kSpace) + 1;
  line = line.substr(0, end);
  const std::size_t keyword = std::min(line.find_first_of(kSpace), line.size());
  const std::size_t first = line.find_first_not_of(kSpace, keyword);
  if (first == line.npos) return;
  const std::size_t last = line.find_last_of(kSpace) + 1;
  for (const std::size_t begin : {first, last}) {
    std::string name(line.substr(begin));
    std::ranges::replace(name, '\\', '/');
    files->push_back(folder / name);
    if (first == last) return;
  }
}

// Returns the names on all lines of a text file that start so.
std::vector<fs::path> FindNames(const fs::path& file, std::string_view start) {
  std::vector<fs::path> files;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == line.npos) continue;
    const std::string_view text = std::string_view(line).substr(begin);
    if (text.starts_with(start)) TakeName(text, file.parent_path(), &files);
  }
  return files;
}

std::vector<fs::path> FindGltfFiles(const fs::path& file) {
  std::vector<fs::path> files;
  std::ifstream stream(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return files;
  for (const char* const kind : {"buffers", "images"}) {
    const auto list = json.find(kind);
    if (list == json.end() || !list->is_array()) continue;
    for (const auto& one : *list) {
      if (!one.is_object()) continue;
      const auto uri = one.find("uri");
      if (uri == one.end() || !uri->is_string()) continue;
      const auto& name = uri->get_ref<const std::string&>();
      if (!name.starts_with("data:")) {
        files.push_back(file.parent_path() / name);
      }
    }
  }
  return files;
}

}  // namespace

std::vector<fs::path> FindModelFiles(const fs::path& mesh) {
  const fs::path folder = mesh.parent_path().parent_path().lexically_normal();
  // A mesh gives no access to the rest of the machine.
  const auto keep_near = [&folder](std::vector<fs::path> files) {
    for (fs::path& file : files) file = file.lexically_normal();
    std::erase_if(files, [&folder](const fs::path& file) {
      const fs::path relative = file.lexically_relative(folder);
      return relative.empty() || *relative.begin() == "..";
    });
    return files;
  };
  if (mesh.extension() == ".gltf") return keep_near(FindGltfFiles(mesh));
  if (mesh.extension() != ".obj") return {};
  std::vector<fs::path> files = keep_near(FindNames(mesh, "mtllib"));
  for (const fs::path& material : std::vector<fs::path>(files)) {
    const auto images = keep_near(FindNames(material, "map_"));
    files.insert(files.end(), images.begin(), images.end());
  }
  return files;
}

}  // namespace wyvern::geometry::internal
