#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"
#include "wyvern/multibody/step/rows/loop_axes.h"

namespace wyvern::multibody::internal {

/** A constraint e(q) = 0 between two bodies or two coordinates. Bodies are the
model's.

- kCoupler, 1 row: e = q0 - ratio q1 - offset.
- kDistance, 1: e = |p_PQ| - distance.
- kBall, 3: e = p_PQ_W.
- kWeld, 6: e = (2 sin(theta/2) axis of R_PQ, p_PQ), in W: P and Q coincide.
- kLoop, any: Q does not move along axes fixed in P; see LoopAxes.
- kPoint, any: Q does not move along normals fixed in W; e = 0, as no place is
  kept. A is the world.

P is fixed in A, Q in B. A multiplier lambda is the spatial force F lambda on B,
and its opposite on A: for a ball at the point midway between P and Q, so that
drift makes no moment. J = F'(J_B - J_A) for the bodies' spatial velocity
Jacobians at Wo, but of couplers, whose J has 1 and -ratio at their velocities.
*/
struct HolonomicConstraint {
  /** The kinds in the list above. */
  enum class Kind { kCoupler, kDistance, kBall, kWeld, kLoop, kPoint };

  /** Which kind this is. */
  Kind kind{Kind::kBall};
  /** Body A. */
  dynamics::MobodIndex body_A{};
  /** Body B. */
  dynamics::MobodIndex body_B{};
  /** Pose of P in A. */
  dynamics::Pose<double> X_AP;
  /** Pose of Q in B. */
  dynamics::Pose<double> X_BQ;
  /** Length of a distance constraint, [m]. */
  double distance{};

  /** Positions q0 and q1 of a coupler, as indices in q. */
  int q[2]{};
  /** Velocities of a coupler, as indices in v. */
  int v[2]{};
  /** Ratio of a coupler. */
  double ratio{};
  /** Offset of a coupler, in the units of q0. */
  double offset{};

  // Their owner's.
  const LoopAxes* loop{};
  /** Unit normals of a point, in W. */
  std::span<const Vector3<double>> normals;

  /** Number of rows. */
  int num_rows() const;
};

/** @name What a constraint is at q and v
Results have num_rows() rows, F num_rows() columns. Allocate nothing.
@throws std::runtime_error if the ends of a distance coincide, and as loops do.
@{ */

/** Computes the errors e of the rows. */
template <typename T>
void CalcConstraintErrors(const HolonomicConstraint& constraint,
                          const std::vector<dynamics::Pose<T>>& X_WB,
                          const Eigen::Ref<const VectorX<T>>& q,
                          Eigen::Ref<VectorX<T>> errors);

/** Which rates unit forces are of: the rows', or those of e, which a loop about
one axis alone has apart. */
enum class RowRates { kVelocities, kErrors };

/** Unit forces of the rows on B, about Wo, in W; 0 of couplers. */
template <typename T>
void CalcUnitForces(const HolonomicConstraint& constraint,
                    const std::vector<dynamics::Pose<T>>& X_WB,
                    Eigen::Ref<Matrix6X<T>> F,
                    RowRates rates = RowRates::kVelocities);

/** J v, from F. It is the rate of e, but for what is of its order. */
template <typename T>
void CalcConstraintVelocities(const HolonomicConstraint& constraint,
                              const dynamics::Model& model,
                              const dynamics::PositionKinematics<T>& positions,
                              const dynamics::VelocityKinematics<T>& velocities,
                              const Eigen::Ref<const Matrix6X<T>>& F,
                              const Eigen::Ref<const VectorX<T>>& v,
                              Eigen::Ref<VectorX<T>> result);

/** J̇ v: the rows of the acceleration at v̇ = 0, A_bias by node from
CalcBiasAccelerations(). With accelerations of another v̇ it is J v̇ + J̇ v,
but for a coupler, which has 0. */
template <typename T>
void CalcConstraintBias(const HolonomicConstraint& constraint,
                        const dynamics::Model& model,
                        const dynamics::PositionKinematics<T>& positions,
                        const dynamics::VelocityKinematics<T>& velocities,
                        const std::vector<dynamics::Pose<T>>& X_WB,
                        const std::vector<Vector6<T>>& A_bias,
                        Eigen::Ref<VectorX<T>> bias);
/** @} */

/** Term of the stabilization (Baumgarte 1972) in the demand on J v̇ + J̇ v, with
which errors decay as exp(-t rate). */
template <typename T>
T CalcStabilization(double rate, const T& error, const T& velocity) {
  return -rate * rate * error - 2.0 * rate * velocity;
}

/** Adds the two forces F, about Wo in W, on B and its opposite on A, about the
bodies' origins. */
template <typename T>
void AddForcePair(const HolonomicConstraint& constraint, const Vector6<T>& F_Wo,
                  const std::vector<dynamics::Pose<T>>& X_WB,
                  std::vector<Vector6<T>>* F_BBo_W);

}  // namespace wyvern::multibody::internal
