// The angle of a unit quaternion (w, n) is 2 atan2(|n|, |w|), and its axis is
// sign(w) n / |n|. The axis is the same in F and M, and the angle's rate is the
// component of w_FM along it.
#include "wyvern/multibody/tree/rotation_limit.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

namespace internal {

template <typename T>
RotationAngle<T>::RotationAngle(const QuaternionBallJoint<T>& joint)
    : joint_(joint) {}

template <typename T>
RotationAngle<T>::~RotationAngle() = default;

template <typename T>
ModelInstanceIndex RotationAngle<T>::model_instance() const {
  return joint_.model_instance();
}

template <typename T>
T RotationAngle<T>::CalcValue(const MultibodyTreeSystem<T>& system,
                              const ForceState<T>& state) const {
  using std::abs;
  using std::atan2;
  const T* q =
      system.StateVector(state.context).data() + joint_.position_start();
  const Vector3<T> n(q[1], q[2], q[3]);
  if (!(n.squaredNorm() > 0)) return T(0);
  return 2.0 * atan2(n.norm(), abs(q[0]));
}

template <typename T>
Vector3<T> RotationAngle<T>::CalcAxis(const MultibodyTreeSystem<T>& system,
                                      const ForceState<T>& state) const {
  const T* q =
      system.StateVector(state.context).data() + joint_.position_start();
  const Vector3<T> n(q[1], q[2], q[3]);
  if (!(n.squaredNorm() > 0)) return Vector3<T>::Zero();
  return q[0] < 0 ? Vector3<T>(-n / n.norm()) : Vector3<T>(n / n.norm());
}

template <typename T>
T RotationAngle<T>::CalcRate(const MultibodyTreeSystem<T>& system,
                             const ForceState<T>& state) const {
  const T* w = system.StateVector(state.context).data() + system.num_q() +
               joint_.velocity_start();
  const Vector3<T> axis = CalcAxis(system, state);
  return axis[0] * w[0] + axis[1] * w[1] + axis[2] * w[2];
}

template <typename T>
void RotationAngle<T>::AddForce(const MultibodyTreeSystem<T>& system,
                                const ForceState<T>& state, const T& force,
                                MultibodyForces<T>* forces) const {
  AddGeneralizedForce(system, state, force,
                      forces->mutable_generalized_forces());
}

template <typename T>
void RotationAngle<T>::AddGeneralizedForce(const MultibodyTreeSystem<T>& system,
                                           const ForceState<T>& state,
                                           const T& force,
                                           Eigen::Ref<VectorX<T>> tau) const {
  tau.template segment<3>(joint_.velocity_start()) +=
      force * CalcAxis(system, state);
}

template <typename T>
std::vector<const Joint<T>*> RotationAngle<T>::FindJoints(
    const MultibodyTree<T>&) const {
  return {&joint_};
}

template <typename T>
void RotationAngle<T>::RequireMembers(const MultibodyTree<T>& tree,
                                      std::string_view function) const {
  tree.RequireMember(joint_, function);
}

}  // namespace internal

template <typename T>
RotationLimit<T>::RotationLimit(const QuaternionBallJoint<T>& joint,
                                double largest_angle)
    : internal::TypedForceElement<RotationLimit, T, internal::TendonForce<T>>(
          fmt::format("RotationLimit '{}'", joint.name()),
          std::make_unique<internal::RotationAngle<T>>(joint),
          TendonProperties{.upper_limit = largest_angle}) {
  if (largest_angle > 0 && largest_angle <= std::numbers::pi) return;
  throw std::logic_error(
      fmt::format("RotationLimit '{}': the largest angle is {} rad; give one "
                  "above 0 and at most pi.",
                  joint.name(), largest_angle));
}

template <typename T>
RotationLimit<T>::~RotationLimit() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::RotationAngle);
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::RotationLimit);
