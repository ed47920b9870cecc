#include "wyvern/systems/trajectories/piecewise_quaternion.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

/* From a break t_k on, the rotation is that of q_k, turned by the angle |w| (t
- t_k) around a constant w. Append() works w out from q_(k+1) q_k^-1, in
which order it is expressed in A. Samples are normalized first and given the
sign that keeps the product's real part from being negative, so that the turn
is the short one and its half angle at most a right one. Near angle zero the
quotients of sine and angle are series, since a square root has no derivative
there. The angular velocity holds from break to break and jumps at each. */

namespace wyvern::trajectories {
namespace {

// Half the rotation vector of q = [cos a, sin a u], that is a u, for a in
// [0, pi/2]. Near zero a/sin a = (1 - (tan a)^2/3)/cos a to fourth order.
template <typename T>
Vector3<T> HalfRotationVector(const Quaternion<T>& q) {
  using std::atan2;
  using std::sqrt;
  const T sin_squared = q.vec().squaredNorm();
  if (sin_squared < 1e-8) {
    const T tan_squared = sin_squared / (q.w() * q.w());
    return ((T(1) - tan_squared / T(3)) / q.w()) * q.vec();
  }
  const T sin_a = sqrt(sin_squared);
  return (atan2(sin_a, q.w()) / sin_a) * q.vec();
}

// The inverse, with sin a/a = 1 - a^2/6 to fourth order near zero.
template <typename T>
Quaternion<T> FromHalfRotationVector(const Vector3<T>& v) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const T a_squared = v.squaredNorm();
  if (a_squared < 1e-8) {
    const Vector3<T> xyz = (T(1) - a_squared / T(6)) * v;
    return Quaternion<T>(T(1) - a_squared / T(2), xyz[0], xyz[1], xyz[2]);
  }
  const T a = sqrt(a_squared);
  const Vector3<T> xyz = (sin(a) / a) * v;
  return Quaternion<T>(cos(a), xyz[0], xyz[1], xyz[2]);
}

// Entries of a rotation matrix that a user typed or computed err by this much.
constexpr double kOrthogonalityTolerance = 1e-7;

template <typename T>
std::vector<Quaternion<T>> FromMatrices(
    const std::vector<Matrix3<T>>& rotation_matrices) {
  std::vector<Quaternion<T>> result;
  for (const Matrix3<T>& R : rotation_matrices) {
    const Eigen::Matrix3d R0 = ToDouble(R);
    const double error =
        (R0 * R0.transpose() - Eigen::Matrix3d::Identity()).norm();
    if (!(error <= kOrthogonalityTolerance && R0.determinant() > 0)) {
      throw std::logic_error(fmt::format(
          "PiecewiseQuaternionSlerp: matrix {} is no rotation: R R' differs "
          "from the identity by {}, and det R is {}.",
          result.size(), error, R0.determinant()));
    }
    result.push_back(Quaternion<T>(R));
  }
  return result;
}

template <typename T>
std::vector<Quaternion<T>> FromAngleAxes(
    const std::vector<AngleAxis<T>>& angle_axes) {
  std::vector<Quaternion<T>> result;
  for (const AngleAxis<T>& angle_axis : angle_axes) {
    result.push_back(Quaternion<T>(angle_axis));
  }
  return result;
}

}  // namespace

template <typename T>
PiecewiseQuaternionSlerp<T>::PiecewiseQuaternionSlerp() = default;

template <typename T>
PiecewiseQuaternionSlerp<T>::PiecewiseQuaternionSlerp(
    const std::vector<T>& breaks,
    const std::vector<Quaternion<T>>& quaternions) {
  if (breaks.size() != quaternions.size() || breaks.empty()) {
    throw std::logic_error(fmt::format(
        "PiecewiseQuaternionSlerp: {} breaks and {} samples were given; there "
        "must be as many of each, one at least.",
        breaks.size(), quaternions.size()));
  }
  for (std::size_t k = 0; k < breaks.size(); ++k) {
    Append(breaks[k], quaternions[k]);
  }
}

template <typename T>
PiecewiseQuaternionSlerp<T>::PiecewiseQuaternionSlerp(
    const std::vector<T>& breaks,
    const std::vector<Matrix3<T>>& rotation_matrices)
    : PiecewiseQuaternionSlerp(breaks, FromMatrices(rotation_matrices)) {}

template <typename T>
PiecewiseQuaternionSlerp<T>::PiecewiseQuaternionSlerp(
    const std::vector<T>& breaks, const std::vector<AngleAxis<T>>& angle_axes)
    : PiecewiseQuaternionSlerp(breaks, FromAngleAxes(angle_axes)) {}

template <typename T>
PiecewiseQuaternionSlerp<T>::~PiecewiseQuaternionSlerp() = default;

template <typename T>
void PiecewiseQuaternionSlerp<T>::Append(const T& time,
                                         const Quaternion<T>& quaternion) {
  const std::vector<T>& breaks = this->breaks();
  wyvern::internal::RequireFinite("PiecewiseQuaternionSlerp::Append", "time",
                                  time);
  if (!breaks.empty() && !(time - breaks.back() > T(this->kEpsilonTime))) {
    throw std::logic_error(fmt::format(
        "PiecewiseQuaternionSlerp: break {} is {}; breaks must increase.",
        breaks.size(), ToDouble(time)));
  }
  AddSample(quaternion);
  this->get_mutable_breaks().push_back(time);
  const int count = static_cast<int>(quaternions_.size());
  if (count == 1) return;
  const Quaternion<T> turn =
      quaternions_[count - 1] * quaternions_[count - 2].conjugate();
  angular_velocities_.push_back((T(2) / (time - breaks[count - 2])) *
                                HalfRotationVector(turn));
}

template <typename T>
void PiecewiseQuaternionSlerp<T>::Append(const T& time,
                                         const AngleAxis<T>& angle_axis) {
  Append(time, Quaternion<T>(angle_axis));
}

template <typename T>
void PiecewiseQuaternionSlerp<T>::AddSample(Quaternion<T> quaternion) {
  wyvern::internal::RequireFinite("PiecewiseQuaternionSlerp", "a quaternion",
                                  quaternion.coeffs());
  const double norm = ToDouble(quaternion.coeffs()).norm();
  if (!(std::isfinite(norm) && norm > 1e-10)) {
    throw std::logic_error(fmt::format(
        "PiecewiseQuaternionSlerp: the quaternion of sample {} has the norm "
        "{}; it must be above 1e-10, and no more than a double holds.",
        quaternions_.size(), norm));
  }
  quaternion.normalize();
  if (!quaternions_.empty() && quaternion.dot(quaternions_.back()) < 0) {
    quaternion.coeffs() *= T(-1);
  }
  quaternions_.push_back(quaternion);
}

template <typename T>
Quaternion<T> PiecewiseQuaternionSlerp<T>::orientation(const T& time) const {
  const Vector3<T> w = angular_velocity(time);  // Throws if there is none.
  const int segment = this->get_segment_index(time);
  const T elapsed = this->ClampTime(time) - this->breaks()[segment];
  return FromHalfRotationVector<T>((elapsed / T(2)) * w) *
         quaternions_[segment];
}

template <typename T>
Vector3<T> PiecewiseQuaternionSlerp<T>::angular_velocity(const T& time) const {
  if (quaternions_.size() == 1) {
    throw std::logic_error(
        "PiecewiseQuaternionSlerp: there is one sample only; Append() another "
        "before evaluating.");
  }
  return angular_velocities_[this->get_segment_index(time)];
}

template <typename T>
Vector3<T> PiecewiseQuaternionSlerp<T>::angular_acceleration(
    const T& time) const {
  this->get_segment_index(time);
  return Vector3<T>::Constant(T(0));
}

template <typename T>
MatrixX<T> PiecewiseQuaternionSlerp<T>::value(const T& t) const {
  const Quaternion<T> q = orientation(t);
  return Vector4<T>(q.w(), q.x(), q.y(), q.z());
}

template <typename T>
MatrixX<T> PiecewiseQuaternionSlerp<T>::DoEvalDerivative(
    const T& t, int derivative_order) const {
  return derivative_order == 1 ? angular_velocity(t) : angular_acceleration(t);
}

template <typename T>
std::unique_ptr<Trajectory<T>> PiecewiseQuaternionSlerp<T>::DoMakeDerivative(
    int derivative_order) const {
  std::vector<MatrixX<T>> samples(angular_velocities_.begin(),
                                  angular_velocities_.end());
  if (!samples.empty()) samples.push_back(samples.back());
  return PiecewisePolynomial<T>::ZeroOrderHold(this->breaks(), samples)
      .MakeDerivative(derivative_order - 1);
}

template <typename T>
std::unique_ptr<Trajectory<T>> PiecewiseQuaternionSlerp<T>::DoClone() const {
  return std::make_unique<PiecewiseQuaternionSlerp<T>>(*this);
}

template <typename T>
bool PiecewiseQuaternionSlerp<T>::is_approx(
    const PiecewiseQuaternionSlerp<T>& other, double tol) const {
  if (quaternions_.size() != other.quaternions_.size()) return false;
  for (std::size_t k = 0; k < quaternions_.size(); ++k) {
    const double dt = ToDouble(this->breaks()[k] - other.breaks()[k]);
    if (!(std::abs(dt) <= tol)) return false;
    // Unit quaternions half an angle a/2 apart are 2 sin(a/4) from one another.
    const Eigen::Vector4d q = ToDouble(quaternions_[k].coeffs());
    const Eigen::Vector4d p = ToDouble(other.quaternions_[k].coeffs());
    const double chord = std::min((q - p).norm(), (q + p).norm());
    if (!(4 * std::asin(std::min(1.0, chord / 2)) <= tol)) return false;
  }
  return true;
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::PiecewiseQuaternionSlerp);
