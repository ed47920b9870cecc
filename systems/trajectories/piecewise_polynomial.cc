#include "wyvern/systems/trajectories/piecewise_polynomial.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/trajectories/spline_slopes.h"

/* A segment is a matrix of coefficients, with a row for each element of the
value, column by column, and a column for each power of the time since the
segment's start. Factories gather their samples in one flat matrix of that
layout and check it. The cubic ones differ in the slopes at the breaks alone
(spline_slopes.cc); FromSlopes() makes the Hermite cubics of them. Values and
derivatives come from Horner's rule on one segment. A constant is one segment
from minus to plus infinity, for which the time since the start is infinite
and must not be used. */

namespace wyvern::trajectories {
namespace {

// Breaks, and samples with a row per element and a column per break.
template <typename T>
struct Samples {
  std::vector<T> breaks;
  MatrixX<T> values;
  int rows{};
  int cols{};
};

[[noreturn]] void Fail(const char* who, const std::string& what) {
  throw std::logic_error(
      fmt::format("PiecewisePolynomial::{}(): {}.", who, what));
}

template <typename T>
void RequireSamples(const char* who, const Samples<T>& samples, int least) {
  if (samples.values.cols() !=
      static_cast<Eigen::Index>(samples.breaks.size())) {
    Fail(who, fmt::format("there are {} breaks and {} samples; give as many",
                          samples.breaks.size(), samples.values.cols()));
  }
  if (samples.values.cols() < least) {
    Fail(who, fmt::format("there are {} samples; give at least {}",
                          samples.values.cols(), least));
  }
  wyvern::internal::RequireFinite({"PiecewisePolynomial", who}, "samples",
                                  samples.values);
}

// One matrix per break, each of them flattened to a column.
template <typename T>
MatrixX<T> Flatten(const char* who, const std::vector<MatrixX<T>>& matrices) {
  if (matrices.empty()) return {};
  const MatrixX<T>& first = matrices.front();
  MatrixX<T> flat(first.size(), matrices.size());
  for (size_t k = 0; k < matrices.size(); ++k) {
    const MatrixX<T>& matrix = matrices[k];
    if (matrix.rows() != first.rows() || matrix.cols() != first.cols()) {
      Fail(who, fmt::format("sample {} is {} x {} where sample 0 is {} x {}; "
                            "give samples of one size",
                            k, matrix.rows(), matrix.cols(), first.rows(),
                            first.cols()));
    }
    flat.col(k) = matrix.reshaped();
  }
  return flat;
}

template <typename T>
Samples<T> Gather(const char* who, const std::vector<T>& breaks,
                  const std::vector<MatrixX<T>>& matrices, int least) {
  Samples<T> samples{breaks, Flatten(who, matrices)};
  if (!matrices.empty()) {
    samples.rows = static_cast<int>(matrices.front().rows());
    samples.cols = static_cast<int>(matrices.front().cols());
  }
  RequireSamples(who, samples, least);
  return samples;
}

template <typename T>
Samples<T> Gather(const char* who, const Eigen::Ref<const VectorX<T>>& breaks,
                  const Eigen::Ref<const MatrixX<T>>& columns, int least) {
  Samples<T> samples{{breaks.data(), breaks.data() + breaks.size()},
                     columns,
                     static_cast<int>(columns.rows()),
                     1};
  RequireSamples(who, samples, least);
  return samples;
}

// A finite matrix with one value per element of the samples.
template <typename T>
void RequireSlopes(const char* who, const Samples<T>& samples,
                   const MatrixX<T>& slopes, Eigen::Index cols) {
  if (slopes.rows() != samples.values.rows() || slopes.cols() != cols) {
    Fail(who, "a derivative is not of the samples' size; give one of each");
  }
  wyvern::internal::RequireFinite({"PiecewisePolynomial", who}, "derivatives",
                                  slopes);
}

// Newton's form, a_0 + (t - t_0)(a_1 + (t - t_1)(a_2 + ...)) with the divided
// differences a_k, multiplied out from the inside in powers of t - t_0.
template <typename T>
MatrixX<T> LagrangeCoefficients(const Samples<T>& samples) {
  const Eigen::Index n = samples.values.cols();
  MatrixX<T> a = samples.values;
  for (Eigen::Index order = 1; order < n; ++order) {
    for (Eigen::Index k = n - 1; k >= order; --k) {
      a.col(k) = ((a.col(k) - a.col(k - 1)) /
                  (samples.breaks[k] - samples.breaks[k - order]))
                     .eval();
    }
  }
  MatrixX<T> c = MatrixX<T>::Zero(a.rows(), n);
  c.col(0) = a.col(n - 1);
  for (Eigen::Index k = n - 2; k >= 0; --k) {
    const T root = samples.breaks[k] - samples.breaks[0];
    for (Eigen::Index i = n - 1 - k; i >= 1; --i) {
      c.col(i) = (c.col(i - 1) - root * c.col(i)).eval();
    }
    c.col(0) = (a.col(k) - root * c.col(0)).eval();
  }
  return c;
}

// k (k-1) ... (k-order+1): what the derivative makes of a power.
double FallingFactorial(int k, int order) {
  double product = 1.0;
  for (int i = 0; i < order; ++i) product *= k - i;
  return product;
}

}  // namespace

template <typename T>
PiecewisePolynomial<T>::PiecewisePolynomial(
    const std::vector<T>& breaks, const std::vector<MatrixX<T>>& coefficients,
    int rows, int cols)
    : PiecewiseTrajectory<T>(breaks),
      coefficients_(coefficients),
      rows_(rows),
      cols_(cols) {
  if (coefficients.empty() || breaks.size() != coefficients.size() + 1) {
    Fail("PiecewisePolynomial",
         fmt::format("there are {} breaks and {} segments; give at least one "
                     "segment and one break more than segments",
                     breaks.size(), coefficients.size()));
  }
  for (const MatrixX<T>& segment : coefficients) {
    if (segment.rows() != rows_ * cols_ || segment.cols() < 1) {
      Fail("PiecewisePolynomial",
           fmt::format("the coefficients of a segment are {} x {}; give a row "
                       "for each of the {} elements",
                       segment.rows(), segment.cols(), rows_ * cols_));
    }
    wyvern::internal::RequireFinite("PiecewisePolynomial",
                                    "a segment's coefficients", segment);
  }
}

template <typename T>
typename PiecewisePolynomial<T>::CoefficientLists
PiecewisePolynomial<T>::GetCoefficientLists() const {
  CoefficientLists lists;
  for (const MatrixX<T>& segment : coefficients_) {
    auto& rows = lists.emplace_back(rows_);
    for (Eigen::Index r = 0; r < rows_; ++r) {
      for (Eigen::Index c = 0; c < cols_; ++c) {
        const VectorX<T> powers = segment.row(r + c * rows_);
        rows[r].emplace_back(powers.begin(), powers.end());
      }
    }
  }
  return lists;
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::FromCoefficientLists(
    const std::vector<T>& breaks, const CoefficientLists& lists) {
  if (breaks.empty() && lists.empty()) return PiecewisePolynomial();
  const std::size_t num_rows = lists.empty() ? 0 : lists[0].size();
  const std::size_t num_cols = num_rows == 0 ? 0 : lists[0][0].size();
  std::vector<MatrixX<T>> coefficients;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lists[i].size() != num_rows) {
      Fail("PiecewisePolynomial",
           fmt::format("segment {} has {} rows and segment 0 has {}; all must "
                       "have one shape",
                       i, lists[i].size(), num_rows));
    }
    std::size_t num_powers = 1;
    for (const auto& row : lists[i]) {
      if (row.size() != num_cols) {
        Fail("PiecewisePolynomial",
             fmt::format("a row of segment {} has {} columns and the first row "
                         "of segment 0 has {}; all must have one shape",
                         i, row.size(), num_cols));
      }
      for (const auto& powers : row) {
        num_powers = std::max(num_powers, powers.size());
      }
    }
    MatrixX<T>& segment = coefficients.emplace_back(
        MatrixX<T>::Zero(num_rows * num_cols, num_powers));
    for (std::size_t r = 0; r < num_rows; ++r) {
      for (std::size_t c = 0; c < num_cols; ++c) {
        const std::vector<T>& powers = lists[i][r][c];
        std::copy(powers.begin(), powers.end(),
                  segment.row(r + c * num_rows).begin());
      }
    }
  }
  // The constructor from a constant makes a segment over all time.
  if (lists.size() == 1 && breaks.size() == 2 && coefficients[0].cols() == 1 &&
      breaks[0] == -std::numeric_limits<double>::infinity() &&
      breaks[1] == std::numeric_limits<double>::infinity()) {
    return MakeConstant(coefficients[0].reshaped(num_rows, num_cols));
  }
  return PiecewisePolynomial(breaks, coefficients, static_cast<int>(num_rows),
                             static_cast<int>(num_cols));
}

template <typename T>
PiecewisePolynomial<T>::~PiecewisePolynomial() = default;

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::MakeConstant(
    const MatrixX<T>& value) {
  wyvern::internal::RequireFinite("PiecewisePolynomial", "constant", value);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  PiecewisePolynomial constant;
  constant.get_mutable_breaks() = {T(-kInfinity), T(kInfinity)};
  constant.coefficients_.push_back(value.reshaped());
  constant.rows_ = value.rows();
  constant.cols_ = value.cols();
  return constant;
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::FromSlopes(
    const std::vector<T>& breaks, const MatrixX<T>& samples,
    const MatrixX<T>& slopes, int rows, int cols) {
  std::vector<MatrixX<T>> coefficients;
  for (size_t i = 0; i + 1 < breaks.size(); ++i) {
    const T h = breaks[i + 1] - breaks[i];
    const VectorX<T> secant = (samples.col(i + 1) - samples.col(i)) / h;
    MatrixX<T> segment(samples.rows(), 4);
    segment << samples.col(i), slopes.col(i),
        (3.0 * secant - 2.0 * slopes.col(i) - slopes.col(i + 1)) / h,
        (slopes.col(i) + slopes.col(i + 1) - 2.0 * secant) / (h * h);
    coefficients.push_back(segment);
  }
  return PiecewisePolynomial(breaks, coefficients, rows, cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::FromHold(
    const std::vector<T>& breaks, const MatrixX<T>& samples, bool first_order,
    int rows, int cols) {
  std::vector<MatrixX<T>> coefficients;
  for (size_t i = 0; i + 1 < breaks.size(); ++i) {
    MatrixX<T> segment(samples.rows(), first_order ? 2 : 1);
    segment.col(0) = samples.col(i);
    if (first_order) {
      segment.col(1) =
          (samples.col(i + 1) - samples.col(i)) / (breaks[i + 1] - breaks[i]);
    }
    coefficients.push_back(segment);
  }
  return PiecewisePolynomial(breaks, coefficients, rows, cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::ZeroOrderHold(
    const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples) {
  const char* who = "ZeroOrderHold";
  const Samples<T> s = Gather<T>(who, breaks, samples, 2);
  return FromHold(s.breaks, s.values, false, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::ZeroOrderHold(
    const Eigen::Ref<const VectorX<T>>& breaks,
    const Eigen::Ref<const MatrixX<T>>& samples) {
  const char* who = "ZeroOrderHold";
  const Samples<T> s = Gather<T>(who, breaks, samples, 2);
  return FromHold(s.breaks, s.values, false, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::FirstOrderHold(
    const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples) {
  const char* who = "FirstOrderHold";
  const Samples<T> s = Gather<T>(who, breaks, samples, 2);
  return FromHold(s.breaks, s.values, true, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::FirstOrderHold(
    const Eigen::Ref<const VectorX<T>>& breaks,
    const Eigen::Ref<const MatrixX<T>>& samples) {
  const char* who = "FirstOrderHold";
  const Samples<T> s = Gather<T>(who, breaks, samples, 2);
  return FromHold(s.breaks, s.values, true, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::CubicHermite(
    const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
    const std::vector<MatrixX<T>>& samples_dot) {
  const char* who = "CubicHermite";
  const Samples<T> s = Gather<T>(who, breaks, samples, 2);
  const MatrixX<T> slopes = Flatten(who, samples_dot);
  RequireSlopes(who, s, slopes, s.values.cols());
  return FromSlopes(s.breaks, s.values, slopes, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::CubicHermite(
    const Eigen::Ref<const VectorX<T>>& breaks,
    const Eigen::Ref<const MatrixX<T>>& samples,
    const Eigen::Ref<const MatrixX<T>>& samples_dot) {
  const char* who = "CubicHermite";
  const Samples<T> s = Gather<T>(who, breaks, samples, 2);
  const MatrixX<T> slopes = samples_dot;
  RequireSlopes(who, s, slopes, s.values.cols());
  return FromSlopes(s.breaks, s.values, slopes, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::CubicShapePreserving(
    const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
    bool zero_end_point_derivatives) {
  const char* who = "CubicShapePreserving";
  const Samples<T> s =
      Gather<T>(who, breaks, samples, zero_end_point_derivatives ? 2 : 3);
  const MatrixX<T> slopes = internal::ShapePreservingSlopes(
      s.breaks, s.values, zero_end_point_derivatives);
  return FromSlopes(s.breaks, s.values, slopes, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::CubicShapePreserving(
    const Eigen::Ref<const VectorX<T>>& breaks,
    const Eigen::Ref<const MatrixX<T>>& samples,
    bool zero_end_point_derivatives) {
  const char* who = "CubicShapePreserving";
  const Samples<T> s =
      Gather<T>(who, breaks, samples, zero_end_point_derivatives ? 2 : 3);
  const MatrixX<T> slopes = internal::ShapePreservingSlopes(
      s.breaks, s.values, zero_end_point_derivatives);
  return FromSlopes(s.breaks, s.values, slopes, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T>
PiecewisePolynomial<T>::CubicWithContinuousSecondDerivatives(
    const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
    const MatrixX<T>& sample_dot_at_start,
    const MatrixX<T>& sample_dot_at_end) {
  const char* who = "CubicWithContinuousSecondDerivatives";
  const Samples<T> s = Gather<T>(who, breaks, samples, 2);
  const MatrixX<T> start = Flatten<T>(who, {sample_dot_at_start});
  const MatrixX<T> end = Flatten<T>(who, {sample_dot_at_end});
  RequireSlopes(who, s, start, 1);
  RequireSlopes(who, s, end, 1);
  const MatrixX<T> slopes =
      internal::ClampedSplineSlopes<T>(s.breaks, s.values, start, end);
  return FromSlopes(s.breaks, s.values, slopes, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T>
PiecewisePolynomial<T>::CubicWithContinuousSecondDerivatives(
    const Eigen::Ref<const VectorX<T>>& breaks,
    const Eigen::Ref<const MatrixX<T>>& samples,
    const Eigen::Ref<const VectorX<T>>& sample_dot_at_start,
    const Eigen::Ref<const VectorX<T>>& sample_dot_at_end) {
  const char* who = "CubicWithContinuousSecondDerivatives";
  const Samples<T> s = Gather<T>(who, breaks, samples, 2);
  const MatrixX<T> start = sample_dot_at_start;
  const MatrixX<T> end = sample_dot_at_end;
  RequireSlopes(who, s, start, 1);
  RequireSlopes(who, s, end, 1);
  const MatrixX<T> slopes =
      internal::ClampedSplineSlopes<T>(s.breaks, s.values, start, end);
  return FromSlopes(s.breaks, s.values, slopes, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T>
PiecewisePolynomial<T>::CubicWithContinuousSecondDerivatives(
    const std::vector<T>& breaks, const std::vector<MatrixX<T>>& samples,
    bool periodic_end_condition) {
  const char* who = "CubicWithContinuousSecondDerivatives";
  const Samples<T> s = Gather<T>(who, breaks, samples, 3);
  const MatrixX<T> slopes =
      periodic_end_condition
          ? internal::PeriodicSplineSlopes(s.breaks, s.values)
          : internal::NotAKnotSplineSlopes(s.breaks, s.values);
  return FromSlopes(s.breaks, s.values, slopes, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T>
PiecewisePolynomial<T>::CubicWithContinuousSecondDerivatives(
    const Eigen::Ref<const VectorX<T>>& breaks,
    const Eigen::Ref<const MatrixX<T>>& samples, bool periodic_end_condition) {
  const char* who = "CubicWithContinuousSecondDerivatives";
  const Samples<T> s = Gather<T>(who, breaks, samples, 3);
  const MatrixX<T> slopes =
      periodic_end_condition
          ? internal::PeriodicSplineSlopes(s.breaks, s.values)
          : internal::NotAKnotSplineSlopes(s.breaks, s.values);
  return FromSlopes(s.breaks, s.values, slopes, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::LagrangeInterpolatingPolynomial(
    const std::vector<T>& times, const std::vector<MatrixX<T>>& samples) {
  const char* who = "LagrangeInterpolatingPolynomial";
  const Samples<T> s = Gather<T>(who, times, samples, 2);
  // Checks all the times, of which only the ends stay.
  FromHold(s.breaks, s.values, false, s.rows, s.cols);
  return PiecewisePolynomial({s.breaks.front(), s.breaks.back()},
                             {LagrangeCoefficients(s)}, s.rows, s.cols);
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::LagrangeInterpolatingPolynomial(
    const Eigen::Ref<const VectorX<T>>& times,
    const Eigen::Ref<const MatrixX<T>>& samples) {
  const char* who = "LagrangeInterpolatingPolynomial";
  const Samples<T> s = Gather<T>(who, times, samples, 2);
  FromHold(s.breaks, s.values, false, s.rows, s.cols);
  return PiecewisePolynomial({s.breaks.front(), s.breaks.back()},
                             {LagrangeCoefficients(s)}, s.rows, s.cols);
}

template <typename T>
bool PiecewisePolynomial<T>::IsConstantAcross(int break_index) const {
  if constexpr (std::is_same_v<T, double>) {
    const int last = this->get_number_of_segments() - 1;
    const MatrixX<T>& before = coefficients_[std::max(break_index - 1, 0)];
    const MatrixX<T>& after = coefficients_[std::min(break_index, last)];
    const auto is_constant = [](const MatrixX<T>& c) {
      return (c.rightCols(std::max<Eigen::Index>(c.cols() - 1, 0)).array() == 0)
          .all();
    };
    return is_constant(before) && is_constant(after) &&
           before.leftCols(1) == after.leftCols(1);
  } else {
    return false;
  }
}

// Skips breaks without effect, up to a limit.
template <typename T>
T PiecewisePolynomial<T>::DoFindBreak(const T& t, bool later) const {
  constexpr int kMostSkips = 64;
  int index = this->FindBreakIndex(t, later);
  const int count = static_cast<int>(this->breaks().size());
  for (int skips = 0; index >= 0 && index < count; ++skips) {
    if (skips == kMostSkips || !IsConstantAcross(index)) {
      return this->breaks()[index];
    }
    index += later ? 1 : -1;
  }
  return this->NoBreak(later);
}

template <typename T>
MatrixX<T> PiecewisePolynomial<T>::value(const T& t) const {
  return DoEvalDerivative(t, 0);
}

template <typename T>
T PiecewisePolynomial<T>::scalarValue(const T& t, Eigen::Index row,
                                      Eigen::Index col) const {
  RequireElement("scalarValue", row, col);
  return value(t)(row, col);
}

template <typename T>
MatrixX<T> PiecewisePolynomial<T>::DoEvalDerivative(
    const T& t, int derivative_order) const {
  MatrixX<T> derivative(rows_, cols_);
  if (!empty()) DoEvalDerivativeInto(t, derivative_order, &derivative);
  return derivative;
}

template <typename T>
void PiecewisePolynomial<T>::DoEvalDerivativeInto(
    const T& t, int derivative_order, EigenPtr<MatrixX<T>> derivative) const {
  const int segment = this->get_segment_index(t);
  const MatrixX<T>& c = coefficients_[segment];
  const int degree = static_cast<int>(c.cols()) - 1;
  derivative->setZero();
  if (derivative_order > degree) return;
  const T local = this->ClampTime(t) - this->breaks()[segment];
  // Horner's rule; a constant may begin at minus infinity.
  for (int k = degree; k >= derivative_order; --k) {
    const double factor = FallingFactorial(k, derivative_order);
    for (Eigen::Index col = 0; col < cols_; ++col) {
      for (Eigen::Index row = 0; row < rows_; ++row) {
        T& sum = (*derivative)(row, col);
        if (k < degree) sum *= local;
        sum += factor * c(row + col * rows_, k);
      }
    }
  }
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::derivative(
    int derivative_order) const {
  wyvern::internal::RequireAtLeast("PiecewisePolynomial::derivative",
                                   "derivative_order", derivative_order, 0);
  PiecewisePolynomial result = *this;
  for (MatrixX<T>& segment : result.coefficients_) {
    const int degree = static_cast<int>(segment.cols()) - 1;
    const int new_degree = std::max(0, degree - derivative_order);
    MatrixX<T> lowered = MatrixX<T>::Zero(segment.rows(), new_degree + 1);
    for (int k = derivative_order; k <= degree; ++k) {
      lowered.col(k - derivative_order) =
          FallingFactorial(k, derivative_order) * segment.col(k);
    }
    segment = lowered;
  }
  return result;
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::integral(
    const T& value_at_start_time) const {
  MatrixX<T> start = MatrixX<T>::Constant(rows_, cols_, value_at_start_time);
  return integral(Eigen::Ref<MatrixX<T>>(start));
}

template <typename T>
PiecewisePolynomial<T> PiecewisePolynomial<T>::integral(
    const Eigen::Ref<MatrixX<T>>& value_at_start_time) const {
  if (value_at_start_time.rows() != rows_ ||
      value_at_start_time.cols() != cols_) {
    Fail("integral",
         fmt::format("the value at the start is {} x {}; give one of {} x {}",
                     value_at_start_time.rows(), value_at_start_time.cols(),
                     rows_, cols_));
  }
  if (!empty() && !std::isfinite(ToDouble(this->start_time()))) {
    Fail("integral",
         "the trajectory has no start; take a part of it by SliceByTime()");
  }
  PiecewisePolynomial result = *this;
  VectorX<T> start = value_at_start_time.reshaped();
  for (int i = 0; i < this->get_number_of_segments(); ++i) {
    const MatrixX<T>& segment = coefficients_[i];
    MatrixX<T> raised(segment.rows(), segment.cols() + 1);
    raised.col(0) = start;
    for (int k = 0; k < segment.cols(); ++k) {
      raised.col(k + 1) = segment.col(k) / (k + 1.0);
    }
    // Horner's rule for the value at the segment's end.
    const T h = this->duration(i);
    start = raised.col(raised.cols() - 1);
    for (int k = static_cast<int>(raised.cols()) - 2; k >= 0; --k) {
      start = (h * start + raised.col(k)).eval();
    }
    result.coefficients_[i] = raised;
  }
  return result;
}

template <typename T>
int PiecewisePolynomial<T>::getSegmentPolynomialDegree(int segment_index,
                                                       Eigen::Index row,
                                                       Eigen::Index col) const {
  const MatrixX<T>& segment = segment_coefficients(segment_index);
  RequireElement("getSegmentPolynomialDegree", row, col);
  int degree = static_cast<int>(segment.cols()) - 1;
  while (degree > 0 && segment(row + col * rows_, degree) == 0.0) --degree;
  return degree;
}

template <typename T>
const MatrixX<T>& PiecewisePolynomial<T>::segment_coefficients(
    int segment_index) const {
  this->segment_number_range_check(segment_index);
  return coefficients_[segment_index];
}

template <typename T>
void PiecewisePolynomial<T>::shiftRight(const T& offset) {
  wyvern::internal::RequireFinite("PiecewisePolynomial::shiftRight", "offset",
                                  offset);
  for (T& time : this->get_mutable_breaks()) time += offset;
}

template <typename T>
void PiecewisePolynomial<T>::ConcatenateInTime(
    const PiecewisePolynomial& other) {
  if (empty()) {
    *this = other;
    return;
  }
  if (other.empty()) return;
  const T gap = other.start_time() - this->end_time();
  using std::abs;
  if (other.rows() != rows_ || other.cols() != cols_ || !(abs(gap) < 1e-8)) {
    Fail("ConcatenateInTime",
         fmt::format("a {} x {} trajectory from {} s cannot follow a {} x {} "
                     "one that ends at {} s; give one of the same size that "
                     "starts there",
                     other.rows(), other.cols(), ToDouble(other.start_time()),
                     rows_, cols_, ToDouble(this->end_time())));
  }
  std::vector<T>& breaks = this->get_mutable_breaks();
  // Copies, because other may be this.
  const std::vector<T> more(other.breaks().begin() + 1, other.breaks().end());
  const std::vector<MatrixX<T>> segments = other.coefficients_;
  breaks.insert(breaks.end(), more.begin(), more.end());
  coefficients_.insert(coefficients_.end(), segments.begin(), segments.end());
}

template <typename T>
void PiecewisePolynomial<T>::RemoveFinalSegment() {
  if (empty()) Fail("RemoveFinalSegment", "the trajectory has no segment");
  this->get_mutable_breaks().pop_back();
  coefficients_.pop_back();
  if (empty()) this->get_mutable_breaks().clear();
}

template <typename T>
std::unique_ptr<Trajectory<T>> PiecewisePolynomial<T>::DoClone() const {
  return std::make_unique<PiecewisePolynomial<T>>(*this);
}

template <typename T>
std::unique_ptr<Trajectory<T>> PiecewisePolynomial<T>::DoMakeDerivative(
    int derivative_order) const {
  return std::make_unique<PiecewisePolynomial<T>>(derivative(derivative_order));
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::PiecewisePolynomial);

}  // namespace wyvern::trajectories
