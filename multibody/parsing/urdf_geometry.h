#pragma once

#include <map>
#include <optional>
#include <string>

#include "wyvern/geometry/shapes/geometry_instance.h"
#include "wyvern/multibody/parsing/geometry_names.h"
#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** The <material>s of a robot: properties by name. */
using UrdfMaterials = std::map<std::string, geometry::IllustrationProperties>;

/** Data to which the geometries of a URDF document refer. */
struct UrdfGeometryContext {
  /** Null: geometries are checked, but for the files of meshes, and left out.
   */
  const MeshFiles* files{};
  UrdfMaterials materials{};
  WarningLog* log{};
};

/** Reads a <material> with a name and, or in a <visual> possibly without, a
colour or a texture. */
geometry::IllustrationProperties ReadUrdfMaterial(
    const XmlElement& material, const UrdfGeometryContext& context);

/** Adds the <visual>s and <collision>s of `link` to `result`.
@throws std::runtime_error "file:line: ..." at one that is not valid. */
void ReadUrdfGeometries(const XmlElement& link,
                        const UrdfGeometryContext& context, ParsedLink* result);

}  // namespace wyvern::multibody::internal
