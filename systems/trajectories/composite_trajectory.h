#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/common/copyable_unique_ptr.h"
#include "wyvern/systems/trajectories/piecewise_trajectory.h"

namespace wyvern::trajectories {

/** Trajectories one after the other in time. Outside [start_time(), end_time()]
the value, and each derivative, is that at the nearest end. */
template <typename T>
class CompositeTrajectory final : public PiecewiseTrajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(CompositeTrajectory);

  /** Joins the segments, in order of time.
  @throws std::logic_error if there are none, one is null, shapes differ, or
  one does not start when the one before ends. */
  explicit CompositeTrajectory(
      std::vector<copyable_unique_ptr<Trajectory<T>>> segments);
  ~CompositeTrajectory() final;

  /** Aligns each segment in time, so that it starts at the end of the one
  before it, and concatenates them. */
  static CompositeTrajectory<T> AlignAndConcatenate(
      const std::vector<copyable_unique_ptr<Trajectory<T>>>& segments);

  /** Returns a segment, counted from 0.
  @throws std::out_of_range on a bad index. */
  const Trajectory<T>& segment(int segment_index) const {
    this->segment_number_range_check(segment_index);
    return *segments_[segment_index];
  }

  MatrixX<T> value(const T& t) const final { return Eval(t, 0); }
  Eigen::Index rows() const final { return segments_.front()->rows(); }
  Eigen::Index cols() const final { return segments_.front()->cols(); }

 private:
  CompositeTrajectory(std::vector<copyable_unique_ptr<Trajectory<T>>> segments,
                      std::vector<T> breaks);

  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final;
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final {
    return Eval(t, derivative_order);
  }
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  MatrixX<T> Eval(const T& t, int derivative_order) const;
  T DoFindBreak(const T& t, bool later) const final;

  std::vector<copyable_unique_ptr<Trajectory<T>>> segments_;
};

}  // namespace wyvern::trajectories
