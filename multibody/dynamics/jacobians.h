#pragma once

#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** @file
Jacobians with respect to v, in W. Columns of velocities that do not
move the body are set to 0. With respect to q̇: multiply by N⁺, see
generalized_coordinates.h. Bias accelerations J̇ v: CalcPointAcceleration() with
CalcBiasAccelerations(). */

/** (w; v_Q) = J v of the body-fixed point that is at Q. J is 6 x nv. */
template <typename T>
void CalcSpatialVelocityJacobian(const Model& model,
                                 const PositionKinematics<T>& positions,
                                 MobodArgument body, const Vector3<T>& p_WQ,
                                 Eigen::Ref<Matrix6X<T>> J);

/** w_WB = J v. J is 3 x nv. */
template <typename T>
void CalcAngularVelocityJacobian(const Model& model,
                                 const PositionKinematics<T>& positions,
                                 MobodArgument body, Eigen::Ref<MatrixX<T>> J);

/** v_WQ = J v. J is 3 x nv, or such rows of a larger matrix. */
template <typename T>
void CalcTranslationalVelocityJacobian(const Model& model,
                                       const PositionKinematics<T>& positions,
                                       MobodArgument body,
                                       const Vector3<T>& p_WQ,
                                       Eigen::Ref<MatrixX<T>> J);

/** Which rows a Jacobian has: (w; v_Q), w or v_Q. */
enum class JacobianRows { kSpatial, kAngular, kTranslational };

/** Adds sign times the Jacobian of the point at Q, in the axes of E, to J_E, of
six rows or three. */
template <typename T>
void AddVelocityJacobian(JacobianRows rows, const Model& model,
                         const PositionKinematics<T>& positions,
                         MobodArgument body, const Vector3<T>& p_WQ,
                         const Matrix3<T>& R_EW, double sign,
                         Eigen::Ref<MatrixX<T>> J_E);

/** Jᵀ F for a force (t_Q, f) at Q on one body, added to tau: the same without
the Jacobian. */
template <typename T>
void AddGeneralizedForceAtPoint(const Model& model,
                                const PositionKinematics<T>& positions,
                                MobodArgument body, const Vector3<T>& p_WQ,
                                const Vector6<T>& F_BQ_W,
                                Eigen::Ref<VectorX<T>> tau);

}  // namespace wyvern::multibody::dynamics
