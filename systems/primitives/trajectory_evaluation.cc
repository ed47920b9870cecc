#include "wyvern/systems/primitives/trajectory_evaluation.h"

namespace wyvern::systems::internal {

MatrixX<AutoDiffXd> EvalAt(const trajectories::Trajectory<double>& trajectory,
                           const AutoDiffXd& t, int order) {
  const Eigen::MatrixXd value = trajectory.EvalDerivative(t.value(), order);
  MatrixX<AutoDiffXd> result = value.cast<AutoDiffXd>();
  const bool is_held =
      t.value() < trajectory.start_time() || t.value() > trajectory.end_time();
  if (is_held || t.derivatives().size() == 0) return result;
  const Eigen::MatrixXd slope = trajectory.EvalDerivative(t.value(), order + 1);
  for (int j = 0; j < value.cols(); ++j) {
    for (int i = 0; i < value.rows(); ++i) {
      result(i, j).derivatives() = slope(i, j) * t.derivatives();
    }
  }
  return result;
}

}  // namespace wyvern::systems::internal
