#include "wyvern/multibody/kernels/six_by_six.h"

#include <cmath>

#include "wyvern/multibody/kernels/packs.h"

/* The blocks of free bodies, six columns each, in H = A + J'G J and in its
factor: the square's factor H = L L', the rows below it times L^-T, products A
B' of two blocks, and J'G J as J'(G J) from the rows of J. Each loop has
constant bounds, for columns of six numbers: a pack of four and one of two.
Scalars are factored outside of registers, with the multiples of a column
subtracted before it is scaled by the root of its pivot, so that nothing waits
for the root (right-looking Cholesky factorization; Golub and Van Loan, "Matrix
Computations", section 4.2). For a single body on its own the panel is the
square. */

namespace wyvern::multibody::internal {

namespace {

// Six numbers in registers.
struct Pack6 {
  Pack4 a;
  Pack2 b;
};

#define WYVERN_INLINE [[gnu::always_inline]] inline

WYVERN_INLINE void Load(const double* from, Pack6* to) {
  internal::Load(from, &to->a);
  internal::Load(from + 4, &to->b);
}
WYVERN_INLINE void Store(const Pack6& from, double* to) {
  internal::Store(from.a, to);
  internal::Store(from.b, to + 4);
}
// Loads from[0], from[R], ..., from[5 R].
template <int R>
WYVERN_INLINE void GatherSix(const double* from, Pack6* to) {
  const Pack2 first{from[0], from[R]}, second{from[2 * R], from[3 * R]};
  to->a = __builtin_shufflevector(first, second, 0, 1, 2, 3);
  to->b = Pack2{from[4 * R], from[5 * R]};
}
WYVERN_INLINE void Multiply(double s, const Pack6& x, Pack6* y) {
  y->a = s * x.a;
  y->b = s * x.b;
}
WYVERN_INLINE void Add(double s, const Pack6& x, Pack6* y) {
  y->a += s * x.a;
  y->b += s * x.b;
}
WYVERN_INLINE void Subtract(const Pack6& x, Pack6* y) {
  y->a -= x.a;
  y->b -= x.b;
}

// y[0 .. j] += q[0] s[0] + q[1] s[1] + q[2] s[2]; some of the rest of y may
// change.
template <class V>
WYVERN_INLINE void AddPieces(const V& q0, const V& q1, const V& q2,
                             const double* s, double* y) {
  V sum;
  internal::Load(y, &sum);
  sum += (s[0] * q0 + s[1] * q1) + s[2] * q2;
  internal::Store(sum, y);
}
WYVERN_INLINE void AddThree(const Pack6* q, const double* s, int j, double* y) {
  AddPieces(q[0].a, q[1].a, q[2].a, s, y);
  if (j >= 4) AddPieces(q[0].b, q[1].b, q[2].b, s, y + 4);
}

WYVERN_INLINE bool FactorSix(int height, double* panel) {
  double L[6][6], inverse[6];  // L[j][i] in row i of column j.
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
#pragma GCC unroll 6
    for (int i = j; i < 6; ++i) L[j][i] = panel[i * height + j];
  }
  // Column k is subtracted from later columns by the factor L_jk / pivot before
  // it is divided by sqrt(pivot), so that the next pivot waits for no root.
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    const double pivot = L[k][k];
    if (!(pivot > 0)) return false;
    const double inverse_pivot = 1 / pivot;
#pragma GCC unroll 6
    for (int j = k + 1; j < 6; ++j) {
      const double share = L[k][j] * inverse_pivot;
#pragma GCC unroll 6
      for (int i = j; i < 6; ++i) L[j][i] -= share * L[k][i];
    }
    inverse[k] = 1 / std::sqrt(pivot);
    panel[k * height + k] = inverse[k];
#pragma GCC unroll 6
    for (int i = k + 1; i < 6; ++i) {
      L[k][i] *= inverse[k];
      panel[k * height + i] = L[k][i];
    }
  }
  int row = 6;
  for (; row + 6 <= height; row += 6) {
    Pack6 x[6];
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      Load(panel + j * height + row, &x[j]);
#pragma GCC unroll 6
      for (int k = 0; k < j; ++k) Add(-L[k][j], x[k], &x[j]);
      Multiply(inverse[j], x[j], &x[j]);
      Store(x[j], panel + j * height + row);
    }
  }
  for (; row < height; ++row) {
    for (int j = 0; j < 6; ++j) {
      double x = panel[j * height + row];
      for (int k = 0; k < j; ++k) x -= L[k][j] * panel[k * height + row];
      panel[j * height + row] = inverse[j] * x;
    }
  }
  return true;
}

WYVERN_INLINE void SubtractSix(const double* A, const double* B, int stride,
                               double* C, int c_stride) {
  Pack6 sum[6], x;
  Load(A, &x);
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) Multiply(B[j], x, &sum[j]);
#pragma GCC unroll 6
  for (int k = 1; k < 6; ++k) {
    Load(A + k * stride, &x);
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) Add(B[k * stride + j], x, &sum[j]);
  }
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    double* column = C + j * c_stride;
    Load(column, &x);
    Subtract(sum[j], &x);
    Store(x, column);
  }
}

// The rows of a Jacobian J with R rows, and those of G J.
template <int R>
struct SixRows {
  Pack6 J[R];
  double GJ[R][6];
};

template <int R>
WYVERN_INLINE void Take(const double* G, const double* J, SixRows<R>* rows) {
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) GatherSix<R>(J + r, &rows->J[r]);
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) {
    Pack6 x;
    Multiply(G[6 * r], rows->J[0], &x);
#pragma GCC unroll 6
    for (int k = 1; k < R; ++k) Add(G[6 * r + k], rows->J[k], &x);
    Store(x, rows->GJ[r]);
  }
}

// H += B' (G A); if `is_upper`, rows 0 to j of column j suffice, and some of
// the entries below the diagonal change too.
template <int R>
WYVERN_INLINE void AddSixProduct(const SixRows<R>& B, const SixRows<R>& A,
                                 bool is_upper, const Block6& H) {
#pragma GCC unroll 2
  for (int r = 0; r < R; r += 3) {
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const double s[] = {A.GJ[r][j], A.GJ[r + 1][j], A.GJ[r + 2][j]};
      AddThree(B.J + r, s, is_upper ? j : 5, H.data + j * H.stride);
    }
  }
}

template <int R>
WYVERN_INLINE void Hessian(const double* G, const double* J, const Block6& H) {
  SixRows<R> rows;
  Take(G, J, &rows);
  AddSixProduct(rows, rows, true, H);
}

template <int R>
WYVERN_INLINE void Hessians(const double* G, const double* const J[2],
                            const Block6 H[2], const Block6& mixed,
                            bool is_transposed) {
  SixRows<R> rows[2];
  Take(G, J[0], &rows[0]);
  Take(G, J[1], &rows[1]);
  AddSixProduct(rows[0], rows[0], true, H[0]);
  AddSixProduct(rows[1], rows[1], true, H[1]);
  if (is_transposed) {
    AddSixProduct(rows[1], rows[0], false, mixed);
  } else {
    AddSixProduct(rows[0], rows[1], false, mixed);
  }
}

// Loads the three rows of column k and, so that one load of four numbers is
// enough, the next number in memory: of column k + 1, or row 2 again if k = 5.
template <int k>
WYVERN_INLINE void LoadThree(const double* J, Pack4* x) {
  if constexpr (k < 5) {
    internal::Load(J + 3 * k, x);
  } else {
    internal::Load(J + 14, x);
    *x = __builtin_shufflevector(*x, *x, 1, 2, 3, 3);
  }
}

WYVERN_INLINE void MultiplySix(const double* J, const double* x, double* y) {
  Pack4 column, sum{};
  const auto add = [&]<int k>() __attribute__((always_inline)) {
    LoadThree<k>(J, &column);
    sum += x[k] * column;
  };
  add.template operator()<0>();
  add.template operator()<1>();
  add.template operator()<2>();
  add.template operator()<3>();
  add.template operator()<4>();
  add.template operator()<5>();
  internal::Store(__builtin_shufflevector(sum, sum, 0, 1), y);
  y[2] = sum[2];
}

WYVERN_INLINE void AddTransposedSix(const double* J, const double* g,
                                    double* y) {
  const Pack4 factors{g[0], g[1], g[2], 0};
  Pack4 c[6];
  LoadThree<0>(J, &c[0]);
  LoadThree<1>(J, &c[1]);
  LoadThree<2>(J, &c[2]);
  LoadThree<3>(J, &c[3]);
  LoadThree<4>(J, &c[4]);
  LoadThree<5>(J, &c[5]);
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) c[k] *= factors;
  // sums[k] = (a0 + a1, b0 + b1, a2 + a3, b2 + b3) of columns a = 2 k and b.
  Pack4 sums[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const Pack4 &a = c[2 * k], &b = c[2 * k + 1];
    sums[k] = __builtin_shufflevector(a, b, 0, 4, 2, 6) +
              __builtin_shufflevector(a, b, 1, 5, 3, 7);
  }
  Pack6 all;
  Load(y, &all);
  all.a += __builtin_shufflevector(sums[0], sums[1], 0, 1, 4, 5) +
           __builtin_shufflevector(sums[0], sums[1], 2, 3, 6, 7);
  all.b += __builtin_shufflevector(sums[2], sums[2], 0, 1) +
           __builtin_shufflevector(sums[2], sums[2], 2, 3);
  Store(all, y);
}

}  // namespace

bool FactorSixPanel(int height, double* panel) {
  return RunBest(WYVERN_KERNEL(FactorSix), height, panel);
}

void SubtractSixProduct(const double* A, const double* B, int stride, double* C,
                        int c_stride) {
  RunBest(WYVERN_KERNEL(SubtractSix), A, B, stride, C, c_stride);
}

void MultiplySixColumns(const double* J, const double* x, double* y) {
  RunBest(WYVERN_KERNEL(MultiplySix), J, x, y);
}

void AddSixTransposed(const double* J, const double* g, double* y) {
  RunBest(WYVERN_KERNEL(AddTransposedSix), J, g, y);
}

template <int R>
void AddSixHessian(const double* G, const double* J, const Block6& H) {
  RunBest(WYVERN_KERNEL(Hessian<R>), G, J, H);
}

template <int R>
void AddSixHessians(const double* G, const double* const J[2],
                    const Block6 H[2], const Block6& mixed,
                    bool is_transposed) {
  RunBest(WYVERN_KERNEL(Hessians<R>), G, J, H, mixed, is_transposed);
}

template decltype(AddSixHessian<3>) AddSixHessian<3>;
template decltype(AddSixHessian<6>) AddSixHessian<6>;
template decltype(AddSixHessians<3>) AddSixHessians<3>;
template decltype(AddSixHessians<6>) AddSixHessians<6>;

#undef WYVERN_INLINE

}  // namespace wyvern::multibody::internal
