#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "wyvern/systems/common/name_value.h"
#include "wyvern/systems/common/polynomial.h"
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

  /** A matrix of polynomials: one segment. */
  using PolynomialMatrix = MatrixX<Polynomial<T>>;
  /** How isApprox() takes its tolerance. */
  enum class ToleranceType { kRelative = 0, kAbsolute = 1 };

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

  /** Segments from their polynomials in t - t_i; of matrices, or of scalars. */
  PiecewisePolynomial(const std::vector<PolynomialMatrix>& polynomials_matrix,
                      const std::vector<T>& breaks);
  /** Overload for a trajectory that is 1 x 1. */
  PiecewisePolynomial(const std::vector<Polynomial<T>>& polynomials,
                      const std::vector<T>& breaks);

  ~PiecewisePolynomial() override;

  /** Holds each sample until the next break; the last is not used. */
  static PiecewisePolynomial<T> ZeroOrderHold(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples);
  /** Overload for samples as columns. */
  static PiecewisePolynomial<T> ZeroOrderHold(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples);

  /** Straight lines between the samples. */
  static PiecewisePolynomial<T> FirstOrderHold(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples);
  /** Overload for samples as columns. */
  static PiecewisePolynomial<T> FirstOrderHold(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples);

  /** Cubics with given derivatives at the breaks. */
  static PiecewisePolynomial<T> CubicHermite(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
      const std::vector<MatrixX<T>>& samples_dot);
  /** Overload for samples as columns. */
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
  /** Overload for samples as columns. */
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
  /** Overload for samples as columns. */
  static PiecewisePolynomial<T> CubicWithContinuousSecondDerivatives(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples,
      const Eigen::Ref<const VectorX<T>>& sample_dot_at_start,
      const Eigen::Ref<const VectorX<T>>& sample_dot_at_end);

  /** Interpolates without derivatives at the ends, from at least three samples.
  The third derivative is then continuous at the second and last but one break
  (with three samples the whole is one parabola); or, if periodic, first and
  second derivative at the end are those at the start. */
  static PiecewisePolynomial<T> CubicWithContinuousSecondDerivatives(
      const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
      bool periodic_end_condition = false);
  /** Overload for samples as columns. */
  static PiecewisePolynomial<T> CubicWithContinuousSecondDerivatives(
      const Eigen::Ref<const VectorX<T>>& breaks,
      const Eigen::Ref<const MatrixX<T>>& samples,
      bool periodic_end_condition = false);

  /** One polynomial through all samples, of a degree one less than their
  number. It swings wildly between many equidistant ones. */
  static PiecewisePolynomial<T> LagrangeInterpolatingPolynomial(
      const std::vector<T>& times, const std::vector<MatrixX<T>>& samples);
  /** Overload for samples as columns. */
  static PiecewisePolynomial<T> LagrangeInterpolatingPolynomial(
      const Eigen::Ref<const VectorX<T>>& times,
      const Eigen::Ref<const MatrixX<T>>& samples);

  /** Visits `breaks` and `polynomials`, to write or read them. Polynomials are
  nested lists: of segments, of rows, of columns, and of the coefficients of
  (t - t_i)^0, (t - t_i)^1, ... of an element.
  @throws std::logic_error if they do not fit, and leaves this as it was. */
  template <typename Archive>
  requires std::is_same_v<T, double>
  void Serialize(Archive* a) {
    std::vector<double> breaks = this->breaks();
    CoefficientLists polynomials = GetCoefficientLists();
    const CoefficientLists present = polynomials;
    a->Visit(WYVERN_NVP(breaks));
    a->Visit(WYVERN_NVP(polynomials));
    if (breaks == this->breaks() && polynomials == present) return;
    *this = FromCoefficientLists(breaks, polynomials);
  }

  /** True if there is no segment. */
  bool empty() const { return coefficients_.empty(); }
  Eigen::Index rows() const override { return rows_; }
  Eigen::Index cols() const override { return cols_; }

  /** The value at t, or at the nearer end if t is out of range. */
  MatrixX<T> value(const T& t) const override;

  /** One element of value(t). */
  T scalarValue(const T& t, Eigen::Index row = 0, Eigen::Index col = 0) const;

  /** The derivative as a trajectory with the same breaks; order 0 is a copy.
  @throws std::logic_error if the order is negative. */
  PiecewisePolynomial derivative(int derivative_order = 1) const;

  /** The integral from the start, plus a constant. */
  PiecewisePolynomial integral(const T& value_at_start_time = 0.0) const;
  /** The integral from the start, plus a matrix of the same shape. */
  PiecewisePolynomial integral(
      const Eigen::Ref<MatrixX<T>>& value_at_start_time) const;

  /** The degree of an element on a segment: that of its last coefficient that
  is not zero. */
  int getSegmentPolynomialDegree(int segment_index, Eigen::Index row = 0,
                                 Eigen::Index col = 0) const;

  /** The coefficients of a segment, as given to the constructor. */
  const MatrixX<T>& segment_coefficients(int segment_index) const;

  /** The polynomials of a segment, in the time since its start.
  @throws std::out_of_range on a bad index. */
  PolynomialMatrix getPolynomialMatrix(int segment_index) const;
  /** The polynomial of one element on a segment, in the time since its
  start. */
  Polynomial<T> getPolynomial(int segment_index, Eigen::Index row = 0,
                              Eigen::Index col = 0) const;

  /** True if sizes agree and all breaks and coefficients differ by at most
  `tol`: absolute, or, for an element's coefficients, relative to the larger
  norm. */
  bool isApprox(const PiecewisePolynomial& other, double tol,
                const ToleranceType& tol_type = ToleranceType::kRelative) const;

  /** @name Parts of this trajectory
  @throws std::out_of_range on indices out of range.
  @{ */
  /** The trajectory of a block of the value. */
  PiecewisePolynomial Block(int start_row, int start_col, int block_rows,
                            int block_cols) const;
  /** The trajectory of the transposed value. */
  PiecewisePolynomial Transpose() const;
  /** At least one segment. */
  PiecewisePolynomial slice(int start_segment_index, int num_segments) const;
  /** From one time in range to a later one.
  @throws std::logic_error if they are not. */
  PiecewisePolynomial SliceByTime(const T& start_time, const T& end_time) const;
  /** @} */

  /** @name Arithmetic
  The product is that of matrices, or of a scalar and a matrix.
  @throws std::logic_error if sizes do not fit or breaks differ.
  @{ */
  /** Adds a trajectory of the same shape. */
  PiecewisePolynomial& operator+=(const PiecewisePolynomial& other);
  /** Subtracts a trajectory of the same shape. */
  PiecewisePolynomial& operator-=(const PiecewisePolynomial& other);
  /** Multiplies by a trajectory from the right. */
  PiecewisePolynomial& operator*=(const PiecewisePolynomial& other);
  /** Adds a constant of the same shape. */
  PiecewisePolynomial& operator+=(const MatrixX<T>& coeff);
  /** Subtracts a constant of the same shape. */
  PiecewisePolynomial& operator-=(const MatrixX<T>& coeff);
  /** The sum with a trajectory of the same shape. */
  const PiecewisePolynomial operator+(const PiecewisePolynomial& other) const;
  /** The difference from a trajectory of the same shape. */
  const PiecewisePolynomial operator-(const PiecewisePolynomial& other) const;
  /** The product with a trajectory on the right. */
  const PiecewisePolynomial operator*(const PiecewisePolynomial& other) const;
  /** The sum with a constant of the same shape. */
  const PiecewisePolynomial operator+(const MatrixX<T>& coeff) const;
  /** The difference from a constant of the same shape. */
  const PiecewisePolynomial operator-(const MatrixX<T>& coeff) const;
  /** The trajectory with the opposite sign. */
  const PiecewisePolynomial operator-() const;
  /** @} */

  /** Moves the trajectory to later times, by `offset` s.
  @throws std::logic_error unless it is finite. */
  void shiftRight(const T& offset);

  /** Makes what was at time -t be at t. */
  void ReverseTime();

  /** Makes what was at t/scale be at t.
  @throws std::logic_error unless scale is positive and finite. */
  void ScaleTime(const T& scale);

  /** Splits the segment that holds `new_break` there, which changes no value,
  unless it is a break already. Returns the index of the segment that starts
  there.
  @throws std::logic_error if it is out of range. */
  int AddBreak(const T& new_break);

  /** Appends a cubic from the value and the derivative at the end to the given
  ones.
  @throws std::logic_error if there is no segment yet, `time` is not after the
  end, or a size differs. */
  void AppendCubicHermiteSegment(
      const T& time, const Eigen::Ref<const MatrixX<T>>& sample,
      const Eigen::Ref<const MatrixX<T>>& sample_dot);
  /** Appends a straight line from the value at the end to the given one.
  @throws std::logic_error likewise. */
  void AppendFirstOrderSegment(const T& time,
                               const Eigen::Ref<const MatrixX<T>>& sample);

  /** Rearranges the elements, column by column, into another shape.
  @throws std::logic_error unless it has as many. */
  void Reshape(int rows, int cols);

  /** Replaces some elements of a segment.
  @throws std::out_of_range on indices out of range. */
  void setPolynomialMatrixBlock(const PolynomialMatrix& replacement,
                                int segment_index, Eigen::Index row_start = 0,
                                Eigen::Index col_start = 0);

  /** Appends a trajectory of the same size that starts where this one ends.
  @throws std::logic_error if it does not. */
  void ConcatenateInTime(const PiecewisePolynomial& other);

  /** Removes the last segment.
  @throws std::logic_error if there is none. */
  void RemoveFinalSegment();

 private:
  // Coefficients by segment, row, column and power.
  using CoefficientLists =
      std::vector<std::vector<std::vector<std::vector<T>>>>;
  CoefficientLists GetCoefficientLists() const;
  static PiecewisePolynomial FromCoefficientLists(
      const std::vector<T>& breaks, const CoefficientLists& lists);

  static PiecewisePolynomial MakeConstant(const MatrixX<T>& value);
  // Without checks.
  static PiecewisePolynomial Make(Eigen::Index rows, Eigen::Index cols,
                                  std::vector<MatrixX<T>> coefficients,
                                  std::vector<T> breaks);
  static PiecewisePolynomial FromHold(const std::vector<T>& breaks,
                                      const MatrixX<T>& samples,
                                      bool first_order, int rows, int cols);
  static PiecewisePolynomial FromSlopes(const std::vector<T>& breaks,
                                        const MatrixX<T>& samples,
                                        const MatrixX<T>& slopes, int rows,
                                        int cols);

  void RequireElement(const char* who, Eigen::Index row,
                      Eigen::Index col) const;
  void RequireFittingShape(const char* who, Eigen::Index rows,
                           Eigen::Index cols) const;
  void RequireSameBreaks(const char* who,
                         const PiecewisePolynomial& other) const;
  void RequireNewEnd(const char* who, const T& time) const;

  bool do_has_derivative() const override { return true; }
  std::unique_ptr<Trajectory<T>> DoClone() const override;
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const override;
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const override;
  void DoEvalDerivativeInto(const T& t, int derivative_order,
                            EigenPtr<MatrixX<T>> derivative) const override;
  T DoFindBreak(const T& t, bool later) const override;
  // Returns whether nothing changes at a break, because one constant continues.
  bool IsConstantAcross(int break_index) const;

  // Per segment: a row per element (column by column), a column per power.
  std::vector<MatrixX<T>> coefficients_;
  Eigen::Index rows_{};
  Eigen::Index cols_{};
};

}  // namespace wyvern::trajectories
