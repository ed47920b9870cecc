#pragma once

#include <memory>
#include <optional>
#include <type_traits>

#include <Eigen/SparseCore>

#include "wyvern/systems/symbolic/variable.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::symbolic {
class Expression;
}  // namespace wyvern::symbolic

namespace wyvern::trajectories {

/** The Bezier curve of control points p_0 to p_m over [start_time, end_time],

    sum of B_i(t) p_i,  B_i = (m over i) (1 - s)^(m - i) s^i,
    s = (t - start) / (end - start).

It starts at p_0, ends at p_m and stays in the convex hull of its points.
Outside [start_time(), end_time()] the value, and each derivative, is that at
the nearest end. */
template <typename T>
class BezierCurve final : public Trajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(BezierCurve);

  /** Without control points, on [0, 1]; its value has no elements. */
  BezierCurve();
  /** A control point per column. @throws std::logic_error without control
  points, or unless the times are finite and end_time > start_time. */
  BezierCurve(double start_time, double end_time,
              const Eigen::Ref<const MatrixX<T>>& control_points);
  ~BezierCurve() final;

  /** m, or -1 without control points. */
  int order() const { return static_cast<int>(control_points_.cols()) - 1; }
  /** The control points, one a column. */
  const MatrixX<T>& control_points() const { return control_points_; }

  /** B_i(time) of this curve, or of one of another order.
  @throws std::out_of_range unless 0 <= i <= order. */
  T BernsteinBasis(int i, const T& time,
                   std::optional<int> order = std::nullopt) const;

  /** The M, (order() + 1) x (order() + 1 - derivative_order), with which
  control_points() * M are the control points of the derivative.
  @throws std::logic_error unless 0 <= derivative_order <= order(). */
  Eigen::SparseMatrix<double> AsLinearInControlPoints(
      int derivative_order = 1) const;

  /** Writes the same curve with one control point more.
  @throws std::logic_error without control points. */
  void ElevateOrder();

  /** The polynomials in `time`, expanded, whose values between start_time() and
  end_time() are the curve's; of a curve of double. Powers of time lose digits
  where the start is far from 0 for the curve's length. */
  VectorX<symbolic::Expression> GetExpression(
      symbolic::Variable time =
          symbolic::Variable("t")) const requires std::is_same_v<T, double>;

  MatrixX<T> value(const T& t) const final;
  Eigen::Index rows() const final { return control_points_.rows(); }
  Eigen::Index cols() const final { return 1; }
  T start_time() const final { return T(start_time_); }
  T end_time() const final { return T(end_time_); }

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final { return true; }
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final;
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  BezierCurve Derivative(int derivative_order) const;

  double start_time_{0.0};
  double end_time_{1.0};
  MatrixX<T> control_points_;
};

}  // namespace wyvern::trajectories
