#pragma once

#include <set>
#include <string>
#include <utility>

#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** A shape that touches, by the names of its link and its own. */
using ShapeName = std::pair<std::string, std::string>;

/** The pairs of shapes of different links that a model says do not touch, each
once. Not among them: links next to each other by a joint or welded to each
other, which a plant parts by itself. */
std::set<std::pair<ShapeName, ShapeName>> FindUntouchingPairs(
    const ParsedModel& model);

/** Says by groups of links what `exclusions` says by shapes, as far as it is of
all shapes of two links; what it says else goes. */
void MakeGroupsOfExclusions(ParsedModel* model);

}  // namespace wyvern::multibody::internal
