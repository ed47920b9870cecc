#pragma once

#include <memory>

#include "wyvern/systems/common/copyable_unique_ptr.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::trajectories {

/** A derivative of another trajectory, which it evaluates each time. */
template <typename T>
class DerivativeTrajectory final : public Trajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(DerivativeTrajectory);

  /** Differentiates `nominal`; order zero gives the trajectory itself. @throws
  std::logic_error if `nominal` has no derivatives or `derivative_order` < 0. */
  explicit DerivativeTrajectory(const Trajectory<T>& nominal,
                                int derivative_order = 1);
  ~DerivativeTrajectory() final;

  MatrixX<T> value(const T& t) const final {
    return nominal_->EvalDerivative(t, derivative_order_);
  }
  Eigen::Index rows() const final { return rows_; }
  Eigen::Index cols() const final { return cols_; }
  T start_time() const final { return nominal_->start_time(); }
  T end_time() const final { return nominal_->end_time(); }

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final { return true; }
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final {
    return nominal_->EvalDerivative(t, derivative_order_ + derivative_order);
  }
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  T DoFindBreak(const T& t, bool later) const final {
    return later ? nominal_->CalcNextBreak(t) : nominal_->CalcPreviousBreak(t);
  }

  copyable_unique_ptr<Trajectory<T>> nominal_;
  int derivative_order_;
  // A derivative may have another shape: angular velocity, of a quaternion.
  Eigen::Index rows_;
  Eigen::Index cols_;
};

}  // namespace wyvern::trajectories
