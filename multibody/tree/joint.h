#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/math/spatial_velocity.h"
#include "wyvern/multibody/tree/multibody_element.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::multibody {

namespace internal {
template <typename T>
class LineAndArcPath;
}  // namespace internal

template <typename T>
class Frame;
template <typename T>
class MultibodyForces;
template <typename T>
class RigidBody;

/** Limits on a joint's positions, velocities and accelerations: one lower and
one upper bound each, infinite where there is none. */
struct JointLimits {
  /** No limits for a joint of these sizes. */
  JointLimits(int num_positions, int num_velocities);

  /** Bounds on q, num_positions() elements each. */
  VectorX<double> position_lower, position_upper;
  /** Bounds on v, num_velocities() elements each. */
  VectorX<double> velocity_lower, velocity_upper;
  /** Bounds on v̇, num_velocities() elements each. */
  VectorX<double> acceleration_lower, acceleration_upper;
};

/** A joint between a parent and a child body: it says how frame M, fixed to the
child body, may move in frame F, fixed to the parent body.

q and v of a joint describe the motion of M in F, also when the model's tree
happens to grow from the child to the parent. Damping and dry friction are
parameters, which may differ in each Context, and so is whether the joint is
locked. Units follow the joint: rad, N·m and N·m·s/rad for rotations, m, N and
N·s/m for translations. */
template <typename T>
class Joint : public MultibodyElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Joint);
  ~Joint() override;

  /** Index among the joints of the model; it stays if other joints are
  removed. */
  JointIndex index() const { return index_; }
  /** Counts the joints present, in the order of their indices. */
  int ordinal() const { return ordinal_; }
  /** Name, unique among joints of the model instance. */
  const std::string& name() const { return name_; }
  /** Kind of joint, such as "revolute". */
  virtual const std::string& type_name() const = 0;

  /** Body that frame F is fixed to. */
  const RigidBody<T>& parent_body() const;
  /** Body that frame M is fixed to. */
  const RigidBody<T>& child_body() const;
  /** Frame F, in which M moves. */
  const Frame<T>& frame_on_parent() const { return frame_on_parent_; }
  /** Frame M, which moves in F. */
  const Frame<T>& frame_on_child() const { return frame_on_child_; }

  /** @name Coordinates
  The starts, in the model's q and v, throw std::logic_error before Finalize().
  @{ */
  /** Number of positions q of this joint. */
  int num_positions() const { return traits_.nq; }
  /** Number of velocities v of this joint, its degrees of freedom. */
  int num_velocities() const { return traits_.nv; }
  /** Index of this joint's first position in the model's q. */
  int position_start() const { return start("position_start", q_start_); }
  /** Index of this joint's first velocity in the model's v. */
  int velocity_start() const { return start("velocity_start", v_start_); }
  /** Short name of one of this joint's positions, such as "qw".
  @throws std::out_of_range on a bad index. */
  std::string position_suffix(int position_index_in_joint) const;
  /** Short name of one of this joint's velocities, such as "wx".
  @throws std::out_of_range on a bad index. */
  std::string velocity_suffix(int velocity_index_in_joint) const;
  /** True if M can turn in F. */
  bool can_rotate() const { return traits_.rotates; }
  /** True if the origin of M can move in F. */
  bool can_translate() const { return traits_.translates; }
  /** Type of the motion of M in F, as the numeric code distinguishes it. */
  dynamics::MobilizerType mobilizer_type() const { return traits_.type; }
  /** Sizes, names and kinds of coordinates of the motion. */
  const dynamics::MobilizerTraits& mobilizer_traits() const { return traits_; }
  /** @} */

  /** @name State
  Setters throw std::logic_error if a size is wrong, a value not finite or the
  Context null or another model's.
  @{ */
  /** The only position. @throws std::logic_error if there is not just one. */
  const T& GetOnePosition(const systems::Context<T>& context) const;
  /** The only velocity.
  @throws std::logic_error if there is not just one. */
  const T& GetOneVelocity(const systems::Context<T>& context) const;
  /** This joint's positions, num_positions() elements: a view into
  `context`. */
  Eigen::Ref<const VectorX<T>> GetPositions(
      const systems::Context<T>& context) const;
  /** This joint's velocities, num_velocities() elements: a view into
  `context`. */
  Eigen::Ref<const VectorX<T>> GetVelocities(
      const systems::Context<T>& context) const;
  /** Sets this joint's positions, num_positions() elements. */
  void SetPositions(systems::Context<T>* context,
                    const Eigen::Ref<const VectorX<T>>& positions) const;
  /** Sets this joint's velocities, num_velocities() elements. */
  void SetVelocities(systems::Context<T>* context,
                     const Eigen::Ref<const VectorX<T>>& velocities) const;
  /** Returns the pose X_FM. */
  math::RigidTransform<T> GetPose(const systems::Context<T>& context) const;
  /** Orientation and position of M in F. */
  std::pair<Eigen::Quaternion<T>, Vector3<T>> GetPosePair(
      const systems::Context<T>& context) const;
  /** Sets q so that X_FM is as given, as nearly as the joint allows.
  @throws std::logic_error if this type of joint cannot. */
  void SetPose(systems::Context<T>* context,
               const math::RigidTransform<T>& X_FM) const;
  /** Overload for orientation and position of M in F. */
  void SetPosePair(systems::Context<T>* context, const Quaternion<T>& q_FM,
                   const Vector3<T>& p_FM) const;
  /** The positions q for which X_FM is as given, as nearly as the joint allows.
  @throws std::logic_error if this type of joint cannot say. */
  VectorX<T> CalcPositionsForPose(const math::RigidTransform<T>& X_FM) const;
  /** The velocities v for which V_FM_F is as given, as nearly as the joint
  allows.
  @throws std::logic_error if this type of joint cannot say. */
  VectorX<T> CalcVelocitiesForSpatialVelocity(
      const SpatialVelocity<T>& V_FM) const {
    return DoSpatialVelocityToVelocities(V_FM);
  }
  /** Returns the velocity V_FM_F. */
  SpatialVelocity<T> GetSpatialVelocity(
      const systems::Context<T>& context) const;
  /** Sets v so that V_FM_F is as given, as nearly as the joint allows.
  @throws std::logic_error if this type of joint cannot. */
  void SetSpatialVelocity(systems::Context<T>* context,
                          const SpatialVelocity<T>& V_FM) const;
  /** @} */

  /** @name Locking
  A locked joint does not move, whatever acts on it; the other joints move as if
  it were a weld. Its velocities count as 0 from Lock() on, in kinematics,
  energies and outputs, even if SetVelocities() or a write to the state gives
  others. Such values are lost: the joint is at rest when it is unlocked.
  Positions may be set.
  @{ */
  /** Locks the joint and sets its velocities to 0. */
  void Lock(systems::Context<T>* context) const;
  /** Unlocks the joint, at rest if it was locked. */
  void Unlock(systems::Context<T>* context) const;
  /** True after Lock(), until Unlock(). */
  bool is_locked(const systems::Context<T>& context) const;
  /** @} */

  /** @name Damping
  Viscous: the generalized force is -damping ∘ v.
  @{ */
  /** Damping that a new Context starts with, num_velocities() elements. */
  const VectorX<double>& default_damping_vector() const {
    return default_damping_;
  }
  /** Sets the damping that a new Context starts with.
  @throws std::logic_error if a coefficient is negative or not finite, or
  after Finalize(): use SetDampingVector() then. */
  void set_default_damping_vector(const VectorX<double>& damping);
  /** Damping in `context`, num_velocities() elements. */
  const VectorX<T>& GetDampingVector(const systems::Context<T>& context) const;
  /** Sets damping in `context`.
  @throws std::logic_error if a coefficient is negative or not finite, or the
  size is wrong. */
  void SetDampingVector(systems::Context<T>* context,
                        const VectorX<T>& damping) const;
  /** @} */

  /** @name Dry friction
  Coulomb's: it opposes each velocity with up to this force, [N·m] or [N], and
  holds the joint against smaller ones, but lets it creep. In a discrete model
  the speed is a thousandth of what the load of a step would give to the joint's
  inertia. In a continuous one friction grows linearly with the speed up to the
  stiction tolerance, here in [rad/s] or [m/s].
  @{ */
  /** Friction that a new Context starts with, num_velocities() elements. */
  const VectorX<double>& default_friction_vector() const {
    return default_friction_;
  }
  /** Sets the friction that a new Context starts with.
  @throws std::logic_error if a coefficient is negative or not finite, or
  after Finalize(): use SetFrictionVector() then. */
  void set_default_friction_vector(const VectorX<double>& friction);
  /** Friction in `context`, num_velocities() elements. */
  const VectorX<T>& GetFrictionVector(const systems::Context<T>& context) const;
  /** Sets friction in `context`.
  @throws std::logic_error if a coefficient is negative or not finite, or the
  size is wrong. */
  void SetFrictionVector(systems::Context<T>* context,
                         const VectorX<T>& friction) const;
  /** @} */

  /** @name Armature
  Inertia of rotors and gears besides those of the joint's actuators, [kg·m²] or
  [kg]: each number is added to the mass matrix, on the diagonal at its
  velocity, and has no other effect. Any joint of an MJCF file may have some.
  @{ */
  /** The armature, num_velocities() elements. */
  const VectorX<double>& default_armature_vector() const {
    return default_armature_;
  }
  /** Sets the armature.
  @throws std::logic_error if a number is negative or not finite, or after
  Finalize(). */
  void set_default_armature_vector(const VectorX<double>& armature);
  /** @} */

  /** @name Defaults
  @{ */
  /** Positions that a new Context starts with, num_positions() elements. */
  const VectorX<double>& default_positions() const {
    return default_positions_;
  }
  /** Sets the default positions, also after Finalize().
  @throws std::logic_error if the size is wrong or a value not finite. */
  void set_default_positions(const VectorX<double>& default_positions);
  /** X_FM at the default positions. */
  math::RigidTransform<double> GetDefaultPose() const;
  /** Orientation and position of M in F at the default positions. */
  std::pair<Eigen::Quaternion<double>, Vector3<double>> GetDefaultPosePair()
      const;
  /** Sets the default positions so that X_FM is as given.
  @throws std::logic_error if this type of joint cannot. */
  void SetDefaultPose(const math::RigidTransform<double>& X_FM);
  /** Overload of SetDefaultPose() for orientation and position of M in F. */
  void SetDefaultPosePair(const Quaternion<double>& q_FM,
                          const Vector3<double>& p_FM);
  /** @} */

  /** Draws those positions that were given a distribution, by the type's own
  set_random_... functions, into this joint's part of `q`; quaternions come out
  normalized. What is not random is left alone.
  @throws std::runtime_error, naming the joint, if a value is not finite or a
  quaternion is zero; std::logic_error for a vector of another size. */
  void DrawRandomPositions(RandomGenerator* generator,
                           EigenPtr<VectorX<double>> q) const;

  /** @name Limits
  Position limits act in continuous and discrete models (there are none on a
  quaternion); velocity and acceleration limits are for planners to read.
  Setters throw std::logic_error if a size is wrong, a bound is NaN, a lower
  bound exceeds its upper bound, or, for positions, after Finalize().
  @{ */
  /** Lower bounds on q, num_positions() elements, -infinity for none. */
  const VectorX<double>& position_lower_limits() const {
    return limits_.position_lower;
  }
  /** Upper bounds on q, num_positions() elements, infinity for none. */
  const VectorX<double>& position_upper_limits() const {
    return limits_.position_upper;
  }
  /** Lower bounds on v, num_velocities() elements. */
  const VectorX<double>& velocity_lower_limits() const {
    return limits_.velocity_lower;
  }
  /** Upper bounds on v, num_velocities() elements. */
  const VectorX<double>& velocity_upper_limits() const {
    return limits_.velocity_upper;
  }
  /** Lower bounds on v̇, num_velocities() elements. */
  const VectorX<double>& acceleration_lower_limits() const {
    return limits_.acceleration_lower;
  }
  /** Upper bounds on v̇, num_velocities() elements. */
  const VectorX<double>& acceleration_upper_limits() const {
    return limits_.acceleration_upper;
  }
  /** Sets the bounds on q, num_positions() elements each. */
  void set_position_limits(const VectorX<double>& lower_limits,
                           const VectorX<double>& upper_limits);
  /** Sets the bounds on v, num_velocities() elements each. */
  void set_velocity_limits(const VectorX<double>& lower_limits,
                           const VectorX<double>& upper_limits);
  /** Sets the bounds on v̇, num_velocities() elements each. */
  void set_acceleration_limits(const VectorX<double>& lower_limits,
                               const VectorX<double>& upper_limits);
  /** @} */

  /** @name Forces
  @{ */
  /** Adds the generalized force `joint_tau`, [N·m] or [N], on one of this
  joint's velocities.
  @throws std::out_of_range unless 0 <= joint_dof < num_velocities().
  @throws std::logic_error if the force is not finite, or `forces` is null or of
  another size. */
  void AddInOneForce(const systems::Context<T>& context, int joint_dof,
                     const T& joint_tau, MultibodyForces<T>* forces) const;
  /** Adds this joint's damping forces, -damping ∘ v.
  @throws std::logic_error if `forces` is null or of another size. */
  void AddInDamping(const systems::Context<T>& context,
                    MultibodyForces<T>* forces) const;
  /** @} */

  /** A copy for a model on another scalar, whose frames are already there. */
  template <typename ToScalar>
  std::unique_ptr<Joint<ToScalar>> CloneToScalar(
      internal::MultibodyTree<ToScalar>* tree_clone) const {
    std::unique_ptr<Joint<ToScalar>> copy =
        DoCloneToScalar(tree_clone->get_frame(frame_on_parent_.index()),
                        tree_clone->get_frame(frame_on_child_.index()));
    copy->default_positions_ = default_positions_;
    copy->limits_ = limits_;
    copy->default_damping_ = default_damping_;
    copy->default_friction_ = default_friction_;
    copy->default_armature_ = default_armature_;
    copy->random_positions_ = random_positions_;
    return copy;
  }

 protected:
  /** Takes the damping, a number for each velocity, and the limits.
  @throws std::logic_error if the name is empty, the damping or a limit is
  not valid, or both frames are on the same body. */
  Joint(dynamics::MobilizerType mobilizer_type, const std::string& name,
        const Frame<T>& frame_on_parent, const Frame<T>& frame_on_child,
        VectorX<double> damping, JointLimits limits);
  /** Without limits. */
  Joint(dynamics::MobilizerType mobilizer_type, const std::string& name,
        const Frame<T>& frame_on_parent, const Frame<T>& frame_on_child,
        VectorX<double> damping);

  /** Gives distributions to the positions from `first` on. */
  void SetRandomPositions(
      int first,
      const Eigen::Ref<const VectorX<symbolic::Expression>>& distributions);

  /** Makes the first four positions, a quaternion, random in random Contexts:
  all rotations are equally likely. */
  void SetUniformRandomQuaternion();
  /** (qw, qx, qy, qz) of length 1.
  @throws std::logic_error if the length given is not well above 0. */
  Vector4<T> NormalizeQuaternion(const Quaternion<T>& q_FM) const;

  /** q for a pose of M in F; by default refuses. */
  virtual VectorX<T> DoPoseToPositions(const Quaternion<T>& q_FM,
                                       const Vector3<T>& p_FM) const;
  /** v for a velocity V_FM_F; by default refuses. */
  virtual VectorX<T> DoSpatialVelocityToVelocities(
      const SpatialVelocity<T>& V_FM) const;
  /** Makes this joint on frames of another model; CloneToScalar() copies the
  members that all joints have. TypedJoint implements it. */
  virtual std::unique_ptr<Joint<double>> DoCloneToScalar(
      const Frame<double>& frame_on_parent,
      const Frame<double>& frame_on_child) const = 0;
  virtual std::unique_ptr<Joint<AutoDiffXd>> DoCloneToScalar(
      const Frame<AutoDiffXd>& frame_on_parent,
      const Frame<AutoDiffXd>& frame_on_child) const = 0;

  /** Parameters for the kernels besides the type; see dynamics::BodyParameters.
   */
  virtual Vector3<double> mobilizer_axis() const {
    return Vector3<double>::UnitZ();
  }
  virtual double mobilizer_pitch() const { return 0; }
  virtual const internal::LineAndArcPath<double>* mobilizer_path() const {
    return nullptr;
  }
  /** X_FM of a weld. */
  virtual math::RigidTransform<double> weld_pose() const {
    return math::RigidTransform<double>();
  }

  [[noreturn]] void ThrowNotSupported(const char* function) const;

 private:
  template <typename>
  friend class Joint;
  friend class internal::MultibodyTree<T>;

  int start(const char* function, int value) const {
    if (value < 0) ThrowNotFinalized(function);
    return value;
  }
  [[noreturn]] void ThrowNotFinalized(const char* function) const;
  void RequireNotFinalized(const char* function) const;
  void RequireOneDof(const char* function, int size) const;
  void RequireJointSize(int given, int wanted, const char* function,
                        const char* what) const;
  // Throws unless the bounds make sense.
  void RequireLimits(const VectorX<double>& lower, const VectorX<double>& upper,
                     int size, const char* function) const;
  void RequireDamping(const VectorX<double>& damping) const;
  void RequireFriction(const VectorX<double>& friction) const;
  void DoDeclareParameters(
      internal::MultibodyTreeSystem<T>* tree_system) override;
  void DoSetDefaultParameters(
      systems::Parameters<T>* parameters) const override;

  const dynamics::MobilizerTraits& traits_;
  const std::string name_;
  const Frame<T>& frame_on_parent_;
  const Frame<T>& frame_on_child_;
  VectorX<double> default_damping_;
  VectorX<double> default_friction_;
  VectorX<double> default_armature_;
  VectorX<double> default_positions_;
  JointLimits limits_;
  // By position of the joint.
  std::map<int, symbolic::Expression> random_positions_;
  JointIndex index_;
  int ordinal_{-1};
  int q_start_{-1};
  int v_start_{-1};
  systems::NumericParameterIndex damping_parameter_;
  systems::NumericParameterIndex friction_parameter_;
  systems::NumericParameterIndex lock_parameter_;
};

}  // namespace wyvern::multibody
