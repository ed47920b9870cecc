#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Renames joints that share their name with a link or a frame, because
SDFormat has one set of names for all three. References to the joints are
updated.
@returns a sentence for each renamed joint. */
std::vector<std::string> MakeJointNamesUnique(ParsedModel* model);

}  // namespace wyvern::multibody::internal
