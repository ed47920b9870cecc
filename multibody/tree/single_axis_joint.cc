#include "wyvern/multibody/tree/single_axis_joint.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/frame.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

namespace {

JointLimits MakeLimits(double lower, double upper) {
  JointLimits limits(1, 1);
  limits.position_lower[0] = lower;
  limits.position_upper[0] = upper;
  return limits;
}

Vector3<double> Normalized(const Vector3<double>& axis,
                           const std::string& name) {
  const double length = axis.norm();
  // A unit vector keeps its bits, so that copies of a joint, which are made
  // from its axis, move by the same bits.
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  if (std::abs(length - 1) <= kRounding) return axis;
  // False for NaN as well.
  if (length > 1e-12 && std::isfinite(length)) return axis / length;
  throw std::logic_error(fmt::format(
      "Joint(): joint '{}' was given the axis ({}, {}, {}); a finite vector "
      "of non-zero length is wanted.",
      name, axis[0], axis[1], axis[2]));
}

}  // namespace

template <typename T>
SingleAxisJoint<T>::SingleAxisJoint(dynamics::MobilizerType mobilizer_type,
                                    const std::string& name,
                                    const Frame<T>& frame_on_parent,
                                    const Frame<T>& frame_on_child,
                                    const Vector3<double>& axis,
                                    double pos_lower_limit,
                                    double pos_upper_limit, double damping)
    : Joint<T>(mobilizer_type, name, frame_on_parent, frame_on_child,
               VectorX<double>::Constant(1, damping),
               MakeLimits(pos_lower_limit, pos_upper_limit)),
      axis_(Normalized(axis, name)) {}

template <typename T>
SingleAxisJoint<T>::~SingleAxisJoint() = default;

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::SingleAxisJoint);
