#pragma once

#include <memory>

#include "wyvern/systems/common/copyable_unique_ptr.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::trajectories {

/** A path r(s) run through as s(t) says: r(s(t)). Outside [start_time(),
end_time()], which are those of s(t), the value, and each derivative, is that at
the nearest end. */
template <typename T>
class PathParameterizedTrajectory final : public Trajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(PathParameterizedTrajectory);

  /** Copies r and s. @throws std::logic_error if `time_scaling` is not 1 x 1.
   */
  PathParameterizedTrajectory(const Trajectory<T>& path,
                              const Trajectory<T>& time_scaling);
  ~PathParameterizedTrajectory() final;

  /** The path r(s). */
  const Trajectory<T>& path() const { return *path_; }
  /** The progress s(t). */
  const Trajectory<T>& time_scaling() const { return *time_scaling_; }

  MatrixX<T> value(const T& t) const final;
  Eigen::Index rows() const final { return path_->rows(); }
  Eigen::Index cols() const final { return path_->cols(); }
  T start_time() const final { return time_scaling_->start_time(); }
  T end_time() const final { return time_scaling_->end_time(); }

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final;
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final;
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  T ClampTime(const T& t) const;
  T DoFindBreak(const T& t, bool later) const final;
  T Scale(const T& t) const;

  copyable_unique_ptr<Trajectory<T>> path_;
  copyable_unique_ptr<Trajectory<T>> time_scaling_;
};

}  // namespace wyvern::trajectories
