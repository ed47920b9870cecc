#include "wyvern/multibody/tree/quaternion_floating_joint.h"

#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

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
QuaternionFloatingJoint<T>::QuaternionFloatingJoint(
    const std::string& name, const Frame<T>& frame_on_parent,
    const Frame<T>& frame_on_child, double angular_damping,
    double translational_damping)
    : Joint<T>(engine::MobilizerType::kQuaternionFloating, name,
               frame_on_parent, frame_on_child,
               MakeDamping(angular_damping, translational_damping),
               JointLimits(7, 6)) {}

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
Vector3<T> QuaternionFloatingJoint<T>::get_translation(
    const Context<T>& context) const {
  return this->GetPositions(context).template tail<3>();
}

template <typename T>
Vector3<T> QuaternionFloatingJoint<T>::get_angular_velocity(
    const Context<T>& context) const {
  return this->GetVelocities(context).template head<3>();
}

template <typename T>
Vector3<T> QuaternionFloatingJoint<T>::get_translational_velocity(
    const Context<T>& context) const {
  return this->GetVelocities(context).template tail<3>();
}

template <typename T>
void QuaternionFloatingJoint<T>::SetPart(
    Context<T>* context, int first, const Eigen::Ref<const VectorX<T>>& part,
    bool velocity) const {
  internal::Deref(context, "QuaternionFloatingJoint: a setter");
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
const QuaternionFloatingJoint<T>& QuaternionFloatingJoint<T>::SetQuaternion(
    Context<T>* context, const Quaternion<T>& q_FM) const {
  const VectorX<T> q = DoPoseToPositions(q_FM, Vector3<T>::Zero());
  SetPart(context, 0, q.template head<4>(), false);
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
  SetPart(context, 4, p_FM, false);
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
  SetPart(context, 0, w_FM, true);
  return *this;
}

template <typename T>
const QuaternionFloatingJoint<T>&
QuaternionFloatingJoint<T>::set_translational_velocity(
    Context<T>* context, const Vector3<T>& v_FM) const {
  SetPart(context, 3, v_FM, true);
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
  this->SetDefaultPosePair(q_FM, get_default_translation());
}

template <typename T>
void QuaternionFloatingJoint<T>::set_default_translation(
    const Vector3<double>& p_FM) {
  VectorX<double> q = this->default_positions();
  q.tail<3>() = p_FM;
  this->set_default_positions(q);
}

template <typename T>
std::string QuaternionFloatingJoint<T>::do_position_suffix(int index) const {
  constexpr std::array kNames = {"qw", "qx", "qy", "qz", "x", "y", "z"};
  return kNames[index];
}

template <typename T>
std::string QuaternionFloatingJoint<T>::do_velocity_suffix(int index) const {
  constexpr std::array kNames = {"wx", "wy", "wz", "vx", "vy", "vz"};
  return kNames[index];
}

template <typename T>
VectorX<T> QuaternionFloatingJoint<T>::DoPoseToPositions(
    const Quaternion<T>& q_FM, const Vector3<T>& p_FM) const {
  const T length = q_FM.norm();
  if (!(length > 1e-6)) {
    throw std::logic_error(fmt::format(
        "QuaternionFloatingJoint: joint '{}' was given a quaternion of length "
        "{}; one of length 1 is wanted.",
        this->name(), ExtractDoubleOrThrow(length)));
  }
  VectorX<T> q(7);
  q[0] = q_FM.w() / length;
  q.template segment<3>(1) = q_FM.vec() / length;
  q.template tail<3>() = p_FM;
  return q;
}

template <typename T>
VectorX<T> QuaternionFloatingJoint<T>::DoSpatialVelocityToVelocities(
    const SpatialVelocity<T>& V_FM) const {
  return V_FM.get_coeffs();
}

// K. Shoemake, "Uniform random rotations", Graphics Gems III, 1992.
template <typename T>
void QuaternionFloatingJoint<
    T>::set_random_quaternion_distribution_to_uniform() {
  using symbolic::Expression;
  const auto uniform = [](const char* name) {
    return Expression(
        symbolic::Variable(name, symbolic::Variable::Type::RANDOM_UNIFORM));
  };
  const Expression u = uniform("u");
  const Expression a = 2 * M_PI * uniform("a");
  const Expression b = 2 * M_PI * uniform("b");
  const Expression r = sqrt(1 - u), s = sqrt(u);
  set_random_quaternion_distribution(Eigen::Quaternion<Expression>(
      s * cos(b), r * sin(a), r * cos(a), s * sin(b)));
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> QuaternionFloatingJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<QuaternionFloatingJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()),
      default_angular_damping(), default_translational_damping());
}

template <typename T>
std::unique_ptr<Joint<double>> QuaternionFloatingJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> QuaternionFloatingJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::QuaternionFloatingJoint);
