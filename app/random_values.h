#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wyvern/systems/yaml/yaml_node.h"

namespace wyvern::app {

/** Random numbers that a seed and a key name: whoever asks, when, and on which
machine, they are the same. Only operations that IEEE 754 rounds correctly are
used, none of a mathematical library. */
class KeyedDraws {
 public:
  /** Starts the sequence of a seed and a key. */
  KeyedDraws(std::uint64_t seed, std::string_view key);

  /** Returns the next 64 bits. */
  std::uint64_t NextBits();
  /** In [0, 1), a multiple of 2^-53. */
  double NextUniform();
  /** Draws a normal number of mean 0 and variance 1. */
  double NextGaussian();

 private:
  std::uint64_t state_{};
};

/** Whether a value of YAML is one of the distributions below. */
bool IsDistribution(const yaml::internal::Node& node);

/** The number that a distribution gives for a seed and the path of a key:
`!Deterministic {value: 1}`, `!Uniform {min: 0, max: 1}`, `!Gaussian {mean: 0,
stddev: 1}`, `!UniformDiscrete {values: [1, 2, 4]}`.
@throws std::runtime_error naming source, line, column and path, if what it has
is not finite, out of order or misspelt. */
double DrawFrom(const yaml::internal::Node& distribution, std::uint64_t seed,
                const std::string& path, const std::string& source);

/** YAML that reads back as the same number; a whole one as an integer, too. */
std::string ToNumberText(double value);

/** The document with a number in place of each distribution, by its path, as
"model_drivers.arm.kp[0]"; what is without is shared. In place of a vector's,
such as `!UniformVector {min: [0, 0], max: [1, 2]}`, `!GaussianVector` or
`!DeterministicVector`, there are its elements; of `rotation: !Uniform {}` an
`!AngleAxis`. */
yaml::internal::NodePtr WithDrawnNumbers(const yaml::internal::NodePtr& root,
                                         std::uint64_t seed,
                                         const std::string& source);

}  // namespace wyvern::app
