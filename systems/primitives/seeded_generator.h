#pragma once

#include <random>

#include "wyvern/systems/common/random.h"

namespace wyvern::systems {

/** Where the random numbers of a System come from: what it keeps as abstract
state, so that a Context that is copied or saved goes on with the same
numbers. */
struct SeededGenerator {
  /** The type of seeds. */
  using Seed = RandomGenerator::result_type;

  SeededGenerator() = default;
  /** Starts the engine from a seed. */
  explicit SeededGenerator(Seed seed_in) : seed(seed_in), engine(seed_in) {}

  /** Draws a number. @throws std::logic_error if `distribution` is none. */
  double Draw(RandomDistribution distribution);

  /** A seed that no call has given before, in the order of the calls. */
  static Seed NextInstanceSeed();
  /** Makes the type known to ValueSerialization. */
  static void RegisterSerialization();

  /** Seed of the engine. */
  Seed seed{};
  /** The engine, which Draw() advances. */
  std::mt19937 engine;
};

}  // namespace wyvern::systems
