#pragma once

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/geometry_names.h"
#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** Adds a <visual> or <collision>, posed by X_LG in its link, to `link`.
@param packages where to look for meshes; null to check the geometry, but for
the file of a mesh, and leave it out.
@throws std::runtime_error "file:line: ..." if it is not valid. */
void ReadSdfGeometry(const SdfElement& element,
                     const math::RigidTransform<double>& X_LG,
                     const PackageMap* packages, GeometryNames* names,
                     WarningLog* log, ParsedLink* link);

}  // namespace wyvern::multibody::internal
