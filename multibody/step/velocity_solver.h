#pragma once

#include "wyvern/multibody/step/island.h"

namespace wyvern::multibody::internal {

/** Solves an island for its velocities, by Newton's method with exact line
search from the state at v. It works for every island. */
class VelocitySolver {
 public:
  static constexpr int kMaxIterations = 100;

  /** Solves the island and writes its velocities.
  @throws std::runtime_error if H is not positive definite. */
  NewtonResult SolveIsland(Island* island);
};

}  // namespace wyvern::multibody::internal
