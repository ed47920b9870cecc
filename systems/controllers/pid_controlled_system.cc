#include "wyvern/systems/controllers/pid_controlled_system.h"

#include <memory>
#include <utility>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/controllers/pid_controller.h"
#include "wyvern/systems/framework/diagram_additions.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/saturation.h"

/* Every constructor ends in Initialize(), which builds a Diagram into this
object: the plant, the loop around it, and the ports that are open in the
end. The static functions close the same loop in a builder of the caller's.
The sum has the control at its input 0 and the feed-forward at its input 1,
and its output is connected last, because a Saturation may come in between.
Only one input of the plant is controlled; others are not exported. */

namespace wyvern::systems::controllers {

namespace {

template <typename T>
const System<T>& RequirePlant(const std::shared_ptr<System<T>>& plant) {
  return *wyvern::internal::RequireNotNull("PidControlledSystem", "plant",
                                           plant, "give a System to control");
}

// Returns one gain for each input of the plant.
template <typename T>
Eigen::VectorXd Repeat(const std::shared_ptr<System<T>>& plant, int port_index,
                       double gain) {
  const int size = RequirePlant(plant).get_input_port(port_index).size();
  return Eigen::VectorXd::Constant(size, gain);
}

// Adds the controller and the sum; returns them. The sum's output is not
// connected yet.
template <typename T>
std::pair<PidController<T>*, Adder<T>*> AddController(
    const InputPort<T>& plant_input, const OutputPort<T>& plant_output,
    const Eigen::MatrixXd& feedback_selector, const Eigen::VectorXd& Kp,
    const Eigen::VectorXd& Ki, const Eigen::VectorXd& Kd,
    systems::internal::DiagramAdditions<T>* additions) {
  wyvern::internal::RequireSize("PidControlledSystem", "Kp", Kp.size(),
                                plant_input.size());
  wyvern::internal::RequireShape("PidControlledSystem", "feedback_selector",
                                 feedback_selector, 2 * plant_input.size(),
                                 plant_output.size());
  auto* controller = additions->Add(
      std::make_unique<PidController<T>>(feedback_selector, Kp, Ki, Kd));
  auto* sum = additions->Add(std::make_unique<Adder<T>>(2, plant_input.size()));
  additions->builder().Connect(plant_output,
                               controller->get_input_port_estimated_state());
  additions->builder().Connect(controller->get_output_port_control(),
                               sum->get_input_port(0));
  return {controller, sum};
}

Eigen::MatrixXd WholeState(int size) {
  return Eigen::MatrixXd::Identity(size, size);
}

}  // namespace

template <typename T>
PidControlledSystem<T>::PidControlledSystem(std::shared_ptr<System<T>> plant,
                                            double Kp, double Ki, double Kd,
                                            int state_output_port_index,
                                            int plant_input_port_index)
    : PidControlledSystem(plant, Repeat(plant, plant_input_port_index, Kp),
                          Repeat(plant, plant_input_port_index, Ki),
                          Repeat(plant, plant_input_port_index, Kd),
                          state_output_port_index, plant_input_port_index) {}

template <typename T>
PidControlledSystem<T>::PidControlledSystem(std::shared_ptr<System<T>> plant,
                                            const Eigen::VectorXd& Kp,
                                            const Eigen::VectorXd& Ki,
                                            const Eigen::VectorXd& Kd,
                                            int state_output_port_index,
                                            int plant_input_port_index)
    : state_output_port_index_(state_output_port_index) {
  Initialize(std::move(plant), nullptr, Kp, Ki, Kd, plant_input_port_index);
}

template <typename T>
PidControlledSystem<T>::PidControlledSystem(
    std::shared_ptr<System<T>> plant, const MatrixX<double>& feedback_selector,
    double Kp, double Ki, double Kd, int state_output_port_index,
    int plant_input_port_index)
    : PidControlledSystem(plant, feedback_selector,
                          Repeat(plant, plant_input_port_index, Kp),
                          Repeat(plant, plant_input_port_index, Ki),
                          Repeat(plant, plant_input_port_index, Kd),
                          state_output_port_index, plant_input_port_index) {}

template <typename T>
PidControlledSystem<T>::PidControlledSystem(
    std::shared_ptr<System<T>> plant, const MatrixX<double>& feedback_selector,
    const Eigen::VectorXd& Kp, const Eigen::VectorXd& Ki,
    const Eigen::VectorXd& Kd, int state_output_port_index,
    int plant_input_port_index)
    : state_output_port_index_(state_output_port_index) {
  Initialize(std::move(plant), &feedback_selector, Kp, Ki, Kd,
             plant_input_port_index);
}

template <typename T>
PidControlledSystem<T>::~PidControlledSystem() = default;

template <typename T>
void PidControlledSystem<T>::Initialize(
    std::shared_ptr<System<T>> plant, const MatrixX<double>* feedback_selector,
    const Eigen::VectorXd& Kp, const Eigen::VectorXd& Ki,
    const Eigen::VectorXd& Kd, int plant_input_port_index) {
  RequirePlant(plant);
  DiagramBuilder<T> builder;
  plant_ = builder.AddSystem(std::move(plant));
  const InputPort<T>& input = plant_->get_input_port(plant_input_port_index);
  const OutputPort<T>& state =
      plant_->get_output_port(state_output_port_index_);
  const ConnectResult open =
      ConnectController(input, state,
                        feedback_selector != nullptr ? *feedback_selector
                                                     : WholeState(state.size()),
                        Kp, Ki, Kd, &builder);
  builder.ExportInput(open.control_input_port, "feedforward_control");
  builder.ExportInput(open.state_input_port, "desired_state");
  for (int i = 0; i < plant_->num_output_ports(); ++i) {
    const OutputPort<T>& port = plant_->get_output_port(i);
    builder.ExportOutput(port, port.get_name());
  }
  builder.BuildInto(this);
}

template <typename T>
typename PidControlledSystem<T>::ConnectResult
PidControlledSystem<T>::ConnectController(const InputPort<T>& plant_input,
                                          const OutputPort<T>& plant_output,
                                          const Eigen::VectorXd& Kp,
                                          const Eigen::VectorXd& Ki,
                                          const Eigen::VectorXd& Kd,
                                          DiagramBuilder<T>* builder) {
  return ConnectController(plant_input, plant_output,
                           WholeState(plant_output.size()), Kp, Ki, Kd,
                           builder);
}

template <typename T>
typename PidControlledSystem<T>::ConnectResult
PidControlledSystem<T>::ConnectController(
    const InputPort<T>& plant_input, const OutputPort<T>& plant_output,
    const MatrixX<double>& feedback_selector, const Eigen::VectorXd& Kp,
    const Eigen::VectorXd& Ki, const Eigen::VectorXd& Kd,
    DiagramBuilder<T>* builder) {
  systems::internal::DiagramAdditions<T> additions("PidControlledSystem",
                                                   builder);
  const auto [controller, sum] = AddController(
      plant_input, plant_output, feedback_selector, Kp, Ki, Kd, &additions);
  builder->Connect(sum->get_output_port(), plant_input);
  additions.Keep();
  return {sum->get_input_port(1), controller->get_input_port_desired_state()};
}

template <typename T>
typename PidControlledSystem<T>::ConnectResult
PidControlledSystem<T>::ConnectControllerWithInputSaturation(
    const InputPort<T>& plant_input, const OutputPort<T>& plant_output,
    const Eigen::VectorXd& Kp, const Eigen::VectorXd& Ki,
    const Eigen::VectorXd& Kd, const VectorX<T>& min_plant_input,
    const VectorX<T>& max_plant_input, DiagramBuilder<T>* builder) {
  return ConnectControllerWithInputSaturation(
      plant_input, plant_output, WholeState(plant_output.size()), Kp, Ki, Kd,
      min_plant_input, max_plant_input, builder);
}

template <typename T>
typename PidControlledSystem<T>::ConnectResult
PidControlledSystem<T>::ConnectControllerWithInputSaturation(
    const InputPort<T>& plant_input, const OutputPort<T>& plant_output,
    const MatrixX<double>& feedback_selector, const Eigen::VectorXd& Kp,
    const Eigen::VectorXd& Ki, const Eigen::VectorXd& Kd,
    const VectorX<T>& min_plant_input, const VectorX<T>& max_plant_input,
    DiagramBuilder<T>* builder) {
  systems::internal::DiagramAdditions<T> additions("PidControlledSystem",
                                                   builder);
  auto* saturation = additions.Add(
      std::make_unique<Saturation<T>>(min_plant_input, max_plant_input));
  const auto [controller, sum] = AddController(
      plant_input, plant_output, feedback_selector, Kp, Ki, Kd, &additions);
  builder->Connect(sum->get_output_port(), saturation->get_input_port());
  builder->Connect(saturation->get_output_port(), plant_input);
  additions.Keep();
  return {sum->get_input_port(1), controller->get_input_port_desired_state()};
}

}  // namespace wyvern::systems::controllers

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::PidControlledSystem);
