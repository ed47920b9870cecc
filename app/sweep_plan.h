#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wyvern/systems/yaml/yaml_node.h"

namespace wyvern::app {

/** One place of a scenario that a sweep changes. */
struct SweepParameter {
  /** As of a setting: "model_drivers.arm.kp[0]". */
  std::string path;
  /** Values of the parameter, one after the other, as YAML on one line; empty
  if it is drawn. */
  std::vector<std::string> values;
  /** Distribution from which it is drawn, if there are no values. */
  yaml::internal::NodePtr distribution{};
};

/** Reads "path=1:5:9" (nine numbers from 1 to 5, evenly, both included),
"path=[a, b, c]" (these, of any type) or "path=!Uniform {min: 0, max: 1}" (or
another distribution of random_values.h).
@throws std::runtime_error that says what was given and what can be. */
SweepParameter ParseSweepParameter(const std::string& text);

/** One sample of a sweep: a scenario with these settings. */
struct SweepSample {
  /** Its number, from 0. */
  std::uint64_t index{};
  /** Goes to `random_seed`: from the sweep's seed and the index. */
  std::uint64_t seed{};
  /** The values, in the order of the parameters. */
  std::vector<std::string> values;
};

/** Which samples a sweep has. Parameters with values make a grid, of which the
last varies fastest; sample i is its point i modulo the size of the grid, and
has random numbers of its own. A sample follows from the plan and its index
alone. */
class SweepPlan {
 public:
  /** @param num_samples 0 for as many as the grid has points.
  @throws std::runtime_error if a path occurs twice, or there are more than
  10^12 samples. */
  SweepPlan(std::vector<SweepParameter> parameters, std::uint64_t num_samples,
            std::uint64_t seed);

  /** Returns what the samples change. */
  const std::vector<SweepParameter>& parameters() const { return parameters_; }
  /** Returns how many samples there are. */
  std::uint64_t num_samples() const { return num_samples_; }

  /** Returns sample `index`, counted from 0; the same for the same plan. */
  SweepSample MakeSample(std::uint64_t index) const;
  /** "path=value" for each parameter, and for `random_seed`. */
  std::vector<std::string> MakeSettings(const SweepSample& sample) const;
  /** All that samples follow from, as text. */
  std::string Describe() const;

 private:
  std::vector<SweepParameter> parameters_;
  std::uint64_t num_samples_{};
  std::uint64_t seed_{};
};

}  // namespace wyvern::app
