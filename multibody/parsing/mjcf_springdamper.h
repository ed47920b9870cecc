#pragma once

#include "wyvern/multibody/parsing/mjcf_settings.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Gives each hinge and slide with a `springdamper` its stiffness and damping.
Bodies and armatures must have their final values. */
void SetMjcfSpringDampers(const MjcfSettings& settings, const MjcfTree& tree,
                          ParsedModel* model);

}  // namespace wyvern::multibody::internal
