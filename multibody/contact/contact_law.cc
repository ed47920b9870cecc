#include "wyvern/multibody/contact/contact_law.h"

#include <cmath>

#include "wyvern/multibody/contact/hunt_crossley.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

namespace {

// Projection of y to the cone, in the norm of R:
//   stick |y_t| <= mu y_n:                  g = y
//   slide y_n > -mu_hat |y_t|, mu_hat = mu R_t / R_n:
//         g_n = (y_n + mu_hat |y_t|) / (1 + mu mu_hat), g_t = mu g_n y_t/|y_t|
//   otherwise:                              g = 0.
template <typename T>
void CalcSap(const ContactLaw<T>& law, const Vector3<T>& v, Vector3<T>* g,
             Matrix3<T>* G) {
  using std::sqrt;
  const Vector2<T> y_t = -v.template head<2>() / law.R_t;
  const T y_n = (law.v_hat - v[2]) / law.R_n;
  const T y_r2 = y_t.squaredNorm();
  if (y_n > 0 && y_r2 <= law.mu * law.mu * y_n * y_n) {
    *g << y_t, y_n;
    if (!G) return;
    G->setZero();
    (*G)(0, 0) = (*G)(1, 1) = 1 / law.R_t;
    (*G)(2, 2) = 1 / law.R_n;
    return;
  }
  const T mu_hat = law.mu * law.R_t / law.R_n;
  const bool is_off = y_n <= 0 && mu_hat * mu_hat * y_r2 <= y_n * y_n;
  if (is_off) {
    g->setZero();
    if (G) G->setZero();
    return;
  }
  // Here |y_t| > 0: otherwise the point sticks or is off.
  const T y_r = sqrt(y_r2);
  const Vector2<T> t = y_t / y_r;
  const T share = 1 / (1 + law.mu * mu_hat);
  const T g_n = (y_n + mu_hat * y_r) * share;
  *g << law.mu * g_n * t, g_n;
  if (!G) return;
  const T G_nn = share / law.R_n;
  const T G_tn = law.mu * G_nn;
  const T along = law.mu * mu_hat * share / law.R_t;
  const T across = law.mu * g_n / (y_r * law.R_t);
  const Matrix2<T> tt = t * t.transpose();
  G->template topLeftCorner<2, 2>() =
      along * tt + across * (Matrix2<T>::Identity() - tt);
  G->template topRightCorner<2, 1>() = G_tn * t;
  G->template bottomLeftCorner<1, 2>() = G_tn * t.transpose();
  (*G)(2, 2) = G_nn;
}

template <typename T>
void CalcHuntCrossley(const ContactLaw<T>& law, const Vector3<T>& v,
                      Vector3<T>* g, Matrix3<T>* G, const Vector2<T>* w) {
  const HuntCrossley<T> numbers = MakeHuntCrossley(law);
  HuntCrossleyState<T> at;
  numbers.CalcState(v[0], v[1], v[2], &at);
  at.CalcImpulse(v[0], v[1], g->data());
  if (!G) return;
  const Vector2<T> u = v.template head<2>() * at.s_inverse;
  if (!w) w = &u;
  T upper[6];
  numbers.CalcSlopes(at, u[0], u[1], (*w)[0], (*w)[1], upper);
  *G << upper[0], upper[1], upper[3],  //
      upper[1], upper[2], upper[4],    //
      upper[3], upper[4], upper[5];
}

template <typename T>
T CalcHuntCrossleyAlong(const ContactLaw<T>& law, const Vector3<T>& v,
                        const Vector3<T>& dv, T* curvature) {
  const HuntCrossley<T> numbers = MakeHuntCrossley(law);
  HuntCrossleyState<T> at;
  numbers.CalcState(v[0], v[1], v[2], &at);
  T impulse, decrease;
  numbers.CalcAlong(at, v[0], v[1], dv[0], dv[1], dv[2], &impulse, &decrease);
  if (curvature) *curvature = decrease;
  return impulse;
}

}  // namespace

template <typename T>
void ContactLaw<T>::Calc(const Vector3<T>& v, Vector3<T>* g, Matrix3<T>* G,
                         const Vector2<T>* w) const {
  if (kind == Kind::kSap) {
    CalcSap<T>(*this, v, g, G);
  } else {
    CalcHuntCrossley<T>(*this, v, g, G, w);
  }
}

template <typename T>
T ContactLaw<T>::CalcAlong(const Vector3<T>& v, const Vector3<T>& dv,
                           T* curvature) const {
  if (kind != Kind::kSap) {
    return CalcHuntCrossleyAlong<T>(*this, v, dv, curvature);
  }
  Vector3<T> g;
  Matrix3<T> G;
  CalcSap<T>(*this, v, &g, curvature ? &G : nullptr);
  if (curvature) *curvature = dv.dot(G * dv);
  return dv.dot(g);
}

template <typename T>
Vector3<T> ContactLaw<T>::CalcImpulse(const Vector3<T>& v) const {
  Vector3<T> g;
  if (kind == Kind::kSap) {
    CalcSap<T>(*this, v, &g, nullptr);
  } else {
    CalcHuntCrossley<T>(*this, v, &g, nullptr, nullptr);
  }
  return g;
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    struct ::wyvern::multibody::internal::ContactLaw);
