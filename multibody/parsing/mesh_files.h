#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Finds and reads the files that a model file names. Functions throw
std::runtime_error saying what is wrong with the file, without the place in the
model file. */
class MeshFiles {
 public:
  /** @param packages must outlive this. @param folder of the model file;
  nothing for a model in a string, which has no neighbours. */
  MeshFiles(const PackageMap* packages,
            std::optional<std::filesystem::path> folder)
      : packages_(*packages), folder_(std::move(folder)) {}

  /** The absolute path for a URL as PackageMap::ResolveUrl() takes, a path
  relative to the model file, or an absolute one. A package that is not in the
  map is looked for as FindPackage() does. */
  std::filesystem::path Resolve(const std::string& uri) const;
  /** Resolves the URI of a file or a folder. The map's record gets a file. */
  std::filesystem::path ResolveFolderOrFile(const std::string& uri) const;

  enum class Use {
    kTouch,        ///< A shape that touches: its hull must have a volume.
    kTouchConvex,  ///< The same, declared convex.
    kSee           ///< A shape to be seen; it is not read.
  };
  /** The shape of a mesh stretched by `scale` along the axes of its frame. */
  std::unique_ptr<geometry::Shape> Read(const std::string& uri,
                                        const Vector3<double>& scale,
                                        Use use) const;
  /** Makes the shape of a mesh that is in no file; without triangles, the hull
  of its vertices. @param label its name in messages. */
  static std::unique_ptr<geometry::Shape> Make(
      const geometry::internal::TriangleMesh& mesh, const std::string& label,
      Use use);

 private:
  std::filesystem::path Find(const std::string& uri) const;

  const PackageMap& packages_;
  std::optional<std::filesystem::path> folder_;
};

}  // namespace wyvern::multibody::internal
