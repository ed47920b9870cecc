#include "wyvern/systems/primitives/trajectory_source.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

using trajectories::Trajectory;

namespace {

template <typename T>
std::unique_ptr<Trajectory<T>> RequireAndCopy(const char* who,
                                              const Trajectory<T>& trajectory,
                                              int derivative_order) {
  if (trajectory.cols() != 1 || trajectory.rows() < 1) {
    throw std::logic_error(fmt::format(
        "TrajectorySource{}: the trajectory's value is {} x {}; give one whose "
        "value is a column.",
        who, trajectory.rows(), trajectory.cols()));
  }
  if (derivative_order < 0) {
    throw std::logic_error(
        fmt::format("TrajectorySource{}: the derivative order is {}; give 0 or "
                    "more.",
                    who, derivative_order));
  }
  if (derivative_order > 0 && !trajectory.has_derivative()) {
    throw std::logic_error(fmt::format(
        "TrajectorySource{}: derivatives up to order {} are wanted of a "
        "trajectory that has none.",
        who, derivative_order));
  }
  return trajectory.Clone();
}

}  // namespace

template <typename T>
TrajectorySource<T>::TrajectorySource(const Trajectory<T>& trajectory,
                                      int output_derivative_order,
                                      bool zero_derivatives_beyond_limits)
    : LeafSystem<T>(SystemTypeTag<TrajectorySource>{}),
      trajectory_(RequireAndCopy("()", trajectory, output_derivative_order)),
      output_derivative_order_(output_derivative_order),
      zero_derivatives_beyond_limits_(zero_derivatives_beyond_limits) {
  this->DeclareVectorOutputPort(
      kUseDefaultName,
      static_cast<int>(trajectory.rows()) * (1 + output_derivative_order),
      &TrajectorySource<T>::CalcOutput, {this->time_ticket()});
  this->DeclareBreakTimes();
}

template <typename T>
TrajectorySource<T>::~TrajectorySource() = default;

template <typename T>
void TrajectorySource<T>::UpdateTrajectory(const Trajectory<T>& trajectory) {
  auto copy = RequireAndCopy("::UpdateTrajectory()", trajectory,
                             output_derivative_order_);
  if (copy->rows() != trajectory_->rows()) {
    throw std::logic_error(fmt::format(
        "TrajectorySource::UpdateTrajectory(): a trajectory of size {} cannot "
        "replace one of size {}; give one of that size.",
        copy->rows(), trajectory_->rows()));
  }
  trajectory_ = std::move(copy);
}

template <typename T>
void TrajectorySource<T>::DoCalcNextBreakTime(const Context<T>&, const T& after,
                                              T* time) const {
  *time = trajectory_->CalcNextBreak(after);
}

template <typename T>
void TrajectorySource<T>::CalcOutput(const Context<T>& context,
                                     BasicVector<T>* output) const {
  const T& t = context.get_time();
  const Eigen::Index size = trajectory_->rows();
  auto values = output->get_mutable_value();
  const bool beyond =
      zero_derivatives_beyond_limits_ &&
      (t < trajectory_->start_time() || t > trajectory_->end_time());
  for (int order = 0; order <= output_derivative_order_; ++order) {
    auto part = values.segment(order * size, size);
    if (order > 0 && beyond) {
      part.setZero();
      continue;
    }
    Eigen::Ref<MatrixX<T>> column(part);
    trajectory_->EvalDerivativeInto(t, order, &column);
  }
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::TrajectorySource);

}  // namespace wyvern::systems
