#pragma once

#include <memory>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"
#include "wyvern/systems/trajectories/piecewise_quaternion.h"

namespace wyvern::trajectories {

/** A pose X_AB over time: a position p_AoBo_A in m and a rotation R_AB.

The value is the 4 x 4 matrix of the pose. The derivatives are 6 x 1, rotation
first: the spatial velocity [w_AB_A; v_ABo_A], the acceleration, and so on.
Outside [start_time(), end_time()] the pose is that at the nearest end, and the
derivatives are zero. */
template <typename T>
class PiecewisePose final : public PiecewiseTrajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(PiecewisePose);

  /** Empty; it can only be assigned to. */
  PiecewisePose();
  /** Takes the position, in metres, and the orientation.
  @throws std::logic_error if the position is not 3 x 1, or the two do not
  start and end together. */
  PiecewisePose(const PiecewisePolynomial<T>& position_trajectory,
                const PiecewiseQuaternionSlerp<T>& orientation_trajectory);
  ~PiecewisePose() final;

  /** At constant velocity from pose to pose.
  @throws std::logic_error unless there are as many times as poses, two or
  more, and the times increase; so below. */
  static PiecewisePose MakeLinear(
      const std::vector<T>& times,
      const std::vector<math::RigidTransform<T>>& poses);
  /** With cubics of continuous acceleration for the position, which start and
  end at given velocities in m/s, and constant angular velocities in between. */
  static PiecewisePose MakeCubicLinearWithEndLinearVelocity(
      const std::vector<T>& times,
      const std::vector<math::RigidTransform<T>>& poses,
      const Vector3<T>& start_vel = Vector3<T>::Zero(),
      const Vector3<T>& end_vel = Vector3<T>::Zero());

  /** The pose X_AB. */
  math::RigidTransform<T> GetPose(const T& time) const;
  /** [w_AB_A; v_ABo_A], rad/s and m/s. */
  Vector6<T> GetVelocity(const T& time) const;
  /** [alpha_AB_A; a_ABo_A], rad/s² and m/s². */
  Vector6<T> GetAcceleration(const T& time) const;

  /** True if both parts are, PiecewisePolynomial::isApprox() and
  PiecewiseQuaternionSlerp::is_approx(). */
  bool IsApprox(const PiecewisePose& other, double tol) const;

  /** The position p_AoBo_A. */
  const PiecewisePolynomial<T>& get_position_trajectory() const {
    return position_;
  }
  /** The rotation R_AB. */
  const PiecewiseQuaternionSlerp<T>& get_orientation_trajectory() const {
    return orientation_;
  }

  MatrixX<T> value(const T& t) const final;
  Eigen::Index rows() const final { return 4; }
  Eigen::Index cols() const final { return 4; }

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final { return true; }
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final;
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  // Position and orientation may have different breaks.
  T DoFindBreak(const T& t, bool later) const final {
    return later ? this->Nearer(position_.CalcNextBreak(t),
                                orientation_.CalcNextBreak(t), true)
                 : this->Nearer(position_.CalcPreviousBreak(t),
                                orientation_.CalcPreviousBreak(t), false);
  }

  PiecewisePolynomial<T> position_;
  PiecewiseQuaternionSlerp<T> orientation_;
};

}  // namespace wyvern::trajectories
