#pragma once

#include <span>

#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** @file
The centre of mass C of a set of bodies. `bodies` are indices of the
model, the world (0) not among them; a body named twice counts twice.
All throw std::logic_error if the set's mass is not positive. */

/** Returns the centre of mass, p_WC. */
template <typename T>
Vector3<T> CalcCenterOfMass(const Model& model,
                            const ModelParameters<T>& parameters,
                            const PositionKinematics<T>& positions,
                            std::span<const int> bodies);

/** Returns the velocity v_WC of the centre of mass. */
template <typename T>
Vector3<T> CalcCenterOfMassVelocity(const Model& model,
                                    const ModelParameters<T>& parameters,
                                    const PositionKinematics<T>& positions,
                                    const VelocityKinematics<T>& velocities,
                                    std::span<const int> bodies);

/** a_WC; A is by node, as for CalcPointAcceleration(). */
template <typename T>
Vector3<T> CalcCenterOfMassAcceleration(const Model& model,
                                        const ModelParameters<T>& parameters,
                                        const PositionKinematics<T>& positions,
                                        const VelocityKinematics<T>& velocities,
                                        const std::vector<Vector6<T>>& A,
                                        std::span<const int> bodies);

/** v_WC = J v. J is 3 x nv. */
template <typename T>
void CalcCenterOfMassJacobian(const Model& model,
                              const ModelParameters<T>& parameters,
                              const PositionKinematics<T>& positions,
                              std::span<const int> bodies,
                              Eigen::Ref<MatrixX<T>> J);

}  // namespace wyvern::multibody::dynamics
