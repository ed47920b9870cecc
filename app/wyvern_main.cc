// The program: `wyvern --help` tells what it does.
#include <iostream>

#include "wyvern/app/command.h"

int main(int argc, char** argv) {
  return wyvern::app::RunCommand({argv + 1, argv + argc}, std::cout, std::cerr);
}
