/* Unit inertias of uniform shapes, by their closed forms: integrals of the
second moments over the shape, as in any table of moments of inertia. What is
round about an axis u goes by AxiallySymmetric(): G = K 1 + (J - K) u uᵀ with
the moments J about u and K across it. Ellipsoids and boxes are diagonal in
their own axes; points and tetrahedra are sums of terms p·p 1 - p pᵀ. An
equivalent shape is found the other way: its squared half lengths are half the
trace less the principal moments, over the shape's factor. */

#include "wyvern/multibody/math/unit_inertia.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/unit_vector.h"
#include "wyvern/multibody/math/inertia_validity.h"
#include "wyvern/multibody/math/known_inertia.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using math::internal::RequireUnitVector;
using math::internal::ValueOf;
using math::internal::ValuesOf;
using wyvern::internal::RequireNonNegative;
using wyvern::internal::RequirePositive;

template <typename T>
UnitInertia<T>& UnitInertia<T>::SetFromRotationalInertia(
    const RotationalInertia<T>& I, const T& mass) {
  RequirePositive("UnitInertia::SetFromRotationalInertia()", "mass", mass);
  *this = UnitInertia<T>(I / mass);
  return *this;
}

template <typename T>
UnitInertia<T> UnitInertia<T>::PointMass(const Vector3<T>& p_FQ) {
  return UnitInertia<T>(RotationalInertia<T>(T(1), p_FQ));
}

template <typename T>
UnitInertia<T> UnitInertia<T>::SolidEllipsoid(const T& a, const T& b,
                                              const T& c) {
  const char* const who = "UnitInertia::SolidEllipsoid()";
  RequireNonNegative(who, "semi-axis a", a);
  RequireNonNegative(who, "semi-axis b", b);
  RequireNonNegative(who, "semi-axis c", c);
  const T xx = T(0.2) * a * a, yy = T(0.2) * b * b, zz = T(0.2) * c * c;
  return UnitInertia<T>(yy + zz, xx + zz, xx + yy);
}

template <typename T>
UnitInertia<T> UnitInertia<T>::SolidSphere(const T& r) {
  RequireNonNegative("UnitInertia::SolidSphere()", "radius", r);
  return TriaxiallySymmetric(T(0.4) * r * r);
}

template <typename T>
UnitInertia<T> UnitInertia<T>::HollowSphere(const T& r) {
  RequireNonNegative("UnitInertia::HollowSphere()", "radius", r);
  return TriaxiallySymmetric(T(2.0 / 3.0) * r * r);
}

template <typename T>
UnitInertia<T> UnitInertia<T>::SolidBox(const T& Lx, const T& Ly, const T& Lz) {
  const char* const who = "UnitInertia::SolidBox()";
  RequireNonNegative(who, "x-length", Lx);
  RequireNonNegative(who, "y-length", Ly);
  RequireNonNegative(who, "z-length", Lz);
  const T xx = Lx * Lx / T(12), yy = Ly * Ly / T(12), zz = Lz * Lz / T(12);
  return UnitInertia<T>(yy + zz, xx + zz, xx + yy);
}

template <typename T>
UnitInertia<T> UnitInertia<T>::SolidCylinder(const T& radius, const T& length,
                                             const Vector3<T>& unit_vector) {
  const char* const who = "UnitInertia::SolidCylinder()";
  RequireNonNegative(who, "radius", radius);
  RequireNonNegative(who, "length", length);
  RequireUnitVector(unit_vector, "UnitInertia::SolidCylinder");
  const T J = T(0.5) * radius * radius;
  const T K = (T(3) * radius * radius + length * length) / T(12);
  return AxiallySymmetric(J, K, unit_vector);
}

template <typename T>
UnitInertia<T> UnitInertia<T>::SolidCylinderAboutEnd(
    const T& radius, const T& length, const Vector3<T>& unit_vector) {
  const char* const who = "UnitInertia::SolidCylinderAboutEnd()";
  RequireNonNegative(who, "radius", radius);
  RequireNonNegative(who, "length", length);
  RequireUnitVector(unit_vector, "UnitInertia::SolidCylinderAboutEnd");
  const T J = T(0.5) * radius * radius;
  const T K = (T(3) * radius * radius + T(4) * length * length) / T(12);
  return AxiallySymmetric(J, K, unit_vector);
}

// A half sphere of radius r has its center of mass 3/8 r from the flat face and
// the moment 83/320 m r² about an axis through it across its own; the cylinder
// and each half sphere have masses in proportion to l and 2/3 r.
template <typename T>
UnitInertia<T> UnitInertia<T>::SolidCapsule(const T& radius, const T& length,
                                            const Vector3<T>& unit_vector) {
  const char* const who = "UnitInertia::SolidCapsule()";
  RequireNonNegative(who, "radius", radius);
  RequireNonNegative(who, "length", length);
  RequireUnitVector(unit_vector, "UnitInertia::SolidCapsule");
  const T& r = radius;
  const T& l = length;
  const T volume = l + T(4.0 / 3.0) * r;
  if (wyvern::internal::NumberIn(volume) == 0) return TriaxiallySymmetric(T(0));
  const T cylinder = l / volume, halves = T(4.0 / 3.0) * r / volume;
  const T r2 = r * r, d = T(0.5) * l + T(0.375) * r;
  const T J = cylinder * T(0.5) * r2 + halves * T(0.4) * r2;
  const T K = cylinder * (T(0.25) * r2 + l * l / T(12)) +
              halves * (T(83.0 / 320.0) * r2 + d * d);
  return AxiallySymmetric(J, K, unit_vector);
}

template <typename T>
UnitInertia<T> UnitInertia<T>::AxiallySymmetric(const T& moment_parallel,
                                                const T& moment_perpendicular,
                                                const Vector3<T>& unit_vector) {
  const char* const who = "UnitInertia::AxiallySymmetric()";
  const T &J = moment_parallel, &K = moment_perpendicular;
  RequireNonNegative(who, "moment_parallel", J);
  RequireNonNegative(who, "moment_perpendicular", K);
  RequireUnitVector(unit_vector, "UnitInertia::AxiallySymmetric");
  if (internal::AreKnown(Vector2<T>(J, K)) &&
      ValueOf(J) - 2 * ValueOf(K) >
          internal::kInertiaRelativeTolerance * ValueOf(J)) {
    throw std::logic_error(fmt::format(
        "{}: moment_parallel is {} and moment_perpendicular {}; the first must "
        "not be more than twice the second (triangle inequality).",
        who, ValueOf(J), ValueOf(K)));
  }
  const Vector3<T>& u = unit_vector;
  Matrix3<T> G;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      G(i, j) = G(j, i) = (J - K) * (u(i) * u(j));
    }
    G(i, i) += K;
  }
  return UnitInertia<T>(G);
}

template <typename T>
UnitInertia<T> UnitInertia<T>::StraightLine(const T& moment_perpendicular,
                                            const Vector3<T>& unit_vector) {
  RequirePositive("UnitInertia::StraightLine()", "moment_perpendicular",
                  moment_perpendicular);
  return AxiallySymmetric(T(0), moment_perpendicular, unit_vector);
}

template <typename T>
UnitInertia<T> UnitInertia<T>::ThinRod(const T& length,
                                       const Vector3<T>& unit_vector) {
  RequirePositive("UnitInertia::ThinRod()", "length", length);
  return StraightLine(length * length / T(12), unit_vector);
}

// The mean of x xᵀ over a tetrahedron with vertices p_i is
// (Σ p_i p_iᵀ + s sᵀ)/20, s = Σ p_i: each barycentric coordinate has the second
// moment 1/10 and each pair of them 1/20. G = tr(C) 1 - C.
template <typename T>
UnitInertia<T> UnitInertia<T>::SolidTetrahedronAboutPoint(
    const Vector3<T>& p0, const Vector3<T>& p1, const Vector3<T>& p2,
    const Vector3<T>& p3) {
  const char* const who = "UnitInertia::SolidTetrahedronAboutPoint()";
  const Vector3<T> s = p0 + p1 + p2 + p3;
  UnitInertia<T> G{Matrix3<T>(Matrix3<T>::Zero())};
  for (const Vector3<T>* p : {&p0, &p1, &p2, &p3}) {
    wyvern::internal::RequireFinite(who, "a vertex", *p);
    G.AddPointMass(T(0.05), *p);
  }
  G.AddPointMass(T(0.05), s);
  return G;
}

template <typename T>
std::pair<Vector3<double>, math::RotationMatrix<double>>
UnitInertia<T>::CalcPrincipalHalfLengthsAndAxesForEquivalentShape(
    double inertia_shape_factor) const {
  const char* const who =
      "UnitInertia::CalcPrincipalHalfLengthsAndAxesForEquivalentShape()";
  internal::RequirePossibleInertia(who, ValuesOf(this->matrix()),
                                   ValueOf(this->Trace()) / 2);
  const auto [moments, R_EA] = this->CalcPrincipalMomentsAndAxesOfInertia();
  return {
      internal::CalcEquivalentHalfLengths(who, moments, inertia_shape_factor),
      R_EA};
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::UnitInertia);
