#pragma once

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_geom.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Reads the <equality> sections: connect, weld and joint.
@throws std::runtime_error "file:line: ..." if something is not valid, or is an
equality of another kind. */
void ReadMjcfEqualities(const MjcfDocument& document,
                        const MjcfContext& context, const MjcfTree& tree,
                        ParsedModel* model);

}  // namespace wyvern::multibody::internal
