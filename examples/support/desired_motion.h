#pragma once

#include <vector>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::examples {

/// Inputs of InverseDynamics that make a robot move as desired: the measured
/// positions and the desired velocities and accelerations.
///
/// Input ports: `state`, [q, v] of the plant; `desired`, the positions,
/// velocities and accelerations of the joints with an actuator, in the
/// actuators' order, as a TrajectorySource gives them. Output ports: `state`,
/// the positions of the first with the desired velocities, measured ones where
/// there is no actuator; `acceleration` of all velocities, zero where there is
/// no actuator. rad, m, s.
class DesiredMotion final : public systems::LeafSystem<double> {
 public:
  /// @param plant finalized, with joints of one degree of freedom behind its
  /// actuators.
  explicit DesiredMotion(const multibody::MultibodyPlant<double>& plant);

 private:
  void CalcState(const systems::Context<double>& context,
                 systems::BasicVector<double>* state) const;
  void CalcAcceleration(const systems::Context<double>& context,
                        systems::BasicVector<double>* acceleration) const;

  const int num_positions_;
  // By actuator: its joint's place in v.
  std::vector<int> velocities_;
};

}  // namespace wyvern::examples
