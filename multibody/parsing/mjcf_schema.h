#pragma once

#include <map>
#include <set>
#include <string>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** The attributes of MJCF by element, including attributes that Wyvern
ignores. */
const std::map<std::string, std::set<std::string>>& MjcfAttributes();

/** Warns of attributes that MJCF does not have, such as misspelt ones, of the
elements in `node` that say how a robot is made and moves. */
void WarnOfUnknownMjcf(const MjcfNode& node, WarningLog* log);

}  // namespace wyvern::multibody::internal
