// Functions of rotations and poses that do not depend on the scalar type.
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/LU>

#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::math {

namespace internal {

void ThrowLastElementNotZeroOrOne(double element) {
  throw std::logic_error(
      fmt::format("RigidTransform::operator*(): the last element of the "
                  "4-vector is {}; it must be 1 (a point) or 0 (a vector).",
                  element));
}

void ThrowRowsOutOfThree(const char* function, int rows) {
  throw std::logic_error(
      fmt::format("{}: the matrix on the right has {} rows; pass one whose "
                  "columns are 3-vectors.",
                  function, rows));
}

void ThrowIndexOutOfThree(const char* function, int index) {
  throw std::out_of_range(fmt::format(
      "RotationMatrix::{}(): the index is {}; it must be 0, 1 or 2.", function,
      index));
}

}  // namespace internal

// |M - R(t)|² = const - 2 tr(Mᵀ R(t)), with R(t) = c 1 + s [u]x + (1 - c) u uᵀ,
// is least where a cos t + b sin t is largest, a = tr M - uᵀ M u and
// b = tr(Mᵀ [u]x); that falls off on both sides of atan2(b, a).
double ProjectMatToRotMatWithAxis(const Eigen::Matrix3d& M,
                                  const Eigen::Vector3d& axis, double angle_lb,
                                  double angle_ub) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(angle_lb <= angle_ub && angle_lb < kInfinity &&
        angle_ub > -kInfinity)) {
    throw std::logic_error(
        fmt::format("ProjectMatToRotMatWithAxis(): angle_lb is {} and angle_ub "
                    "is {}; the lower bound must not exceed the upper one, and "
                    "an angle lie between.",
                    angle_lb, angle_ub));
  }
  wyvern::internal::RequireFinite("ProjectMatToRotMatWithAxis", "M", M);
  const double size = axis.norm();
  if (!(size > 0) || !std::isfinite(size)) {
    throw std::logic_error(fmt::format(
        "ProjectMatToRotMatWithAxis(): the axis ({}, {}, {}) has no direction; "
        "pass a finite vector that is not zero.",
        axis(0), axis(1), axis(2)));
  }
  const Eigen::Vector3d u = axis / size;
  const double a = M.trace() - u.dot(M * u);
  const double b = M.cwiseProduct(VectorToSkewSymmetric(u)).sum();
  const auto merit = [a, b](double t) { return a * cos(t) + b * sin(t); };
  const double two_pi = 2 * M_PI;
  double peak = std::atan2(b, a);
  if (angle_lb == -kInfinity) {
    if (angle_ub == kInfinity) return peak;
    // The last of its repeats that is at most angle_ub.
    peak -= two_pi * std::ceil((peak - angle_ub) / two_pi);
    return std::min(peak, angle_ub);
  }
  // Bring the peak to the first of its repeats that is at least angle_lb.
  peak += two_pi * std::ceil((angle_lb - peak) / two_pi);
  if (peak <= angle_ub) return std::max(peak, angle_lb);
  return merit(angle_lb) >= merit(angle_ub) ? angle_lb : angle_ub;
}

}  // namespace wyvern::math
