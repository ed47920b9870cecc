#pragma once

#include <string>
#include <vector>

#include "wyvern/app/command_help.h"

namespace wyvern::app {

/** Explains a command line that could not be parsed: names the sub-command or
option that does not exist, and the nearest that does.
@returns one line; empty if all sub-commands and options exist. */
std::string ExplainCommandLine(const CommandHelp& program,
                               const std::vector<std::string>& arguments);

}  // namespace wyvern::app
