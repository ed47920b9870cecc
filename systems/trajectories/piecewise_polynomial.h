#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/trajectories/piecewise_trajectory.h"

namespace wyvern::trajectories {

/** A matrix-valued trajectory whose elements are polynomials in time on each
segment. Outside its range of times a trajectory holds its value, and its
derivatives, at the nearer end.

The factories take the breaks t_0 < ... < t_n (s) and a sample for each: as
vectors of matrices, or, for a column vector, as the columns of one matrix. All
of them throw std::logic_error if the numbers or shapes of breaks and samples do
not fit together, if there are too few, or if one is not finite.

Source of the cubic factories: C. de Boor, "A Practical Guide to Splines", 1978,
chapter IV; of the shape-preserving one: F. N. Fritsch and J. Butland, "A method
for constructing local monotone piecewise cubic interpolants", 1984. */
template <typename T>
class PiecewisePolynomial final : public PiecewiseTrajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(PiecewisePolynomial);

  /** A trajectory without segments, whose value is 0 x 0. */
  PiecewisePolynomial() = default;

  /** The constant: one segment over all time. */
  template <typename Derived>
  explicit PiecewisePolynomial(const Eigen::MatrixBase<Derived>& constant_value)
      : PiecewisePolynomial(MakeConstant(constant_value)) {}

  /** Segments from their coefficients: element (r, c) on segment i is
  sum over k of coefficients[i](r + c rows, k) (t - t_i)^k. */
  PiecewisePolynomial(const std::vector<T>& breaks,
                      const std::vector<MatrixX<T>>& coefficients, int rows,
                      int cols);

  ~PiecewisePolynomial() override;

  /** Holds each sample until the next break; the last is not used. */
  static PiecewisePolynomial<T> ZeroOrderHold(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples);
  static PiecewisePolynomial<T> ZeroOrderHold(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples);

  /** Straight lines between the samples. */
  static PiecewisePolynomial<T> FirstOrderHold(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples);
  static PiecewisePolynomial<T> FirstOrderHold(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples);

  /** Cubics with given derivatives at the breaks. */
  static PiecewisePolynomial<T> CubicHermite(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
      const std::vector<MatrixX<T>>& samples_dot);
  static PiecewisePolynomial<T> CubicHermite(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples,
      const Eigen::Ref<const MatrixX<T>>& samples_dot);

  /** Cubics with a continuous first derivative that rise where the samples rise
  and turn only where they turn. The derivative at both ends is that of a
  parabola through three samples (of which there must be three then), limited to
  keep the shape, or zero on request. */
  static PiecewisePolynomial<T> CubicShapePreserving(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
      bool zero_end_point_derivatives = false);
  static PiecewisePolynomial<T> CubicShapePreserving(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples,
      bool zero_end_point_derivatives = false);

  /** Cubics with continuous first and second derivatives and given first
  derivatives at both ends. */
  static PiecewisePolynomial<T> CubicWithContinuousSecondDerivatives(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
      const MatrixX<T>& sample_dot_at_start,
      const MatrixX<T>& sample_dot_at_end);
  static PiecewisePolynomial<T> CubicWithContinuousSecondDerivatives(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples,
      const Eigen::Ref<const VectorX<T>>& sample_dot_at_start,
      const Eigen::Ref<const VectorX<T>>& sample_dot_at_end);

  /** The same without derivatives at the ends, from at least three samples.
  The third derivative is then continuous at the second and last but one break
  (with three samples the whole is one parabola); or, if periodic, first and
  second derivative at the end are those at the start. */
  static PiecewisePolynomial<T> CubicWithContinuousSecondDerivatives(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
      bool periodic_end_condition = false);
  static PiecewisePolynomial<T> CubicWithContinuousSecondDerivatives(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples,
      bool periodic_end_condition = false);

  bool empty() const { return coefficients_.empty(); }
  Eigen::Index rows() const override { return rows_; }
  Eigen::Index cols() const override { return cols_; }

  /** The value at t, or at the nearer end if t is out of range. */
  MatrixX<T> value(const T& t) const override;

  /** One element of value(t). */
  T scalarValue(const T& t, Eigen::Index row = 0, Eigen::Index col = 0) const;

  PiecewisePolynomial derivative(int derivative_order = 1) const;

  /** The integral from the start, plus a constant. */
  PiecewisePolynomial integral(const T& value_at_start_time = 0.0) const;
  PiecewisePolynomial integral(
      const Eigen::Ref<MatrixX<T>>& value_at_start_time) const;

  /** The degree of an element on a segment: that of its last coefficient that
  is not zero. */
  int getSegmentPolynomialDegree(int segment_index, Eigen::Index row = 0,
                                 Eigen::Index col = 0) const;

  /** The coefficients of a segment, as given to the constructor. */
  const MatrixX<T>& segment_coefficients(int segment_index) const;

  /** Moves the trajectory to later times, by `offset` s. */
  void shiftRight(const T& offset);

  /** Appends a trajectory of the same size that starts where this one ends.
  @throws std::logic_error if it does not. */
  void ConcatenateInTime(const PiecewisePolynomial& other);

  /** Removes the last segment.
  @throws std::logic_error if there is none. */
  void RemoveFinalSegment();

 private:
  static PiecewisePolynomial MakeConstant(const MatrixX<T>& value);
  static PiecewisePolynomial FromHold(const std::vector<T>& breaks,
                                      const MatrixX<T>& samples,
                                      bool first_order, int rows, int cols);
  static PiecewisePolynomial FromSlopes(const std::vector<T>& breaks,
                                        const MatrixX<T>& samples,
                                        const MatrixX<T>& slopes, int rows,
                                        int cols);

  bool do_has_derivative() const override { return true; }
  std::unique_ptr<Trajectory<T>> DoClone() const override;
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const override;
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const override;
  void DoEvalDerivativeInto(const T& t, int derivative_order,
                            EigenPtr<MatrixX<T>> derivative) const override;

  // Per segment: a row per element (column by column), a column per power.
  std::vector<MatrixX<T>> coefficients_;
  Eigen::Index rows_{};
  Eigen::Index cols_{};
};

}  // namespace wyvern::trajectories
