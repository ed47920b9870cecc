#pragma once

#include "wyvern/systems/common/worker_threads.h"

namespace wyvern::multibody::internal {

/* Arithmetic on dense parts of a sparse factor, column by column. Sums are
taken in one order whatever the processor: for those with AVX2 the same loops
are compiled for its wider registers, which changes no bits. Allocates nothing.
*/

/** C -= A B', A m x k, B n x k, with the distances of columns given.
@param lower Only C(i, j) with i >= j are wanted; some of the others change.
Nothing beyond the matrices is read, so threads may share them by rows. */
void SubtractProduct(int m, int n, int k, const double* A, int lda,
                     const double* B, int ldb, double* C, int ldc, bool lower);

/** The first n of the m rows become the Cholesky factor of their lower
triangle, the reciprocals of its diagonal on the diagonal, and the rows below
R L'^-1.
@param least what each pivot has to be more than; null for 0
@param workers threads that may help, or null
@returns false if a pivot is too small. */
bool FactorPanel(int m, int n, double* panel, int ld,
                 const double* least = nullptr,
                 wyvern::internal::WorkerThreads* workers = nullptr);

}  // namespace wyvern::multibody::internal
