#include "wyvern/multibody/tree/ball_rpy_joint.h"

#include <array>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
BallRpyJoint<T>::BallRpyJoint(const std::string& name,
                              const Frame<T>& frame_on_parent,
                              const Frame<T>& frame_on_child, double damping)
    : Joint<T>(engine::MobilizerType::kRpyBall, name, frame_on_parent,
               frame_on_child, VectorX<double>::Constant(3, damping),
               JointLimits(3, 3)) {}

template <typename T>
std::string BallRpyJoint<T>::do_position_suffix(int index) const {
  constexpr std::array kNames = {"qx", "qy", "qz"};
  return kNames[index];
}

template <typename T>
std::string BallRpyJoint<T>::do_velocity_suffix(int index) const {
  constexpr std::array kNames = {"wx", "wy", "wz"};
  return kNames[index];
}

template <typename T>
VectorX<T> BallRpyJoint<T>::DoPoseToPositions(const Quaternion<T>& q_FM,
                                              const Vector3<T>&) const {
  return math::RollPitchYaw<T>(q_FM).vector();
}

template <typename T>
BallRpyJoint<T>::~BallRpyJoint() = default;

template <typename T>
const std::string& BallRpyJoint<T>::type_name() const {
  static const std::string name(kTypeName);
  return name;
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> BallRpyJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<BallRpyJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()), default_damping());
}

template <typename T>
std::unique_ptr<Joint<double>> BallRpyJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> BallRpyJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::BallRpyJoint);
