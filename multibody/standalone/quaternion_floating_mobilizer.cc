#include "wyvern/multibody/standalone/quaternion_floating_mobilizer.h"

#include "wyvern/multibody/standalone/standalone_tree.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using systems::Context;

template <typename T>
QuaternionFloatingMobilizer<T>::QuaternionFloatingMobilizer(
    const Frame<T>& inboard_frame_F, const Frame<T>& outboard_frame_M)
    : internal::EngineMobilizer<T, dynamics::QuaternionFloatingMobilizer>(
          inboard_frame_F, outboard_frame_M) {}

template <typename T>
QuaternionFloatingMobilizer<T>::~QuaternionFloatingMobilizer() = default;

template <typename T>
math::RigidTransform<T> QuaternionFloatingMobilizer<T>::get_pose(
    const Context<T>& context) const {
  return math::RigidTransform<T>(this->CalcAcrossMobilizerTransform(
      this->GetMultibodyTreeContextOrThrow(context)));
}

template <typename T>
const QuaternionFloatingMobilizer<T>& QuaternionFloatingMobilizer<T>::set_pose(
    Context<T>* context, const math::RigidTransform<T>& X_FM) const {
  const Eigen::Quaternion<T> q_FM = X_FM.rotation().ToQuaternion();
  Vector<T, 7> q;
  q << q_FM.w(), q_FM.vec(), X_FM.translation();
  internal::RequireFinite(
      internal::Caller::Element("QuaternionFloatingMobilizer",
                                this->outboard_frame().name()),
      "pose", q);
  this->get_mutable_positions(
      &this->GetMutableMultibodyTreeContextOrThrow(context)) = q;
  return *this;
}

template <typename T>
SpatialVelocity<T> QuaternionFloatingMobilizer<T>::get_spatial_velocity(
    const Context<T>& context) const {
  return SpatialVelocity<T>(Vector6<T>(
      this->get_velocities(this->GetMultibodyTreeContextOrThrow(context))));
}

template <typename T>
const QuaternionFloatingMobilizer<T>&
QuaternionFloatingMobilizer<T>::set_spatial_velocity(
    Context<T>* context, const SpatialVelocity<T>& V_FM) const {
  internal::RequireFinite(
      internal::Caller::Element("QuaternionFloatingMobilizer",
                                this->outboard_frame().name()),
      "spatial velocity", V_FM.get_coeffs());
  this->get_mutable_velocities(&this->GetMutableMultibodyTreeContextOrThrow(
      context)) = V_FM.get_coeffs();
  return *this;
}

template <typename T>
std::unique_ptr<Mobilizer<double>>
QuaternionFloatingMobilizer<T>::DoCloneToScalar(
    const MultibodyTree<double>& tree_clone) const {
  return std::make_unique<QuaternionFloatingMobilizer<double>>(
      tree_clone.get_frame(this->inboard_frame().index()),
      tree_clone.get_frame(this->outboard_frame().index()));
}

template <typename T>
std::unique_ptr<Mobilizer<AutoDiffXd>>
QuaternionFloatingMobilizer<T>::DoCloneToScalar(
    const MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) {
    return std::make_unique<QuaternionFloatingMobilizer<AutoDiffXd>>(
        tree_clone.get_frame(this->inboard_frame().index()),
        tree_clone.get_frame(this->outboard_frame().index()));
  }
  return nullptr;
}

template <typename T>
std::unique_ptr<Joint<T>> QuaternionFloatingMobilizer<T>::DoMakeJoint(
    const std::string& name) const {
  return std::make_unique<QuaternionFloatingJoint<T>>(
      name, this->inboard_frame(), this->outboard_frame());
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::QuaternionFloatingMobilizer);
