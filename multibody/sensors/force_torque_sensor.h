#pragma once

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody {
template <typename T>
class Joint;
template <typename T>
class MultibodyPlant;
}  // namespace wyvern::multibody

namespace wyvern::systems {
template <typename T>
class DiagramBuilder;
}  // namespace wyvern::systems

namespace wyvern::systems::sensors {

/** An ideal force-torque sensor in a joint: the force with which the joint
holds its child body C, as a torque about the origin of a frame S and a force,
both in S: [N m; N]. A weight m that hangs at a weld at rest is held by m g
upwards. It has what the motor and the damping of the joint do too.

Input port `reaction_forces`, of a MultibodyPlant's output port of that name;
output port `measurement`, size 6; direct feedthrough. MeasuredSignal adds noise
and the like. With sampled output ports, a discrete plant's reaction forces are
those of its last step, zero before the first. */
template <typename T>
class ForceTorqueSensor final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ForceTorqueSensor);

  /** @param X_JcS the sensor's pose in the joint's frame on its child.
  @throws std::logic_error if a number is not finite. */
  explicit ForceTorqueSensor(const multibody::Joint<T>& joint,
                             const math::RigidTransform<double>& X_JcS = {});
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit ForceTorqueSensor(const ForceTorqueSensor<U>& other)
      : ForceTorqueSensor(other.joint_ordinal(), other.pose()) {}

  /** The port `reaction_forces`. */
  const InputPort<T>& get_reaction_forces_input_port() const {
    return this->get_input_port(0);
  }
  /** The port `measurement`, [N m; N]. */
  const OutputPort<T>& get_measurement_output_port() const {
    return this->get_output_port(0);
  }
  /** Place of the joint among reaction forces; see Joint::ordinal(). */
  int joint_ordinal() const { return joint_ordinal_; }
  /** Pose X_JcS of the sensor in the joint's frame on the child. */
  const math::RigidTransform<double>& pose() const { return X_JcS_; }

  /** Adds a sensor to `builder`, connected to `plant`, which has `joint` and is
  in `builder` already.
  @throws std::logic_error also if the plant is not finalized. */
  static const ForceTorqueSensor& AddToDiagram(
      const multibody::Joint<T>& joint,
      const math::RigidTransform<double>& X_JcS,
      const multibody::MultibodyPlant<T>& plant, DiagramBuilder<T>* builder);

 private:
  template <typename U>
  friend class ForceTorqueSensor;

  ForceTorqueSensor(int joint_ordinal,
                    const math::RigidTransform<double>& X_JcS);

  void CalcMeasurement(const Context<T>& context, BasicVector<T>* y) const;

  const int joint_ordinal_;
  const math::RigidTransform<double> X_JcS_;
};

}  // namespace wyvern::systems::sensors
