#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Renames the joints that have the name of a link or a frame, as SDFormat has
one set of names for the three. What refers to such a joint follows.
@returns a sentence for each. */
std::vector<std::string> MakeJointNamesUnique(ParsedModel* model);

}  // namespace wyvern::multibody::internal
