#include "wyvern/systems/trajectories/spline_slopes.h"

#include <cmath>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/default_scalars.h"

/* The three splines with continuous second derivatives share their inner rows
and differ at the ends: slopes given, third derivatives continuous at the
next break, or the end joined to the start. Joined ends put two corners into
the matrix, which are taken out by a change of rank one. All elements of the
value are solved for at once, as right-hand sides of one matrix. The
shape-preserving slopes are local and need no solving: a slope depends on the
two secants at its break, and is zero where they do not have one sign.

With y_i the samples, D_i the slopes and d_i = (y_{i+1} - y_i) / h_i the
secants, the second derivative of the Hermite cubic on segment i is
  at its start (6 d_i - 4 D_i - 2 D_{i+1}) / h_i,
  at its end  (-6 d_i + 2 D_i + 4 D_{i+1}) / h_i,
and its third (D_i + D_{i+1} - 2 d_i) 6 / h_i^2. Equal second derivatives on
both sides of break i make the row, for i = 1 ... n-1,
  h_i D_{i-1} + 2 (h_{i-1} + h_i) D_i + h_{i-1} D_{i+1}
    = 3 (h_i d_{i-1} + h_{i-1} d_i),
and the conditions at the ends the first and last row of a tridiagonal
system. */

namespace wyvern::trajectories::internal {
namespace {

template <typename T>
struct Secants {
  Secants(const std::vector<T>& breaks, const MatrixX<T>& samples)
      : n(static_cast<int>(breaks.size()) - 1), h(n), d(samples.rows(), n) {
    for (int i = 0; i < n; ++i) {
      h[i] = breaks[i + 1] - breaks[i];
      d.col(i) = (samples.col(i + 1) - samples.col(i)) / h[i];
    }
  }
  int n;
  VectorX<T> h;
  MatrixX<T> d;
};

// Row i: lower[i] x_{i-1} + diagonal[i] x_i + upper[i] x_{i+1} = column i of
// the right-hand side.
template <typename T>
struct Tridiagonal {
  explicit Tridiagonal(int size)
      : lower(VectorX<T>::Zero(size)),
        diagonal(VectorX<T>::Zero(size)),
        upper(VectorX<T>::Zero(size)) {}

  // Gaussian elimination without exchange of rows: the rows are diagonally
  // dominant, or become so after the first.
  MatrixX<T> Solve(MatrixX<T> rhs) const {
    const int size = static_cast<int>(diagonal.size());
    VectorX<T> pivot = diagonal;
    for (int i = 1; i < size; ++i) {
      const T factor = lower[i] / pivot[i - 1];
      pivot[i] -= factor * upper[i - 1];
      rhs.col(i) -= factor * rhs.col(i - 1);
    }
    rhs.col(size - 1) /= pivot[size - 1];
    for (int i = size - 2; i >= 0; --i) {
      rhs.col(i) = (rhs.col(i) - upper[i] * rhs.col(i + 1)) / pivot[i];
    }
    return rhs;
  }

  VectorX<T> lower;
  VectorX<T> diagonal;
  VectorX<T> upper;
};

// The rows 1 ... n-1 for continuous second derivatives.
template <typename T>
void FillInterior(const Secants<T>& s, Tridiagonal<T>* A, MatrixX<T>* rhs) {
  for (int i = 1; i < s.n; ++i) {
    A->lower[i] = s.h[i];
    A->diagonal[i] = 2.0 * (s.h[i - 1] + s.h[i]);
    A->upper[i] = s.h[i - 1];
    rhs->col(i) = 3.0 * (s.h[i] * s.d.col(i - 1) + s.h[i - 1] * s.d.col(i));
  }
}

// The slope at an end by the parabola through three samples, where h0, d0 are
// of the segment at the end and h1, d1 of its neighbour; limited.
template <typename T>
T EndSlope(const T& h0, const T& h1, const T& d0, const T& d1) {
  using std::abs;
  const T slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0.0) return T(0.0);
  if (d0 * d1 <= 0.0 && abs(slope) > 3.0 * abs(d0)) return 3.0 * d0;
  return slope;
}

}  // namespace

template <typename T>
MatrixX<T> ShapePreservingSlopes(const std::vector<T>& breaks,
                                 const MatrixX<T>& samples, bool zero_ends) {
  const Secants<T> s(breaks, samples);
  MatrixX<T> slopes = MatrixX<T>::Zero(samples.rows(), samples.cols());
  for (int row = 0; row < samples.rows(); ++row) {
    for (int i = 1; i < s.n; ++i) {
      const T& before = s.d(row, i - 1);
      const T& after = s.d(row, i);
      if (before * after <= 0.0) continue;
      const T w1 = 2.0 * s.h[i] + s.h[i - 1];
      const T w2 = s.h[i] + 2.0 * s.h[i - 1];
      slopes(row, i) = (w1 + w2) / (w1 / before + w2 / after);
    }
    if (zero_ends) continue;
    slopes(row, 0) = EndSlope(s.h[0], s.h[1], s.d(row, 0), s.d(row, 1));
    slopes(row, s.n) = EndSlope(s.h[s.n - 1], s.h[s.n - 2], s.d(row, s.n - 1),
                                s.d(row, s.n - 2));
  }
  return slopes;
}

template <typename T>
MatrixX<T> ClampedSplineSlopes(const std::vector<T>& breaks,
                               const MatrixX<T>& samples,
                               const VectorX<T>& slope_at_start,
                               const VectorX<T>& slope_at_end) {
  const Secants<T> s(breaks, samples);
  Tridiagonal<T> A(s.n + 1);
  MatrixX<T> rhs(samples.rows(), s.n + 1);
  FillInterior(s, &A, &rhs);
  A.diagonal[0] = A.diagonal[s.n] = 1.0;
  rhs.col(0) = slope_at_start;
  rhs.col(s.n) = slope_at_end;
  return A.Solve(rhs);
}

template <typename T>
MatrixX<T> NotAKnotSplineSlopes(const std::vector<T>& breaks,
                                const MatrixX<T>& samples) {
  const Secants<T> s(breaks, samples);
  if (s.n == 2) {
    // One parabola; its slope at the middle is the mean of the secants, each
    // weighted with the other's h.
    const VectorX<T> middle =
        (s.h[1] * s.d.col(0) + s.h[0] * s.d.col(1)) / (s.h[0] + s.h[1]);
    MatrixX<T> slopes(samples.rows(), 3);
    slopes << 2.0 * s.d.col(0) - middle, middle, 2.0 * s.d.col(1) - middle;
    return slopes;
  }
  Tridiagonal<T> A(s.n + 1);
  MatrixX<T> rhs(samples.rows(), s.n + 1);
  FillInterior(s, &A, &rhs);
  // Equal third derivatives at break 1, with D_2 taken out by row 1.
  const auto fill_end = [&](int end, const T& h0, const T& h1, int d0, int d1) {
    A.diagonal[end] = h1;
    (end == 0 ? A.upper : A.lower)[end] = h0 + h1;
    rhs.col(end) =
        ((h0 + 2.0 * (h0 + h1)) * h1 * s.d.col(d0) + h0 * h0 * s.d.col(d1)) /
        (h0 + h1);
  };
  fill_end(0, s.h[0], s.h[1], 0, 1);
  fill_end(s.n, s.h[s.n - 1], s.h[s.n - 2], s.n - 1, s.n - 2);
  return A.Solve(rhs);
}

template <typename T>
MatrixX<T> PeriodicSplineSlopes(const std::vector<T>& breaks,
                                const MatrixX<T>& samples) {
  // D_n = D_0. Row 0 is the interior row with segment n-1 before segment 0:
  //   h_0 D_{n-1} + 2 (h_{n-1} + h_0) D_0 + h_{n-1} D_1
  // so that the matrix of D_0 ... D_{n-1} is tridiagonal but for its corners
  // a = (0, n-1) = h_0 and b = (n-1, 0) = h_{n-2}. By Sherman and Morrison with
  // u = (g, 0, ..., 0, b), w = (1, 0, ..., 0, a / g), A = B + u w'.
  const Secants<T> s(breaks, samples);
  const int n = s.n;
  const int elements = static_cast<int>(samples.rows());
  Tridiagonal<T> B(n);
  MatrixX<T> rhs(elements + 1, n);
  rhs.row(elements).setZero();
  for (int i = 0; i < n; ++i) {
    const int before = i == 0 ? n - 1 : i - 1;
    B.lower[i] = s.h[i];
    B.diagonal[i] = 2.0 * (s.h[before] + s.h[i]);
    B.upper[i] = s.h[before];
    rhs.col(i).head(elements) =
        3.0 * (s.h[i] * s.d.col(before) + s.h[before] * s.d.col(i));
  }
  const T a = B.lower[0];
  const T b = B.upper[n - 1];
  const T g = -B.diagonal[0];
  B.diagonal[0] -= g;
  B.diagonal[n - 1] -= a * b / g;
  rhs(elements, 0) = g;
  rhs(elements, n - 1) = b;
  const MatrixX<T> y = B.Solve(rhs);
  const T ratio = a / g;
  const T denominator = 1.0 + y(elements, 0) + ratio * y(elements, n - 1);
  MatrixX<T> slopes(elements, n + 1);
  for (int row = 0; row < elements; ++row) {
    const T factor = (y(row, 0) + ratio * y(row, n - 1)) / denominator;
    slopes.row(row).head(n) = y.row(row) - factor * y.row(elements);
  }
  slopes.col(n) = slopes.col(0);
  return slopes;
}

#define WYVERN_INSTANTIATE(T)                                            \
  template MatrixX<T> ShapePreservingSlopes<T>(const std::vector<T>&,    \
                                               const MatrixX<T>&, bool); \
  template MatrixX<T> ClampedSplineSlopes<T>(                            \
      const std::vector<T>&, const MatrixX<T>&, const VectorX<T>&,       \
      const VectorX<T>&);                                                \
  template MatrixX<T> NotAKnotSplineSlopes<T>(const std::vector<T>&,     \
                                              const MatrixX<T>&);        \
  template MatrixX<T> PeriodicSplineSlopes<T>(const std::vector<T>&,     \
                                              const MatrixX<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace wyvern::trajectories::internal
