#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "wyvern/systems/trajectories/piecewise_trajectory.h"

namespace wyvern::trajectories {

/** A rotation R_AB that turns at constant angular velocity between samples, the
short way round ("slerp"). Each sample is normalized, and its sign changed where
that brings it nearer to the one before; both mean the same rotation.

The value is the quaternion as a column [w, x, y, z]. The derivatives are those
of the rotation, 3 x 1: the angular velocity w_AB_A in rad/s, the angular
acceleration, and so on. Outside [start_time(), end_time()] all are those at the
nearest end.

Breaks that do not increase, numbers that do not match, and samples that are no
rotations throw std::logic_error. */
template <typename T>
class PiecewiseQuaternionSlerp final : public PiecewiseTrajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(PiecewiseQuaternionSlerp);

  /** Empty. */
  PiecewiseQuaternionSlerp();
  /** A sample at each break; one at least, two to be evaluated. */
  PiecewiseQuaternionSlerp(const std::vector<T>& breaks,
                           const std::vector<Quaternion<T>>& quaternions);
  /** Overload for rotation matrices. */
  PiecewiseQuaternionSlerp(const std::vector<T>& breaks,
                           const std::vector<Matrix3<T>>& rotation_matrices);
  /** Overload for angles and axes. */
  PiecewiseQuaternionSlerp(const std::vector<T>& breaks,
                           const std::vector<AngleAxis<T>>& angle_axes);
  /** From math::RotationMatrix<T>, or whatever has its ToQuaternion(). */
  template <typename Rotation>
  requires requires(const Rotation& R) { R.ToQuaternion(); }
  PiecewiseQuaternionSlerp(const std::vector<T>& breaks,
                           const std::vector<Rotation>& rotation_matrices)
      : PiecewiseQuaternionSlerp(breaks, ToQuaternions(rotation_matrices)) {}
  ~PiecewiseQuaternionSlerp() final;

  /** R_AB as a unit quaternion. */
  Quaternion<T> orientation(const T& time) const;
  /** w_AB_A in rad/s. */
  Vector3<T> angular_velocity(const T& time) const;
  /** Zero, between samples. */
  Vector3<T> angular_acceleration(const T& time) const;

  MatrixX<T> value(const T& t) const final;
  Eigen::Index rows() const final { return 4; }
  Eigen::Index cols() const final { return 1; }

  /** The samples, normalized and with their signs changed. */
  const std::vector<Quaternion<T>>& get_quaternion_samples() const {
    return quaternions_;
  }
  /** True if the breaks differ by at most `tol` s, and the rotations of the
  samples by at most an angle of `tol` rad. */
  bool is_approx(const PiecewiseQuaternionSlerp<T>& other, double tol) const;

  /** Adds a sample after the last. */
  void Append(const T& time, const Quaternion<T>& quaternion);
  /** Overload for an angle and an axis. */
  void Append(const T& time, const AngleAxis<T>& angle_axis);
  /** Overload for math::RotationMatrix<T>, or another type with
  ToQuaternion(). */
  template <typename Rotation>
  requires requires(const Rotation& R) { R.ToQuaternion(); }
  void Append(const T& time, const Rotation& rotation_matrix) {
    Append(time, Quaternion<T>(rotation_matrix.ToQuaternion()));
  }

 private:
  template <typename Rotation>
  static std::vector<Quaternion<T>> ToQuaternions(
      const std::vector<Rotation>& rotations) {
    std::vector<Quaternion<T>> result;
    result.reserve(rotations.size());
    for (const Rotation& R : rotations) result.push_back(R.ToQuaternion());
    return result;
  }

  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final { return true; }
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final;
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  void AddSample(Quaternion<T> quaternion);

  std::vector<Quaternion<T>> quaternions_;
  // One a segment.
  std::vector<Vector3<T>> angular_velocities_;
};

}  // namespace wyvern::trajectories
