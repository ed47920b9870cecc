#pragma once

#include <memory>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/math/line_and_arc_path.h"
#include "wyvern/multibody/math/spatial_acceleration.h"
#include "wyvern/multibody/math/spatial_velocity.h"
#include "wyvern/systems/trajectories/piecewise_trajectory.h"

namespace wyvern::trajectories {

/** A path of lines and circular arcs in a plane, without corners, as a function
of its length s in metres; for a joint to move along, or to follow.

          Fy               A: the frame that the path is measured in.
      ____ |__ Fx          F: moves along the path. Fx is the tangent, Fz the
    /                      normal of the plane, fixed, and Fy = Fz x Fx points
   (      |Ay              to the left.
    \__   |___ Ax

Each segment has a turning rate in 1/m: 0 is a line, a positive one an arc that
turns left, about Fz, with the radius 1 / rate. Before 0 and after length() the
first and the last segment go on, unless the path is periodic: then it begins
anew, and length() should bring it back to its beginning. */
template <typename T>
class PiecewiseConstantCurvatureTrajectory final
    : public PiecewiseTrajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(PiecewiseConstantCurvatureTrajectory);

  /** Empty; it can only be assigned to. */
  PiecewiseConstantCurvatureTrajectory();

  /** @param breaks The values of s at which segments begin, from 0 on, and the
  length of the path last.
  @param turning_rates One per segment, [1/m].
  @param initial_curve_tangent,plane_normal Directions of Fx and Fz at s = 0, in
  A; of any length but zero.
  @param initial_position p_AoFo_A at s = 0, [m].
  @param is_periodic True for a closed path. A gap at its end is not checked:
  see IsNearlyPeriodic().
  @throws std::logic_error if the breaks do not increase from 0, there is not
  one turning rate per segment, a value is not finite, a direction is zero or
  the tangent is not in the plane, within 1e-8 of its length. */
  PiecewiseConstantCurvatureTrajectory(const std::vector<T>& breaks,
                                       const std::vector<T>& turning_rates,
                                       const Vector3<T>& initial_curve_tangent,
                                       const Vector3<T>& plane_normal,
                                       const Vector3<T>& initial_position,
                                       bool is_periodic = false);

  /** Makes this path on another scalar, whose derivatives are zero. */
  template <typename U>
  explicit PiecewiseConstantCurvatureTrajectory(
      const PiecewiseConstantCurvatureTrajectory<U>& other) {
    if (other.get_number_of_segments() == 0) return;
    std::vector<T> breaks, rates;
    for (const U& s : other.get_segment_times()) {
      breaks.push_back(T(ToDouble(s)));
    }
    for (int i = 0; i < other.get_number_of_segments(); ++i) {
      rates.push_back(T(ToDouble(other.turning_rate(i))));
    }
    const math::RigidTransform<U> X = other.CalcPose(U(0));
    const auto cast = [](const Vector3<U>& x) {
      return Vector3<T>(ToDouble(x).template cast<T>());
    };
    *this = PiecewiseConstantCurvatureTrajectory(
        breaks, rates, cast(X.rotation().col(0)), cast(X.rotation().col(2)),
        cast(X.translation()), other.is_periodic());
  }
  ~PiecewiseConstantCurvatureTrajectory() final;

  /** Length of the path, [m]. */
  T length() const { return path_.length(); }
  /** True if the path is closed. */
  bool is_periodic() const { return path_.is_periodic(); }
  /** Returns the turning rate of a segment, [1/m].
  @throws std::out_of_range if the index is invalid. */
  const T& turning_rate(int segment_index) const;

  /** X_AF at s. This and what follows throw std::logic_error if the path is
  empty. */
  math::RigidTransform<T> CalcPose(const T& s) const;
  /** X_AF as a matrix, 4 x 4. */
  MatrixX<T> value(const T& s) const final;
  Eigen::Index rows() const final { return 4; }
  Eigen::Index cols() const final { return 4; }

  /** V_AF_A of a frame that moves along the path at a rate ds/dt, [m/s]. */
  multibody::SpatialVelocity<T> CalcSpatialVelocity(const T& s,
                                                    const T& s_dot) const;
  /** A_AF_A, for d²s/dt² as well, [m/s²]. Where the turning rate jumps it is
  that of the segment which begins. */
  multibody::SpatialAcceleration<T> CalcSpatialAcceleration(
      const T& s, const T& s_dot, const T& s_ddot) const;

  /** True if the pose at the end is that at the beginning: p_AoFo and R_AF,
  entry by entry, within the tolerance. */
  bool IsNearlyPeriodic(double tolerance) const;

  /** The path as kernels read it. */
  const multibody::internal::LineAndArcPath<T>& path() const { return path_; }

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final { return false; }
  void RequireNotEmpty() const;

  std::vector<T> turning_rates_;
  multibody::internal::LineAndArcPath<T> path_;
};

}  // namespace wyvern::trajectories
