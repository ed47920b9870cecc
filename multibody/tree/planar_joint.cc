#include "wyvern/multibody/tree/planar_joint.h"

#include <cmath>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
PlanarJoint<T>::PlanarJoint(const std::string& name,
                            const Frame<T>& frame_on_parent,
                            const Frame<T>& frame_on_child,
                            Vector3<double> damping)
    : internal::TypedJoint<PlanarJoint, T>(dynamics::MobilizerType::kPlanar,
                                           name, frame_on_parent,
                                           frame_on_child, damping) {}

template <typename T>
const PlanarJoint<T>& PlanarJoint<T>::set_translation(
    systems::Context<T>* context, const Vector2<T>& p_FoMo_F) const {
  internal::Deref(context, "PlanarJoint::set_translation");
  return set_pose(context, p_FoMo_F, get_rotation(*context));
}

template <typename T>
const T& PlanarJoint<T>::get_rotation(
    const systems::Context<T>& context) const {
  return this->GetParentTreeSystem().StateVector(
      context)[this->position_start() + 2];
}

template <typename T>
const PlanarJoint<T>& PlanarJoint<T>::set_rotation(systems::Context<T>* context,
                                                   const T& theta) const {
  internal::Deref(context, "PlanarJoint::set_rotation");
  return set_pose(context, get_translation(*context), theta);
}

template <typename T>
const PlanarJoint<T>& PlanarJoint<T>::set_pose(systems::Context<T>* context,
                                               const Vector2<T>& p_FoMo_F,
                                               const T& theta) const {
  this->SetPositions(context, Vector3<T>(p_FoMo_F[0], p_FoMo_F[1], theta));
  return *this;
}

template <typename T>
const PlanarJoint<T>& PlanarJoint<T>::set_translational_velocity(
    systems::Context<T>* context, const Vector2<T>& v_FoMo_F) const {
  internal::Deref(context, "PlanarJoint::set_translational_velocity");
  this->SetVelocities(context, Vector3<T>(v_FoMo_F[0], v_FoMo_F[1],
                                          get_angular_velocity(*context)));
  return *this;
}

template <typename T>
const T& PlanarJoint<T>::get_angular_velocity(
    const systems::Context<T>& context) const {
  const auto& system = this->GetParentTreeSystem();
  return system.StateVector(
      context)[system.num_q() + this->velocity_start() + 2];
}

template <typename T>
const PlanarJoint<T>& PlanarJoint<T>::set_angular_velocity(
    systems::Context<T>* context, const T& theta_dot) const {
  internal::Deref(context, "PlanarJoint::set_angular_velocity");
  const Vector2<T> v = get_translational_velocity(*context);
  this->SetVelocities(context, Vector3<T>(v[0], v[1], theta_dot));
  return *this;
}

template <typename T>
VectorX<T> PlanarJoint<T>::DoPoseToPositions(const Quaternion<T>& q_FM,
                                             const Vector3<T>& p_FM) const {
  using std::atan2;
  return Vector3<T>(p_FM[0], p_FM[1], 2.0 * atan2(q_FM.z(), q_FM.w()));
}

template <typename T>
VectorX<T> PlanarJoint<T>::DoSpatialVelocityToVelocities(
    const SpatialVelocity<T>& V_FM) const {
  return Vector3<T>(V_FM.translational()[0], V_FM.translational()[1],
                    V_FM.rotational()[2]);
}

template <typename T>
PlanarJoint<T>::~PlanarJoint() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlanarJoint);
