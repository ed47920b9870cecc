#pragma once

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_geom.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Reads all bodies; what of them is in a ParsedModel goes to `model`, but the
inertias of links.
@throws std::runtime_error "file:line: ..." if something is not valid, or moves
and is not modelled. */
MjcfTree ReadMjcfTree(const MjcfDocument& document, const MjcfContext& context,
                      ParsedModel* model);

}  // namespace wyvern::multibody::internal
