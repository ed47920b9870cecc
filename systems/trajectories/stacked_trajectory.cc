#include "wyvern/systems/trajectories/stacked_trajectory.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::trajectories {

template <typename T>
StackedTrajectory<T>::StackedTrajectory(bool rowwise) : rowwise_(rowwise) {}

template <typename T>
StackedTrajectory<T>::~StackedTrajectory() = default;

template <typename T>
void StackedTrajectory<T>::Append(const Trajectory<T>& traj) {
  const bool fits = rowwise_ ? traj.cols() == cols_ : traj.rows() == rows_;
  const bool first = children_.empty();
  if (!first && !(fits && traj.start_time() == start_time() &&
                  traj.end_time() == end_time())) {
    throw std::logic_error(fmt::format(
        "StackedTrajectory::Append(): a {} x {} trajectory on [{}, {}] was "
        "given; those before are {} x {} together on [{}, {}], and {} and "
        "times "
        "must agree.",
        traj.rows(), traj.cols(), ToDouble(traj.start_time()),
        ToDouble(traj.end_time()), rows_, cols_, ToDouble(start_time()),
        ToDouble(end_time()), rowwise_ ? "columns" : "rows"));
  }
  rows_ = rowwise_ ? rows_ + traj.rows() : traj.rows();
  cols_ = rowwise_ ? traj.cols() : cols_ + traj.cols();
  children_.emplace_back(traj.Clone());
}

template <typename T>
T StackedTrajectory<T>::start_time() const {
  return children_.empty() ? T(0) : children_.front()->start_time();
}

template <typename T>
T StackedTrajectory<T>::end_time() const {
  return children_.empty() ? T(0) : children_.front()->end_time();
}

template <typename T>
MatrixX<T> StackedTrajectory<T>::Stack(const T& t, int derivative_order) const {
  MatrixX<T> result;
  for (const auto& child : children_) {
    const MatrixX<T> block = child->EvalDerivative(t, derivative_order);
    const Eigen::Index row = rowwise_ ? result.rows() : 0;
    const Eigen::Index col = rowwise_ ? 0 : result.cols();
    result.conservativeResize(row + block.rows(), col + block.cols());
    result.block(row, col, block.rows(), block.cols()) = block;
  }
  return result;
}

template <typename T>
T StackedTrajectory<T>::DoFindBreak(const T& t, bool later) const {
  T result = this->NoBreak(later);
  for (const auto& child : children_) {
    const T found =
        later ? child->CalcNextBreak(t) : child->CalcPreviousBreak(t);
    result = this->Nearer(result, found, later);
  }
  return result;
}

template <typename T>
bool StackedTrajectory<T>::do_has_derivative() const {
  return std::all_of(children_.begin(), children_.end(),
                     [](const auto& child) { return child->has_derivative(); });
}

template <typename T>
std::unique_ptr<Trajectory<T>> StackedTrajectory<T>::DoMakeDerivative(
    int derivative_order) const {
  auto result = std::make_unique<StackedTrajectory<T>>(rowwise_);
  for (const auto& child : children_) {
    result->Append(*child->MakeDerivative(derivative_order));
  }
  return result;
}

template <typename T>
std::unique_ptr<Trajectory<T>> StackedTrajectory<T>::DoClone() const {
  return std::make_unique<StackedTrajectory<T>>(*this);
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::StackedTrajectory);
