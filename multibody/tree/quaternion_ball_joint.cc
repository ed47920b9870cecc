#include "wyvern/multibody/tree/quaternion_ball_joint.h"

#include <array>

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using systems::Context;

template <typename T>
QuaternionBallJoint<T>::QuaternionBallJoint(const std::string& name,
                                            const Frame<T>& frame_on_parent,
                                            const Frame<T>& frame_on_child,
                                            double damping)
    : Joint<T>(engine::MobilizerType::kQuaternionBall, name, frame_on_parent,
               frame_on_child, VectorX<double>::Constant(3, damping),
               JointLimits(4, 3)) {}

template <typename T>
QuaternionBallJoint<T>::~QuaternionBallJoint() = default;

template <typename T>
const std::string& QuaternionBallJoint<T>::type_name() const {
  static const std::string name(kTypeName);
  return name;
}

template <typename T>
Eigen::Quaternion<T> QuaternionBallJoint<T>::get_quaternion(
    const Context<T>& context) const {
  const auto q = this->GetPositions(context);
  return Eigen::Quaternion<T>(q[0], q[1], q[2], q[3]);
}

template <typename T>
const QuaternionBallJoint<T>& QuaternionBallJoint<T>::SetQuaternion(
    Context<T>* context, const Quaternion<T>& q_FM) const {
  this->SetPositions(context, this->NormalizeQuaternion(q_FM));
  return *this;
}

template <typename T>
const QuaternionBallJoint<T>& QuaternionBallJoint<T>::SetOrientation(
    Context<T>* context, const math::RotationMatrix<T>& R_FM) const {
  return SetQuaternion(context, R_FM.ToQuaternion());
}

template <typename T>
Eigen::Quaternion<double> QuaternionBallJoint<T>::get_default_quaternion()
    const {
  const VectorX<double>& q = this->default_positions();
  return Eigen::Quaternion<double>(q[0], q[1], q[2], q[3]);
}

template <typename T>
void QuaternionBallJoint<T>::set_default_quaternion(
    const Quaternion<double>& q_FM) {
  this->SetDefaultPosePair(q_FM, Vector3<double>::Zero());
}

template <typename T>
std::string QuaternionBallJoint<T>::do_position_suffix(int index) const {
  constexpr std::array kNames = {"qw", "qx", "qy", "qz"};
  return kNames[index];
}

template <typename T>
std::string QuaternionBallJoint<T>::do_velocity_suffix(int index) const {
  constexpr std::array kNames = {"wx", "wy", "wz"};
  return kNames[index];
}

template <typename T>
VectorX<T> QuaternionBallJoint<T>::DoPoseToPositions(const Quaternion<T>& q_FM,
                                                     const Vector3<T>&) const {
  return this->NormalizeQuaternion(q_FM);
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> QuaternionBallJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<QuaternionBallJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()), default_damping());
}

template <typename T>
std::unique_ptr<Joint<double>> QuaternionBallJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> QuaternionBallJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::QuaternionBallJoint);
