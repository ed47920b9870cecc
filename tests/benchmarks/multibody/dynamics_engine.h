#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "tests/benchmarks/multibody/model_description.h"

namespace wyvern::bench {

enum class Quantity {
  kInverseDynamics,
  kMassMatrix,
  kForwardDynamics,
  kJacobians,
  kInverseDynamicsDerivatives,
  kForwardDynamicsDerivatives,
  kWeightlessInverseDynamics,
};

/** Someone who computes a quantity of one model, each time from q and v on. */
class DynamicsEngine {
 public:
  virtual ~DynamicsEngine() = default;
  virtual std::string name() const = 0;
  virtual bool has(Quantity) const { return true; }
  /** Computes a quantity; this call is timed. */
  virtual void Calc(Quantity quantity, int sample) = 0;
  /** The last Calc()'s result, in Wyvern's conventions. kJacobians: those of
  each joint's own motion about Wo, angular part first, 6 x nv. Derivatives:
  those with respect to q in the tangent space, to v, and to v̇ or tau, side by
  side, nv x 3 nv. */
  virtual Eigen::MatrixXd Result(Quantity quantity, int sample) const = 0;
};

/** The free functions of multibody/dynamics. */
std::unique_ptr<DynamicsEngine> MakeWyvernEngine(
    const ModelDescription& description, const std::vector<Sample>& samples);
/** A MultibodyPlant and a Context whose state is set anew each time. */
std::unique_ptr<DynamicsEngine> MakeWyvernPlant(
    const ModelDescription& description, const std::vector<Sample>& samples);
/** Pinocchio's calls, in each of its conventions if it has two. */
std::vector<std::unique_ptr<DynamicsEngine>> MakePinocchioEngines(
    const ModelDescription& description, const std::vector<Sample>& samples);

}  // namespace wyvern::bench
