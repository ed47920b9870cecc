#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** @file
Motion of bodies, as users see it, from that of nodes. Body 0 is the
world. 6-vectors are (rotational, translational), expressed in W. */

/** Returns the pose X_WB of a body. */
template <typename T>
Pose<T> CalcBodyPose(const Model& model, const ModelParameters<T>& parameters,
                     const PositionKinematics<T>& positions,
                     MobodArgument body);
/** Computes the poses X_WB of all bodies. The result has an entry for each. */
template <typename T>
void CalcBodyPoses(const Model& model, const ModelParameters<T>& parameters,
                   const PositionKinematics<T>& positions,
                   std::vector<Pose<T>>* X_WB);

/** Motion (w, v_Q) of the body-fixed point that is at Q, given p_WQ. */
template <typename T>
Vector6<T> CalcPointVelocity(const Model& model,
                             const PositionKinematics<T>& positions,
                             const VelocityKinematics<T>& velocities,
                             MobodArgument body, const Vector3<T>& p_WQ);

/** V_WB = (w_WB, v_WBo). */
template <typename T>
void CalcBodyVelocities(const Model& model, const std::vector<Pose<T>>& X_WB,
                        const PositionKinematics<T>& positions,
                        const VelocityKinematics<T>& velocities,
                        std::vector<Vector6<T>>* V_WB);

/** (alpha, a_Q) of the body-fixed point that is at Q, given p_WQ; A is by node,
from CalcAccelerationKinematics(), CalcBiasAccelerations(), or
CalcForwardDynamics(). */
template <typename T>
Vector6<T> CalcPointAcceleration(const Model& model,
                                 const PositionKinematics<T>& positions,
                                 const VelocityKinematics<T>& velocities,
                                 const std::vector<Vector6<T>>& A,
                                 MobodArgument body, const Vector3<T>& p_WQ);

/** A_WB = (alpha_WB, a_WBo). */
template <typename T>
void CalcBodyAccelerations(const Model& model, const std::vector<Pose<T>>& X_WB,
                           const PositionKinematics<T>& positions,
                           const VelocityKinematics<T>& velocities,
                           const std::vector<Vector6<T>>& A,
                           std::vector<Vector6<T>>* A_WB);

}  // namespace wyvern::multibody::dynamics
