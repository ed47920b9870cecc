#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"
#include "wyvern/systems/trajectories/polynomial_coefficients.h"

/* Coefficients count from the start of their segment: moving a segment along
takes no work, but what gives it another start, as AddBreak() and
ReverseTime() do, expands the polynomial anew. A segment of one coefficient
is left as it is, since a constant may start at minus infinity. A new break
within kEpsilonTime of one that is there is that one, so that no segment is
empty; AddBreak() returns its number, and SliceByTime() cuts between two
such. Appended segments start from the value, and slope, at the present end. */

namespace wyvern::trajectories {
namespace {

// The rows of `C` that are those elements of a value with `num_rows` rows.
template <typename T>
MatrixX<T> TakeBlock(const MatrixX<T>& C, Eigen::Index num_rows,
                     Eigen::Index row, Eigen::Index col, Eigen::Index rows,
                     Eigen::Index cols) {
  MatrixX<T> result(rows * cols, C.cols());
  for (Eigen::Index j = 0; j < cols; ++j) {
    result.middleRows(j * rows, rows) =
        C.middleRows(row + (col + j) * num_rows, rows);
  }
  return result;
}

}  // namespace

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::Make(
    Eigen::Index rows, Eigen::Index cols, std::vector<MatrixX<T>> coefficients,
    std::vector<T> breaks) {
  PiecewisePolynomial result;
  result.get_mutable_breaks() = std::move(breaks);
  result.coefficients_ = std::move(coefficients);
  result.rows_ = rows;
  result.cols_ = cols;
  return result;
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::Block(int start_row,
                                                     int start_col,
                                                     int block_rows,
                                                     int block_cols) const {
  if (start_row < 0 || start_col < 0 || block_rows < 0 || block_cols < 0 ||
      start_row + block_rows > rows() || start_col + block_cols > cols()) {
    throw std::out_of_range(fmt::format(
        "PiecewisePolynomial::Block(): a {} x {} block at ({}, {}) was asked "
        "for; the value is {} x {}.",
        block_rows, block_cols, start_row, start_col, rows_, cols_));
  }
  std::vector<MatrixX<T>> segments;
  for (const MatrixX<T>& C : coefficients_) {
    segments.push_back(
        TakeBlock(C, rows_, start_row, start_col, block_rows, block_cols));
  }
  return Make(block_rows, block_cols, std::move(segments), this->breaks());
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::Transpose() const {
  PiecewisePolynomial result = *this;
  std::swap(result.rows_, result.cols_);
  for (std::size_t k = 0; k < coefficients_.size(); ++k) {
    for (Eigen::Index i = 0; i < rows_; ++i) {
      for (Eigen::Index j = 0; j < cols_; ++j) {
        result.coefficients_[k].row(j + i * cols_) =
            coefficients_[k].row(i + j * rows_);
      }
    }
  }
  return result;
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::slice(int start_segment_index,
                                                     int num_segments) const {
  this->segment_number_range_check(start_segment_index);
  if (num_segments < 1) {
    throw std::logic_error(fmt::format(
        "PiecewisePolynomial::slice(): {} segments were asked for; ask for one "
        "at least.",
        num_segments));
  }
  this->segment_number_range_check(start_segment_index + num_segments - 1);
  const auto first = coefficients_.begin() + start_segment_index;
  const auto first_break = this->breaks().begin() + start_segment_index;
  return Make(rows_, cols_,
              std::vector<MatrixX<T>>(first, first + num_segments),
              std::vector<T>(first_break, first_break + num_segments + 1));
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::SliceByTime(
    const T& start_time, const T& end_time) const {
  if (!(end_time > start_time)) {
    throw std::logic_error(fmt::format(
        "PiecewisePolynomial::SliceByTime(): the interval given is [{}, {}]; "
        "its end must be after its start.",
        ToDouble(start_time), ToDouble(end_time)));
  }
  PiecewisePolynomial copy = *this;
  const int first = copy.AddBreak(start_time);
  const int after_last = copy.AddBreak(end_time);
  return copy.slice(first, after_last - first);
}

template <typename T>
void PiecewisePolynomial<T>::RequireNewEnd(const char* who,
                                           const T& time) const {
  if (empty()) {
    throw std::logic_error(fmt::format(
        "PiecewisePolynomial::{}(): there are no segments to start from; make "
        "the first by interpolation.",
        who));
  }
  const double end = ToDouble(this->end_time());
  const double t = ToDouble(time);
  wyvern::internal::RequireFinite({"PiecewisePolynomial", who}, "time", t);
  if (!(t - end > this->kEpsilonTime)) {
    throw std::logic_error(fmt::format(
        "PiecewisePolynomial::{}(): the time given is {} for a trajectory that "
        "ends at {}; it must be later.",
        who, t, end));
  }
}

template <typename T>
void PiecewisePolynomial<T>::AppendCubicHermiteSegment(
    const T& time, const Eigen::Ref<const MatrixX<T>>& sample,
    const Eigen::Ref<const MatrixX<T>>& sample_dot) {
  const char* const who = "AppendCubicHermiteSegment";
  RequireNewEnd(who, time);
  RequireFittingShape(who, sample.rows(), sample.cols());
  RequireFittingShape(who, sample_dot.rows(), sample_dot.cols());
  const T end = this->end_time();
  ConcatenateInTime(CubicHermite(
      {end, time}, std::vector<MatrixX<T>>{value(end), sample},
      std::vector<MatrixX<T>>{DoEvalDerivative(end, 1), sample_dot}));
}

template <typename T>
void PiecewisePolynomial<T>::AppendFirstOrderSegment(
    const T& time, const Eigen::Ref<const MatrixX<T>>& sample) {
  RequireNewEnd("AppendFirstOrderSegment", time);
  RequireFittingShape("AppendFirstOrderSegment", sample.rows(), sample.cols());
  const T end = this->end_time();
  ConcatenateInTime(
      FirstOrderHold({end, time}, std::vector<MatrixX<T>>{value(end), sample}));
}

template <typename T>
int PiecewisePolynomial<T>::AddBreak(const T& new_break) {
  if (!this->is_time_in_range(new_break)) {
    throw std::logic_error(fmt::format(
        "PiecewisePolynomial::AddBreak(): the break given is {}, out of the "
        "trajectory's range; it must be in it.",
        ToDouble(new_break)));
  }
  const int segment = this->get_segment_index(new_break);
  std::vector<T>& breaks = this->get_mutable_breaks();
  if (!(new_break - breaks[segment] >= T(this->kEpsilonTime))) return segment;
  if (!(breaks[segment + 1] - new_break >= T(this->kEpsilonTime))) {
    return segment + 1;
  }
  const MatrixX<T>& C = coefficients_[segment];
  // A constant one may start at minus infinity.
  MatrixX<T> second = C.cols() == 1 ? C
                                    : internal::ShiftArgument<T>(
                                          C, new_break - breaks[segment]);
  coefficients_.insert(coefficients_.begin() + segment + 1, std::move(second));
  breaks.insert(breaks.begin() + segment + 1, new_break);
  return segment + 1;
}

template <typename T>
void PiecewisePolynomial<T>::ReverseTime() {
  std::vector<T>& breaks = this->get_mutable_breaks();
  for (std::size_t k = 0; k < coefficients_.size(); ++k) {
    if (coefficients_[k].cols() == 1) continue;
    coefficients_[k] = internal::ScaleArgument<T>(
        internal::ShiftArgument<T>(std::move(coefficients_[k]),
                                   breaks[k + 1] - breaks[k]),
        T(-1));
  }
  std::reverse(coefficients_.begin(), coefficients_.end());
  std::reverse(breaks.begin(), breaks.end());
  for (T& b : breaks) b = -b;
}

template <typename T>
void PiecewisePolynomial<T>::ScaleTime(const T& scale) {
  const double factor = ToDouble(scale);
  wyvern::internal::RequirePositive("PiecewisePolynomial::ScaleTime", "scale",
                                    factor);
  for (MatrixX<T>& C : coefficients_) {
    C = internal::ScaleArgument<T>(std::move(C), T(1) / scale);
  }
  for (T& b : this->get_mutable_breaks()) b *= scale;
}

template <typename T>
void PiecewisePolynomial<T>::Reshape(int rows, int cols) {
  if (rows < 0 || cols < 0 || rows * cols != rows_ * cols_) {
    throw std::logic_error(fmt::format(
        "PiecewisePolynomial::Reshape(): {} x {} was asked for; the value is "
        "{} x {} and must keep its number of elements.",
        rows, cols, rows_, cols_));
  }
  rows_ = rows;
  cols_ = cols;
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::PiecewisePolynomial);
