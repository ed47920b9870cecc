#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/SparseCore>

#include "wyvern/systems/common/math/bspline_basis.h"
#include "wyvern/systems/common/name_value.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::trajectories {

/** The B-spline curve sum of B_i(t) p_i, with the functions B_i of a basis and
matrices p_i of one shape as control points. Outside [start_time(), end_time()]
the value, and each derivative, is that at the nearest end. */
template <typename T>
class BsplineTrajectory final : public Trajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(BsplineTrajectory);

  /** Without basis and control points: it can only be assigned to. */
  BsplineTrajectory();
  /** Takes the basis and its control points.
  @throws std::logic_error unless there is a control point for each function
  of the basis, one at least, all of one shape. */
  BsplineTrajectory(math::BsplineBasis<T> basis,
                    std::vector<MatrixX<T>> control_points);
  /** Overload for a basis of double. */
  template <typename U = T>
  requires(!std::is_same_v<U, double>)
      BsplineTrajectory(const math::BsplineBasis<double>& basis,
                        std::vector<MatrixX<T>> control_points)
      : BsplineTrajectory(math::BsplineBasis<T>(basis),
                          std::move(control_points)) {}
  ~BsplineTrajectory() final;

  /** The basis. */
  const math::BsplineBasis<T>& basis() const { return basis_; }
  /** Number of control points. */
  int num_control_points() const {
    return static_cast<int>(control_points_.size());
  }
  /** The control points, all of one shape. */
  const std::vector<MatrixX<T>>& control_points() const {
    return control_points_;
  }

  /** The value at start_time(). */
  MatrixX<T> InitialValue() const { return value(start_time()); }
  /** The value at end_time(). */
  MatrixX<T> FinalValue() const { return value(end_time()); }

  /** The M with which the control points of a derivative are
  sum_i p_i M(i, j). @throws std::logic_error if derivative_order < 0 or is
  above the degree of the basis. */
  Eigen::SparseMatrix<T> AsLinearInControlPoints(
      int derivative_order = 1) const;
  /** The m with which a derivative at t is sum_i p_i m(i).
  @throws std::logic_error likewise. */
  VectorX<T> EvaluateLinearInControlPoints(const T& t,
                                           int derivative_order = 0) const;

  /** Adds knots, and the control points that keep the curve as it is.
  @throws std::logic_error if a knot is outside [start_time(), end_time()]. */
  void InsertKnots(const std::vector<T>& additional_knots);

  /** The curve of `select` of each control point. */
  BsplineTrajectory CopyWithSelector(
      const std::function<MatrixX<T>(const MatrixX<T>&)>& select) const;
  /** The curve of a block of the values.
  @throws std::out_of_range if it is not inside them. */
  BsplineTrajectory CopyBlock(int start_row, int start_col, int block_rows,
                              int block_cols) const;
  /** The first n elements of a column vector.
  @throws std::logic_error if the values are no columns, and std::out_of_range
  if they have fewer. */
  BsplineTrajectory CopyHead(int n) const;

  /** Visits `basis` and `control_points`, to write or read them.
  @throws std::logic_error if they do not fit, and leaves this as it was.
  Without both it is an empty trajectory. */
  template <typename Archive>
  requires std::is_same_v<T, double>
  void Serialize(Archive* a) {
    math::BsplineBasis<double> basis = basis_;
    std::vector<Eigen::MatrixXd> control_points = control_points_;
    a->Visit(WYVERN_NVP(basis));
    a->Visit(WYVERN_NVP(control_points));
    if (control_points.empty() && basis == math::BsplineBasis<double>()) {
      *this = BsplineTrajectory();
    } else {
      *this = BsplineTrajectory(std::move(basis), std::move(control_points));
    }
  }

  /** Same basis and same control points. */
  bool operator==(const BsplineTrajectory& other) const;

  MatrixX<T> value(const T& t) const final;
  Eigen::Index rows() const final { return FirstPoint().rows(); }
  Eigen::Index cols() const final { return FirstPoint().cols(); }
  T start_time() const final { return basis_.initial_parameter_value(); }
  T end_time() const final { return basis_.final_parameter_value(); }

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final { return true; }
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final;
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  BsplineTrajectory Derivative(int derivative_order) const;
  const MatrixX<T>& FirstPoint() const;
  T ClampTime(const T& t) const;
  T DoFindBreak(const T& t, bool later) const final;

  math::BsplineBasis<T> basis_;
  std::vector<MatrixX<T>> control_points_;
};

}  // namespace wyvern::trajectories
