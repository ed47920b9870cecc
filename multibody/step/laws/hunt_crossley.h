#pragma once

#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/multibody/step/laws/contact_law.h"

namespace wyvern::multibody::internal {

/** @file
Contact by Hunt and Crossley's normal force with regularized friction, the laws
kLagged and kSimilar of ContactLaw, for numbers of a type V: a scalar, or
Pack4, which holds a number of each of four contacts. With the soft speed
s = sqrt(|v_t|^2 + eps^2),

  n(z) = dt max(0, f0 - dt k z) max(0, 1 - d z),

  kLagged:   g_n = n(v_n),  g_t = -mu n0 v_t / s,
  kSimilar:  g_n = n(z),    g_t = -mu n(z) v_t / s,  z = v_n - mu (s - eps)

(Castro, Han, Masterjohn, "A Theory of Irrotational Contact Fields", 2023).
Without slip both are the normal force; without friction they are equal. */

#define WYVERN_INLINE [[gnu::always_inline]] inline

/** *s = sqrt(|v_t|^2 + eps^2). */
template <class V>
WYVERN_INLINE void CalcSoftSpeed(const V& v_0, const V& v_1, const V& eps,
                                 V* s) {
  *s = v_0 * v_0 + v_1 * v_1 + eps * eps;
  TakeSquareRoot(s);
}

/** The quantities at a velocity that g and G have in common. */
template <class V>
struct HuntCrossleyState {
  V s_inverse;
  V n;
  V slope;  // -dn/dz
  /** The friction impulse is -strength v_t / s. */
  V strength;

  /** Computes g = (g_t1, g_t2, g_n). */
  WYVERN_INLINE void CalcImpulse(const V& v_0, const V& v_1, V g[3]) const {
    const V share = strength * s_inverse;
    g[0] = -(share * v_0);
    g[1] = -(share * v_1);
    g[2] = n;
  }
};

/** The law's parameters, in the units of ContactLaw. One formula serves both
kinds: mu is 0 for kLagged, and `friction` is 0 for kSimilar. */
template <class V>
struct HuntCrossley {
  using State = HuntCrossleyState<V>;

  V mu;
  V friction;  // mu n0
  V eps;
  V f0;
  V K;  // dt k
  V d;
  V dt;

  /** Computes the state at the velocity (v_0, v_1, v_n). */
  WYVERN_INLINE void CalcState(const V& v_0, const V& v_1, const V& v_n,
                               State* at) const {
    V s;
    CalcSoftSpeed(v_0, v_1, eps, &s);
    at->s_inverse = 1.0 / s;
    const V z = v_n - mu * (s - eps);
    const V elastic = f0 - K * z;
    const V damping = 1.0 - d * z;
    at->n = dt * elastic * damping;
    at->slope = dt * (K * damping + d * elastic);
    ZeroUnlessPositive(elastic, &at->n);
    ZeroUnlessPositive(damping, &at->n);
    ZeroUnlessPositive(elastic, &at->slope);
    ZeroUnlessPositive(damping, &at->slope);
    at->strength = friction + mu * at->n;
  }

  /** Computes the upper triangle of G = -dg/dv, column by column, u = v_t / s.
  @param w_0, w_1 The friction direction w. For G itself it is u. Another one
  takes the place of one of the two u in the derivative of v_t / s, (1 - u u') /
  s, as the mean of both orders, so that G is symmetric; with |w| <= 1 it is as
  definite. */
  WYVERN_INLINE void CalcSlopes(const State& at, const V& u_0, const V& u_1,
                                const V& w_0, const V& w_1, V G[6]) const {
    const V z_0 = mu * u_0, z_1 = mu * u_1;  // dz/dv = (-z_0, -z_1, 1).
    const V across = at.strength * at.s_inverse;
    G[3] = -(at.slope * z_0);
    G[4] = -(at.slope * z_1);
    G[5] = at.slope;
    G[0] = across * (1.0 - u_0 * w_0) - G[3] * z_0;
    G[1] = across * (-0.5 * (u_0 * w_1 + u_1 * w_0)) - G[4] * z_0;
    G[2] = across * (1.0 - u_1 * w_1) - G[4] * z_1;
  }

  /** Computes dv'g, and dv'G dv with w = u, at the velocity of the state. */
  WYVERN_INLINE void CalcAlong(const State& at, const V& v_0, const V& v_1,
                               const V& dv_0, const V& dv_1, const V& dv_n,
                               V* impulse, V* curvature) const {
    const V ds = (v_0 * dv_0 + v_1 * dv_1) * at.s_inverse;
    const V dz = dv_n - mu * ds;
    *impulse = at.n * dv_n - at.strength * ds;
    *curvature =
        at.strength * at.s_inverse * (dv_0 * dv_0 + dv_1 * dv_1 - ds * ds) +
        at.slope * dz * dz;
  }
};

/** Returns the parameters of a contact of kind kLagged or kSimilar. */
template <typename T>
HuntCrossley<T> MakeHuntCrossley(const ContactLaw<T>& law) {
  const bool is_similar = law.kind == ContactLaw<T>::Kind::kSimilar;
  HuntCrossley<T> parameters;
  parameters.mu = is_similar ? law.mu : T(0);
  parameters.friction = is_similar ? T(0) : T(law.mu * law.n0);
  parameters.eps = law.eps;
  parameters.f0 = law.f0;
  parameters.K = law.dt * law.k;
  parameters.d = law.d;
  parameters.dt = law.dt;
  return parameters;
}

#undef WYVERN_INLINE

}  // namespace wyvern::multibody::internal
