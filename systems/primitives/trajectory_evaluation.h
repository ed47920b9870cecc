#pragma once

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::systems::internal {

/** The derivative of order `order` (0: the value) of a trajectory of double at
a time of any scalar. */
inline Eigen::MatrixXd EvalAt(
    const trajectories::Trajectory<double>& trajectory, double t,
    int order = 0) {
  return trajectory.EvalDerivative(t, order);
}

/** The derivatives of the result are those of t times the next derivative of
the trajectory; zero outside [start_time(), end_time()], where it holds its
value.
@throws std::logic_error if t has derivatives and the trajectory has none. */
MatrixX<AutoDiffXd> EvalAt(const trajectories::Trajectory<double>& trajectory,
                           const AutoDiffXd& t, int order = 0);

}  // namespace wyvern::systems::internal
