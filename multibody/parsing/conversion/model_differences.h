#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** What is in one model and not, or otherwise, in another, as sentences like
"joint 'elbow': its damping 0.5 becomes 0". Poses and inertias are the same up
to rounding, all other numbers to the last bit. What has no name in a plant,
such as the order of elements, does not count, nor does a frame that is added.
*/
std::vector<std::string> FindDifferences(const ParsedModel& before,
                                         const ParsedModel& after);

}  // namespace wyvern::multibody::internal
