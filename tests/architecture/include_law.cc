#include "tests/architecture/include_law.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace wyvern::tests {

namespace fs = std::filesystem;

IncludeLaw::IncludeLaw(const std::string& table) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string layer;
    if (!(words >> layer)) continue;
    layers_[layer] = layer;
    std::string folder;
    while (words >> folder && folder != ":") layers_[folder] = layer;
    if (folder != ":") {
      throw std::runtime_error("layers.txt: no colon in: " + line);
    }
    std::set<std::string>& allowed = allowed_[layer];
    allowed.insert(layer);
    for (std::string other; words >> other;) {
      // Layers above in the table are closed already.
      const auto found = allowed_.find(other);
      if (found != allowed_.end()) {
        allowed.insert(found->second.begin(), found->second.end());
      } else if (other != "third_party") {
        throw std::runtime_error("layers.txt: " + layer + " may include " +
                                 other + ", which is not above it");
      }
    }
  }
}

std::string IncludeLaw::LayerOf(const std::string& path) const {
  for (size_t end = path.rfind('/'); end != std::string::npos && end > 0;
       end = path.rfind('/', end - 1)) {
    const auto found = layers_.find(path.substr(0, end));
    if (found != layers_.end()) return found->second;
  }
  return {};
}

std::vector<std::string> IncludeLaw::Violations(
    const std::string& path, const std::string& content) const {
  const std::string layer = LayerOf(path);
  if (layer.empty()) return {path + " is in no layer of layers.txt"};
  std::vector<std::string> broken;
  for (const std::string& include : IncludesOf(content)) {
    const std::string what = path + " includes " + include;
    if (include.starts_with("wyvern/")) {
      const std::string target = LayerOf(include.substr(7));
      if (target.empty()) {
        broken.push_back(what + ", which is in no layer");
      } else if (!allowed_.at(layer).contains(target)) {
        broken.push_back(what + "; " + layer + " may not use " + target);
      }
    } else if (include.starts_with("boost/numeric/odeint") &&
               !layer.starts_with("simulator")) {
      broken.push_back(what + "; only simulator may");
    } else if (LayerOf(include) != "" || include.starts_with("tests/") ||
               include.starts_with("examples/") || include.starts_with("..")) {
      broken.push_back(what + "; library headers are wyvern/<layer>/x.h");
    }
  }
  return broken;
}

std::vector<std::string> IncludesOf(const std::string& content) {
  static const std::regex pattern(R"(#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<std::string> includes;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) includes.push_back(match[1]);
  }
  return includes;
}

std::vector<std::string> LibrarySources(const fs::path& top) {
  std::vector<std::string> sources;
  for (const char* folder :
       {"systems", "geometry", "multibody", "simulator", "app"}) {
    if (!fs::exists(top / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      const fs::path& path = entry.path();
      if (path.extension() == ".h" || path.extension() == ".cc") {
        sources.push_back(fs::relative(path, top).string());
      }
    }
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace wyvern::tests
