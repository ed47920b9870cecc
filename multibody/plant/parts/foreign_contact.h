#pragma once

#include <string>

#include "wyvern/geometry/scene_graph/scene_graph_inspector.h"

namespace wyvern::multibody::internal {

/** Warns if a geometry of a plant touches one of another source of the same
SceneGraph, such as another plant. The two pass through each other, because a
plant computes only the forces between its own bodies. Each pair of bodies is
named once in the life of the process, by the first plant that sees it, on one
line of stderr. */
template <typename T>
void WarnOfForeignContact(const std::string& plant_path,
                          const geometry::SceneGraphInspector<T>& inspector,
                          geometry::GeometryId own, geometry::GeometryId other,
                          double time);

}  // namespace wyvern::multibody::internal
