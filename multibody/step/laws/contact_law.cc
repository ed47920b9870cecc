#include "wyvern/multibody/step/laws/contact_law.h"

#include "wyvern/multibody/step/laws/friction_cone.h"
#include "wyvern/multibody/step/laws/hunt_crossley.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

namespace {

template <typename T>
FrictionCone<T> MakeFrictionCone(const ContactLaw<T>& law) {
  return {law.mu, law.v_hat, law.R_n, law.R_t};
}

template <typename T>
void CalcHuntCrossley(const ContactLaw<T>& law, const Vector3<T>& v,
                      Vector3<T>* g, Matrix3<T>* G) {
  const HuntCrossley<T> parameters = MakeHuntCrossley(law);
  HuntCrossleyState<T> at;
  parameters.CalcState(v[0], v[1], v[2], &at);
  at.CalcImpulse(v[0], v[1], g->data());
  if (!G) return;
  const Vector2<T> u = v.template head<2>() * at.s_inverse;
  T upper[6];
  parameters.CalcSlopes(at, u[0], u[1], u[0], u[1], upper);
  *G << upper[0], upper[1], upper[3],  //
      upper[1], upper[2], upper[4],    //
      upper[3], upper[4], upper[5];
}

template <typename T>
T CalcHuntCrossleyAlong(const ContactLaw<T>& law, const Vector3<T>& v,
                        const Vector3<T>& dv, T* curvature) {
  const HuntCrossley<T> parameters = MakeHuntCrossley(law);
  HuntCrossleyState<T> at;
  parameters.CalcState(v[0], v[1], v[2], &at);
  T along, slope;
  parameters.CalcAlong(at, v[0], v[1], dv[0], dv[1], dv[2], &along, &slope);
  if (curvature) *curvature = slope;
  return along;
}

}  // namespace

template <typename T>
void ContactLaw<T>::Calc(const Vector3<T>& v, Vector3<T>* g,
                         Matrix3<T>* G) const {
  if (kind == Kind::kSap) {
    MakeFrictionCone(*this).Calc(v, g, G);
  } else {
    CalcHuntCrossley<T>(*this, v, g, G);
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
  MakeFrictionCone(*this).Calc(v, &g, curvature ? &G : nullptr);
  if (curvature) *curvature = dv.dot(G * dv);
  return dv.dot(g);
}

template <typename T>
Vector3<T> ContactLaw<T>::CalcImpulse(const Vector3<T>& v) const {
  Vector3<T> g;
  if (kind == Kind::kSap) {
    MakeFrictionCone(*this).Calc(v, &g, nullptr);
  } else {
    CalcHuntCrossley<T>(*this, v, &g, nullptr);
  }
  return g;
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    struct ::wyvern::multibody::internal::ContactLaw);
