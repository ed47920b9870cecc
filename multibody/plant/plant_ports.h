#pragma once

#include "wyvern/multibody/plant/contact_results.h"
#include "wyvern/multibody/plant/deformable_model.h"
#include "wyvern/multibody/plant/parts/contact_config.h"
#include "wyvern/multibody/plant/parts/dynamics_part.h"
#include "wyvern/multibody/plant/parts/port_indices.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

template <typename T>
class MultibodyPlant;

/** The part of a MultibodyPlant that hands out its ports. Every model instance
has its own ports, of size zero if there is nothing of it. All throw
std::logic_error before Finalize() and std::out_of_range for a model instance
that does not exist. */
template <typename T>
class PlantPorts {
 public:
  /** @name Inputs
  @{ */
  /** u [N, N·m] of all actuators, at JointActuator::input_start(); added to
  what the model instances' ports say. Zero if not connected. */
  const systems::InputPort<T>& get_actuation_input_port() const;
  /** u of one model instance, in the order of its actuators. */
  const systems::InputPort<T>& get_actuation_input_port(
      ModelInstanceIndex model_instance) const;
  /** [qd; vd] of the actuators of a model instance, in their order. Must be
  connected if they have PD controllers. */
  const systems::InputPort<T>& get_desired_state_input_port(
      ModelInstanceIndex model_instance) const;
  /** Generalized forces, by velocity. */
  const systems::InputPort<T>& get_applied_generalized_force_input_port() const;
  /** std::vector<ExternallyAppliedSpatialForce<T>>. */
  const systems::InputPort<T>& get_applied_spatial_force_input_port() const;
  /** geometry::QueryObject<T>, from a SceneGraph. Must be connected if there is
  collision geometry. There before Finalize(). */
  const systems::InputPort<T>& get_geometry_query_input_port() const;
  /** @} */

  /** @name Kinematic outputs
  Always of the present state.
  @{ */
  /** The state [q; v] of the whole plant. */
  const systems::OutputPort<T>& get_state_output_port() const;
  /** [q; v] of a model instance. */
  const systems::OutputPort<T>& get_state_output_port(
      ModelInstanceIndex model_instance) const;
  /** std::vector<math::RigidTransform<T>>, X_WB by BodyIndex. */
  const systems::OutputPort<T>& get_body_poses_output_port() const;
  /** std::vector<SpatialVelocity<T>>, V_WB_W by BodyIndex. */
  const systems::OutputPort<T>& get_body_spatial_velocities_output_port() const;
  /** geometry::FramePoseVector<T>, for a SceneGraph: X_WB of all bodies with
  frames there. There before Finalize(). */
  const systems::OutputPort<T>& get_geometry_pose_output_port() const;
  /** @} */

  /** @name Dynamic outputs
  Of the last step if sampled (zero before the first), else of the present state
  and inputs; see MultibodyPlant::SetUseSampledOutputPorts().
  @{ */
  /** std::vector<SpatialAcceleration<T>>, A_WB_W by BodyIndex. */
  const systems::OutputPort<T>& get_body_spatial_accelerations_output_port()
      const;
  /** The accelerations v̇ of the whole plant. */
  const systems::OutputPort<T>& get_generalized_acceleration_output_port()
      const;
  /** v̇ of a model instance. */
  const systems::OutputPort<T>& get_generalized_acceleration_output_port(
      ModelInstanceIndex model_instance) const;
  /** Feed-forward and PD actuation together, within effort limits. */
  const systems::OutputPort<T>& get_net_actuation_output_port() const;
  /** Actuation of a model instance. */
  const systems::OutputPort<T>& get_net_actuation_output_port(
      ModelInstanceIndex model_instance) const;
  /** std::vector<SpatialForce<T>> by Joint::ordinal(): F_CJc_Jc, the force on
  the child body at the joint's child frame, expressed in it. */
  const systems::OutputPort<T>& get_reaction_forces_output_port() const;
  /** Multipliers of the constraints' rows, in the order in which constraints
  were added; PlantConstraints says where each begins and what its rows are.
  Those of a constraint that is not active are 0. */
  const systems::OutputPort<T>& get_constraint_multipliers_output_port() const;
  /** ContactResults<T>: empty before the first step, if sampled. */
  const systems::OutputPort<T>& get_contact_results_output_port() const;
  /** geometry::GeometryConfigurationVector<T>: vertex positions of deformable
  bodies, empty if there are none. Available before Finalize() too. */
  const systems::OutputPort<T>& get_deformable_body_configuration_output_port()
      const;
  /** Generalized forces of contact, by velocity of the model instance. */
  const systems::OutputPort<T>& get_generalized_contact_forces_output_port(
      ModelInstanceIndex model_instance) const;
  /** @} */

 protected:
  /** @param plant What contact results say they are of. */
  PlantPorts(const internal::MultibodyTreeSystem<T>& core,
             const MultibodyPlant<T>* plant,
             const internal::DynamicsPart<T>& dynamics,
             const internal::GeometryBinding& binding,
             const DeformableModel<T>& deformables,
             internal::PortIndices& ports)
      : core_(core),
        plant_(plant),
        dynamics_(dynamics),
        binding_(binding),
        deformables_(deformables),
        ports_(ports) {}
  ~PlantPorts() = default;

  /** Selects the ports that exist before Finalize(), or those that it adds.
  Outputs come after the parts that they show are finalized. */
  enum class Begin { kFirst, kFinalize };
  void DeclareInputs(Begin begin, internal::MultibodyTreeSystem<T>* core);
  void DeclareOutputs(Begin begin, internal::MultibodyTreeSystem<T>* core);

 private:
  const systems::InputPort<T>& Input(const char* function, int row) const;
  const systems::InputPort<T>& Input(const char* function, int row,
                                     ModelInstanceIndex model_instance) const;
  const systems::OutputPort<T>& Output(const char* function, int row) const;
  const systems::OutputPort<T>& Output(const char* function, int row,
                                       ModelInstanceIndex model_instance) const;

  const internal::MultibodyTreeSystem<T>& core_;
  const MultibodyPlant<T>* plant_;
  const internal::DynamicsPart<T>& dynamics_;
  const internal::GeometryBinding& binding_;
  const DeformableModel<T>& deformables_;
  internal::PortIndices& ports_;
};

}  // namespace wyvern::multibody
