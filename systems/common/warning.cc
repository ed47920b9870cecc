#include "wyvern/systems/common/warning.h"

#include <cstdio>

#include <fmt/format.h>

namespace wyvern {

void WarnOnStderr(const std::string& warning) {
  fmt::print(stderr, "warning: {}\n", warning);
}

}  // namespace wyvern
