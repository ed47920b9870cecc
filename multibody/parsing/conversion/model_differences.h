#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Returns the differences of two models, as sentences like "joint 'elbow': its
damping 0.5 becomes 0". Poses and inertias are compared up to rounding, all
other numbers to the last bit. Properties that a plant does not have, such as
the order of elements, do not count, nor does a frame that is added. */
std::vector<std::string> FindDifferences(const ParsedModel& before,
                                         const ParsedModel& after);

}  // namespace wyvern::multibody::internal
