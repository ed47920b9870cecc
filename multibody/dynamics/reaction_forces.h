#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** By body: the force on body B through its inboard mobilizer, welds too, taken
at Mo and expressed in W: (moment about Mo, force). What the mobilizer's motor,
spring, damper or limit exerts is part of it; entry 0 is 0. Newton's and Euler's
equations of all bodies, summed from the tips inwards.
@param F_BBo_W All other forces applied to the bodies, one per body, gravity
left out; empty for none.
@param gravity Whether uniform gravity acts.
@param A By node, about O, as from CalcForwardDynamics(). */
template <typename T>
void CalcReactionForces(const Model& model,
                        const ModelParameters<T>& parameters,
                        const PositionKinematics<T>& positions,
                        const VelocityKinematics<T>& velocities,
                        const std::vector<Vector6<T>>& A,
                        std::span<const Vector6<T>> F_BBo_W, Gravity gravity,
                        std::vector<Vector6<T>>* F_BMo_W);

}  // namespace wyvern::multibody::dynamics
