#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/mesh_source.h"

namespace tinyxml2 {
class XMLPrinter;
}  // namespace tinyxml2

namespace wyvern::multibody::internal {

/** Writes an XML document, element by element, with all that has to be
escaped. */
class XmlText {
 public:
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  XmlText();
  ~XmlText();
  XmlText(const XmlText&) = delete;

  void Open(const std::string& name, const Attributes& attributes = {});
  void Close();
  /** An element with nothing in it, and one with a text. */
  void Leaf(const std::string& name, const Attributes& attributes = {});
  void Text(const std::string& name, const std::string& text,
            const Attributes& attributes = {});
  std::string text() const;

 private:
  std::unique_ptr<tinyxml2::XMLPrinter> printer_;
  // The printer keeps pointers to names.
  std::set<std::string> names_;
};

/** Roll, pitch and yaw of a pose as text, and its position. */
std::string RpyText(const math::RigidTransform<double>& X);
std::string PositionText(const math::RigidTransform<double>& X);
/** Whether a pose is none but for rounding. */
bool IsIdentity(const math::RigidTransform<double>& X);

/** Names of a written model's meshes and textures: paths from its folder.
Meshes in memory become files in a folder beside it. */
class FileNames {
 public:
  /** @param out the model's file. */
  explicit FileNames(const std::filesystem::path& out);

  std::string NameOfFile(const std::filesystem::path& file) const;
  std::string NameOfMesh(const geometry::MeshSource& mesh);
  /** The contents of the files that are to be written, by path. */
  const std::map<std::filesystem::path, std::string>& meshes() const {
    return meshes_;
  }

 private:
  std::filesystem::path folder_;
  std::filesystem::path mesh_folder_;
  std::map<std::filesystem::path, std::string> meshes_;
  std::map<std::string, std::filesystem::path> by_contents_;
};

}  // namespace wyvern::multibody::internal
