#pragma once

/** @file
Checks on vectors that stand for a direction. */

#include <string_view>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::math::internal {

/** Largest |1 - |u|²| of a unit vector: some rounding of its elements. */
inline constexpr double kUnitVectorSquaredNormTolerance = 2e-14;

/** @throws std::logic_error naming `function_name` unless |u|² is 1 within
2e-14. */
template <typename T>
void RequireUnitVector(const Vector3<T>& u, std::string_view function_name);

/** v / |v|.
@throws std::logic_error naming `function_name` if |v| < 1e-10 or if v is not
finite. */
template <typename T>
Vector3<T> NormalizeOrThrow(const Vector3<T>& v,
                            std::string_view function_name);

}  // namespace wyvern::math::internal
