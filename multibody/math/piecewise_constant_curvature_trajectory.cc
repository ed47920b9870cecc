#include "wyvern/multibody/math/piecewise_constant_curvature_trajectory.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* Along F's own axes x, z and with the turning rate k, which is constant on a
segment: w = k ṡ z, v = ṡ x; alpha = k s̈ z, a = s̈ x + k ṡ² y. */

namespace wyvern::trajectories {

using multibody::SpatialAcceleration;
using multibody::SpatialVelocity;

namespace {

constexpr char kWho[] = "PiecewiseConstantCurvatureTrajectory";

[[noreturn]] void Throw(const std::string& what) {
  throw std::logic_error(fmt::format("{}(): {}", kWho, what));
}

template <typename T>
void RequirePath(const std::vector<T>& breaks, const std::vector<T>& rates) {
  if (breaks.size() < 2 || rates.size() + 1 != breaks.size()) {
    Throw(
        fmt::format("{} breaks and {} turning rates were given; give two "
                    "breaks or more, and a rate for each segment between.",
                    breaks.size(), rates.size()));
  }
  if (breaks[0] != T(0)) {
    Throw(
        fmt::format("the first break is {}; the path's length is counted "
                    "from 0.",
                    ToDouble(breaks[0])));
  }
  wyvern::internal::RequireFinite(kWho, "turning_rates", rates);
}

// The unit vector along `x`.
template <typename T>
Vector3<T> Direction(const Vector3<T>& x, const char* name) {
  const T length = x.norm();
  const double value = ToDouble(length);
  if (value > 1e-12 && std::isfinite(value)) return x / length;
  const Vector3<double> given = ToDouble(x);
  Throw(
      fmt::format("the {} is ({}, {}, {}); a finite vector of non-zero "
                  "length is wanted.",
                  name, given[0], given[1], given[2]));
}

// [tangent, normal x tangent, normal].
template <typename T>
Matrix3<T> InitialRotation(const Vector3<T>& tangent,
                           const Vector3<T>& plane_normal) {
  const Vector3<T> t = Direction(tangent, "initial tangent");
  const Vector3<T> z = Direction(plane_normal, "plane normal");
  const double sine = ToDouble(T(t.dot(z)));
  if (!(std::abs(sine) < 1e-8)) {
    Throw(
        fmt::format("the initial tangent is inclined to the plane by {} "
                    "radians; it must be perpendicular to the normal.",
                    std::asin(sine)));
  }
  Matrix3<T> R;
  R.col(1) = z.cross(t).normalized();
  R.col(0) = R.col(1).cross(z);
  R.col(2) = z;
  return R;
}

}  // namespace

template <typename T>
PiecewiseConstantCurvatureTrajectory<
    T>::PiecewiseConstantCurvatureTrajectory() = default;

template <typename T>
PiecewiseConstantCurvatureTrajectory<T>::PiecewiseConstantCurvatureTrajectory(
    const std::vector<T>& breaks, const std::vector<T>& turning_rates,
    const Vector3<T>& initial_curve_tangent, const Vector3<T>& plane_normal,
    const Vector3<T>& initial_position, bool is_periodic)
    : PiecewiseTrajectory<T>(breaks), turning_rates_(turning_rates) {
  RequirePath(breaks, turning_rates);
  path_ = multibody::internal::LineAndArcPath<T>(
      breaks, turning_rates,
      InitialRotation(initial_curve_tangent, plane_normal),
      wyvern::internal::RequireFinite(kWho, "initial_position",
                                      initial_position),
      is_periodic);
}

template <typename T>
PiecewiseConstantCurvatureTrajectory<
    T>::~PiecewiseConstantCurvatureTrajectory() = default;

template <typename T>
const T& PiecewiseConstantCurvatureTrajectory<T>::turning_rate(
    int segment_index) const {
  this->segment_number_range_check(segment_index);
  return turning_rates_[segment_index];
}

template <typename T>
math::RigidTransform<T> PiecewiseConstantCurvatureTrajectory<T>::CalcPose(
    const T& s) const {
  RequireNotEmpty();
  Matrix3<T> R;
  Vector3<T> p;
  path_.CalcPose(s, &R, &p);
  return math::RigidTransform<T>(math::RotationMatrix<T>::MakeUnchecked(R), p);
}

template <typename T>
MatrixX<T> PiecewiseConstantCurvatureTrajectory<T>::value(const T& s) const {
  return CalcPose(s).GetAsMatrix4();
}

template <typename T>
SpatialVelocity<T> PiecewiseConstantCurvatureTrajectory<T>::CalcSpatialVelocity(
    const T& s, const T& s_dot) const {
  const Matrix3<T> R = CalcPose(s).rotation().matrix();
  const T w = path_.turning_rate(s) * s_dot;
  return SpatialVelocity<T>(Vector3<T>(w * R.col(2)),
                            Vector3<T>(s_dot * R.col(0)));
}

template <typename T>
SpatialAcceleration<T>
PiecewiseConstantCurvatureTrajectory<T>::CalcSpatialAcceleration(
    const T& s, const T& s_dot, const T& s_ddot) const {
  const Matrix3<T> R = CalcPose(s).rotation().matrix();
  const T k = path_.turning_rate(s);
  const T alpha = k * s_ddot, centripetal = k * s_dot * s_dot;
  return SpatialAcceleration<T>(
      Vector3<T>(alpha * R.col(2)),
      Vector3<T>(s_ddot * R.col(0) + centripetal * R.col(1)));
}

template <typename T>
bool PiecewiseConstantCurvatureTrajectory<T>::IsNearlyPeriodic(
    double tolerance) const {
  RequireNotEmpty();
  // Not through CalcPose(): of a periodic path the end is the beginning.
  Matrix3<T> R;
  Vector3<T> p;
  path_.CalcEndPose(&R, &p);
  const math::RigidTransform<T> start = CalcPose(T(0));
  const Matrix3<T> R_error = R - start.rotation().matrix();
  const Vector3<T> p_error = p - start.translation();
  return ToDouble(T(R_error.cwiseAbs().maxCoeff())) <= tolerance &&
         ToDouble(T(p_error.cwiseAbs().maxCoeff())) <= tolerance;
}

template <typename T>
std::unique_ptr<Trajectory<T>>
PiecewiseConstantCurvatureTrajectory<T>::DoClone() const {
  return std::make_unique<PiecewiseConstantCurvatureTrajectory<T>>(*this);
}

template <typename T>
void PiecewiseConstantCurvatureTrajectory<T>::RequireNotEmpty() const {
  if (path_.num_segments() > 0) return;
  throw std::logic_error(
      "PiecewiseConstantCurvatureTrajectory: the path has no segment; assign "
      "one with breaks and turning rates to it.");
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::PiecewiseConstantCurvatureTrajectory);
