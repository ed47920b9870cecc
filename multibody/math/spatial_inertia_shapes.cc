/* The factories of SpatialInertia that make uniform bodies. Each takes a
density or a mass: with a density it finds the mass from the shape's volume, or
from its area if it is hollow, and goes on as with a mass. The inertia per mass
is UnitInertia's, about the center of mass or, where the name says so, an end.
Lengths and masses are checked here, so that errors say which factory. */

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/unit_vector.h"
#include "wyvern/multibody/math/inertia_validity.h"
#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using math::internal::ValueOf;
using math::internal::ValuesOf;
using wyvern::internal::RequirePositive;

namespace {

// A body about its center of mass.
template <typename T>
SpatialInertia<T> Central(const T& mass, const UnitInertia<T>& G) {
  return SpatialInertia<T>(mass, Vector3<T>::Zero(), G, true);
}

template <typename T>
void RequireRound(const char* who, const T& radius, const T& length,
                  const Vector3<T>& unit_vector) {
  const std::string with_parentheses = fmt::format("{}()", who);
  RequirePositive(with_parentheses, "radius", radius);
  RequirePositive(with_parentheses, "length", length);
  math::internal::RequireUnitVector(unit_vector, who);
}

template <typename T>
void RequireThree(const char* who, const char* what, const T& x, const T& y,
                  const T& z) {
  RequirePositive(who, fmt::format("the first {}", what), x);
  RequirePositive(who, fmt::format("the second {}", what), y);
  RequirePositive(who, fmt::format("the third {}", what), z);
}

}  // namespace

template <typename T>
SpatialInertia<T> SpatialInertia<T>::PointMass(const T& mass,
                                               const Vector3<T>& position) {
  wyvern::internal::RequireNonNegative("SpatialInertia::PointMass()", "mass",
                                       mass);
  return SpatialInertia<T>(mass, position, UnitInertia<T>::PointMass(position),
                           true);
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidBoxWithDensity(const T& density,
                                                         const T& lx,
                                                         const T& ly,
                                                         const T& lz) {
  const char* const who = "SpatialInertia::SolidBoxWithDensity()";
  RequirePositive(who, "density", density);
  RequireThree(who, "length", lx, ly, lz);
  return SolidBoxWithMass(density * lx * ly * lz, lx, ly, lz);
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidBoxWithMass(const T& mass,
                                                      const T& lx, const T& ly,
                                                      const T& lz) {
  const char* const who = "SpatialInertia::SolidBoxWithMass()";
  RequirePositive(who, "mass", mass);
  RequireThree(who, "length", lx, ly, lz);
  return Central(mass, UnitInertia<T>::SolidBox(lx, ly, lz));
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidCubeWithDensity(const T& density,
                                                          const T& length) {
  const char* const who = "SpatialInertia::SolidCubeWithDensity()";
  RequirePositive(who, "density", density);
  RequirePositive(who, "length", length);
  return SolidCubeWithMass(density * length * length * length, length);
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidCubeWithMass(const T& mass,
                                                       const T& length) {
  const char* const who = "SpatialInertia::SolidCubeWithMass()";
  RequirePositive(who, "mass", mass);
  RequirePositive(who, "length", length);
  return Central(mass, UnitInertia<T>::SolidCube(length));
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidCapsuleWithDensity(
    const T& density, const T& radius, const T& length,
    const Vector3<T>& unit_vector) {
  RequirePositive("SpatialInertia::SolidCapsuleWithDensity()", "density",
                  density);
  RequireRound("SpatialInertia::SolidCapsuleWithDensity", radius, length,
               unit_vector);
  const T volume = T(M_PI) * radius * radius * (length + T(4.0 / 3.0) * radius);
  return SolidCapsuleWithMass(density * volume, radius, length, unit_vector);
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidCapsuleWithMass(
    const T& mass, const T& radius, const T& length,
    const Vector3<T>& unit_vector) {
  RequirePositive("SpatialInertia::SolidCapsuleWithMass()", "mass", mass);
  RequireRound("SpatialInertia::SolidCapsuleWithMass", radius, length,
               unit_vector);
  return Central(mass,
                 UnitInertia<T>::SolidCapsule(radius, length, unit_vector));
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidCylinderWithDensity(
    const T& density, const T& radius, const T& length,
    const Vector3<T>& unit_vector) {
  RequirePositive("SpatialInertia::SolidCylinderWithDensity()", "density",
                  density);
  RequireRound("SpatialInertia::SolidCylinderWithDensity", radius, length,
               unit_vector);
  return SolidCylinderWithMass(density * T(M_PI) * radius * radius * length,
                               radius, length, unit_vector);
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidCylinderWithMass(
    const T& mass, const T& radius, const T& length,
    const Vector3<T>& unit_vector) {
  RequirePositive("SpatialInertia::SolidCylinderWithMass()", "mass", mass);
  RequireRound("SpatialInertia::SolidCylinderWithMass", radius, length,
               unit_vector);
  return Central(mass,
                 UnitInertia<T>::SolidCylinder(radius, length, unit_vector));
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidCylinderWithDensityAboutEnd(
    const T& density, const T& radius, const T& length,
    const Vector3<T>& unit_vector) {
  SpatialInertia<T> M =
      SolidCylinderWithDensity(density, radius, length, unit_vector);
  M.ShiftInPlace(T(-0.5) * length * unit_vector);
  return M;
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidCylinderWithMassAboutEnd(
    const T& mass, const T& radius, const T& length,
    const Vector3<T>& unit_vector) {
  SpatialInertia<T> M =
      SolidCylinderWithMass(mass, radius, length, unit_vector);
  M.ShiftInPlace(T(-0.5) * length * unit_vector);
  return M;
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::ThinRodWithMass(
    const T& mass, const T& length, const Vector3<T>& unit_vector) {
  const char* const who = "SpatialInertia::ThinRodWithMass()";
  RequirePositive(who, "mass", mass);
  RequirePositive(who, "length", length);
  return Central(mass, UnitInertia<T>::ThinRod(length, unit_vector));
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::ThinRodWithMassAboutEnd(
    const T& mass, const T& length, const Vector3<T>& unit_vector) {
  SpatialInertia<T> M = ThinRodWithMass(mass, length, unit_vector);
  M.ShiftInPlace(T(-0.5) * length * unit_vector);
  return M;
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidEllipsoidWithDensity(const T& density,
                                                               const T& a,
                                                               const T& b,
                                                               const T& c) {
  const char* const who = "SpatialInertia::SolidEllipsoidWithDensity()";
  RequirePositive(who, "density", density);
  RequireThree(who, "semi-axis", a, b, c);
  return SolidEllipsoidWithMass(density * T(4.0 / 3.0 * M_PI) * a * b * c, a, b,
                                c);
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidEllipsoidWithMass(const T& mass,
                                                            const T& a,
                                                            const T& b,
                                                            const T& c) {
  const char* const who = "SpatialInertia::SolidEllipsoidWithMass()";
  RequirePositive(who, "mass", mass);
  RequireThree(who, "semi-axis", a, b, c);
  return Central(mass, UnitInertia<T>::SolidEllipsoid(a, b, c));
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidSphereWithDensity(const T& density,
                                                            const T& radius) {
  const char* const who = "SpatialInertia::SolidSphereWithDensity()";
  RequirePositive(who, "density", density);
  RequirePositive(who, "radius", radius);
  const T volume = T(4.0 / 3.0 * M_PI) * radius * radius * radius;
  return SolidSphereWithMass(density * volume, radius);
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidSphereWithMass(const T& mass,
                                                         const T& radius) {
  const char* const who = "SpatialInertia::SolidSphereWithMass()";
  RequirePositive(who, "mass", mass);
  RequirePositive(who, "radius", radius);
  return Central(mass, UnitInertia<T>::SolidSphere(radius));
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::HollowSphereWithDensity(
    const T& area_density, const T& radius) {
  const char* const who = "SpatialInertia::HollowSphereWithDensity()";
  RequirePositive(who, "area_density", area_density);
  RequirePositive(who, "radius", radius);
  return HollowSphereWithMass(area_density * T(4 * M_PI) * radius * radius,
                              radius);
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::HollowSphereWithMass(const T& mass,
                                                          const T& radius) {
  const char* const who = "SpatialInertia::HollowSphereWithMass()";
  RequirePositive(who, "mass", mass);
  RequirePositive(who, "radius", radius);
  return Central(mass, UnitInertia<T>::HollowSphere(radius));
}

template <typename T>
SpatialInertia<T> SpatialInertia<T>::SolidTetrahedronAboutPointWithDensity(
    const T& density, const Vector3<T>& p0, const Vector3<T>& p1,
    const Vector3<T>& p2, const Vector3<T>& p3) {
  using std::abs;
  const char* const who =
      "SpatialInertia::SolidTetrahedronAboutPointWithDensity()";
  RequirePositive(who, "density", density);
  const UnitInertia<T> G =
      UnitInertia<T>::SolidTetrahedronAboutPoint(p0, p1, p2, p3);
  const Vector3<T> a = p1 - p0, b = p2 - p0, c = p3 - p0;
  const T volume = abs(a.dot(b.cross(c))) / T(6);
  RequirePositive(who, "the volume between the vertices", volume);
  const Vector3<T> center = T(0.25) * (p0 + p1 + p2 + p3);
  return SpatialInertia<T>(density * volume, center, G, true);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::SpatialInertia);
