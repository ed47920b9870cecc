#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wyvern::systems {

/** Figures of one thing, such as an integrator: names, with units, and values
as texts. */
struct StatisticsGroup {
  /** Name of the thing. */
  std::string name{};
  /** Name and value of each figure. */
  std::vector<std::pair<std::string, std::string>> figures{};
};

}  // namespace wyvern::systems
