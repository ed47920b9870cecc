#include "wyvern/multibody/tree/quaternion_floating_joint.h"

#include <array>

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using systems::Context;

template <typename T>
QuaternionFloatingJoint<T>::QuaternionFloatingJoint(
    const std::string& name, const Frame<T>& frame_on_parent,
    const Frame<T>& frame_on_child, double angular_damping,
    double translational_damping)
    : internal::FloatingJoint<T>(engine::MobilizerType::kQuaternionFloating,
                                 name, frame_on_parent, frame_on_child,
                                 angular_damping, translational_damping) {}

template <typename T>
QuaternionFloatingJoint<T>::~QuaternionFloatingJoint() = default;

template <typename T>
const std::string& QuaternionFloatingJoint<T>::type_name() const {
  static const std::string name(kTypeName);
  return name;
}

template <typename T>
Eigen::Quaternion<T> QuaternionFloatingJoint<T>::get_quaternion(
    const Context<T>& context) const {
  const auto q = this->GetPositions(context);
  return Eigen::Quaternion<T>(q[0], q[1], q[2], q[3]);
}

template <typename T>
const QuaternionFloatingJoint<T>& QuaternionFloatingJoint<T>::SetQuaternion(
    Context<T>* context, const Quaternion<T>& q_FM) const {
  const VectorX<T> q = DoPoseToPositions(q_FM, Vector3<T>::Zero());
  this->SetRotationPart(context, q.template head<4>());
  return *this;
}

template <typename T>
const QuaternionFloatingJoint<T>& QuaternionFloatingJoint<T>::SetOrientation(
    Context<T>* context, const math::RotationMatrix<T>& R_FM) const {
  return SetQuaternion(context, R_FM.ToQuaternion());
}

template <typename T>
const QuaternionFloatingJoint<T>& QuaternionFloatingJoint<T>::SetTranslation(
    Context<T>* context, const Vector3<T>& p_FM) const {
  this->SetTranslationPart(context, p_FM);
  return *this;
}

template <typename T>
const QuaternionFloatingJoint<T>& QuaternionFloatingJoint<T>::SetPose(
    Context<T>* context, const math::RigidTransform<T>& X_FM) const {
  Joint<T>::SetPose(context, X_FM);
  return *this;
}

template <typename T>
const QuaternionFloatingJoint<T>&
QuaternionFloatingJoint<T>::set_angular_velocity(Context<T>* context,
                                                 const Vector3<T>& w_FM) const {
  this->SetAngularVelocityPart(context, w_FM);
  return *this;
}

template <typename T>
const QuaternionFloatingJoint<T>&
QuaternionFloatingJoint<T>::set_translational_velocity(
    Context<T>* context, const Vector3<T>& v_FM) const {
  this->SetTranslationalVelocityPart(context, v_FM);
  return *this;
}

template <typename T>
Eigen::Quaternion<double> QuaternionFloatingJoint<T>::get_default_quaternion()
    const {
  const VectorX<double>& q = this->default_positions();
  return Eigen::Quaternion<double>(q[0], q[1], q[2], q[3]);
}

template <typename T>
void QuaternionFloatingJoint<T>::set_default_quaternion(
    const Quaternion<double>& q_FM) {
  this->SetDefaultPosePair(q_FM, this->get_default_translation());
}

template <typename T>
std::string QuaternionFloatingJoint<T>::do_position_suffix(int index) const {
  constexpr std::array kNames = {"qw", "qx", "qy", "qz", "x", "y", "z"};
  return kNames[index];
}

template <typename T>
VectorX<T> QuaternionFloatingJoint<T>::DoPoseToPositions(
    const Quaternion<T>& q_FM, const Vector3<T>& p_FM) const {
  VectorX<T> q(7);
  q.template head<4>() = this->NormalizeQuaternion(q_FM);
  q.template tail<3>() = p_FM;
  return q;
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> QuaternionFloatingJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<QuaternionFloatingJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()),
      this->default_angular_damping(), this->default_translational_damping());
}

template <typename T>
std::unique_ptr<Joint<double>> QuaternionFloatingJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> QuaternionFloatingJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::QuaternionFloatingJoint);
