#include "wyvern/multibody/tree/rpy_floating_joint.h"

#include <array>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using systems::Context;

template <typename T>
RpyFloatingJoint<T>::RpyFloatingJoint(const std::string& name,
                                      const Frame<T>& frame_on_parent,
                                      const Frame<T>& frame_on_child,
                                      double angular_damping,
                                      double translational_damping)
    : internal::FloatingJoint<T>(engine::MobilizerType::kRpyFloating, name,
                                 frame_on_parent, frame_on_child,
                                 angular_damping, translational_damping) {}

template <typename T>
RpyFloatingJoint<T>::~RpyFloatingJoint() = default;

template <typename T>
const std::string& RpyFloatingJoint<T>::type_name() const {
  static const std::string name(kTypeName);
  return name;
}

template <typename T>
Vector3<T> RpyFloatingJoint<T>::get_angles(const Context<T>& context) const {
  return this->GetPositions(context).template head<3>();
}

template <typename T>
const RpyFloatingJoint<T>& RpyFloatingJoint<T>::set_angles(
    Context<T>* context, const Vector3<T>& angles) const {
  this->SetRotationPart(context, angles);
  return *this;
}

template <typename T>
const RpyFloatingJoint<T>& RpyFloatingJoint<T>::SetOrientation(
    Context<T>* context, const math::RotationMatrix<T>& R_FM) const {
  return set_angles(context, math::RollPitchYaw<T>(R_FM).vector());
}

template <typename T>
const RpyFloatingJoint<T>& RpyFloatingJoint<T>::SetTranslation(
    Context<T>* context, const Vector3<T>& p_FM) const {
  this->SetTranslationPart(context, p_FM);
  return *this;
}

template <typename T>
const RpyFloatingJoint<T>& RpyFloatingJoint<T>::SetPose(
    Context<T>* context, const math::RigidTransform<T>& X_FM) const {
  Joint<T>::SetPose(context, X_FM);
  return *this;
}

template <typename T>
const RpyFloatingJoint<T>& RpyFloatingJoint<T>::set_angular_velocity(
    Context<T>* context, const Vector3<T>& w_FM) const {
  this->SetAngularVelocityPart(context, w_FM);
  return *this;
}

template <typename T>
const RpyFloatingJoint<T>& RpyFloatingJoint<T>::set_translational_velocity(
    Context<T>* context, const Vector3<T>& v_FM) const {
  this->SetTranslationalVelocityPart(context, v_FM);
  return *this;
}

template <typename T>
void RpyFloatingJoint<T>::set_default_angles(const Vector3<double>& angles) {
  VectorX<double> q = this->default_positions();
  q.head<3>() = angles;
  this->set_default_positions(q);
}

template <typename T>
std::string RpyFloatingJoint<T>::do_position_suffix(int index) const {
  constexpr std::array kNames = {"qx", "qy", "qz", "x", "y", "z"};
  return kNames[index];
}

template <typename T>
VectorX<T> RpyFloatingJoint<T>::DoPoseToPositions(
    const Quaternion<T>& q_FM, const Vector3<T>& p_FM) const {
  VectorX<T> q(6);
  q << math::RollPitchYaw<T>(q_FM).vector(), p_FM;
  return q;
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> RpyFloatingJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<RpyFloatingJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()),
      this->default_angular_damping(), this->default_translational_damping());
}

template <typename T>
std::unique_ptr<Joint<double>> RpyFloatingJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> RpyFloatingJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::RpyFloatingJoint);
