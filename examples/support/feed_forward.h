#pragma once

#include <vector>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::examples {

/// The actuation that by a robot's model makes it move as desired:
///
///     u = Bᵀ (M(q) v̇ + C(q, v) v − τ_g(q) − τ_e(q, v) + f(v)),
///
/// at the measured q, with v and v̇ the desired ones of joints with an actuator;
/// others have the measured v and v̇ = 0, but for those that a coupler lets
/// follow one with an actuator: these move with it and load it. B is the
/// actuation matrix, τ_g gravity, τ_e force elements and joint damping, and f
/// the dry friction of a joint that moves as desired, proportional to v below
/// 1 mrad/s or 1 mm/s.
///
/// Input ports: `state`, [q, v] of the model; `desired`, the positions,
/// velocities and accelerations of the actuated joints in the actuators' order,
/// as a TrajectorySource gives them. Output port `actuation`: one force or
/// torque (N or N m) per actuator. Allocates nothing after the first
/// evaluation.
class FeedForward final : public systems::LeafSystem<double> {
 public:
  /// @param model a finalized, continuous plant that outlives this system, with
  /// joints of one degree of freedom behind its actuators. It is the
  /// controller's own model of the robot, which need not be the robot that is
  /// simulated.
  /// @throws std::logic_error if `model` is not finalized.
  explicit FeedForward(const multibody::MultibodyPlant<double>& model);

 private:
  struct Room {
    multibody::MultibodyForces<double> forces;
    Eigen::VectorXd vdot;
    Eigen::VectorXd tau;
  };

  void CalcTorques(const systems::Context<double>& context, Room* room) const;
  void CalcActuation(const systems::Context<double>& context,
                     systems::BasicVector<double>* actuation) const;
  void UpdateModelContext(const systems::Context<double>& context,
                          systems::Context<double>* model_context) const;

  const multibody::MultibodyPlant<double>& model_;
  // The velocities that an actuator drives, by a ratio: 1 of its own joint, and
  // that of a coupler of those that follow it.
  struct Driven {
    int actuator{};
    int velocity{};
    double ratio{};
  };
  std::vector<Driven> driven_;
  Eigen::VectorXd friction_;
  // The model's Context, set to what the input ports say.
  const systems::CacheEntry* model_context_{};
  const systems::CacheEntry* torques_{};
};

}  // namespace wyvern::examples
