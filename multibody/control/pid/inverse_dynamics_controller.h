#pragma once

#include <memory>

#include "wyvern/multibody/control/inverse_dynamics.h"
#include "wyvern/systems/controllers/pid_controller.h"
#include "wyvern/systems/controllers/state_feedback_controller_interface.h"
#include "wyvern/systems/framework/diagram.h"

namespace wyvern::systems::controllers {

/** Computed torque: a PidController says how the plant is to accelerate, and
InverseDynamics which generalized forces make it do so,

    vdot = vdot_d + kp .* e_q + kd .* e_v + ki .* integral of e_q,
    tau  = M(q) vdot + C(q, v) v - tau_g(q) - tau_app,

with e = x_d - x. If the model is that of the robot, each position's error goes
by e_q'' + kd e_q' + kp e_q + ki integral of e_q = 0, whatever the others do.

    desired_acceleration -------------------------.
                                                  v
    desired_state ------> PidController ------> (sum) ---> InverseDynamics ---+
                             ^                               ^                |
    estimated_state ---------+-------------------------------'                |
                                              generalized_force <-------------+
                                              actuation <------- B⁻¹ <--------'

Input ports `estimated_state` (2 nv), `desired_state` (2 nv) and, if asked for,
`desired_acceleration` (nv, otherwise zero). Output ports `actuation`, one for
each actuator, in the order of the plant's port of that name, and
`generalized_force` (nv), the same in the order of v; N and N m, direct
feedthrough from all. The continuous
state is the integral of e_q, at first zero. Every velocity must be the rate of
a position, which excludes floating and quaternion joints, and have an actuator,
unless its joint follows another by a coupler: see InverseDynamics. */
template <typename T>
class InverseDynamicsController final
    : public Diagram<T>,
      public StateFeedbackControllerInterface<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(InverseDynamicsController);

  /** `plant` must outlive this. The parameters are those of `plant_context` as
  it is now, or the defaults if it is null.
  @param kp, ki, kd a gain for each velocity: 1/s², 1/s³, 1/s.
  @param has_reference_acceleration whether there is a port for it.
  @throws std::logic_error if the plant is not finalized, has joints without
  q' = v or without an actuator, the gains are not as many as velocities or not
  finite, or the Context is of another System. */
  InverseDynamicsController(const multibody::MultibodyPlant<T>& plant,
                            const VectorX<double>& kp,
                            const VectorX<double>& ki,
                            const VectorX<double>& kd,
                            bool has_reference_acceleration,
                            const Context<T>* plant_context = nullptr);
  /** Owns the plant. */
  InverseDynamicsController(std::unique_ptr<multibody::MultibodyPlant<T>> plant,
                            const VectorX<double>& kp,
                            const VectorX<double>& ki,
                            const VectorX<double>& kd,
                            bool has_reference_acceleration,
                            const Context<T>* plant_context = nullptr);
  /** Scalar-converting copy constructor; the plant is converted too, and
  owned. */
  template <typename U>
  explicit InverseDynamicsController(const InverseDynamicsController<U>& other);
  ~InverseDynamicsController() final;

  /** Sets the integral of e_q. @throws std::logic_error on a wrong size. */
  void set_integral_value(Context<T>* context,
                          const Eigen::Ref<const VectorX<T>>& value) const;

  const InputPort<T>& get_input_port_estimated_state() const final {
    return this->get_input_port(0);
  }
  const InputPort<T>& get_input_port_desired_state() const final {
    return this->get_input_port(1);
  }
  /** The port `desired_acceleration`, nv elements.
  @throws std::logic_error if it was not asked for. */
  const InputPort<T>& get_input_port_desired_acceleration() const;
  /** `actuation`. */
  const OutputPort<T>& get_output_port_control() const final {
    return this->get_output_port(0);
  }
  /** The port `generalized_force`, nv elements. */
  const OutputPort<T>& get_output_port_generalized_force() const {
    return this->get_output_port(1);
  }

  /** The plant that the controller computes with. */
  const multibody::MultibodyPlant<T>* get_multibody_plant_for_control() const;

 private:
  template <typename U>
  friend class InverseDynamicsController;

  InverseDynamicsController(std::unique_ptr<InverseDynamics<T>> dynamics,
                            const VectorX<double>& kp,
                            const VectorX<double>& ki,
                            const VectorX<double>& kd,
                            bool has_reference_acceleration);

  const bool has_reference_acceleration_;
  // Parts of this Diagram.
  InverseDynamics<T>* dynamics_{};
  PidController<T>* pid_{};
};

}  // namespace wyvern::systems::controllers
