#pragma once

#include <cmath>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Impulse g of a compliant contact as the projection to the friction cone
|g_t|
<= mu g_n, in the norm of R = diag(R_t, R_t, R_n), of the impulse y of a linear
spring and damper:

  y = (-v_t / R_t, (v_hat - v_n) / R_n),

  stick   if |y_t| <= mu y_n:           g = y,
  slide   if y_n > -mu_hat |y_t|:       g_n = (y_n + mu_hat |y_t|)
                                              / (1 + mu mu_hat),
                                        g_t = mu g_n y_t / |y_t|,
  apart   otherwise:                    g = 0,

with mu_hat = mu R_t / R_n (Castro, Permenter, Han, "An Unconstrained Convex
Formulation of Compliant Contact", IEEE T-RO 2022, eqs. 29-31). At rest
tangentially a contact creeps with R_t g_t. */
template <typename T>
struct FrictionCone {
  /** Coefficient of friction. */
  T mu;
  T v_hat;  // [m/s]
  T R_n;    // [m/s / (N s)]
  T R_t;

  /** Computes g, [N s], at the velocity v = (v_t1, v_t2, v_n), [m/s].
  @param G Null, or the slopes -dg/dv. */
  void Calc(const Vector3<T>& v, Vector3<T>* g, Matrix3<T>* G) const;
};

template <typename T>
void FrictionCone<T>::Calc(const Vector3<T>& v, Vector3<T>* g,
                           Matrix3<T>* G) const {
  using std::sqrt;
  const Vector2<T> y_t = -v.template head<2>() / R_t;
  const T y_n = (v_hat - v[2]) / R_n;
  const T y_r2 = y_t.squaredNorm();
  if (y_n > 0 && y_r2 <= mu * mu * y_n * y_n) {
    *g << y_t, y_n;
    if (!G) return;
    G->setZero();
    (*G)(0, 0) = (*G)(1, 1) = 1 / R_t;
    (*G)(2, 2) = 1 / R_n;
    return;
  }
  const T mu_hat = mu * R_t / R_n;
  const bool is_apart = y_n <= 0 && mu_hat * mu_hat * y_r2 <= y_n * y_n;
  if (is_apart) {
    g->setZero();
    if (G) G->setZero();
    return;
  }
  // Here |y_t| > 0: otherwise the contact sticks or is apart.
  const T y_r = sqrt(y_r2);
  const Vector2<T> t = y_t / y_r;
  const T share = 1 / (1 + mu * mu_hat);
  const T g_n = (y_n + mu_hat * y_r) * share;
  *g << mu * g_n * t, g_n;
  if (!G) return;
  const T G_nn = share / R_n;
  const T G_tn = mu * G_nn;
  const T along = mu * mu_hat * share / R_t;
  const T across = mu * g_n / (y_r * R_t);
  const Matrix2<T> tt = t * t.transpose();
  G->template topLeftCorner<2, 2>() =
      along * tt + across * (Matrix2<T>::Identity() - tt);
  G->template topRightCorner<2, 1>() = G_tn * t;
  G->template bottomLeftCorner<1, 2>() = G_tn * t.transpose();
  (*G)(2, 2) = G_nn;
}

}  // namespace wyvern::multibody::internal
