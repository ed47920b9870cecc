#include "wyvern/multibody/plant/plant_ports.h"

#include <stdexcept>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using systems::InputPort;
using systems::OutputPort;

template <typename T>
const InputPort<T>& PlantPorts<T>::Input(const char* function,
                                         systems::InputPortIndex port) const {
  core_.tree().RequireFinalized(function);
  return core_.get_input_port(port);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::Output(
    const char* function, systems::OutputPortIndex port) const {
  core_.tree().RequireFinalized(function);
  return core_.get_output_port(port);
}

template <typename T>
template <class Index>
Index PlantPorts<T>::OfInstance(const char* function,
                                const std::vector<Index>& ports,
                                ModelInstanceIndex model_instance) const {
  core_.tree().RequireFinalized(function);
  core_.tree().RequireModelInstance(model_instance, function);
  return ports[model_instance];
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_applied_generalized_force_input_port()
    const {
  return Input("get_applied_generalized_force_input_port",
               ports_.applied_generalized_force);
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_applied_spatial_force_input_port()
    const {
  return Input("get_applied_spatial_force_input_port",
               ports_.applied_spatial_force);
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_geometry_query_input_port() const {
  return core_.get_input_port(ports_.geometry_query);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_geometry_pose_output_port() const {
  return core_.get_output_port(ports_.geometry_pose);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_contact_results_output_port() const {
  return Output("get_contact_results_output_port", ports_.contact_results);
}

template <typename T>
const OutputPort<T>&
PlantPorts<T>::get_deformable_body_configuration_output_port() const {
  return core_.get_output_port(ports_.deformable_body_configuration);
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_actuation_input_port() const {
  return Input("get_actuation_input_port", ports_.actuation);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_state_output_port() const {
  return Output("get_state_output_port", ports_.state);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_body_poses_output_port() const {
  return Output("get_body_poses_output_port", ports_.body_poses);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_body_spatial_velocities_output_port()
    const {
  return Output("get_body_spatial_velocities_output_port",
                ports_.body_spatial_velocities);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_body_spatial_accelerations_output_port()
    const {
  return Output("get_body_spatial_accelerations_output_port",
                ports_.body_spatial_accelerations);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_generalized_acceleration_output_port()
    const {
  return Output("get_generalized_acceleration_output_port",
                ports_.generalized_acceleration);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_net_actuation_output_port() const {
  return Output("get_net_actuation_output_port", ports_.net_actuation);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_reaction_forces_output_port() const {
  return Output("get_reaction_forces_output_port", ports_.reaction_forces);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_constraint_multipliers_output_port()
    const {
  return Output("get_constraint_multipliers_output_port",
                ports_.constraint_multipliers);
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_actuation_input_port(
    ModelInstanceIndex model_instance) const {
  constexpr char kName[] = "get_actuation_input_port";
  return Input(kName,
               OfInstance(kName, ports_.instance_actuation, model_instance));
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_desired_state_input_port(
    ModelInstanceIndex model_instance) const {
  constexpr char kName[] = "get_desired_state_input_port";
  return Input(
      kName, OfInstance(kName, ports_.instance_desired_state, model_instance));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_state_output_port(
    ModelInstanceIndex model_instance) const {
  constexpr char kName[] = "get_state_output_port";
  return Output(kName,
                OfInstance(kName, ports_.instance_state, model_instance));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_generalized_acceleration_output_port(
    ModelInstanceIndex model_instance) const {
  constexpr char kName[] = "get_generalized_acceleration_output_port";
  return Output(kName,
                OfInstance(kName, ports_.instance_generalized_acceleration,
                           model_instance));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_net_actuation_output_port(
    ModelInstanceIndex model_instance) const {
  constexpr char kName[] = "get_net_actuation_output_port";
  return Output(
      kName, OfInstance(kName, ports_.instance_net_actuation, model_instance));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_generalized_contact_forces_output_port(
    ModelInstanceIndex model_instance) const {
  constexpr char kName[] = "get_generalized_contact_forces_output_port";
  return Output(kName,
                OfInstance(kName, ports_.instance_generalized_contact_forces,
                           model_instance));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantPorts);
