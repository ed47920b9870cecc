#pragma once

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/tree/multibody_tree_indexes.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody {
template <typename T>
class MultibodyPlant;
template <typename T>
class RigidBody;
}  // namespace wyvern::multibody

namespace wyvern::systems {
template <typename T>
class DiagramBuilder;
}  // namespace wyvern::systems

namespace wyvern::systems::sensors {

/** An ideal gyroscope, fixed to a body B with the axes of a frame S: it
measures the angular velocity w_WS_S, [rad/s].

Input ports `body_poses` and `body_spatial_velocities`, of a MultibodyPlant's
output ports of those names; output port `measurement`, size 3; direct
feedthrough. MeasuredSignal adds noise and the like. */
template <typename T>
class Gyroscope final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Gyroscope);

  /** @param X_BS the sensor's pose in the body; its place changes nothing.
  @throws std::logic_error if a number is not finite. */
  Gyroscope(const multibody::RigidBody<T>& body,
            const math::RigidTransform<double>& X_BS);
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Gyroscope(const Gyroscope<U>& other)
      : Gyroscope(other.body_index(), other.pose()) {}

  /** The port `body_poses`. */
  const InputPort<T>& get_body_poses_input_port() const {
    return this->get_input_port(0);
  }
  /** The port `body_spatial_velocities`. */
  const InputPort<T>& get_body_velocities_input_port() const {
    return this->get_input_port(1);
  }
  /** The port `measurement`, [rad/s]. */
  const OutputPort<T>& get_measurement_output_port() const {
    return this->get_output_port(0);
  }
  /** Index of the body B. */
  const multibody::BodyIndex& body_index() const { return body_index_; }
  /** Pose X_BS of the sensor in its body. */
  const math::RigidTransform<double>& pose() const { return X_BS_; }

  /** Adds a gyroscope to `builder`, connected to `plant`, which has `body` and
  is in `builder` already.
  @throws std::logic_error also if the plant is not finalized. */
  static const Gyroscope& AddToDiagram(
      const multibody::RigidBody<T>& body,
      const math::RigidTransform<double>& X_BS,
      const multibody::MultibodyPlant<T>& plant, DiagramBuilder<T>* builder);

 private:
  template <typename U>
  friend class Gyroscope;

  Gyroscope(multibody::BodyIndex body_index,
            const math::RigidTransform<double>& X_BS);

  void CalcMeasurement(const Context<T>& context, BasicVector<T>* y) const;

  const multibody::BodyIndex body_index_;
  const math::RigidTransform<double> X_BS_;
};

}  // namespace wyvern::systems::sensors
