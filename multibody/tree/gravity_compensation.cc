#include "wyvern/multibody/tree/gravity_compensation.h"

#include "wyvern/multibody/algorithms/body_kinematics.h"
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
    : ForceElement<T>(body.model_instance()), body_(body), fraction_(fraction) {
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
         gravity.gravity_vector().template cast<T>();
}

template <typename T>
T GravityCompensation<T>::CalcPotentialEnergy(
    const Context<T>& context,
    const internal::PositionKinematicsCache<T>& pc) const {
  const Vector3<T> p_WBcm =
      this->GetParentTreeSystem().BodyPose(pc, body_.index()) *
      body_.CalcCenterOfMassInBodyFrame(context);
  return -CalcForce(context).dot(p_WBcm);
}

template <typename T>
T GravityCompensation<T>::CalcConservativePower(
    const Context<T>& context, const internal::PositionKinematicsCache<T>& pc,
    const internal::VelocityKinematicsCache<T>& vc) const {
  const auto& system = this->GetParentTreeSystem();
  const Vector3<T> p_WBcm = system.BodyPose(pc, body_.index()) *
                            body_.CalcCenterOfMassInBodyFrame(context);
  return CalcForce(context).dot(
      engine::CalcPointVelocity<T>(system.model(), pc.nodes, vc.nodes,
                                   system.tree().model_body(body_.index()),
                                   p_WBcm)
          .template tail<3>());
}

template <typename T>
T GravityCompensation<T>::CalcNonConservativePower(
    const Context<T>&, const internal::PositionKinematicsCache<T>&,
    const internal::VelocityKinematicsCache<T>&) const {
  return T(0);
}

template <typename T>
void GravityCompensation<T>::DoRequireMembers(
    const internal::MultibodyTree<T>& tree) const {
  tree.RequireMember(body_, "AddForceElement");
}

template <typename T>
void GravityCompensation<T>::DoCalcAndAddForceContribution(
    const Context<T>& context, const internal::PositionKinematicsCache<T>& pc,
    const internal::VelocityKinematicsCache<T>&,
    MultibodyForces<T>* forces) const {
  const Vector3<T> f_W = CalcForce(context);
  const Vector3<T> p_BoBcm_W =
      this->GetParentTreeSystem().BodyPose(pc, body_.index()).rotation() *
      body_.CalcCenterOfMassInBodyFrame(context);
  forces->AddBodyForce(body_.index(),
                       SpatialForce<T>(p_BoBcm_W.cross(f_W), f_W));
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<ForceElement<ToScalar>> GravityCompensation<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<GravityCompensation<ToScalar>>(
      tree_clone.bodies().get(body_.index()), fraction_);
}

template <typename T>
std::unique_ptr<ForceElement<double>> GravityCompensation<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<ForceElement<AutoDiffXd>>
GravityCompensation<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::GravityCompensation);
