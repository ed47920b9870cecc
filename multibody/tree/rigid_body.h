#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wyvern/multibody/math/spatial_acceleration.h"
#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/multibody/tree/rigid_body_frame.h"

namespace wyvern::multibody {

template <typename T>
class Joint;
template <typename T>
class MultibodyForces;

/** A rigid body B with origin Bo; Bcm is its centre of mass. Mass, centre of
mass and inertia are parameters, which each Context may change; "default" ones
are what a new Context starts with. */
template <typename T>
class RigidBody final : public MultibodyElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RigidBody);

  /** @param M_BBo_B spatial inertia about Bo, in B; NaN() stands for one that
    is not known, and is refused at Finalize().
  @throws std::logic_error if the name is empty or the inertia cannot be that of
  a rigid body. */
  RigidBody(
      const std::string& body_name, ModelInstanceIndex model_instance,
      const SpatialInertia<double>& M_BBo_B = SpatialInertia<double>::Zero());
  /** A body of the default model instance. */
  explicit RigidBody(
      const std::string& body_name,
      const SpatialInertia<double>& M_BBo_B = SpatialInertia<double>::Zero());
  /** A body that the model names as it is added: "body_" and its index. */
  explicit RigidBody(const SpatialInertia<double>& M_BBo_B);
  ~RigidBody() override;

  /** Index among the bodies of the model; the world has index 0. */
  BodyIndex index() const { return index_; }
  /** Name, unique among bodies of the model instance. */
  const std::string& name() const { return name_; }
  /** Name with that of the model instance, as in "arm::hand".
  @throws std::logic_error if the body is in no model. */
  ScopedName scoped_name() const;
  /** Frame B. */
  const RigidBodyFrame<T>& body_frame() const { return body_frame_; }

  /** @name Default mass properties
  @{ */
  /** Spatial inertia M_BBo_B about Bo. */
  const SpatialInertia<double>& default_spatial_inertia() const {
    return default_inertia_;
  }
  /** Mass, [kg]. */
  double default_mass() const { return default_inertia_.get_mass(); }
  /** Position of the centre of mass, p_BoBcm_B, [m]. */
  const Vector3<double>& default_com() const {
    return default_inertia_.get_com();
  }
  /** Inertia about Bo of unit mass, in B, [m²]. */
  const UnitInertia<double>& default_unit_inertia() const {
    return default_inertia_.get_unit_inertia();
  }
  /** I_BBo_B, rotational inertia about Bo, in B, [kg·m²]. */
  RotationalInertia<double> default_rotational_inertia() const {
    return default_inertia_.CalcRotationalInertia();
  }
  /** @} */

  /** @name Mass properties in a Context
  Setters throw std::logic_error if a value is not finite or the resulting
  inertia is not physical.
  @{ */
  /** Mass in `context`, [kg]. */
  const T& get_mass(const systems::Context<T>& context) const;
  /** Returns the centre of mass, p_BoBcm_B, [m]. */
  Vector3<T> CalcCenterOfMassInBodyFrame(
      const systems::Context<T>& context) const;
  /** Returns the spatial inertia M_BBo_B. */
  SpatialInertia<T> CalcSpatialInertiaInBodyFrame(
      const systems::Context<T>& context) const;
  /** Keeps the centre of mass and the unit inertia. */
  void SetMass(systems::Context<T>* context, const T& mass) const;
  /** Keeps the mass and the inertia about Bo. */
  void SetCenterOfMassInBodyFrame(systems::Context<T>* context,
                                  const Vector3<T>& com) const;
  /** Keeps the mass and the inertia about the centre of mass. */
  void SetCenterOfMassInBodyFrameAndPreserveCentralInertia(
      systems::Context<T>* context,
      const Vector3<T>& center_of_mass_position) const;
  /** Sets M_BBo_B in `context`. */
  void SetSpatialInertiaInBodyFrame(systems::Context<T>* context,
                                    const SpatialInertia<T>& M_Bo_B) const;
  /** @} */

  /** @name Motion in the world
  @{ */
  /** Returns the pose X_WB; the reference is valid until the state changes. */
  const math::RigidTransform<T>& EvalPoseInWorld(
      const systems::Context<T>& context) const;
  /** Returns the velocity V_WB_W; the reference is valid until the state
  changes. */
  const SpatialVelocity<T>& EvalSpatialVelocityInWorld(
      const systems::Context<T>& context) const;
  /** A_WB_W, from the present state and inputs. */
  const SpatialAcceleration<T>& EvalSpatialAccelerationInWorld(
      const systems::Context<T>& context) const;
  /** Returns the velocity v_WBcm_W of the centre of mass. */
  Vector3<T> CalcCenterOfMassTranslationalVelocityInWorld(
      const systems::Context<T>& context) const;
  /** Returns the acceleration a_WBcm_W of the centre of mass. */
  Vector3<T> CalcCenterOfMassTranslationalAccelerationInWorld(
      const systems::Context<T>& context) const;
  /** @} */

  /** @name Applied forces
  @{ */
  /** F_Bo_W in `forces`. */
  const SpatialForce<T>& GetForceInWorld(
      const systems::Context<T>& context,
      const MultibodyForces<T>& forces) const;
  /** Adds the spatial force F_Bo_W to `forces`.
  @throws std::logic_error if `forces` is null or not of the model's size, or a
  value not finite. */
  void AddInForceInWorld(const systems::Context<T>& context,
                         const SpatialForce<T>& F_Bo_W,
                         MultibodyForces<T>* forces) const;
  /** Adds a force on the point P of this body, given in frame E. */
  void AddInForce(const systems::Context<T>& context, const Vector3<T>& p_BP_E,
                  const SpatialForce<T>& F_Bp_E, const Frame<T>& frame_E,
                  MultibodyForces<T>* forces) const;
  /** @} */

  /** @name Mobility
  Throw std::logic_error before Finalize().
  @{ */
  /** True if the joint that moves this body has six degrees of freedom and ties
  it to the world. */
  bool is_floating() const;
  /** True if the joint that moves this body has a quaternion. */
  bool has_quaternion_dofs() const;
  /** Where this floating body's coordinates begin in q, and its velocities in
  v. @throws std::logic_error if it is not floating. */
  int floating_positions_start() const;
  /** Index in v of the first velocity of this floating body.
  @throws std::logic_error if it is not floating. */
  int floating_velocities_start_in_v() const;
  /** Short name of a position of this floating body, such as "qw".
  @throws std::logic_error if it is not floating. */
  std::string floating_position_suffix(int position_index_in_body) const;
  /** Short name of a velocity of this floating body, such as "wx".
  @throws std::logic_error if it is not floating. */
  std::string floating_velocity_suffix(int velocity_index_in_body) const;
  /** This body's place in arrays in the compiled, depth-first order, and its
  entry of one of spatial accelerations.
  @throws std::logic_error if the array is not of all bodies. */
  BodyNodeIndex get_node_index() const;
  /** Does get_node_index(). */
  internal::MobodIndex mobod_index() const { return get_node_index(); }
  /** The entry of this body in `A_WB_array`, which is in that order. */
  const SpatialAcceleration<T>& get_from_spatial_acceleration_array(
      const std::vector<SpatialAcceleration<T>>& A_WB_array) const;
  /** Locks the joint that moves this body; see Joint::Lock(). */
  void Lock(systems::Context<T>* context) const;
  /** Unlocks the joint that moves this body; see Joint::Unlock(). */
  void Unlock(systems::Context<T>* context) const;
  /** True if the joint that moves this body is locked. */
  bool is_locked(const systems::Context<T>& context) const;
  /** @} */

  /** A copy for a model on another scalar. */
  template <typename ToScalar>
  std::unique_ptr<RigidBody<ToScalar>> CloneToScalar(
      const internal::MultibodyTree<ToScalar>&) const {
    return std::make_unique<RigidBody<ToScalar>>(name_, this->model_instance(),
                                                 default_inertia_);
  }

 private:
  friend class internal::MultibodyTree<T>;

  struct Unnamed {};
  RigidBody(Unnamed, const std::string& body_name,
            ModelInstanceIndex model_instance,
            const SpatialInertia<double>& M_BBo_B);

  void DoDeclareParameters(
      internal::MultibodyTreeSystem<T>* tree_system) override;
  void DoSetDefaultParameters(
      systems::Parameters<T>* parameters) const override;
  void SetInertia(systems::Context<T>* context,
                  const SpatialInertia<T>& M_Bo_B) const;
  const Joint<T>& inboard_joint(const char* function) const;
  const Joint<T>& floating_joint(const char* function) const;

  std::string name_;
  const SpatialInertia<double> default_inertia_;
  RigidBodyFrame<T> body_frame_;
  BodyIndex index_;
  systems::NumericParameterIndex inertia_parameter_;
};

/** Drake's earlier name of RigidBody. */
template <typename T>
using Body = RigidBody<T>;
/** Another name of RigidBody, as in Drake. */
template <typename T>
using Link = RigidBody<T>;

}  // namespace wyvern::multibody
