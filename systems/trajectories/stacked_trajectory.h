#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/common/copyable_unique_ptr.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::trajectories {

/** Several trajectories as the blocks of one: below each other if `rowwise`,
side by side if not. Empty, it is a 0 x 0 matrix on [0, 0]. */
template <typename T>
class StackedTrajectory final : public Trajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(StackedTrajectory);

  /** Makes an empty trajectory. */
  explicit StackedTrajectory(bool rowwise = true);
  ~StackedTrajectory() final;

  /** Adds a copy at the end. @throws std::logic_error if its number of columns
  (of rows, if not rowwise), start or end is not that of those before. */
  void Append(const Trajectory<T>& traj);

  MatrixX<T> value(const T& t) const final { return Stack(t, 0); }
  Eigen::Index rows() const final { return rows_; }
  Eigen::Index cols() const final { return cols_; }
  T start_time() const final;
  T end_time() const final;

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final;
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final {
    return Stack(t, derivative_order);
  }
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  T DoFindBreak(const T& t, bool later) const final;
  MatrixX<T> Stack(const T& t, int derivative_order) const;

  bool rowwise_;
  Eigen::Index rows_{0};
  Eigen::Index cols_{0};
  std::vector<copyable_unique_ptr<Trajectory<T>>> children_;
};

}  // namespace wyvern::trajectories
