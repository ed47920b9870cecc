#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Impulse of a frictional contact as a function of its relative velocity.

v = (v_t1, v_t2, v_n), [m/s], v_n > 0 separating; impulse g likewise, [N s],
g_n >= 0. Each kind is minus the gradient of a convex function of v, so that
G = -dg/dv is symmetric and positive semidefinite.

kSap: linear compliance and Kelvin-Voigt dissipation with relaxation time; g is
the projection of y = (-v_t / R_t, (v_hat - v_n) / R_n) to the friction cone in
the norm of R (Castro, Permenter, Han, "An Unconstrained Convex Formulation of
Compliant Contact", IEEE T-RO 2022, eqs. 29-31). At rest tangentially a contact
creeps with R_t g_t.

kLagged: Hunt-Crossley normal impulse n(v_n), with
n(z) = dt max(0, f0 - dt k z) max(0, 1 - d z); friction -mu n0 v_t / s with a
fixed n0 and s = sqrt(|v_t|^2 + eps^2).

kSimilar: n(z) of z = v_n - mu (s - eps); friction -mu n v_t / s. Both from
Castro, Han, Masterjohn, "A Theory of Irrotational Contact Fields", 2023. */
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

  /** @param w Null, or of kLagged and kSimilar what G takes for one of the two
  v_t / s in the slope of v_t / s, (1 - (v_t / s) (v_t / s)') / s, the mean of
  both orders so that G is symmetric; with |w| <= 1 it is as definite. */
  void Calc(const Vector3<T>& v, Vector3<T>* g, Matrix3<T>* G,
            const Vector2<T>* w = nullptr) const;
  Vector3<T> CalcImpulse(const Vector3<T>& v) const;
  /** Along a change dv of v: dv'g, and dv'G dv if `curvature` is not null. */
  T CalcAlong(const Vector3<T>& v, const Vector3<T>& dv, T* curvature) const;
};

}  // namespace wyvern::multibody::internal
