#pragma once

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/input_port.h"
#include "wyvern/systems/framework/output_port.h"

namespace wyvern::systems::controllers {

/** Interface to the ports of every controller that compares a state to a
desired state. */
template <typename T>
class StateFeedbackControllerInterface {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(StateFeedbackControllerInterface);

  /** The port of the measured or estimated state. */
  virtual const InputPort<T>& get_input_port_estimated_state() const = 0;
  /** The port of the desired state. */
  virtual const InputPort<T>& get_input_port_desired_state() const = 0;
  /** The port of the control that the controller computes. */
  virtual const OutputPort<T>& get_output_port_control() const = 0;

 protected:
  StateFeedbackControllerInterface() = default;
  virtual ~StateFeedbackControllerInterface() = default;
};

}  // namespace wyvern::systems::controllers
