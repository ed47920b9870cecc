#pragma once

#include <random>

namespace wyvern {

/** Random generator that functions take by pointer: the 32-bit Mersenne
twister. The same seed gives the same numbers on every platform, as far
as the distribution applied to them does. Default-constructed, the seed is
`default_seed`. */
class RandomGenerator {
 public:
  /** The type of the numbers. */
  using result_type = std::mt19937::result_type;
  /** The seed without another. */
  static constexpr result_type default_seed = std::mt19937::default_seed;

  RandomGenerator() = default;
  /** Starts from a seed. */
  explicit RandomGenerator(result_type seed) : engine_(seed) {}

  /** The least number. */
  static constexpr result_type min() { return std::mt19937::min(); }
  /** The largest number. */
  static constexpr result_type max() { return std::mt19937::max(); }
  /** The next number. */
  result_type operator()() { return engine_(); }

 private:
  std::mt19937 engine_{default_seed};
};

/** The distribution a random input port asks for. */
enum class RandomDistribution {
  /** Uniform on [0, 1). */
  kUniform = 0,
  /** Mean zero, variance one. */
  kGaussian = 1,
  /** Rate one: mean one. */
  kExponential = 2,
};

}  // namespace wyvern
