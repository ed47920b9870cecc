#pragma once

#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** Adds a <joint> in a <world>, which libsdformat does not read, to `world`,
whose models and frames are there. Its parent and child are links or frames of
models, "model::name", frames of the world, or the world.
@throws std::runtime_error "file:line: ..." if it is not valid. */
void AddSdfWorldJoint(const SdfElement& element, WarningLog* log,
                      ParsedModel* world);

}  // namespace wyvern::multibody::internal
