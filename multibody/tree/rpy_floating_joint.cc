#include "wyvern/multibody/tree/rpy_floating_joint.h"

#include <array>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using systems::Context;

namespace {

VectorX<double> MakeDamping(double angular, double translational) {
  VectorX<double> damping(6);
  damping.head<3>().setConstant(angular);
  damping.tail<3>().setConstant(translational);
  return damping;
}

}  // namespace

template <typename T>
RpyFloatingJoint<T>::RpyFloatingJoint(const std::string& name,
                                      const Frame<T>& frame_on_parent,
                                      const Frame<T>& frame_on_child,
                                      double angular_damping,
                                      double translational_damping)
    : Joint<T>(engine::MobilizerType::kRpyFloating, name, frame_on_parent,
               frame_on_child,
               MakeDamping(angular_damping, translational_damping),
               JointLimits(6, 6)) {}

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
Vector3<T> RpyFloatingJoint<T>::get_translation(
    const Context<T>& context) const {
  return this->GetPositions(context).template tail<3>();
}

template <typename T>
Vector3<T> RpyFloatingJoint<T>::get_angular_velocity(
    const Context<T>& context) const {
  return this->GetVelocities(context).template head<3>();
}

template <typename T>
Vector3<T> RpyFloatingJoint<T>::get_translational_velocity(
    const Context<T>& context) const {
  return this->GetVelocities(context).template tail<3>();
}

template <typename T>
void RpyFloatingJoint<T>::SetPart(Context<T>* context, int first,
                                  const Eigen::Ref<const VectorX<T>>& part,
                                  bool velocity) const {
  internal::Deref(context, "RpyFloatingJoint: a setter");
  VectorX<T> all = velocity ? VectorX<T>(this->GetVelocities(*context))
                            : VectorX<T>(this->GetPositions(*context));
  all.segment(first, part.size()) = part;
  if (velocity) {
    this->SetVelocities(context, all);
  } else {
    this->SetPositions(context, all);
  }
}

template <typename T>
const RpyFloatingJoint<T>& RpyFloatingJoint<T>::set_angles(
    Context<T>* context, const Vector3<T>& angles) const {
  SetPart(context, 0, angles, false);
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
  SetPart(context, 3, p_FM, false);
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
  SetPart(context, 0, w_FM, true);
  return *this;
}

template <typename T>
const RpyFloatingJoint<T>& RpyFloatingJoint<T>::set_translational_velocity(
    Context<T>* context, const Vector3<T>& v_FM) const {
  SetPart(context, 3, v_FM, true);
  return *this;
}

template <typename T>
void RpyFloatingJoint<T>::set_default_angles(const Vector3<double>& angles) {
  VectorX<double> q = this->default_positions();
  q.head<3>() = angles;
  this->set_default_positions(q);
}

template <typename T>
void RpyFloatingJoint<T>::set_default_translation(const Vector3<double>& p_FM) {
  VectorX<double> q = this->default_positions();
  q.tail<3>() = p_FM;
  this->set_default_positions(q);
}

template <typename T>
std::string RpyFloatingJoint<T>::do_position_suffix(int index) const {
  constexpr std::array kNames = {"qx", "qy", "qz", "x", "y", "z"};
  return kNames[index];
}

template <typename T>
std::string RpyFloatingJoint<T>::do_velocity_suffix(int index) const {
  constexpr std::array kNames = {"wx", "wy", "wz", "vx", "vy", "vz"};
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
VectorX<T> RpyFloatingJoint<T>::DoSpatialVelocityToVelocities(
    const SpatialVelocity<T>& V_FM) const {
  return V_FM.get_coeffs();
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> RpyFloatingJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<RpyFloatingJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()),
      default_angular_damping(), default_translational_damping());
}

template <typename T>
std::unique_ptr<Joint<double>> RpyFloatingJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> RpyFloatingJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::RpyFloatingJoint);
