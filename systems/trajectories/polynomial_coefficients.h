#pragma once

/** @file
What PiecewisePolynomial does with the coefficients of one segment, a
matrix with a row per element of the value and a column per power of the time
since the segment's start, at least one. */

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::trajectories::internal {

/** Coefficients of q(x) = p(x + a), by repeated synthetic division. */
template <typename T>
MatrixX<T> ShiftArgument(MatrixX<T> coefficients, const T& a);

/** Coefficients of q(x) = p(s x). */
template <typename T>
MatrixX<T> ScaleArgument(MatrixX<T> coefficients, const T& s);

/** Adds columns of zeros at the right until there are `num_cols`, if fewer. */
template <typename T>
void RaiseDegree(Eigen::Index num_cols, MatrixX<T>* coefficients);

}  // namespace wyvern::trajectories::internal
