#pragma once

namespace wyvern::multibody::internal {

/** @file
Arithmetic on blocks of six columns: those of free bodies in a step's Hessian
and Jacobian, column by column. The bits do not depend on the processor.
Allocates nothing. */

/** A 6 x 6 block of a larger matrix: the columns are `stride` apart. */
struct Block6 {
  double* data{};
  int stride{};
};

/** A panel of six columns: its square on top, of which the upper triangle is
given, becomes its Cholesky factor L, with 1 / L on the diagonal, and the rows
below are multiplied by L^-T. @returns false if a pivot is not positive. */
bool FactorSixPanel(int height, double* panel);

/** C -= A B', with one distance of columns for A and B. */
void SubtractSixProduct(const double* A, const double* B, int stride, double* C,
                        int c_stride);

/** y = J x, J 3 x 6, and y += J'g. */
void MultiplySixColumns(const double* J, const double* x, double* y);
void AddSixTransposed(const double* J, const double* g, double* y);

/** H += J'G J, J R x 6, R = 3 or 6, and G symmetric, with columns 6 apart. Only
the upper triangle has a meaning; some entries below it change. */
template <int R>
void AddSixHessian(const double* G, const double* J, const Block6& H);

/** The products of a constraint between two bodies: H[i] += J[i]'G J[i], and
mixed += J[1]'G J[0] if `is_transposed`, J[0]'G J[1] if not. */
template <int R>
void AddSixHessians(const double* G, const double* const J[2],
                    const Block6 H[2], const Block6& mixed, bool is_transposed);

}  // namespace wyvern::multibody::internal
