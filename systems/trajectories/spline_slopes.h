#pragma once

#include <vector>

#include "wyvern/systems/common/eigen_types.h"

/** @file
The derivatives at the breaks that make a cubic Hermite interpolant a
particular spline. Breaks h_i = t_{i+1} - t_i apart; samples and slopes have a
row per element and a column per break; there are at least two breaks (three
where it is said). Orders of cost: elements times breaks. */

namespace wyvern::trajectories::internal {

/** Fritsch-Butland: where the secants on both sides have one sign, their
harmonic mean, weighted for unequal h; else zero. Ends: three-point formula,
limited (three breaks), or zero. */
template <typename T>
MatrixX<T> ShapePreservingSlopes(const std::vector<T>& breaks,
                                 const MatrixX<T>& samples, bool zero_ends);

/** Continuous second derivatives, given slopes at the ends. */
template <typename T>
MatrixX<T> ClampedSplineSlopes(const std::vector<T>& breaks,
                               const MatrixX<T>& samples,
                               const VectorX<T>& slope_at_start,
                               const VectorX<T>& slope_at_end);

/** Continuous second derivatives, and third ones at the second and last but one
break. Three breaks. */
template <typename T>
MatrixX<T> NotAKnotSplineSlopes(const std::vector<T>& breaks,
                                const MatrixX<T>& samples);

/** Continuous second derivatives, also from the end to the start. Three
breaks. */
template <typename T>
MatrixX<T> PeriodicSplineSlopes(const std::vector<T>& breaks,
                                const MatrixX<T>& samples);

}  // namespace wyvern::trajectories::internal
