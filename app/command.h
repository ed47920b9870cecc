#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace wyvern::app {

/** Runs the program `wyvern`; its main() only calls this. Executes the
arguments, without the program's name; `wyvern --help` lists them. While a
scenario runs, a first SIGINT or SIGTERM stops it and closes its logs; a second
one aborts.
@returns 0, or 1 after "wyvern: what is wrong" on `err`, or the exit code of an
error in the command line, which is printed on `err`. An output that cannot be
written, because it is closed or its disk is full, is an error. */
int RunCommand(const std::vector<std::string>& arguments, std::ostream& out,
               std::ostream& err);

}  // namespace wyvern::app
