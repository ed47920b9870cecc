#pragma once

#include <vector>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_element.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Reads the path of a <spatial> tendon: sites, geoms that it bends around, and
pulleys.
@throws std::runtime_error "file:line: ..." if the path is not valid, or has a
part that is not modelled. */
std::vector<ParsedTendonSegment> ReadMjcfPath(const MjcfNode& tendon,
                                              const MjcfTree& tree);

/** Computes the length of a path where all springs of joints are at rest, [m].
 */
double CalcMjcfPathAtRest(const std::vector<ParsedTendonSegment>& segments,
                          const MjcfTree& tree);

}  // namespace wyvern::multibody::internal
