#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::trajectories {

/** A function of the user's as a trajectory. */
template <typename T>
class FunctionHandleTrajectory final : public Trajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(FunctionHandleTrajectory);

  /** `func` returns rows x cols matrices; it may be called with any time.
  @throws std::logic_error if `func` is empty, a size is negative, or the end is
  before the start. */
  FunctionHandleTrajectory(
      std::function<MatrixX<T>(const T&)> func, int rows, int cols = 1,
      double start_time = -std::numeric_limits<double>::infinity(),
      double end_time = std::numeric_limits<double>::infinity());
  ~FunctionHandleTrajectory() final;

  /** Gives it derivatives: func(t, order), for orders >= 1. */
  void set_derivative(std::function<MatrixX<T>(const T&, int)> func) {
    derivative_func_ = std::move(func);
  }

  /** Returns the value of the function.
  @throws std::logic_error if the function returns another shape. */
  MatrixX<T> value(const T& t) const final;
  Eigen::Index rows() const final { return rows_; }
  Eigen::Index cols() const final { return cols_; }
  T start_time() const final { return T(start_time_); }
  T end_time() const final { return T(end_time_); }

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final { return derivative_func_ != nullptr; }
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final;
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  MatrixX<T> RequireFittingShape(const char* what, MatrixX<T> value) const;

  std::function<MatrixX<T>(const T&)> func_;
  std::function<MatrixX<T>(const T&, int)> derivative_func_;
  int rows_;
  int cols_;
  double start_time_;
  double end_time_;
};

}  // namespace wyvern::trajectories
