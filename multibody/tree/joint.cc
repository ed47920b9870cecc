#include "wyvern/multibody/tree/joint.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* Common part of all joints: limits, damping, friction and locks, default and
random positions, and q and v in and out of a Context. Each setter checks the
size, then that numbers are finite, then the requirements of the motion (a
quaternion is not zero), and only then writes. A joint that must meet a pose
returns the q that gives it, or reports that none does. */

namespace wyvern::multibody {

using dynamics::MobilizerType;
using internal::Deref;
using math::RigidTransform;
using systems::Context;

namespace {

// The numbers of a vector, as checks take them.
template <typename T>
VectorX<double> NumbersIn(const VectorX<T>& v) {
  return v.unaryExpr([](const T& x) { return wyvern::internal::NumberIn(x); });
}

// A lock that is a variable is open.
template <typename T>
bool IsLocked(const T& lock) {
  if constexpr (requires { KnownNumberOr(lock, 0.0); }) {
    return KnownNumberOr(lock, 0.0) != 0;
  } else {
    return lock != 0;
  }
}

}  // namespace

template <typename T>
Joint<T>::Joint(MobilizerType mobilizer_type, const std::string& name,
                const Frame<T>& frame_on_parent, const Frame<T>& frame_on_child,
                VectorX<double> damping, JointLimits limits)
    : MultibodyElement<T>(frame_on_child.model_instance()),
      traits_(dynamics::TraitsOf(mobilizer_type)),
      name_(internal::RequireName(name, "joint")),
      frame_on_parent_(frame_on_parent),
      frame_on_child_(frame_on_child),
      default_damping_(std::move(damping)),
      default_friction_(VectorX<double>::Zero(num_velocities())),
      default_armature_(VectorX<double>::Zero(num_velocities())),
      default_positions_(VectorX<double>::Zero(num_positions())),
      limits_(std::move(limits)) {
  if (&frame_on_parent.body() == &frame_on_child.body()) {
    throw std::logic_error(fmt::format(
        "Joint(): joint '{}' would tie body '{}' to itself; give frames on "
        "two bodies.",
        name_, parent_body().name()));
  }
  RequireDamping(default_damping_);
  RequireLimits(limits_.position_lower, limits_.position_upper, num_positions(),
                "set_position_limits");
  RequireLimits(limits_.velocity_lower, limits_.velocity_upper,
                num_velocities(), "set_velocity_limits");
  RequireLimits(limits_.acceleration_lower, limits_.acceleration_upper,
                num_velocities(), "set_acceleration_limits");
  if (traits_.has_quaternion) default_positions_[0] = 1;
}

template <typename T>
Joint<T>::Joint(MobilizerType mobilizer_type, const std::string& name,
                const Frame<T>& frame_on_parent, const Frame<T>& frame_on_child,
                VectorX<double> damping)
    : Joint(mobilizer_type, name, frame_on_parent, frame_on_child,
            std::move(damping),
            JointLimits(dynamics::TraitsOf(mobilizer_type).nq,
                        dynamics::TraitsOf(mobilizer_type).nv)) {}

template <typename T>
Joint<T>::~Joint() = default;

template <typename T>
const RigidBody<T>& Joint<T>::parent_body() const {
  return frame_on_parent_.body();
}

template <typename T>
const RigidBody<T>& Joint<T>::child_body() const {
  return frame_on_child_.body();
}

template <typename T>
std::string Joint<T>::position_suffix(int position_index_in_joint) const {
  if (position_index_in_joint < 0 ||
      position_index_in_joint >= num_positions()) {
    throw std::out_of_range(fmt::format(
        "Joint::position_suffix(): joint '{}' has {} positions, none with "
        "index {}.",
        name_, num_positions(), position_index_in_joint));
  }
  return traits_.position_names[position_index_in_joint];
}

template <typename T>
std::string Joint<T>::velocity_suffix(int velocity_index_in_joint) const {
  if (velocity_index_in_joint < 0 ||
      velocity_index_in_joint >= num_velocities()) {
    throw std::out_of_range(fmt::format(
        "Joint::velocity_suffix(): joint '{}' has {} velocities, none with "
        "index {}.",
        name_, num_velocities(), velocity_index_in_joint));
  }
  return traits_.velocity_names[velocity_index_in_joint];
}

template <typename T>
const T& Joint<T>::GetOnePosition(const Context<T>& context) const {
  RequireOneDof("GetOnePosition", num_positions());
  return this->GetParentTreeSystem().StateVector(context)[position_start()];
}

template <typename T>
const T& Joint<T>::GetOneVelocity(const Context<T>& context) const {
  RequireOneDof("GetOneVelocity", num_velocities());
  const auto& system = this->GetParentTreeSystem();
  return system.StateVector(context)[system.num_q() + velocity_start()];
}

template <typename T>
Eigen::Ref<const VectorX<T>> Joint<T>::GetPositions(
    const Context<T>& context) const {
  return this->GetParentTreeSystem().StateVector(context).segment(
      position_start(), num_positions());
}

template <typename T>
Eigen::Ref<const VectorX<T>> Joint<T>::GetVelocities(
    const Context<T>& context) const {
  const auto& system = this->GetParentTreeSystem();
  return system.StateVector(context).segment(system.num_q() + velocity_start(),
                                             num_velocities());
}

template <typename T>
void Joint<T>::SetPositions(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& positions) const {
  RequireJointSize(positions.size(), num_positions(), "SetPositions",
                   "positions");
  internal::RequireFinite(internal::Caller::Element("Joint", name_), "position",
                          positions);
  this->GetParentTreeSystem()
      .MutableStateVector(&Deref(context, "Joint::SetPositions"))
      .segment(position_start(), num_positions()) = positions;
}

template <typename T>
void Joint<T>::SetVelocities(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& velocities) const {
  RequireJointSize(velocities.size(), num_velocities(), "SetVelocities",
                   "velocities");
  internal::RequireFinite(internal::Caller::Element("Joint", name_), "velocity",
                          velocities);
  const auto& system = this->GetParentTreeSystem();
  system.MutableStateVector(&Deref(context, "Joint::SetVelocities"))
      .segment(system.num_q() + velocity_start(), num_velocities()) =
      velocities;
}

template <typename T>
RigidTransform<T> Joint<T>::GetPose(const Context<T>& context) const {
  return frame_on_child_.CalcPose(context, frame_on_parent_);
}

template <typename T>
std::pair<Eigen::Quaternion<T>, Vector3<T>> Joint<T>::GetPosePair(
    const Context<T>& context) const {
  const RigidTransform<T> X_FM = GetPose(context);
  return {X_FM.rotation().ToQuaternion(), X_FM.translation()};
}

template <typename T>
void Joint<T>::SetPose(Context<T>* context,
                       const RigidTransform<T>& X_FM) const {
  SetPosePair(context, X_FM.rotation().ToQuaternion(), X_FM.translation());
}

template <typename T>
void Joint<T>::SetPosePair(Context<T>* context, const Quaternion<T>& q_FM,
                           const Vector3<T>& p_FM) const {
  SetPositions(context, DoPoseToPositions(q_FM, p_FM));
}

template <typename T>
VectorX<T> Joint<T>::CalcPositionsForPose(const RigidTransform<T>& X_FM) const {
  return DoPoseToPositions(X_FM.rotation().ToQuaternion(), X_FM.translation());
}

template <typename T>
SpatialVelocity<T> Joint<T>::GetSpatialVelocity(
    const Context<T>& context) const {
  return frame_on_child_.CalcSpatialVelocity(context, frame_on_parent_,
                                             frame_on_parent_);
}

template <typename T>
void Joint<T>::SetSpatialVelocity(Context<T>* context,
                                  const SpatialVelocity<T>& V_FM) const {
  SetVelocities(context, DoSpatialVelocityToVelocities(V_FM));
}

template <typename T>
void Joint<T>::Lock(Context<T>* context) const {
  this->ValidateContext(Deref(context, "Joint::Lock"));
  SetVelocities(context, VectorX<T>::Zero(num_velocities()));
  context->get_mutable_numeric_parameter(lock_parameter_)[0] = 1;
}

template <typename T>
void Joint<T>::Unlock(Context<T>* context) const {
  this->ValidateContext(Deref(context, "Joint::Unlock"));
  if (!is_locked(*context)) return;
  SetVelocities(context, VectorX<T>::Zero(num_velocities()));
  context->get_mutable_numeric_parameter(lock_parameter_)[0] = 0;
}

template <typename T>
bool Joint<T>::is_locked(const Context<T>& context) const {
  this->ValidateContext(context);
  return IsLocked(context.get_numeric_parameter(lock_parameter_)[0]);
}

template <typename T>
void Joint<T>::set_default_damping_vector(const VectorX<double>& damping) {
  RequireNotFinalized("set_default_damping_vector");
  RequireDamping(damping);
  default_damping_ = damping;
}

template <typename T>
const VectorX<T>& Joint<T>::GetDampingVector(const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(damping_parameter_).value();
}

template <typename T>
void Joint<T>::SetDampingVector(Context<T>* context,
                                const VectorX<T>& damping) const {
  this->ValidateContext(Deref(context, "Joint::SetDampingVector"));
  RequireDamping(NumbersIn<T>(damping));
  context->get_mutable_numeric_parameter(damping_parameter_)
      .SetFromVector(damping);
}

template <typename T>
void Joint<T>::set_default_friction_vector(const VectorX<double>& friction) {
  RequireNotFinalized("set_default_friction_vector");
  RequireFriction(friction);
  default_friction_ = friction;
}

template <typename T>
const VectorX<T>& Joint<T>::GetFrictionVector(const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(friction_parameter_).value();
}

template <typename T>
void Joint<T>::SetFrictionVector(Context<T>* context,
                                 const VectorX<T>& friction) const {
  this->ValidateContext(Deref(context, "Joint::SetFrictionVector"));
  RequireFriction(NumbersIn<T>(friction));
  context->get_mutable_numeric_parameter(friction_parameter_)
      .SetFromVector(friction);
}

template <typename T>
void Joint<T>::set_default_armature_vector(const VectorX<double>& armature) {
  RequireNotFinalized("set_default_armature_vector");
  RequireJointSize(armature.size(), num_velocities(),
                   "set_default_armature_vector", "armatures");
  internal::RequireNonNegative(internal::Caller::Element("Joint", name_),
                               "armature", armature);
  default_armature_ = armature;
}

template <typename T>
void Joint<T>::set_default_positions(const VectorX<double>& default_positions) {
  RequireJointSize(default_positions.size(), num_positions(),
                   "set_default_positions", "default positions");
  internal::RequireFinite(internal::Caller::Element("Joint", name_),
                          "default position", default_positions);
  default_positions_ = default_positions;
}

template <typename T>
RigidTransform<double> Joint<T>::GetDefaultPose() const {
  return internal::MultibodyTree<T>::CalcPoseInJoint(*this, default_positions_);
}

template <typename T>
std::pair<Eigen::Quaternion<double>, Vector3<double>>
Joint<T>::GetDefaultPosePair() const {
  const RigidTransform<double> X_FM = GetDefaultPose();
  return {X_FM.rotation().ToQuaternion(), X_FM.translation()};
}

template <typename T>
void Joint<T>::SetDefaultPose(const RigidTransform<double>& X_FM) {
  SetDefaultPosePair(X_FM.rotation().ToQuaternion(), X_FM.translation());
}

template <typename T>
void Joint<T>::SetDefaultPosePair(const Quaternion<double>& q_FM,
                                  const Vector3<double>& p_FM) {
  set_default_positions(ToDouble(
      DoPoseToPositions(q_FM.template cast<T>(), p_FM.template cast<T>())));
}

template <typename T>
void Joint<T>::SetRandomPositions(
    int first,
    const Eigen::Ref<const VectorX<symbolic::Expression>>& distributions) {
  for (int i = 0; i < distributions.size(); ++i) {
    random_positions_[first + i] = distributions[i];
  }
}

// K. Shoemake, "Uniform random rotations", Graphics Gems III, 1992.
template <typename T>
void Joint<T>::SetUniformRandomQuaternion() {
  using symbolic::Expression;
  const auto uniform = [](const char* name) {
    return Expression(
        symbolic::Variable(name, symbolic::Variable::Type::RANDOM_UNIFORM));
  };
  const Expression u = uniform("u");
  const Expression a = 2 * M_PI * uniform("a");
  const Expression b = 2 * M_PI * uniform("b");
  const Expression r = sqrt(1 - u), s = sqrt(u);
  SetRandomPositions(
      0, Vector4<Expression>(s * sin(b), s * cos(b), r * sin(a), r * cos(a)));
}

template <typename T>
Vector4<T> Joint<T>::NormalizeQuaternion(const Quaternion<T>& q_FM) const {
  const T length = q_FM.norm();
  using wyvern::internal::MayHold;
  if (!MayHold(length > 1e-6)) {
    throw std::logic_error(fmt::format(
        "Joint '{}' of type {} was given a quaternion of length {}; one of "
        "length 1 is wanted.",
        name_, type_name(), ToDouble(length)));
  }
  return Vector4<T>(q_FM.w(), q_FM.x(), q_FM.y(), q_FM.z()) / length;
}

template <typename T>
void Joint<T>::DrawRandomPositions(RandomGenerator* generator,
                                   EigenPtr<VectorX<double>> q) const {
  if (random_positions_.empty()) return;
  Eigen::Ref<VectorX<double>> positions = *q;
  RequireJointSize(positions.size(), num_positions(), "DrawRandomPositions",
                   "positions");
  // One variable has one value in all of the joint's positions.
  symbolic::Environment values;
  for (const auto& [i, distribution] : random_positions_) {
    distribution.Draw(&Deref(generator, "Joint::DrawRandomPositions"), &values);
    positions[i] = distribution.Evaluate(values);
    if (std::isfinite(positions[i])) continue;
    throw std::runtime_error(fmt::format(
        "Joint::DrawRandomPositions(): of joint '{}' the position {} was drawn "
        "as {}; its distribution {} must give finite numbers.",
        name_, position_suffix(i), positions[i], distribution.to_string()));
  }
  if (!traits_.has_quaternion) return;
  const double length = positions.head<4>().norm();
  if (!(length > 1e-8)) {
    throw std::runtime_error(fmt::format(
        "Joint::DrawRandomPositions(): of joint '{}' a quaternion of length {} "
        "was drawn; its distribution must stay away from zero.",
        name_, length));
  }
  positions.head<4>() /= length;
}

template <typename T>
void Joint<T>::set_position_limits(const VectorX<double>& lower_limits,
                                   const VectorX<double>& upper_limits) {
  RequireNotFinalized("set_position_limits");
  RequireLimits(lower_limits, upper_limits, num_positions(),
                "set_position_limits");
  limits_.position_lower = lower_limits;
  limits_.position_upper = upper_limits;
}

template <typename T>
void Joint<T>::set_velocity_limits(const VectorX<double>& lower_limits,
                                   const VectorX<double>& upper_limits) {
  RequireLimits(lower_limits, upper_limits, num_velocities(),
                "set_velocity_limits");
  limits_.velocity_lower = lower_limits;
  limits_.velocity_upper = upper_limits;
}

template <typename T>
void Joint<T>::set_acceleration_limits(const VectorX<double>& lower_limits,
                                       const VectorX<double>& upper_limits) {
  RequireLimits(lower_limits, upper_limits, num_velocities(),
                "set_acceleration_limits");
  limits_.acceleration_lower = lower_limits;
  limits_.acceleration_upper = upper_limits;
}

template <typename T>
void Joint<T>::AddInOneForce(const Context<T>& context, int joint_dof,
                             const T& joint_tau,
                             MultibodyForces<T>* forces) const {
  this->ValidateContext(context);
  Deref(forces, "Joint::AddInOneForce")
      .RequireSizeFor(this->get_parent_tree(), "Joint::AddInOneForce");
  if (joint_dof < 0 || joint_dof >= num_velocities()) {
    throw std::out_of_range(fmt::format(
        "Joint::AddInOneForce(): joint '{}' has {} degrees of freedom, none "
        "with index {}.",
        name_, num_velocities(), joint_dof));
  }
  internal::RequireFinite(internal::Caller::Element("Joint", name_),
                          "the force joint_tau", joint_tau);
  forces->mutable_generalized_forces()[velocity_start() + joint_dof] +=
      joint_tau;
}

template <typename T>
void Joint<T>::AddInDamping(const Context<T>& context,
                            MultibodyForces<T>* forces) const {
  Deref(forces, "Joint::AddInDamping")
      .RequireSizeFor(this->get_parent_tree(), "Joint::AddInDamping");
  const VectorX<T>& d = GetDampingVector(context);
  const auto v = GetVelocities(context);
  auto tau = forces->mutable_generalized_forces().segment(velocity_start(),
                                                          num_velocities());
  for (int i = 0; i < num_velocities(); ++i) tau[i] -= d[i] * v[i];
}

template <typename T>
VectorX<T> Joint<T>::DoPoseToPositions(const Quaternion<T>&,
                                       const Vector3<T>&) const {
  ThrowNotSupported("SetPose");
}

template <typename T>
VectorX<T> Joint<T>::DoSpatialVelocityToVelocities(
    const SpatialVelocity<T>&) const {
  ThrowNotSupported("SetSpatialVelocity");
}

template <typename T>
void Joint<T>::ThrowNotSupported(const char* function) const {
  throw std::logic_error(fmt::format(
      "Joint::{}(): joint '{}' of type {} does not support this; set its "
      "positions and velocities instead.",
      function, name_, type_name()));
}

template <typename T>
void Joint<T>::ThrowNotFinalized(const char* function) const {
  throw std::logic_error(fmt::format(
      "Joint::{}(): joint '{}' gets its place in the state at Finalize(), "
      "which was not called yet.",
      function, name_));
}

template <typename T>
void Joint<T>::RequireNotFinalized(const char* function) const {
  if (q_start_ < 0) return;
  throw std::logic_error(fmt::format(
      "Joint::{}(): joint '{}' belongs to a model that was already finalized; "
      "set this before calling Finalize().",
      function, name_));
}

template <typename T>
void Joint<T>::RequireOneDof(const char* function, int size) const {
  if (size == 1) return;
  throw std::logic_error(fmt::format(
      "Joint::{}(): joint '{}' has {} of them; this is for joints with one.",
      function, name_, size));
}

template <typename T>
void Joint<T>::RequireJointSize(int given, int wanted, const char* function,
                                const char* what) const {
  if (given == wanted) return;
  throw std::logic_error(
      fmt::format("Joint::{}(): joint '{}' was given {} {}; it has {}.",
                  function, name_, given, what, wanted));
}

template <typename T>
void Joint<T>::RequireLimits(const VectorX<double>& lower,
                             const VectorX<double>& upper, int size,
                             const char* function) const {
  RequireJointSize(lower.size(), size, function, "lower limits");
  RequireJointSize(upper.size(), size, function, "upper limits");
  for (int i = 0; i < size; ++i) {
    // False for NaN as well.
    if (lower[i] <= upper[i]) continue;
    throw std::logic_error(fmt::format(
        "Joint::{}(): joint '{}' was given the limits [{}, {}]; the lower one "
        "must not exceed the upper one.",
        function, name_, lower[i], upper[i]));
  }
}

template <typename T>
void Joint<T>::RequireDamping(const VectorX<double>& damping) const {
  RequireJointSize(damping.size(), num_velocities(), "SetDampingVector",
                   "damping coefficients");
  internal::RequireNonNegative(internal::Caller::Element("Joint", name_),
                               "damping", damping);
}

template <typename T>
void Joint<T>::RequireFriction(const VectorX<double>& friction) const {
  RequireJointSize(friction.size(), num_velocities(), "SetFrictionVector",
                   "friction forces");
  internal::RequireNonNegative(internal::Caller::Element("Joint", name_),
                               "friction", friction);
}

template <typename T>
void Joint<T>::DoDeclareParameters(
    internal::MultibodyTreeSystem<T>* tree_system) {
  damping_parameter_ = this->DeclareNumericParameter(
      tree_system,
      systems::BasicVector<T>(VectorX<T>(default_damping_.template cast<T>())));
  friction_parameter_ = this->DeclareNumericParameter(
      tree_system, systems::BasicVector<T>(
                       VectorX<T>(default_friction_.template cast<T>())));
  lock_parameter_ = this->DeclareNumericParameter(
      tree_system, systems::BasicVector<T>(VectorX<T>::Zero(1)));
}

template <typename T>
void Joint<T>::DoSetDefaultParameters(
    systems::Parameters<T>* parameters) const {
  parameters->get_mutable_numeric_parameter(damping_parameter_)
      .SetFromVector(default_damping_.template cast<T>());
  parameters->get_mutable_numeric_parameter(friction_parameter_)
      .SetFromVector(default_friction_.template cast<T>());
  parameters->get_mutable_numeric_parameter(lock_parameter_).SetZero();
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::Joint);
