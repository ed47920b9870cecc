#pragma once

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::examples {

/// The actuation that holds a robot against gravity at its present positions:
/// u = −Bᵀ τ_g(q), with B the actuation matrix and τ_g the generalized force of
/// gravity.
///
/// Input port `state`: [q, v] of the model. Output port `actuation`: one force
/// or torque (N or N m) per actuator.
class GravityCompensation final : public systems::LeafSystem<double> {
 public:
  /// @param model a finalized plant that outlives this system. It is the
  /// controller's own model of the robot, which need not be the robot that is
  /// simulated.
  /// @throws std::logic_error if `model` is not finalized.
  explicit GravityCompensation(const multibody::MultibodyPlant<double>& model);

 private:
  void CalcActuation(const systems::Context<double>& context,
                     systems::BasicVector<double>* actuation) const;
  void UpdateModelContext(const systems::Context<double>& context,
                          systems::Context<double>* model_context) const;

  const multibody::MultibodyPlant<double>& model_;
  const Eigen::MatrixXd minus_B_transpose_;
  // The model's Context, set to the state at the input port.
  const systems::CacheEntry* model_context_{};
};

}  // namespace wyvern::examples
