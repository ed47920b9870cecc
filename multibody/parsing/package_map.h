#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/multibody/parsing/file_record.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::multibody {

/** Where packages are: folders by name, so that a model file can refer to a
file as package://name/path wherever the package is installed. A package's
folder has a package.xml with its name. Does not download anything, and starts
empty. */
class PackageMap final {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(PackageMap);
  /** Makes an empty map. */
  PackageMap();
  ~PackageMap();

  /** An empty map, as the constructor makes. */
  static PackageMap MakeEmpty() { return PackageMap(); }

  /** Adds a package. The same folder under the same name again is fine.
  @throws std::runtime_error if the folder does not exist, or if the name stands
  for another folder; std::logic_error if the name is empty. */
  void Add(const std::string& package_name, const std::string& package_path);
  /** Adds another map's packages; throws as Add() does. */
  void AddMap(const PackageMap& other_map);
  /** Adds the folder that a package.xml is in, under the name written there.
  @throws std::runtime_error if the file is not well-formed or has no name. */
  void AddPackageXml(const std::string& filename);
  /** Removes a package.
  @throws std::runtime_error if there is no such package. */
  void Remove(const std::string& package_name);

  /** True if there is a package of this name. */
  bool Contains(const std::string& package_name) const;
  /** Number of packages. */
  int size() const { return static_cast<int>(packages_.size()); }
  /** In alphabetical order. */
  std::vector<std::string> GetPackageNames() const;
  /** The folder of a package.
  @param deprecated_message if not null: set to what GetDeprecated() says; if
  null, a package that is deprecated gives a warning on stderr.
  @throws std::runtime_error if there is no such package. */
  const std::string& GetPath(
      const std::string& package_name,
      std::optional<std::string>* deprecated_message = nullptr) const;

  /** Marks a package as deprecated, with the reason to be told, or, by
  std::nullopt, as not deprecated.
  @throws std::runtime_error if there is no such package. */
  void SetDeprecated(const std::string& package_name,
                     std::optional<std::string> deprecated_message);
  /** Why the package is deprecated; std::nullopt if it is not.
  @throws std::runtime_error if there is no such package. */
  std::optional<std::string> GetDeprecated(
      const std::string& package_name) const;

  /** Adds every package in a folder and the folders in it, to any depth but not
  through symbolic links. Of packages of one name the least deep stays, or one
  that was there before; the others, and a folder that does not exist, give a
  warning on stderr.
  @throws std::logic_error if the path is empty. */
  void PopulateFromFolder(const std::string& path);
  /** Does so for every folder in a colon-parted list in the environment. A
  variable that is not set is as good as an empty one.
  @throws std::logic_error for ROS_PACKAGE_PATH, which has rules of its own; see
  PopulateFromRosPackagePath(). */
  void PopulateFromEnvironment(const std::string& environment_variable);
  /** Populates from ROS_PACKAGE_PATH by the rules of ROS: folders with a file
  AMENT_IGNORE, CATKIN_IGNORE or COLCON_IGNORE, and folders inside packages, are
  skipped. */
  void PopulateFromRosPackagePath();

  /** The path that a URL stands for: package://name/path, model://name/path
  (the same) or file:///path. A package that is deprecated gives a warning on
  stderr.
  @throws std::runtime_error if the URL is none of these, or the package or the
  file does not exist. */
  std::string ResolveUrl(const std::string& url) const;

  /** Records the files and packages that parsers use from now on. Copies of
  this map share the record. Null: nothing is recorded. */
  void SetFileRecord(std::shared_ptr<FileRecord> record);
  /** Returns the record, or null. */
  FileRecord* file_record() const { return record_.get(); }

 private:
  struct Package {
    std::string path;
    std::optional<std::string> deprecated;
  };

  enum class Rules { kAll, kRos };
  void PopulateFromPaths(const char* variable, Rules rules);
  void Crawl(const std::string& path, Rules rules);
  void AddFound(const std::string& package_xml);
  const Package& Get(const std::string& package_name,
                     const char* function) const;
  static void WarnIfDeprecated(const std::string& package_name,
                               const Package& package);

  std::map<std::string, Package> packages_;
  std::shared_ptr<FileRecord> record_;
};

}  // namespace wyvern::multibody
