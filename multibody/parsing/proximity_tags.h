#pragma once

#include "wyvern/geometry/shapes/geometry_roles.h"
#include "wyvern/multibody/parsing/extension_tags.h"

namespace wyvern::multibody::internal {

/** The properties that <drake:proximity_properties> gives a geometry; those
that it does not give are left out.
@throws std::runtime_error "file:line: ..." at a tag that is not valid. */
geometry::ProximityProperties ReadProximityProperties(const ExtensionTags& tags,
                                                      WarningLog* log);

/** Writes the tags that ReadProximityProperties() reads as these properties. */
TagTexts WriteProximityProperties(
    const geometry::ProximityProperties& properties);

/** Adds what RegisterCollisionGeometry() cannot do without, if it is not there:
friction of 1, static and dynamic. */
void AddDefaultFriction(geometry::ProximityProperties* properties);

}  // namespace wyvern::multibody::internal
