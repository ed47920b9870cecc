#include "wyvern/multibody/parsing/package_map.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/parsing/package_search.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/common/warning.h"

/* Packages by name. Folders are searched for package.xml by package_search.h,
the least deep first; a name that is there already stays. A URL
package://name/path is the folder of the name and the path in it, which must
exist. */

namespace wyvern::multibody {

namespace fs = std::filesystem;

namespace {

constexpr char kRosPackagePath[] = "ROS_PACKAGE_PATH";

bool SameFolder(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

}  // namespace

PackageMap::PackageMap() = default;
PackageMap::~PackageMap() = default;

void PackageMap::Add(const std::string& package_name,
                     const std::string& package_path) {
  if (package_name.empty()) {
    throw std::logic_error(fmt::format(
        "PackageMap::Add(): the folder '{}' was given no name; give one.",
        package_path));
  }
  std::error_code error;
  if (!fs::is_directory(package_path, error)) {
    throw std::runtime_error(fmt::format(
        "PackageMap::Add(): package '{}' was given the folder '{}', which "
        "does not exist.",
        package_name, package_path));
  }
  const std::string folder =
      wyvern::internal::MakeAbsolute("PackageMap::Add()", package_path)
          .string();
  const auto [it, is_new] =
      packages_.try_emplace(package_name, Package{folder, {}});
  if (is_new || SameFolder(it->second.path, package_path)) return;
  throw std::runtime_error(fmt::format(
      "PackageMap::Add(): package '{}' was given the folder '{}', but it is "
      "already in '{}'; Remove() it first.",
      package_name, package_path, it->second.path));
}

void PackageMap::AddMap(const PackageMap& other_map) {
  for (const auto& [name, package] : other_map.packages_) {
    const bool is_new = !Contains(name);
    Add(name, package.path);
    if (is_new) packages_.at(name).deprecated = package.deprecated;
  }
}

void PackageMap::AddPackageXml(const std::string& filename) {
  const auto [name, deprecated] = internal::ReadPackageXml(filename);
  const bool is_new = !Contains(name);
  Add(name,
      wyvern::internal::MakeAbsolute("PackageMap::AddPackageXml()", filename)
          .parent_path()
          .string());
  if (is_new) packages_.at(name).deprecated = deprecated;
}

void PackageMap::Remove(const std::string& package_name) {
  Get(package_name, "Remove");
  packages_.erase(package_name);
}

bool PackageMap::Contains(const std::string& package_name) const {
  return packages_.contains(package_name);
}

std::vector<std::string> PackageMap::GetPackageNames() const {
  std::vector<std::string> names;
  for (const auto& [name, package] : packages_) names.push_back(name);
  return names;
}

const PackageMap::Package& PackageMap::Get(const std::string& package_name,
                                           const char* function) const {
  const auto found = packages_.find(package_name);
  if (found != packages_.end()) return found->second;
  const std::string names =
      packages_.empty() ? "there is none"
                        : fmt::format("their names are: {}",
                                      fmt::join(GetPackageNames(), ", "));
  throw std::runtime_error(
      fmt::format("PackageMap::{}(): there is no package '{}'; {}.", function,
                  package_name, names));
}

const std::string& PackageMap::GetPath(
    const std::string& package_name,
    std::optional<std::string>* deprecated_message) const {
  const Package& package = Get(package_name, "GetPath");
  if (deprecated_message != nullptr) {
    *deprecated_message = package.deprecated;
  } else {
    WarnIfDeprecated(package_name, package);
  }
  return package.path;
}

void PackageMap::WarnIfDeprecated(const std::string& package_name,
                                  const Package& package) {
  if (!package.deprecated.has_value()) return;
  WarnOnStderr(fmt::format("package '{}' is deprecated: {}", package_name,
                           package.deprecated->empty()
                               ? "its package.xml does not say why."
                               : *package.deprecated));
}

void PackageMap::SetDeprecated(const std::string& package_name,
                               std::optional<std::string> deprecated_message) {
  Get(package_name, "SetDeprecated");
  packages_.at(package_name).deprecated = std::move(deprecated_message);
}

std::optional<std::string> PackageMap::GetDeprecated(
    const std::string& package_name) const {
  return Get(package_name, "GetDeprecated").deprecated;
}

void PackageMap::SetFileRecord(std::shared_ptr<FileRecord> record) {
  record_ = std::move(record);
}

void PackageMap::AddFound(const std::string& package_xml) {
  const std::string name = internal::ReadPackageXml(package_xml).name;
  const std::string folder =
      wyvern::internal::MakeAbsolute("PackageMap", package_xml)
          .parent_path()
          .string();
  if (!Contains(name) || SameFolder(packages_.at(name).path, folder)) {
    AddPackageXml(package_xml);
    return;
  }
  WarnOnStderr(fmt::format(
      "package '{}' in '{}' is passed over, as there is one in '{}'.", name,
      folder, packages_.at(name).path));
}

void PackageMap::Crawl(const std::string& path, Rules rules) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    WarnOnStderr(
        fmt::format("there is no folder '{}' to look for packages in.", path));
    return;
  }
  for (const fs::path& file :
       internal::FindPackageXmls(path, rules == Rules::kRos)) {
    AddFound(file.string());
  }
}

void PackageMap::PopulateFromFolder(const std::string& path) {
  if (path.empty()) {
    throw std::logic_error(
        "PackageMap::PopulateFromFolder(): the path is empty; give that of a "
        "folder.");
  }
  Crawl(path, Rules::kAll);
}

void PackageMap::PopulateFromPaths(const char* variable, Rules rules) {
  const char* const value = std::getenv(variable);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t length = std::min(rest.find(':'), rest.size());
    if (length > 0) Crawl(std::string(rest.substr(0, length)), rules);
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
}

void PackageMap::PopulateFromEnvironment(
    const std::string& environment_variable) {
  if (environment_variable == kRosPackagePath) {
    throw std::logic_error(fmt::format(
        "PackageMap::PopulateFromEnvironment(): {} has rules of its own; call "
        "PopulateFromRosPackagePath().",
        kRosPackagePath));
  }
  PopulateFromPaths(environment_variable.c_str(), Rules::kAll);
}

void PackageMap::PopulateFromRosPackagePath() {
  PopulateFromPaths(kRosPackagePath, Rules::kRos);
}

std::string PackageMap::ResolveUrl(const std::string& url) const {
  const std::size_t colon = url.find("://");
  const std::string scheme =
      colon == std::string::npos ? "" : url.substr(0, colon);
  fs::path path;
  if (scheme == "file") {
    path = wyvern::internal::MakeAbsolute("PackageMap::ResolveUrl()",
                                          url.substr(colon + 3));
  } else if (const std::size_t slash = url.find('/', colon + 3);
             (scheme == "package" || scheme == "model") &&
             slash != std::string::npos) {
    const std::string name = url.substr(colon + 3, slash - colon - 3);
    const std::size_t rest = url.find_first_not_of('/', slash);
    const Package& package = Get(name, "ResolveUrl");
    WarnIfDeprecated(name, package);
    path = package.path;
    if (rest != std::string::npos) path /= url.substr(rest);
  } else {
    throw std::runtime_error(fmt::format(
        "PackageMap::ResolveUrl(): '{}' is not a URL that can be resolved; "
        "those are package://name/path, model://name/path and file:///path.",
        url));
  }
  if (record_ != nullptr) path = record_->Locate(path);
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw std::runtime_error(fmt::format(
        "PackageMap::ResolveUrl(): '{}' stands for '{}', which does not exist.",
        url, path.string()));
  }
  return path.lexically_normal().string();
}

}  // namespace wyvern::multibody
