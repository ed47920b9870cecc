#pragma once

#include <memory>

#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems::controllers {

/** Makes the model of a linear system with a disturbance d that does not
change:

    dx/dt  = A x + B u + Bd d,  dd/dt  = 0, or
    x[n+1] = A x + B u + Bd d,  d[n+1] = d;  y = C x + D u + Dd d.

Its state is [x; d], its input u, its output y.
@param Bd n x q. Empty: B, a disturbance at the input.
@param Dd p x q. Empty: D if Bd is empty, else zero.
@throws std::logic_error if a shape does not fit, an entry is not finite, or
there is no disturbance. */
std::unique_ptr<LinearSystem<double>> MakeDisturbanceModel(
    const LinearSystem<double>& system,
    const Eigen::Ref<const Eigen::MatrixXd>& Bd = Eigen::MatrixXd(),
    const Eigen::Ref<const Eigen::MatrixXd>& Dd = Eigen::MatrixXd());

/** Makes the observer of a disturbance at the input of a linear system: that of
MakeDisturbanceModel() with the gain L, (n + m) x p. Its input is u above y; its
output and state is the estimate of [x; d]. The error moves as

    [A B; 0 0] - L [C D]   (discrete: the identity in place of the last 0),

and becomes zero for any constant d if that is stable. u - d, fed to the plant,
then cancels the disturbance. CalcKalmanGain() of the model computes such an L.
@throws std::logic_error if the shape of L does not fit or an entry is not
finite. */
std::unique_ptr<LinearSystem<double>> MakeDisturbanceObserver(
    const LinearSystem<double>& system,
    const Eigen::Ref<const Eigen::MatrixXd>& L);

}  // namespace wyvern::systems::controllers
