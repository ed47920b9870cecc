#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Axes a = (a_w; a_v), fixed in P, along which frames P and S do not move
apart, a row for each:

  e = a_w · e_w + a_v · p_PS_P.

e_w is the rotation from P to S, 2 sin(angle / 2) times its axis. If the a_w
span a plane, S may turn about its normal n, and e_w is taken from n in P to n
in S instead, without that turn. If they span a line, S may turn about two axes,
but has no angular velocity along a_w: rows of velocities are a_w · w_PS_P then,
and are no rates of e, as no e has these. */
class LoopAxes {
 public:
  /** Adds an axis, and with it a row. */
  void Add(const Vector6<double>& axis_P);
  /** The axes, in the order of the rows. */
  const std::vector<Vector6<double>>& axes() const { return axes_; }
  /** Number of axes. */
  int size() const { return static_cast<int>(axes_.size()); }
  /** Returns the dimension of the space that the a_w span, to 1e-8 rad. */
  int num_turns() const { return num_turns_; }
  /** n, if that is 2. */
  const Vector3<double>& free_turn() const { return free_turn_; }

 private:
  std::vector<Vector6<double>> axes_;
  int num_turns_{0};
  Vector3<double> first_turn_{Vector3<double>::Zero()};
  Vector3<double> free_turn_{Vector3<double>::Zero()};
};

/** Motion of S relative to P, in W: (w_PS, v_PoSo) and its rate, of points of
the bodies, and that of P itself. */
template <typename T>
struct LoopMotion {
  /** Velocity and acceleration of P, in W. */
  Vector6<T> V_P, A_P;
  /** Relative velocity and acceleration of S. */
  Vector6<T> V, A;
};

/** @name Rows of a loop
Results have a row, or column, for each axis. Allocate nothing.
@throws std::runtime_error if n points in opposite directions in P and S.
@{ */
template <typename T>
void CalcLoopErrors(const LoopAxes& axes, const dynamics::Pose<T>& X_WP,
                    const dynamics::Pose<T>& X_WS,
                    Eigen::Ref<VectorX<T>> errors);
/** Unit forces on S, about Wo, in W.
@param of_errors Of the rates of e, rather than of the rows of velocities. */
template <typename T>
void CalcLoopForces(const LoopAxes& axes, const dynamics::Pose<T>& X_WP,
                    const dynamics::Pose<T>& X_WS, bool of_errors,
                    Eigen::Ref<Matrix6X<T>> F);
/** J̇ v, of accelerations at v̇ = 0. */
template <typename T>
void CalcLoopBias(const LoopAxes& axes, const dynamics::Pose<T>& X_WP,
                  const dynamics::Pose<T>& X_WS, const LoopMotion<T>& motion,
                  Eigen::Ref<VectorX<T>> bias);
/** @} */

}  // namespace wyvern::multibody::internal
