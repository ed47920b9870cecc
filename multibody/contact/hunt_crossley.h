#pragma once

#include <cmath>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "wyvern/multibody/contact/contact_law.h"
#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::internal {

/** @file
The laws kLagged and kSimilar of contact_law.h, for numbers of a type V: a
scalar, or a register with as many contacts as it has lanes. */

#define WYVERN_INLINE [[gnu::always_inline]] inline

/** *x = sqrt(*x). */
template <class T>
WYVERN_INLINE void TakeRoot(T* x) {
  using std::sqrt;
  *x = sqrt(*x);
}
WYVERN_INLINE void TakeRoot(wyvern::internal::NarrowRegister* x) {
#ifdef __SSE2__
  *x = _mm_sqrt_pd(*x);
#else
  *x = wyvern::internal::NarrowRegister{std::sqrt((*x)[0]), std::sqrt((*x)[1])};
#endif
}
WYVERN_INLINE void TakeRoot(wyvern::internal::WideRegister* x) {
  auto low = __builtin_shufflevector(*x, *x, 0, 1);
  auto high = __builtin_shufflevector(*x, *x, 2, 3);
  TakeRoot(&low);
  TakeRoot(&high);
  *x = __builtin_shufflevector(low, high, 0, 1, 2, 3);
}

/** *x = 0 where `where` is not positive; what is no number stays. */
template <class T>
WYVERN_INLINE void KeepWhere(const T& where, T* x) {
  if (where <= 0) *x = T(0);
}
WYVERN_INLINE void KeepWhere(const wyvern::internal::NarrowRegister& where,
                             wyvern::internal::NarrowRegister* x) {
  *x = where <= 0.0 ? wyvern::internal::NarrowRegister{} : *x;
}
WYVERN_INLINE void KeepWhere(const wyvern::internal::WideRegister& where,
                             wyvern::internal::WideRegister* x) {
  *x = where <= 0.0 ? wyvern::internal::WideRegister{} : *x;
}

/** *s = sqrt(|v_t|^2 + eps^2). */
template <class V>
WYVERN_INLINE void CalcSoftSpeed(const V& v_0, const V& v_1, const V& eps,
                                 V* s) {
  *s = v_0 * v_0 + v_1 * v_1 + eps * eps;
  TakeRoot(s);
}

/** What impulse and slopes at a velocity have in common: the friction impulse
is -strength v_t / s. */
template <class V>
struct HuntCrossleyState {
  V s_inverse;
  V n;
  V slope;  // -dn/dz
  V strength;

  /** g = (g_t1, g_t2, g_n). */
  WYVERN_INLINE void CalcImpulse(const V& v_0, const V& v_1, V g[3]) const {
    const V share = strength * s_inverse;
    g[0] = -(share * v_0);
    g[1] = -(share * v_1);
    g[2] = n;
  }
};

/** What a contact's law is made of, in the units of ContactLaw. */
template <class V>
struct HuntCrossley {
  using State = HuntCrossleyState<V>;

  V mu;        // Of kSimilar; else 0.
  V friction;  // mu n0 of kLagged; else 0.
  V eps;
  V f0;
  V K;  // dt k
  V d;
  V dt;

  /** At the velocity (v_0, v_1, v_n). */
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
    KeepWhere(elastic, &at->n);
    KeepWhere(damping, &at->n);
    KeepWhere(elastic, &at->slope);
    KeepWhere(damping, &at->slope);
    at->strength = friction + mu * at->n;
  }

  /** The upper triangle of G = -dg/dv, column by column, with u = v_t / s and w
  as ContactLaw::Calc() takes it. */
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

  /** dv'g, and dv'G dv with w = u, at v of the state. */
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

/** The numbers of a law of one of the two kinds. */
template <typename T>
HuntCrossley<T> MakeHuntCrossley(const ContactLaw<T>& law) {
  const bool is_similar = law.kind == ContactLaw<T>::Kind::kSimilar;
  HuntCrossley<T> result;
  result.mu = is_similar ? law.mu : T(0);
  result.friction = is_similar ? T(0) : T(law.mu * law.n0);
  result.eps = law.eps;
  result.f0 = law.f0;
  result.K = law.dt * law.k;
  result.d = law.d;
  result.dt = law.dt;
  return result;
}

#undef WYVERN_INLINE

}  // namespace wyvern::multibody::internal
