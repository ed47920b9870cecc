#pragma once

#include <map>
#include <set>
#include <string>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** The attributes that MJCF has, by element, whether they are read or not. */
const std::map<std::string, std::set<std::string>>& MjcfAttributes();

/** Warns of attributes that MJCF does not have, such as misspelt ones, of the
elements in `node` that say how a robot is made and moves. */
void WarnOfUnknownMjcf(const MjcfNode& node, WarningLog* log);

}  // namespace wyvern::multibody::internal
