#include "wyvern/multibody/control/pid/inverse_dynamics_controller.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/sparse_matrix_gain.h"

namespace wyvern::systems::controllers {

using multibody::MultibodyPlant;

namespace {

// The parts speak of themselves; what is refused is refused in the name of the
// controller.
constexpr char kWho[] = "InverseDynamicsController";

}  // namespace

template <typename T>
InverseDynamicsController<T>::InverseDynamicsController(
    const MultibodyPlant<T>& plant, const VectorX<double>& kp,
    const VectorX<double>& ki, const VectorX<double>& kd,
    bool has_reference_acceleration, const Context<T>* plant_context)
    : InverseDynamicsController(
          std::unique_ptr<InverseDynamics<T>>(new InverseDynamics<T>(
              kWho, nullptr, &plant, InverseDynamics<T>::kInverseDynamics,
              plant_context)),
          kp, ki, kd, has_reference_acceleration) {}

template <typename T>
InverseDynamicsController<T>::InverseDynamicsController(
    std::unique_ptr<MultibodyPlant<T>> plant, const VectorX<double>& kp,
    const VectorX<double>& ki, const VectorX<double>& kd,
    bool has_reference_acceleration, const Context<T>* plant_context)
    : InverseDynamicsController(
          std::unique_ptr<InverseDynamics<T>>(new InverseDynamics<T>(
              kWho, std::move(plant), nullptr,
              InverseDynamics<T>::kInverseDynamics, plant_context)),
          kp, ki, kd, has_reference_acceleration) {}

template <typename T>
template <typename U>
InverseDynamicsController<T>::InverseDynamicsController(
    const InverseDynamicsController<U>& other)
    : InverseDynamicsController(
          std::make_unique<InverseDynamics<T>>(*other.dynamics_),
          other.pid_->get_Kp_vector(), other.pid_->get_Ki_vector(),
          other.pid_->get_Kd_vector(), other.has_reference_acceleration_) {}

template <typename T>
InverseDynamicsController<T>::InverseDynamicsController(
    std::unique_ptr<InverseDynamics<T>> dynamics, const VectorX<double>& kp,
    const VectorX<double>& ki, const VectorX<double>& kd,
    bool has_reference_acceleration)
    : Diagram<T>(SystemTypeTag<InverseDynamicsController>{}),
      has_reference_acceleration_(has_reference_acceleration) {
  dynamics->controlled_.RequireGains("kp", kp);
  dynamics->controlled_.RequireGains("ki", ki);
  dynamics->controlled_.RequireGains("kd", kd);

  DiagramBuilder<T> builder;
  dynamics_ = builder.AddNamedSystem("inverse_dynamics", std::move(dynamics));
  pid_ = builder.template AddNamedSystem<PidController<T>>("pid", kp, ki, kd);
  builder.ExportInput(pid_->get_input_port_estimated_state(),
                      "estimated_state");
  builder.ConnectInput("estimated_state",
                       dynamics_->get_input_port_estimated_state());
  builder.ExportInput(pid_->get_input_port_desired_state(), "desired_state");
  if (has_reference_acceleration) {
    auto* sum = builder.template AddNamedSystem<Adder<T>>(
        "sum", 2, static_cast<int>(kp.size()));
    builder.Connect(pid_->get_output_port_control(), sum->get_input_port(0));
    builder.ExportInput(sum->get_input_port(1), "desired_acceleration");
    builder.Connect(sum->get_output_port(),
                    dynamics_->get_input_port_desired_acceleration());
  } else {
    builder.Connect(pid_->get_output_port_control(),
                    dynamics_->get_input_port_desired_acceleration());
  }
  auto* B_inverse = builder.template AddNamedSystem<SparseMatrixGain<T>>(
      "actuation", dynamics_->controlled_.MakeInverseOfActuationMatrix(
                       true /* bears_followers */));
  builder.Connect(dynamics_->get_output_port_generalized_force(),
                  B_inverse->get_input_port());
  builder.ExportOutput(B_inverse->get_output_port(), "actuation");
  builder.ExportOutput(dynamics_->get_output_port_generalized_force(),
                       "generalized_force");
  builder.BuildInto(this);
}

template <typename T>
InverseDynamicsController<T>::~InverseDynamicsController() = default;

template <typename T>
void InverseDynamicsController<T>::set_integral_value(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& value) const {
  this->ValidateContext(context);
  pid_->set_integral_value(&this->GetMutableSubsystemContext(*pid_, context),
                           value);
}

template <typename T>
const InputPort<T>&
InverseDynamicsController<T>::get_input_port_desired_acceleration() const {
  if (!has_reference_acceleration_) {
    throw std::logic_error(fmt::format(
        "InverseDynamicsController::get_input_port_desired_acceleration(): "
        "'{}' takes none; construct it with has_reference_acceleration = true.",
        this->GetSystemPathname()));
  }
  return this->get_input_port(2);
}

template <typename T>
const MultibodyPlant<T>*
InverseDynamicsController<T>::get_multibody_plant_for_control() const {
  return &dynamics_->controlled_.plant();
}

#if WYVERN_AUTODIFF
template InverseDynamicsController<double>::InverseDynamicsController(
    const InverseDynamicsController<AutoDiffXd>&);
template InverseDynamicsController<AutoDiffXd>::InverseDynamicsController(
    const InverseDynamicsController<double>&);
#endif

}  // namespace wyvern::systems::controllers

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::InverseDynamicsController);
