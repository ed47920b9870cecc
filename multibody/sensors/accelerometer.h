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

/** An ideal accelerometer, fixed to a body B at the origin of a frame S: it
measures what is not free fall, the proper acceleration a_WSo_S - g_S, [m/s^2].
At rest that is g upwards.

Input ports `body_poses`, `body_spatial_velocities` and
`body_spatial_accelerations`, of a MultibodyPlant's output ports of those names;
output port `measurement`, size 3; direct feedthrough. MeasuredSignal adds noise
and the like. With sampled output ports, a discrete plant's accelerations are
those of its last step, zero before the first. */
template <typename T>
class Accelerometer final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Accelerometer);

  /** @param X_BS the sensor's pose in the body.
  @param gravity_vector in the world, [m/s^2]; with none, a_WSo_S is measured.
  It is a parameter of the Context.
  @throws std::logic_error if a number is not finite. */
  Accelerometer(
      const multibody::RigidBody<T>& body,
      const math::RigidTransform<double>& X_BS,
      const Eigen::Vector3d& gravity_vector = Eigen::Vector3d::Zero());
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Accelerometer(const Accelerometer<U>& other)
      : Accelerometer(other.body_index(), other.pose(),
                      other.gravity_vector()) {}

  /** The port `body_poses`. */
  const InputPort<T>& get_body_poses_input_port() const {
    return this->get_input_port(0);
  }
  /** The port `body_spatial_velocities`. */
  const InputPort<T>& get_body_velocities_input_port() const {
    return this->get_input_port(1);
  }
  /** The port `body_spatial_accelerations`. */
  const InputPort<T>& get_body_accelerations_input_port() const {
    return this->get_input_port(2);
  }
  /** The port `measurement`, [m/s²]. */
  const OutputPort<T>& get_measurement_output_port() const {
    return this->get_output_port(0);
  }
  /** Index of the body B. */
  const multibody::BodyIndex& body_index() const { return body_index_; }
  /** Gravity of default Contexts, in the world, [m/s²]. */
  const Eigen::Vector3d& gravity_vector() const { return gravity_vector_; }
  /** Sets gravity of a Context, in the world, [m/s²], as after
  UniformGravityFieldElement::SetGravityVector().
  @throws std::logic_error if the Context is of another System or null, or if a
  number is not finite. */
  void SetGravityVector(Context<T>* context, const Vector3<T>& g_W) const;
  /** Pose X_BS of the sensor in its body. */
  const math::RigidTransform<double>& pose() const { return X_BS_; }

  /** Adds an accelerometer to `builder`, connected to `plant`, which has `body`
  and is in `builder` already.
  @throws std::logic_error also if the plant is not finalized. */
  static const Accelerometer& AddToDiagram(
      const multibody::RigidBody<T>& body,
      const math::RigidTransform<double>& X_BS,
      const Eigen::Vector3d& gravity_vector,
      const multibody::MultibodyPlant<T>& plant, DiagramBuilder<T>* builder);

 private:
  Accelerometer(multibody::BodyIndex body_index,
                const math::RigidTransform<double>& X_BS,
                const Eigen::Vector3d& gravity_vector);

  template <typename U>
  friend class Accelerometer;

  void CalcMeasurement(const Context<T>& context, BasicVector<T>* y) const;

  const multibody::BodyIndex body_index_;
  const math::RigidTransform<double> X_BS_;
  const Eigen::Vector3d gravity_vector_;
};

}  // namespace wyvern::systems::sensors
