#pragma once

#include <vector>

#include "wyvern/geometry/shapes/geometry_ids.h"
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

/** Sensor of the contact forces on a body B, of points and surfaces together.

Input ports `contact_results` and `body_poses`, of a MultibodyPlant's output
ports of those names. Output ports, with direct feedthrough:
- `wrench`, size 6: the torque about Bo and the force on B, in the world,
  [N m; N];
- `in_contact`, size 1: 1 if the forces of the contacts, each by its magnitude,
  sum up to more than the threshold; else 0.

With sampled output ports, a discrete plant's contacts are those of its last
step, none before the first. */
template <typename T>
class ContactSensor final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ContactSensor);

  /** @param plant has the body, with all of its collision geometries.
  @param threshold [N]
  @throws std::logic_error if the plant is not finalized, or the threshold is
  negative or not finite. */
  ContactSensor(const multibody::RigidBody<T>& body,
                const multibody::MultibodyPlant<T>& plant,
                double threshold = 0.0);
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit ContactSensor(const ContactSensor<U>& other)
      : ContactSensor(other.body_index_, other.geometries_, other.threshold_) {}

  /** The port `contact_results`. */
  const InputPort<T>& get_contact_results_input_port() const {
    return this->get_input_port(0);
  }
  /** The port `body_poses`. */
  const InputPort<T>& get_body_poses_input_port() const {
    return this->get_input_port(1);
  }
  /** The port `wrench`, [N m; N]. */
  const OutputPort<T>& get_wrench_output_port() const {
    return this->get_output_port(0);
  }
  /** The port `in_contact`. */
  const OutputPort<T>& get_in_contact_output_port() const {
    return this->get_output_port(1);
  }
  /** Index of the body B. */
  const multibody::BodyIndex& body_index() const { return body_index_; }

  /** Adds a sensor to `builder`, connected to `plant`, which is in `builder`
  already. */
  static const ContactSensor& AddToDiagram(
      const multibody::RigidBody<T>& body,
      const multibody::MultibodyPlant<T>& plant, DiagramBuilder<T>* builder,
      double threshold = 0.0);

 private:
  template <typename U>
  friend class ContactSensor;

  ContactSensor(multibody::BodyIndex body_index,
                const std::vector<geometry::GeometryId>& geometries,
                double threshold);

  // Calls f(p_WC, F_Bc_W) for each contact of the body, at its point C.
  template <typename F>
  void ForEachContact(const Context<T>& context, const F& f) const;
  bool HasGeometry(geometry::GeometryId id) const;
  void CalcWrench(const Context<T>& context, BasicVector<T>* wrench) const;
  void CalcInContact(const Context<T>& context, BasicVector<T>* answer) const;

  const multibody::BodyIndex body_index_;
  // Sorted.
  const std::vector<geometry::GeometryId> geometries_;
  const double threshold_;
};

}  // namespace wyvern::systems::sensors
