#include "wyvern/systems/trajectories/derivative_trajectory.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::trajectories {

template <typename T>
DerivativeTrajectory<T>::DerivativeTrajectory(const Trajectory<T>& nominal,
                                              int derivative_order)
    : nominal_(nominal.Clone()), derivative_order_(derivative_order) {
  const MatrixX<T> sample =
      nominal.EvalDerivative(nominal.start_time(), derivative_order);
  rows_ = sample.rows();
  cols_ = sample.cols();
}

template <typename T>
DerivativeTrajectory<T>::~DerivativeTrajectory() = default;

template <typename T>
std::unique_ptr<Trajectory<T>> DerivativeTrajectory<T>::DoClone() const {
  return std::make_unique<DerivativeTrajectory<T>>(*this);
}

template <typename T>
std::unique_ptr<Trajectory<T>> DerivativeTrajectory<T>::DoMakeDerivative(
    int derivative_order) const {
  return std::make_unique<DerivativeTrajectory<T>>(
      *nominal_, derivative_order_ + derivative_order);
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::DerivativeTrajectory);
