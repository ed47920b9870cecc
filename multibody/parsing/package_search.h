#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wyvern::multibody::internal {

/** Content of a package.xml. */
struct PackageXml {
  std::string name;
  /** Why not to use the package, if it says so. */
  std::optional<std::string> deprecated;
};

/** Reads the name and the exports of a package.xml.
@throws std::runtime_error "file:line: ..." if it is not a package.xml. */
PackageXml ReadPackageXml(const std::string& filename);

/** The package.xml files in a folder and those in it, the least deep first, but
not through symbolic links. By the rules of ROS not in marked folders, nor in
those of other packages. */
std::vector<std::filesystem::path> FindPackageXmls(const std::string& root,
                                                   bool ros_rules);

/** The package of a URL, package://name/path or model://name/path; nothing for
another one. */
std::optional<std::string> PackageOfUrl(const std::string& url);

/** Looks for a package that no PackageMap has. It is the first of

- `folder`, that of the file that refers to it, and the folders above it, with a
  package.xml of its name, or called by its name;
- a folder of its name in one of those, with such a package.xml or, as Gazebo's
  models, a model.config;
- a folder of any name with such a package.xml, in `folder` or one of the three
  folders above it;
- the folder of such a package.xml in ROS_PACKAGE_PATH, by the rules of ROS;
- the same in WYVERN_MODELS_DIR, at any depth.

Nothing if there is none. A package.xml that cannot be read is passed over.
@param folder nothing for what is in no file. */
std::optional<std::filesystem::path> FindPackage(
    const std::string& name,
    const std::optional<std::filesystem::path>& folder);

/** Where FindPackage() looks, in words for messages. */
inline constexpr char kWherePackagesAre[] =
    "looked for in the package map, among the folders above the file and in "
    "them, in ROS_PACKAGE_PATH and in WYVERN_MODELS_DIR; add it by "
    "package_map().Add(name, folder)";

}  // namespace wyvern::multibody::internal
