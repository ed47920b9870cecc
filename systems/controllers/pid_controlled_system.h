#pragma once

#include <memory>

#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::systems::controllers {

/** A plant and the PidController that closes the loop around it, as one system.

    desired_state ------> PID --> + --> [saturation] --> plant --+--> outputs
                           ^      ^                              |
                           |      +-- feedforward_control        |
                           +------------- state <----------------+

Input ports: 0 `feedforward_control` (size U of the plant's input), 1
`desired_state` (2 U: positions, then velocities). Output ports: all those of
the plant, with their names and in their order.

The plant's state output is [positions, velocities], and one gain goes with each
of its U inputs. With a `feedback_selector` S (2 U rows, a column per element of
the state) the controlled state is S x. */
template <typename T>
class PidControlledSystem : public Diagram<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PidControlledSystem);

  /** Feeds back the whole state with the same gains for all.
  Every constructor takes the plant, whose ports are found by index.
  @throws std::logic_error if the plant is null, a gain is not finite or sizes
  do not fit; std::out_of_range if the plant has no such port. */
  PidControlledSystem(std::shared_ptr<System<T>> plant, double Kp, double Ki,
                      double Kd, int state_output_port_index = 0,
                      int plant_input_port_index = 0);

  /** Feeds back the whole state with a gain per input. */
  PidControlledSystem(std::shared_ptr<System<T>> plant,
                      const Eigen::VectorXd& Kp, const Eigen::VectorXd& Ki,
                      const Eigen::VectorXd& Kd,
                      int state_output_port_index = 0,
                      int plant_input_port_index = 0);

  /** Feeds back S x with the same gains for all. */
  PidControlledSystem(std::shared_ptr<System<T>> plant,
                      const MatrixX<double>& feedback_selector, double Kp,
                      double Ki, double Kd, int state_output_port_index = 0,
                      int plant_input_port_index = 0);

  /** Feeds back S x with a gain per input. */
  PidControlledSystem(std::shared_ptr<System<T>> plant,
                      const MatrixX<double>& feedback_selector,
                      const Eigen::VectorXd& Kp, const Eigen::VectorXd& Ki,
                      const Eigen::VectorXd& Kd,
                      int state_output_port_index = 0,
                      int plant_input_port_index = 0);

  ~PidControlledSystem() override;

  /** The plant, which this system owns with the constructor's caller. */
  System<T>* plant() { return plant_; }

  /** The feed-forward input. */
  const InputPort<T>& get_control_input_port() const {
    return this->get_input_port(0);
  }
  /** The desired state. */
  const InputPort<T>& get_state_input_port() const {
    return this->get_input_port(1);
  }
  /** The plant's state. */
  const OutputPort<T>& get_state_output_port() const {
    return this->get_output_port(state_output_port_index_);
  }

  /** The inputs that closing a loop leaves open. */
  struct ConnectResult {
    /** Feed-forward control. */
    const InputPort<T>& control_input_port;
    /** Desired state. */
    const InputPort<T>& state_input_port;
  };

  /** Adds a controller to `builder`, which has the plant already, and connects
  it around the plant. @throws std::logic_error as above; the builder is then as
  it was. */
  static ConnectResult ConnectController(const InputPort<T>& plant_input,
                                         const OutputPort<T>& plant_output,
                                         const Eigen::VectorXd& Kp,
                                         const Eigen::VectorXd& Ki,
                                         const Eigen::VectorXd& Kd,
                                         DiagramBuilder<T>* builder);
  /** Overload with a feedback selector S. */
  static ConnectResult ConnectController(
      const InputPort<T>& plant_input, const OutputPort<T>& plant_output,
      const MatrixX<double>& feedback_selector, const Eigen::VectorXd& Kp,
      const Eigen::VectorXd& Ki, const Eigen::VectorXd& Kd,
      DiagramBuilder<T>* builder);

  /** Connects as above, with a Saturation before the plant's input. */
  static ConnectResult ConnectControllerWithInputSaturation(
      const InputPort<T>& plant_input, const OutputPort<T>& plant_output,
      const Eigen::VectorXd& Kp, const Eigen::VectorXd& Ki,
      const Eigen::VectorXd& Kd, const VectorX<T>& min_plant_input,
      const VectorX<T>& max_plant_input, DiagramBuilder<T>* builder);
  /** Overload with a feedback selector S. */
  static ConnectResult ConnectControllerWithInputSaturation(
      const InputPort<T>& plant_input, const OutputPort<T>& plant_output,
      const MatrixX<double>& feedback_selector, const Eigen::VectorXd& Kp,
      const Eigen::VectorXd& Ki, const Eigen::VectorXd& Kd,
      const VectorX<T>& min_plant_input, const VectorX<T>& max_plant_input,
      DiagramBuilder<T>* builder);

 private:
  void Initialize(std::shared_ptr<System<T>> plant,
                  const MatrixX<double>* feedback_selector,
                  const Eigen::VectorXd& Kp, const Eigen::VectorXd& Ki,
                  const Eigen::VectorXd& Kd, int plant_input_port_index);

  System<T>* plant_{};
  const int state_output_port_index_;
};

}  // namespace wyvern::systems::controllers
