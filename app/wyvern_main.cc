// The program: `wyvern --help` tells what it does.
#include <csignal>
#include <iostream>

#include "wyvern/app/command.h"
#include "wyvern/systems/common/standard_output.h"

int main(int argc, char** argv) {
  wyvern::internal::ReserveStandardStreams();
  // A limit on the size of files is an error, as a full disk is, and no end.
  std::signal(SIGXFSZ, SIG_IGN);
  return wyvern::app::RunCommand({argv + 1, argv + argc}, std::cout, std::cerr);
}
