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
  explicit RigidBody(
      const std::string& body_name,
      const SpatialInertia<double>& M_BBo_B = SpatialInertia<double>::Zero());
  /** A body that the model names as it is added: "body_" and its index. */
  explicit RigidBody(const SpatialInertia<double>& M_BBo_B);
  ~RigidBody() override;

  BodyIndex index() const { return index_; }
  const std::string& name() const { return name_; }
  ScopedName scoped_name() const;
  const RigidBodyFrame<T>& body_frame() const { return body_frame_; }

  /** @name Default mass properties
  @{ */
  const SpatialInertia<double>& default_spatial_inertia() const {
    return default_inertia_;
  }
  double default_mass() const { return default_inertia_.get_mass(); }
  const Vector3<double>& default_com() const {
    return default_inertia_.get_com();
  }
  const UnitInertia<double>& default_unit_inertia() const {
    return default_inertia_.get_unit_inertia();
  }
  RotationalInertia<double> default_rotational_inertia() const {
    return default_inertia_.CalcRotationalInertia();
  }
  /** @} */

  /** @name Mass properties in a Context
  Setters throw std::logic_error if a value is not finite or the resulting
  inertia is not physical.
  @{ */
  const T& get_mass(const systems::Context<T>& context) const;
  /** p_BoBcm_B. */
  Vector3<T> CalcCenterOfMassInBodyFrame(
      const systems::Context<T>& context) const;
  /** M_BBo_B. */
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
  void SetSpatialInertiaInBodyFrame(systems::Context<T>* context,
                                    const SpatialInertia<T>& M_Bo_B) const;
  /** @} */

  /** @name Motion in the world
  @{ */
  /** X_WB. */
  const math::RigidTransform<T>& EvalPoseInWorld(
      const systems::Context<T>& context) const;
  /** V_WB_W. */
  const SpatialVelocity<T>& EvalSpatialVelocityInWorld(
      const systems::Context<T>& context) const;
  /** A_WB_W, from the present state and inputs. */
  const SpatialAcceleration<T>& EvalSpatialAccelerationInWorld(
      const systems::Context<T>& context) const;
  /** v_WBcm_W. */
  Vector3<T> CalcCenterOfMassTranslationalVelocityInWorld(
      const systems::Context<T>& context) const;
  /** a_WBcm_W. */
  Vector3<T> CalcCenterOfMassTranslationalAccelerationInWorld(
      const systems::Context<T>& context) const;
  /** @} */

  /** @name Applied forces
  @{ */
  /** F_Bo_W in `forces`. */
  const SpatialForce<T>& GetForceInWorld(
      const systems::Context<T>& context,
      const MultibodyForces<T>& forces) const;
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
  bool has_quaternion_dofs() const;
  /** Where this floating body's coordinates begin in q, and its velocities in
  v. @throws std::logic_error if it is not floating. */
  int floating_positions_start() const;
  int floating_velocities_start_in_v() const;
  std::string floating_position_suffix(int position_index_in_body) const;
  std::string floating_velocity_suffix(int velocity_index_in_body) const;
  /** This body's place in arrays in the compiled, depth-first order, and its
  entry of one of spatial accelerations.
  @throws std::logic_error if the array is not of all bodies. */
  BodyNodeIndex get_node_index() const;
  internal::MobodIndex mobod_index() const { return get_node_index(); }
  const SpatialAcceleration<T>& get_from_spatial_acceleration_array(
      const std::vector<SpatialAcceleration<T>>& A_WB_array) const;
  /** Locks the joint that moves this body; see Joint::Lock(). */
  void Lock(systems::Context<T>* context) const;
  void Unlock(systems::Context<T>* context) const;
  bool is_locked(const systems::Context<T>& context) const;
  /** @} */

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

template <typename T>
using Body = RigidBody<T>;
template <typename T>
using Link = RigidBody<T>;

}  // namespace wyvern::multibody
