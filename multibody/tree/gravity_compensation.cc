#include "wyvern/multibody/tree/gravity_compensation.h"

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using systems::Context;

template <typename T>
GravityCompensation<T>::GravityCompensation(const RigidBody<T>& body,
                                            double fraction)
    : internal::TypedForceElement<GravityCompensation, T>(
          body.model_instance()),
      body_(body),
      fraction_(fraction) {
  internal::RequireFinite(
      internal::Caller::Element("GravityCompensation", body.name()), "fraction",
      fraction);
}

template <typename T>
GravityCompensation<T>::~GravityCompensation() = default;

template <typename T>
Vector3<T> GravityCompensation<T>::CalcForce(const Context<T>& context) const {
  const UniformGravityFieldElement<T>& gravity =
      this->get_parent_tree().gravity_field();
  if (!gravity.is_enabled(body_)) return Vector3<T>::Zero();
  return -fraction_ * body_.get_mass(context) *
         gravity.GetGravityVector(context);
}

template <typename T>
T GravityCompensation<T>::CalcEnergy(
    const internal::ForceState<T>& state) const {
  const Vector3<T> p_WBcm =
      this->GetParentTreeSystem().BodyPose(state.pc, body_.index()) *
      body_.CalcCenterOfMassInBodyFrame(state.context);
  return -CalcForce(state.context).dot(p_WBcm);
}

template <typename T>
T GravityCompensation<T>::CalcReleasedPower(
    const internal::ForceState<T>& state) const {
  const auto& system = this->GetParentTreeSystem();
  const Vector3<T> p_WBcm = system.BodyPose(state.pc, body_.index()) *
                            body_.CalcCenterOfMassInBodyFrame(state.context);
  return CalcForce(state.context)
      .dot(dynamics::CalcPointVelocity<T>(
               system.model(), state.pc.nodes, state.vc->nodes,
               system.tree().model_body(body_.index()), p_WBcm)
               .template tail<3>());
}

template <typename T>
void GravityCompensation<T>::DoRequireMembers(
    const internal::MultibodyTree<T>& tree) const {
  tree.RequireMember(body_, "AddForceElement");
}

template <typename T>
void GravityCompensation<T>::AddForces(const internal::ForceState<T>& state,
                                       MultibodyForces<T>* forces) const {
  const Vector3<T> f_W = CalcForce(state.context);
  const Vector3<T> p_BoBcm_W =
      this->GetParentTreeSystem().BodyPose(state.pc, body_.index()).rotation() *
      body_.CalcCenterOfMassInBodyFrame(state.context);
  forces->AddBodyForce(body_.index(),
                       SpatialForce<T>(p_BoBcm_W.cross(f_W), f_W));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::GravityCompensation);
