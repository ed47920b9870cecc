#include "wyvern/multibody/parsing/package_search.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/xml_document.h"
#include "wyvern/systems/common/file_paths.h"

/* Where a package is, if nobody has said so: first in the folders around the
model's file, then in those next to them, up to four levels, then in the lists
of environment variables. A package is a folder whose package.xml names it, or,
for models of Gazebo, a folder of that name with a model.config. The search by
ROS rules stops at packages and at folders with an ignore mark, goes level by
level, and does not follow links, so it always ends. */

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;

namespace {

constexpr char kPackageXml[] = "package.xml";

bool HasIgnoreMark(const fs::path& folder) {
  std::error_code error;
  for (const char* mark : {"AMENT_IGNORE", "CATKIN_IGNORE", "COLCON_IGNORE"}) {
    if (fs::exists(folder / mark, error)) return true;
  }
  return false;
}

bool IsPackage(const fs::path& package_xml, const std::string& name) {
  std::error_code error;
  if (!fs::is_regular_file(package_xml, error)) return false;
  try {
    return ReadPackageXml(package_xml.string()).name == name;
  } catch (const std::runtime_error&) {
    return false;
  }
}

// In the folders of a colon-parted list in the environment, and in those in
// them.
std::optional<fs::path> FindInEnvironment(const char* variable,
                                          const std::string& name,
                                          bool ros_rules) {
  const char* const value = std::getenv(variable);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t length = std::min(rest.find(':'), rest.size());
    const std::string root(rest.substr(0, length));
    rest.remove_prefix(std::min(length + 1, rest.size()));
    if (root.empty()) continue;
    // Where packages mostly are, before looking everywhere.
    if (IsPackage(fs::path(root) / name / kPackageXml, name)) {
      return wyvern::internal::MakeAbsolute("PackageMap",
                                            fs::path(root) / name);
    }
    for (const fs::path& file : FindPackageXmls(root, ros_rules)) {
      if (IsPackage(file, name))
        return wyvern::internal::MakeAbsolute("PackageMap", file).parent_path();
    }
  }
  return {};
}

// In the folders next to those that a file is in, whatever they are called.
std::optional<fs::path> FindNearby(const std::string& name,
                                   const fs::path& folder) {
  constexpr int kLevels = 4;
  fs::path above = folder;
  for (int i = 0; i < kLevels && above != above.parent_path(); ++i) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator it(above, error), end; !error && it != end;
         it.increment(error)) {
      if (IsPackage(it->path() / kPackageXml, name))
        found.push_back(it->path());
    }
    if (!found.empty()) return std::ranges::min(found);
    above = above.parent_path();
  }
  return {};
}

}  // namespace

PackageXml ReadPackageXml(const std::string& filename) {
  const auto document = XmlDocument::FromFile(filename);
  const XmlElement root = document.root();
  if (!root.IsNamed("package")) {
    root.Throw(fmt::format("the document is a <{}>; a <package> is wanted.",
                           root.name()));
  }
  const XmlElement name = root.RequiredChild("name");
  if (name.text().empty()) name.Throw("the name of the package is empty.");
  std::optional<std::string> deprecated;
  if (const auto exported = root.Child("export")) {
    if (const auto element = exported->Child("deprecated")) {
      deprecated = element->text();
    }
  }
  return {std::string(name.text()), deprecated};
}

std::vector<fs::path> FindPackageXmls(const std::string& root, bool ros_rules) {
  std::vector<fs::path> level{root};
  std::vector<fs::path> found;
  while (!level.empty()) {
    std::ranges::sort(level);
    std::vector<fs::path> next;
    for (const fs::path& folder : level) {
      if (ros_rules && HasIgnoreMark(folder)) continue;
      std::error_code error;
      const bool is_package = fs::is_regular_file(folder / kPackageXml, error);
      if (is_package) found.push_back(folder / kPackageXml);
      if (ros_rules && is_package) continue;
      for (fs::directory_iterator it(folder, error), end; !error && it != end;
           it.increment(error)) {
        std::error_code status_error;
        if (fs::is_directory(it->symlink_status(status_error))) {
          next.push_back(it->path());
        }
      }
    }
    level = std::move(next);
  }
  return found;
}

std::optional<std::string> PackageOfUrl(const std::string& url) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!url.starts_with(scheme)) continue;
    const std::size_t slash = url.find('/', scheme.size());
    return url.substr(scheme.size(), slash - scheme.size());
  }
  return {};
}

std::optional<fs::path> FindPackage(const std::string& name,
                                    const std::optional<fs::path>& folder) {
  // A name is no way out of a folder.
  if (name.empty() || name == "." || name == "..") return {};
  if (folder.has_value()) {
    for (fs::path f = wyvern::internal::MakeAbsolute("PackageMap", *folder);;
         f = f.parent_path()) {
      if (IsPackage(f / kPackageXml, name) || f.filename() == name) return f;
      if (IsPackage(f / name / kPackageXml, name)) return f / name;
      // Gazebo's models have no package.xml, and go by their folder's name.
      std::error_code error;
      if (fs::is_regular_file(f / name / "model.config", error)) {
        return f / name;
      }
      if (f == f.parent_path()) break;
    }
    if (auto found = FindNearby(
            name, wyvern::internal::MakeAbsolute("PackageMap", *folder))) {
      return found;
    }
  }
  auto found = FindInEnvironment("ROS_PACKAGE_PATH", name, true);
  if (!found.has_value()) {
    found = FindInEnvironment("WYVERN_MODELS_DIR", name, false);
  }
  return found;
}

}  // namespace wyvern::multibody::internal
