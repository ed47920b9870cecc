#pragma once

#include "wyvern/multibody/algorithms/body_kinematics.h"
#include "wyvern/multibody/algorithms/model.h"
#include "wyvern/multibody/algorithms/position_kinematics.h"
#include "wyvern/multibody/algorithms/velocity_kinematics.h"

namespace wyvern::multibody::engine {

/** A constraint e(q) = 0 between two bodies or two coordinates, of 1, 3 or 6
rows. Bodies are the model's.

- kCoupler: e = q0 - ratio q1 - offset.
- kDistance: e = |p_PQ| - distance.
- kBall: e = p_PQ_W.
- kWeld: e = (2 sin(theta/2) axis of R_PQ, p_PQ), in W: P and Q coincide.

P is fixed in A, Q in B. A multiplier lambda is the spatial force F lambda on B,
and its opposite on A: for a ball at the point midway between P and Q, so that
drift makes no moment. J = F'(J_B - J_A) for the bodies' spatial velocity
Jacobians at Wo, but of couplers, whose J has 1 and -ratio at their velocities.
*/
struct HolonomicConstraint {
  enum class Kind { kCoupler, kDistance, kBall, kWeld };

  Kind kind{Kind::kBall};
  MobodIndex body_A{};
  MobodIndex body_B{};
  Pose<double> X_AP;
  Pose<double> X_BQ;
  double distance{};

  int q[2]{};
  int v[2]{};
  double ratio{};
  double offset{};

  int num_rows() const {
    return kind == Kind::kWeld ? 6 : kind == Kind::kBall ? 3 : 1;
  }
};

/** @name What a constraint is at q and v
Results have num_rows() rows, F num_rows() columns. Allocate nothing.
@throws std::runtime_error if the ends of a distance coincide.
@{ */

/** e. */
template <typename T>
void CalcConstraintErrors(const HolonomicConstraint& constraint,
                          const std::vector<Pose<T>>& X_WB,
                          const Eigen::Ref<const VectorX<T>>& q,
                          Eigen::Ref<VectorX<T>> errors);

/** Unit forces of the rows on B, about Wo, in W; 0 of couplers. */
template <typename T>
void CalcUnitForces(const HolonomicConstraint& constraint,
                    const std::vector<Pose<T>>& X_WB,
                    Eigen::Ref<Matrix6X<T>> F);

/** J v, from F. It is the rate of e, but for what is of its order. */
template <typename T>
void CalcConstraintVelocities(const HolonomicConstraint& constraint,
                              const Model& model,
                              const PositionKinematics<T>& positions,
                              const VelocityKinematics<T>& velocities,
                              const Eigen::Ref<const Matrix6X<T>>& F,
                              const Eigen::Ref<const VectorX<T>>& v,
                              Eigen::Ref<VectorX<T>> result);

/** J̇ v: the rows of the acceleration at v̇ = 0, A_bias by node from
CalcBiasAccelerations(). With accelerations of another v̇ it is J v̇ + J̇ v,
but for a coupler, which has 0. */
template <typename T>
void CalcConstraintBias(const HolonomicConstraint& constraint,
                        const Model& model,
                        const PositionKinematics<T>& positions,
                        const VelocityKinematics<T>& velocities,
                        const std::vector<Pose<T>>& X_WB,
                        const std::vector<Vector6<T>>& A_bias,
                        Eigen::Ref<VectorX<T>> bias);
/** @} */

/** Adds the two forces F, about Wo in W, on B and its opposite on A, about the
bodies' origins. */
template <typename T>
void AddForcePair(const HolonomicConstraint& constraint, const Vector6<T>& F_Wo,
                  const std::vector<Pose<T>>& X_WB,
                  std::vector<Vector6<T>>* F_BBo_W);

}  // namespace wyvern::multibody::engine
