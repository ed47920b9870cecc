#pragma once

#include <Eigen/Core>

namespace wyvern::multibody::internal {

/** @file
Arithmetic on the rows of few contacts, three a contact: W = J H^-1 J' (the
Delassus operator) and I + G W by blocks of 3 x 3. Sums are taken in one order
whatever the processor's registers. Allocates nothing. */

constexpr int kMaxRowContacts = 8;
/** Rows of all contacts and a right side, rounded up to fours. */
constexpr int kDelassusStride = 28;

/** A 3 x 3 matrix by columns, each followed by a number of no meaning. */
using Block3 = Eigen::Matrix<double, 4, 3>;

/** W += X'X of some rows of X; both have rows kDelassusStride apart. Of each
four columns of W, entries from the first of the four on are computed.
@param num_packs Number of columns, in fours. */
void AddGramMatrix(int rows, int num_packs, const double* X, double* W);

/** x <- (I + G W)^-1 x of n contacts, by elimination of blocks. No pivoting is
needed: G W has no negative eigenvalues, nor has what elimination leaves of it.
@param blocks Work space of kMaxRowContacts^2 blocks. */
void SolveDelassusBlocks(int n, const Block3* G, const double* W,
                         Block3* blocks, double* x);

}  // namespace wyvern::multibody::internal
