#pragma once

#include <set>
#include <string>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_geom.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** The names of the geoms that a <pair> in <contact> has, which touch each
other whatever their masks say. */
std::set<std::string> FindPairedGeoms(const MjcfDocument& document);

/** Adds to `model` which shapes do not touch, by MuJoCo's rules: those of
bodies that move as one; of bodies with a moving joint between them, unless one
is fixed to the world; whose contype and conaffinity do not meet; and of bodies
that <contact> excludes. All but those that a <pair> names.
@throws std::runtime_error "file:line: ..." if something is not valid, or is a
<pair> of bodies with a moving joint between them, which is not modelled. */
void ReadMjcfContact(const MjcfDocument& document, const MjcfContext& context,
                     const MjcfTree& tree, ParsedModel* model);

}  // namespace wyvern::multibody::internal
