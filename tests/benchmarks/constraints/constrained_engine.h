#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include "tests/benchmarks/multibody/model_description.h"

namespace wyvern::bench {

/** Someone who computes accelerations of a model some of whose bodies do not
accelerate, from q, v and tau on. */
class ConstrainedEngine {
 public:
  virtual ~ConstrainedEngine() = default;
  virtual void Calc(int sample) = 0;
  /** The last Calc()'s v̇, in Wyvern's conventions. */
  virtual Eigen::VectorXd Result(int sample) const = 0;
};

/** Pinocchio's constraintDynamics(), a 6D contact for each of `bodies`, which
are indices into the description. */
std::unique_ptr<ConstrainedEngine> MakePinocchioConstraints(
    const ModelDescription& description, const std::vector<int>& bodies,
    const std::vector<Sample>& samples);

}  // namespace wyvern::bench
