#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/multibody/parsing/mass_moments.h"
#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/mjcf_defaults.h"
#include "wyvern/multibody/parsing/mjcf_height_field.h"
#include "wyvern/multibody/parsing/mjcf_settings.h"

namespace wyvern::multibody::internal {

/** The meshes and materials of an MJCF file. */
class MjcfAssets {
 public:
  /** All must outlive this.
  @throws std::runtime_error "file:line: ..." if something is not valid; files
  of meshes are read when they are asked for. */
  MjcfAssets(const MjcfDocument& document, const MjcfDefaults& defaults,
             const MjcfSettingsOfModels& settings, const PackageMap& packages);

  /** The mesh of that name, at `place` in the model file.
  @throws std::runtime_error "file:line: ..." if it is not there. */
  const MjcfElement& Mesh(const XmlElement& place,
                          const std::string& name) const;
  /** Its shape. @throws std::exception saying what is wrong with its file. */
  std::unique_ptr<geometry::Shape> MakeShape(const MjcfElement& mesh,
                                             MeshFiles::Use use) const;
  /** Computes the mass moments in the mesh's frame, for density 1 or, if the
  mesh is only a surface, for area density 1.
  @throws std::exception saying what is wrong with its file. */
  MassMoments CalcMass(const MjcfElement& mesh) const;

  /** Returns the mesh's vertices and triangles. @throws std::exception saying
  what is wrong with its file. */
  geometry::internal::TriangleMesh Read(const MjcfElement& mesh) const;

  /** Returns the height field of that name, referred to at `place` in the model
  file.
  @throws std::runtime_error "file:line: ..." if there is none, or it is not
  valid. */
  MjcfHeightField HeightField(const XmlElement& place,
                              const std::string& name) const;

  /** The colour of a material; nothing if it has none or is not there. */
  std::optional<geometry::Rgba> Color(const std::string& material) const;

 private:
  MeshFiles Files(const MjcfElement& mesh) const;
  std::string FileName(const MjcfElement& mesh) const;

  const MjcfSettingsOfModels& settings_;
  const PackageMap& packages_;
  std::map<std::string, MjcfElement> meshes_;
  std::map<std::string, MjcfElement> height_fields_;
  std::map<std::string, geometry::Rgba> colors_;
};

/** (r, g, b, a), each cut to [0, 1]. */
geometry::Rgba ReadMjcfColor(const MjcfElement& element);

}  // namespace wyvern::multibody::internal
