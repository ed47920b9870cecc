#pragma once

#include <optional>
#include <vector>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** Makes the positions of the key called "home" or, without it, of the first
key the default ones of all joints.
@throws std::runtime_error "file:line: ..." if its numbers are not valid. */
void ReadMjcfKeyframe(const MjcfDocument& document, const MjcfTree& tree,
                      WarningLog* log, ParsedModel* model);

/** Returns `ctrl` of the same key, a number for each actuator of the file;
nothing if the key has none. Warns if there are not `num_actuators` numbers.
@throws std::runtime_error "file:line: ..." if its numbers are not valid. */
std::optional<std::vector<double>> ReadMjcfKeyControls(
    const MjcfDocument& document, int num_actuators, WarningLog* log);

/** Gives each joint under `root`, of a document to be attached, what its key
says. @throws std::runtime_error "file:line: ..." if the key does not fit. */
void SetMjcfKeyOfJoints(const MjcfDocument& model, MjcfNode* root);

}  // namespace wyvern::multibody::internal
