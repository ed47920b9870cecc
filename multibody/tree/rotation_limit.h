#pragma once

#include <tuple>

#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/tendon_force.h"
#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

namespace internal {

/** The angle of the rotation R_FM of a ball joint, from 0 to π. Its rate is
a·w_FM, where a is the rotation's axis. At the angle 0 there is no axis, and the
rate counts as 0. */
template <typename T>
class RotationAngle final : public ScalarCoordinate<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RotationAngle);
  explicit RotationAngle(const QuaternionBallJoint<T>& joint);
  ~RotationAngle() override;

  const QuaternionBallJoint<T>& joint() const { return joint_; }

  ModelInstanceIndex model_instance() const override;
  T CalcValue(const MultibodyTreeSystem<T>& system,
              const ForceState<T>& state) const override;
  T CalcRate(const MultibodyTreeSystem<T>& system,
             const ForceState<T>& state) const override;
  void AddForce(const MultibodyTreeSystem<T>& system,
                const ForceState<T>& state, const T& force,
                MultibodyForces<T>* forces) const override;
  void AddGeneralizedForce(const MultibodyTreeSystem<T>& system,
                           const ForceState<T>& state, const T& force,
                           Eigen::Ref<VectorX<T>> tau) const override;
  std::vector<const Joint<T>*> FindJoints(
      const MultibodyTree<T>& tree) const override;
  void RequireMembers(const MultibodyTree<T>& tree,
                      std::string_view function) const override;

 private:
  Vector3<T> CalcAxis(const MultibodyTreeSystem<T>& system,
                      const ForceState<T>& state) const;

  const QuaternionBallJoint<T>& joint_;
};

}  // namespace internal

/** A limit on how far a ball joint turns away from its zero position, about
whatever axis. A plant keeps it as it does the limits of other joints. */
template <typename T>
class RotationLimit final
    : public internal::TypedForceElement<RotationLimit, T,
                                         internal::TendonForce<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RotationLimit);

  /** @param largest_angle [rad], above 0 and at most π.
  @throws std::logic_error if it is not. */
  RotationLimit(const QuaternionBallJoint<T>& joint, double largest_angle);
  ~RotationLimit() override;

  /** Ball joint whose rotation is limited. */
  const QuaternionBallJoint<T>& joint() const {
    return static_cast<const internal::RotationAngle<T>&>(this->coordinate())
        .joint();
  }
  /** Largest angle of the rotation, [rad]. */
  double largest_angle() const { return this->upper_limit(); }

 private:
  friend class internal::TypedForceElement<RotationLimit, T,
                                           internal::TendonForce<T>>;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tuple<const QuaternionBallJoint<U>&, double>(
        dynamic_cast<const QuaternionBallJoint<U>&>(
            tree.get_joint(joint().index())),
        largest_angle());
  }
};

}  // namespace wyvern::multibody
