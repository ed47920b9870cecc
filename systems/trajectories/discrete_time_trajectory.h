#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::trajectories {

/** A trajectory that has values at some times only. */
template <typename T>
class DiscreteTimeTrajectory final : public Trajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(DiscreteTimeTrajectory);

  /** No times. */
  DiscreteTimeTrajectory();
  /** A column of `values` at each time. @throws std::logic_error unless times
  are finite and increase by more than the tolerance, numbers and shapes agree,
  values are finite, and the tolerance is not negative. */
  DiscreteTimeTrajectory(const Eigen::Ref<const VectorX<T>>& times,
                         const Eigen::Ref<const MatrixX<T>>& values,
                         double time_comparison_tolerance =
                             std::numeric_limits<double>::epsilon());
  /** Overload for a matrix at each time. */
  DiscreteTimeTrajectory(const std::vector<T>& times,
                         const std::vector<MatrixX<T>>& values,
                         double time_comparison_tolerance =
                             std::numeric_limits<double>::epsilon());
  ~DiscreteTimeTrajectory() final;

  /** Each value from its time on. @throws std::logic_error if there are fewer
  than two times. */
  PiecewisePolynomial<T> ToZeroOrderHold() const {
    return PiecewisePolynomial<T>::ZeroOrderHold(times_, values_);
  }
  /** Largest difference from a time that counts as that time, [s]. */
  double time_comparison_tolerance() const { return tolerance_; }
  /** Number of times. */
  int num_times() const { return static_cast<int>(times_.size()); }
  /** The times, increasing, [s]. */
  const std::vector<T>& get_times() const { return times_; }

  /** Returns the value at one of the times.
  @throws std::runtime_error unless `t` is one of the times, within the
  tolerance. */
  MatrixX<T> value(const T& t) const final;
  /** Returns the number of rows.
  @throws std::logic_error if there are no times, here and below. */
  Eigen::Index rows() const final;
  Eigen::Index cols() const final;
  T start_time() const final;
  T end_time() const final;

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  void RequireTimes() const;

  std::vector<T> times_;
  std::vector<MatrixX<T>> values_;
  double tolerance_{std::numeric_limits<double>::epsilon()};
};

}  // namespace wyvern::trajectories
