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

P is fixed in A, Q in B. */
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

/** What a constraint is at q: ė = J v with J = F'(J_B - J_A) for the bodies'
spatial velocity Jacobians at Wo; only num_rows() rows and columns count. A
multiplier lambda is the spatial force F lambda on B, and its opposite on A: for
a ball at the point midway between P and Q, so that drift makes no moment. */
template <typename T>
struct ConstraintKinematics {
  Vector6<T> error;
  /** Unit forces of the rows on B, about Wo, in W. Not of couplers, whose J has
  1 and -ratio at their velocities. */
  Matrix6<T> F;
};

/** @throws std::runtime_error if the ends of a distance coincide. */
template <typename T>
void CalcConstraintPosition(const HolonomicConstraint& constraint,
                            const std::vector<Pose<T>>& X_WB,
                            const Eigen::Ref<const VectorX<T>>& q,
                            ConstraintKinematics<T>* kinematics);

/** J v. It is the rate of the error, but for what is of its order. */
template <typename T>
Vector6<T> CalcConstraintVelocity(const HolonomicConstraint& constraint,
                                  const Model& model,
                                  const PositionKinematics<T>& positions,
                                  const VelocityKinematics<T>& velocities,
                                  const std::vector<Pose<T>>& X_WB,
                                  const Eigen::Ref<const VectorX<T>>& v);

/** J̇ v: the rows of the acceleration at v̇ = 0, A_bias by node from
CalcBiasAccelerations(). With accelerations of another v̇ it is J v̇ + J̇ v,
but for a coupler, which has 0. */
template <typename T>
Vector6<T> CalcConstraintBias(const HolonomicConstraint& constraint,
                              const Model& model,
                              const PositionKinematics<T>& positions,
                              const VelocityKinematics<T>& velocities,
                              const std::vector<Pose<T>>& X_WB,
                              const std::vector<Vector6<T>>& A_bias);

/** Adds sign F'J_B to rows of a Jacobian, for unit forces F, 6 x rows, about Wo
on a body. Its columns are those of velocities from `v_start` on.
Allocates nothing. */
template <typename T>
void AddJacobianRows(const Model& model, const PositionKinematics<T>& positions,
                     MobodIndex body, const Eigen::Ref<const Matrix6X<T>>& F,
                     double sign, int v_start, Eigen::Ref<MatrixX<T>> J);

}  // namespace wyvern::multibody::engine
