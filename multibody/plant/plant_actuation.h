#pragma once

#include <vector>

#include <Eigen/SparseCore>

#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant about actuation matrices, selectors and limits.
All throw std::logic_error before Finalize(). */
template <typename T>
class PlantActuation {
 public:
  /** B, nv x nu: tau = B u, u in the order of JointActuator::input_start(). A
  column has a one, or the coefficients of a tendon's joints.
  @throws std::logic_error if an actuator acts along a spatial tendon, whose
  column depends on q; see CalcActuationMatrix(). */
  MatrixX<T> MakeActuationMatrix() const;
  /** Computes B at the Context's q. The column of an actuator along a spatial
  tendon has the moment arms dL/dq. */
  MatrixX<T> CalcActuationMatrix(const systems::Context<T>& context) const;
  /** B⁺, nu x nv: u = B⁺ tau. */
  Eigen::SparseMatrix<double> MakeActuationMatrixPseudoinverse() const;
  /** S with u = S u_selected, a column per actuator named, in that order; the
  other actuators get 0. @throws std::out_of_range for one that does not
  exist. */
  MatrixX<double> MakeActuatorSelectorMatrix(
      const std::vector<JointActuatorIndex>& user_to_actuator_index_map) const;
  /** Overload for the actuators of some joints: those of each joint, or of a
  tendon over it, in order and each once.
  @throws std::logic_error for a joint without an actuator. */
  MatrixX<double> MakeActuatorSelectorMatrix(
      const std::vector<JointIndex>& user_to_joint_index_map) const;
  /** S with x_selected = S x: the positions of the joints named, then their
  velocities. @throws std::logic_error for a repeated joint. */
  MatrixX<double> MakeStateSelectorMatrix(
      const std::vector<JointIndex>& user_to_joint_index_map) const;

  /** @name Limits
  By position, velocity or actuation input; infinite where there are none.
  @{ */
  /** Lower limits of q, num_positions() elements. */
  VectorX<double> GetPositionLowerLimits() const;
  /** Upper limits of q, num_positions() elements. */
  VectorX<double> GetPositionUpperLimits() const;
  /** Lower limits of v, num_velocities() elements. */
  VectorX<double> GetVelocityLowerLimits() const;
  /** Upper limits of v, num_velocities() elements. */
  VectorX<double> GetVelocityUpperLimits() const;
  /** Lower limits of v̇, num_velocities() elements. */
  VectorX<double> GetAccelerationLowerLimits() const;
  /** Upper limits of v̇, num_velocities() elements. */
  VectorX<double> GetAccelerationUpperLimits() const;
  /** Minus the upper effort limits, num_actuated_dofs() elements. */
  VectorX<double> GetEffortLowerLimits() const;
  /** Effort limits of the actuators [N·m or N], num_actuated_dofs()
  elements. */
  VectorX<double> GetEffortUpperLimits() const;
  /** @} */

 protected:
  explicit PlantActuation(const internal::MultibodyTreeSystem<T>& core)
      : core_(core) {}
  ~PlantActuation() = default;

 private:
  MatrixX<double> MakeMatrix() const;
  template <typename Get>
  VectorX<double> GatherByPosition(const char* function, Get get) const;
  template <typename Get>
  VectorX<double> GatherByVelocity(const char* function, Get get) const;

  const internal::MultibodyTreeSystem<T>& core_;
};

}  // namespace wyvern::multibody
