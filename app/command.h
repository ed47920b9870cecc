#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace wyvern::app {

/** The program `wyvern`, whose main() this is: does what the arguments (without
the program's name) say; `wyvern --help` tells what they are. While a scenario
runs, SIGINT and SIGTERM end it with its logs whole; the second one at once.
@returns 0, or 1 after "wyvern: what is wrong" on `err`, or what the command
line is wrong with on `err` and its code. An output that cannot be written, as
it is closed or its disk is full, is wrong. */
int RunCommand(const std::vector<std::string>& arguments, std::ostream& out,
               std::ostream& err);

}  // namespace wyvern::app
