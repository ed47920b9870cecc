#pragma once

#include <string>

#include "wyvern/geometry/scene_graph/scene_graph_inspector.h"

namespace wyvern::multibody::internal {

/** Warns that a geometry of a plant touches one of another source of the same
SceneGraph, such as another plant, and passes through it: a plant knows the
forces between its own bodies alone. A pair of bodies is named once in the life
of the process, whichever plant sees it first, and a line on stderr each. */
template <typename T>
void WarnOfForeignContact(const std::string& plant_path,
                          const geometry::SceneGraphInspector<T>& inspector,
                          geometry::GeometryId own, geometry::GeometryId other,
                          double time);

}  // namespace wyvern::multibody::internal
