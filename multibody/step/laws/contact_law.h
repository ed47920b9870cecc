#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Impulse of a frictional contact as a function of its relative velocity.

v = (v_t1, v_t2, v_n), [m/s], v_n > 0 separating; impulse g likewise, [N s],
g_n >= 0. Each kind is minus the gradient of a convex function of v, so that
G = -dg/dv is symmetric and positive semidefinite.

kSap: linear compliance and Kelvin-Voigt dissipation with relaxation time,
projected to the friction cone (friction_cone.h).

kLagged: Hunt and Crossley's normal impulse at the end of the step, friction
regularized and of a given normal impulse n0 (hunt_crossley.h).

kSimilar: the same normal impulse, of the velocity v_n - mu |v_t|, and its
friction (hunt_crossley.h). */
template <typename T>
struct ContactLaw {
  enum class Kind { kSap, kLagged, kSimilar };

  Kind kind{Kind::kSap};
  /** Coefficient of friction. */
  T mu{0};

  // kSap.
  T v_hat{0};  // [m/s]
  T R_n{1};    // [m/s / (N s)]
  T R_t{1};

  // kLagged and kSimilar.
  double dt{};       // [s]
  T k{0};            // Stiffness, [N/m].
  T d{0};            // Dissipation, [s/m].
  T f0{0};           // Elastic force at the start of the step, -k phi0, [N].
  T n0{0};           // kLagged: the normal impulse that friction goes by.
  double eps{1e-4};  // Speed below which friction is viscous, [m/s].

  /** Computes g and G. */
  void Calc(const Vector3<T>& v, Vector3<T>* g, Matrix3<T>* G) const;
  /** Returns g. */
  Vector3<T> CalcImpulse(const Vector3<T>& v) const;
  /** Returns dv'g, and in *curvature, unless it is null, dv'G dv: the
  derivatives of the convex function along a change dv, but for their signs. */
  T CalcAlong(const Vector3<T>& v, const Vector3<T>& dv, T* curvature) const;
};

}  // namespace wyvern::multibody::internal
