#include "wyvern/multibody/step/rows/loop_axes.h"

#include <cmath>
#include <stdexcept>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/systems/common/default_scalars.h"

/* In P, with w = w_PS_P and a constant. With q = (s, u) the quaternion of R_PS,
  x = 2 a·u,    ẋ = g·w,  g = s a + u x a,    ẍ = g·ẇ - |w|² a·u / 2.
With n in P and m = R_PS n in S, the error without turns about n is
  x = f(c) b·m,  b = a x n,  c = n·m,  f = sqrt(2 / (1 + c)),
and of y = d·m for a d fixed in P: ẏ = w·(m x d), ÿ = ẇ·(m x d) + d·w x (w x m).
About one axis alone it is not ẋ that is kept at 0, but a·w, of rate a·ẇ.
ẇ in P is that of (w_S - w_P) in W, less w_P x (w_S - w_P).
For shifts y = a·r, r = p_PS_W, a = R_WP a_P:
  ẏ = a·(ṙ - w_P x r),  ÿ = a·r̈ + 2 (w_P x a)·ṙ + r·(α_P x a + w_P x (w_P x a)).
*/

namespace wyvern::multibody::internal {

namespace {

constexpr double kSine = 1e-8;

template <typename T>
struct Rotation {
  Matrix3<T> R_PS;
  T s;  // s >= 0 and u are the quaternion of R_PS.
  Vector3<T> u;
};

template <typename T>
Rotation<T> CalcRotation(const LoopAxes& axes, const dynamics::Pose<T>& X_WP,
                         const dynamics::Pose<T>& X_WS) {
  Rotation<T> rotation;
  if (axes.num_turns() == 0) return rotation;
  rotation.R_PS = X_WP.R.transpose() * X_WS.R;
  const Eigen::Quaternion<T> q =
      math::RotationMatrix<T>::MakeUnchecked(rotation.R_PS).ToQuaternion();
  const double sign = q.w() < 0 ? -1 : 1;
  rotation.s = sign * q.w();
  rotation.u = sign * q.vec();
  return rotation;
}

// Error x of the row along a and its gradient g, ẋ = g·w, as above.
template <typename T>
struct TurnRow {
  T x;
  Vector3<T> g;
  // Set if there are two axes of turns: f(c) with its derivatives, y = b·m.
  T f, df, ddf, y, c;
  Vector3<T> b, m, n;
};

template <typename T>
TurnRow<T> CalcTurn(const LoopAxes& axes, const Rotation<T>& rotation,
                    const Vector3<T>& a) {
  using std::sqrt;
  TurnRow<T> row;
  if (axes.num_turns() != 2) {
    row.x = 2.0 * a.dot(rotation.u);
    row.g = rotation.s * a + rotation.u.cross(a);
    return row;
  }
  row.n = axes.free_turn().template cast<T>();
  row.m = rotation.R_PS * row.n;
  row.b = a.cross(row.n);
  row.c = row.n.dot(row.m);
  row.y = row.b.dot(row.m);
  if (!(row.c > -1 + 1e-12)) {
    throw std::runtime_error(
        "the axes that its two frames may turn about point in opposite "
        "directions, so that there is no way back; start from another "
        "configuration.");
  }
  row.f = sqrt(2.0 / (1.0 + row.c));
  row.df = -row.f / (2.0 * (1.0 + row.c));
  row.ddf = -1.5 * row.df / (1.0 + row.c);
  row.x = row.f * row.y;
  row.g = row.f * row.m.cross(row.b) + row.df * row.y * row.m.cross(row.n);
  return row;
}

}  // namespace

void LoopAxes::Add(const Vector6<double>& axis_P) {
  axes_.push_back(axis_P);
  const Vector3<double> turn = axis_P.head<3>();
  if (turn.norm() == 0) return;
  const Vector3<double> a = turn.normalized();
  if (num_turns_ == 0) {
    first_turn_ = a;
    num_turns_ = 1;
  } else if (num_turns_ == 1) {
    const Vector3<double> n = first_turn_.cross(a);
    if (n.norm() <= kSine) return;
    free_turn_ = n.normalized();
    num_turns_ = 2;
  } else if (std::abs(a.dot(free_turn_)) > kSine) {
    num_turns_ = 3;
  }
}

template <typename T>
void CalcLoopErrors(const LoopAxes& axes, const dynamics::Pose<T>& X_WP,
                    const dynamics::Pose<T>& X_WS,
                    Eigen::Ref<VectorX<T>> errors) {
  const Rotation<T> rotation = CalcRotation(axes, X_WP, X_WS);
  const Vector3<T> p_PS = X_WP.R.transpose() * (X_WS.p - X_WP.p);
  for (int r = 0; r < axes.size(); ++r) {
    const Vector6<double>& axis = axes.axes()[r];
    errors[r] = p_PS.dot(axis.template tail<3>().template cast<T>());
    if (axis.template head<3>().isZero(0)) continue;
    const Vector3<T> a = axis.template head<3>().template cast<T>();
    errors[r] += CalcTurn(axes, rotation, a).x;
  }
}

template <typename T>
void CalcLoopForces(const LoopAxes& axes, const dynamics::Pose<T>& X_WP,
                    const dynamics::Pose<T>& X_WS, bool of_errors,
                    Eigen::Ref<Matrix6X<T>> F) {
  const Rotation<T> rotation = CalcRotation(axes, X_WP, X_WS);
  const bool is_along = axes.num_turns() == 1 && !of_errors;
  for (int r = 0; r < axes.size(); ++r) {
    const Vector6<double>& axis = axes.axes()[r];
    const Vector3<T> f = X_WP.R * axis.template tail<3>().template cast<T>();
    F.col(r).template head<3>() = X_WS.p.cross(f);
    F.col(r).template tail<3>() = f;
    if (axis.template head<3>().isZero(0)) continue;
    const Vector3<T> a = axis.template head<3>().template cast<T>();
    F.col(r).template head<3>() +=
        X_WP.R * (is_along ? a : CalcTurn(axes, rotation, a).g);
  }
}

template <typename T>
void CalcLoopBias(const LoopAxes& axes, const dynamics::Pose<T>& X_WP,
                  const dynamics::Pose<T>& X_WS, const LoopMotion<T>& motion,
                  Eigen::Ref<VectorX<T>> bias) {
  const Rotation<T> rotation = CalcRotation(axes, X_WP, X_WS);
  const Vector3<T> w_P = motion.V_P.template head<3>();
  const Vector3<T> alpha_P = motion.A_P.template head<3>();
  const Vector3<T> w_W = motion.V.template head<3>();
  const Vector3<T> v = motion.V.template tail<3>();
  const Vector3<T> w = X_WP.R.transpose() * w_W;
  const Vector3<T> wdot =
      X_WP.R.transpose() *
      (Vector3<T>(motion.A.template head<3>()) - w_P.cross(w_W));
  const Vector3<T> p = X_WS.p - X_WP.p;
  for (int r = 0; r < axes.size(); ++r) {
    const Vector6<double>& axis = axes.axes()[r];
    const Vector3<T> f = X_WP.R * axis.template tail<3>().template cast<T>();
    const Vector3<T> w_f = w_P.cross(f);
    bias[r] = f.dot(motion.A.template tail<3>()) + 2.0 * w_f.dot(v) +
              p.dot(alpha_P.cross(f) + w_P.cross(w_f));
    if (axis.template head<3>().isZero(0)) continue;
    const Vector3<T> a = axis.template head<3>().template cast<T>();
    if (axes.num_turns() == 1) {
      bias[r] += a.dot(wdot);
      continue;
    }
    const TurnRow<T> row = CalcTurn(axes, rotation, a);
    bias[r] += row.g.dot(wdot);
    if (axes.num_turns() == 3) {
      bias[r] -= 0.5 * w.squaredNorm() * a.dot(rotation.u);
      continue;
    }
    const Vector3<T> w_w_m = w.cross(w.cross(row.m));
    const T cdot = w.dot(row.m.cross(row.n));
    const T ydot = w.dot(row.m.cross(row.b));
    bias[r] += row.f * row.b.dot(w_w_m) + row.df * row.y * row.n.dot(w_w_m) +
               2.0 * row.df * cdot * ydot + row.ddf * cdot * cdot * row.y;
  }
}

#define WYVERN_INSTANTIATE(T)                                                \
  template void CalcLoopErrors(const LoopAxes&, const dynamics::Pose<T>&,    \
                               const dynamics::Pose<T>&,                     \
                               Eigen::Ref<VectorX<T>>);                      \
  template void CalcLoopForces(const LoopAxes&, const dynamics::Pose<T>&,    \
                               const dynamics::Pose<T>&, bool,               \
                               Eigen::Ref<Matrix6X<T>>);                     \
  template void CalcLoopBias(const LoopAxes&, const dynamics::Pose<T>&,      \
                             const dynamics::Pose<T>&, const LoopMotion<T>&, \
                             Eigen::Ref<VectorX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
