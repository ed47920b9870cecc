#pragma once

#include <memory>

#include <Eigen/SparseCore>

#include "wyvern/multibody/control/controlled_plant.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::controllers {

/** Makes each joint behave as a spring and damper about its desired state: it
takes away gravity and the plant's own force elements and joint damping, and
adds its own,

    tau = kp .* (q_d - q) + kd .* (v_d - v) - tau_g(q) - tau_app,

but leaves the inertia as it is, so that under external forces tau_ext

    M(q) vdot + C(q, v) v = kp .* (q_d - q) + kd .* (v_d - v) + tau_ext.

Input ports `estimated_state` and `desired_state`, x = [q; v]. Output port
`actuation`, in the order of the plant's port of that name, and, deprecated,
`generalized_force`, the same in the order of v; N and N m. Direct feedthrough
from both inputs. Every velocity must be the rate of a position and have an
actuator. Allocates nothing after the first evaluation. */
template <typename T>
class JointStiffnessController final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(JointStiffnessController);

  /** `plant` must outlive this.
  @param kp, kd a gain for each joint, in the order of v: N m/rad and N m s/rad,
    or N/m and N s/m.
  @throws std::logic_error if the plant is not finalized, has joints without
  q' = v or without an actuator, or the gains are not as many as velocities or
  not finite. */
  JointStiffnessController(const multibody::MultibodyPlant<T>& plant,
                           const Eigen::Ref<const Eigen::VectorXd>& kp,
                           const Eigen::Ref<const Eigen::VectorXd>& kd);
  /** Owns the plant. */
  JointStiffnessController(std::unique_ptr<multibody::MultibodyPlant<T>> plant,
                           const Eigen::Ref<const Eigen::VectorXd>& kp,
                           const Eigen::Ref<const Eigen::VectorXd>& kd);
  /** Scalar-converting copy constructor; the plant is converted too, and
  owned. */
  template <typename U>
  explicit JointStiffnessController(const JointStiffnessController<U>& other);
  ~JointStiffnessController() final;

  /** The port `estimated_state`, [q; v]. */
  const InputPort<T>& get_input_port_estimated_state() const {
    return this->get_input_port(0);
  }
  /** The port `desired_state`, [q; v]. */
  const InputPort<T>& get_input_port_desired_state() const {
    return this->get_input_port(1);
  }
  /** The port `actuation`, one element for each actuator. */
  const OutputPort<T>& get_output_port_actuation() const {
    return this->get_output_port(0);
  }
  /** The port `generalized_force`, nv elements; deprecated. */
  const OutputPort<T>& get_output_port_generalized_force() const {
    return this->get_output_port(1);
  }
  /** The plant that the controller computes with. */
  const multibody::MultibodyPlant<T>& get_multibody_plant() const {
    return controlled_.plant();
  }

 private:
  template <typename U>
  friend class JointStiffnessController;
  using ControlledPlant = internal::ControlledPlant<T>;
  using AtState = typename ControlledPlant::AtState;

  JointStiffnessController(std::unique_ptr<multibody::MultibodyPlant<T>> owned,
                           const multibody::MultibodyPlant<T>* plant,
                           const Eigen::Ref<const Eigen::VectorXd>& kp,
                           const Eigen::Ref<const Eigen::VectorXd>& kd);
  std::unique_ptr<AtState> AllocateAtState() const {
    return controlled_.Allocate();
  }
  // at->tau is -tau_g - tau_app.
  void CalcAtState(const Context<T>& context, AtState* at) const;
  void CalcForce(const Context<T>& context, BasicVector<T>* force) const;
  void CalcActuation(const Context<T>& context,
                     BasicVector<T>* actuation) const;

  ControlledPlant controlled_;
  const Eigen::VectorXd kp_;
  const Eigen::VectorXd kd_;
  const VectorX<T> no_acceleration_;
  // From generalized forces to actuation.
  Eigen::SparseMatrix<double> B_inverse_;
  const CacheEntry* at_state_{};
};

}  // namespace wyvern::systems::controllers
