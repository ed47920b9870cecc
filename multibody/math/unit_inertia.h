#pragma once

#include <utility>

#include "wyvern/multibody/math/rotational_inertia.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::multibody {

/** The unit inertia G_SP of a body S about a point P, expressed in some frame
E: G_SP_E = I_SP_E / mass, in meter².

Unless the name says otherwise, a shape's inertia is about its center of mass Bo
in its own frame B, and "unit_vector" is the direction of its axis. Those
vectors must have a squared length of 1 within 2e-14, lengths must be finite and
0 or more (a flat box is fine): otherwise std::logic_error.

@tparam T double or AutoDiffXd. */
template <typename T>
class UnitInertia : public RotationalInertia<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(UnitInertia);

  /** All elements NaN. */
  UnitInertia() = default;
  /** With products of inertia of 0.
  @throws std::logic_error if no body has it, see RotationalInertia. */
  UnitInertia(const T& Ixx, const T& Iyy, const T& Izz)
      : RotationalInertia<T>(Ixx, Iyy, Izz) {}
  /** From the three moments and three products of inertia for a unit mass, m².
  @throws std::logic_error if no body has it, see RotationalInertia. */
  UnitInertia(const T& Ixx, const T& Iyy, const T& Izz, const T& Ixy,
              const T& Ixz, const T& Iyz)
      : RotationalInertia<T>(Ixx, Iyy, Izz, Ixy, Ixz, Iyz) {}
  /** Copies the numbers of `I`; the caller guarantees that the mass is 1. */
  explicit UnitInertia(const RotationalInertia<T>& I)
      : RotationalInertia<T>(I) {}

  /** The inertia on another scalar. */
  template <typename Scalar>
  UnitInertia<Scalar> cast() const {
    return UnitInertia<Scalar>(RotationalInertia<T>::template cast<Scalar>());
  }

  /** Sets this to I / mass.
  @throws std::logic_error unless mass (kilogram) is positive and finite. */
  UnitInertia<T>& SetFromRotationalInertia(const RotationalInertia<T>& I,
                                           const T& mass);

  /** G_SP_A from this G_SP_E. */
  UnitInertia<T> ReExpress(const math::RotationMatrix<T>& R_AE) const {
    return UnitInertia<T>(RotationalInertia<T>::ReExpress(R_AE));
  }
  /** ReExpress() in place. */
  void ReExpressInPlace(const math::RotationMatrix<T>& R_AE) {
    RotationalInertia<T>::ReExpressInPlace(R_AE);
  }

  /** G_BQ from this G_BBcm; meter. */
  UnitInertia<T> ShiftFromCenterOfMass(const Vector3<T>& p_BcmQ_E) const {
    UnitInertia<T> result = *this;
    result.ShiftFromCenterOfMassInPlace(p_BcmQ_E);
    return result;
  }
  /** ShiftFromCenterOfMass() in place. */
  void ShiftFromCenterOfMassInPlace(const Vector3<T>& p_BcmQ_E) {
    this->AddPointMass(T(1), p_BcmQ_E);
  }
  /** G_BBcm from this G_BQ.
  @throws std::logic_error if no body has the result. */
  UnitInertia<T> ShiftToCenterOfMass(const Vector3<T>& p_QBcm_E) const {
    UnitInertia<T> result = *this;
    result.ShiftToCenterOfMassInPlace(p_QBcm_E);
    return result;
  }
  /** ShiftToCenterOfMass() in place. */
  void ShiftToCenterOfMassInPlace(const Vector3<T>& p_QBcm_E) {
    RotationalInertia<T>::ShiftToCenterOfMassInPlace(T(1), p_QBcm_E);
  }

  /** A particle at `p_FQ`, about Fo. */
  static UnitInertia<T> PointMass(const Vector3<T>& p_FQ);
  /** With semi-axes a, b, c along x, y, z. */
  static UnitInertia<T> SolidEllipsoid(const T& a, const T& b, const T& c);
  /** A ball with the radius r. */
  static UnitInertia<T> SolidSphere(const T& r);
  /** All mass in the surface. */
  static UnitInertia<T> HollowSphere(const T& r);
  /** With edges Lx, Ly, Lz. */
  static UnitInertia<T> SolidBox(const T& Lx, const T& Ly, const T& Lz);
  /** With edges of one length. */
  static UnitInertia<T> SolidCube(const T& L) { return SolidBox(L, L, L); }
  /** A cylinder of `length` along unit_vector. */
  static UnitInertia<T> SolidCylinder(const T& radius, const T& length,
                                      const Vector3<T>& unit_vector);
  /** About the center of the circular face at the end against unit_vector. */
  static UnitInertia<T> SolidCylinderAboutEnd(const T& radius, const T& length,
                                              const Vector3<T>& unit_vector);
  /** A cylinder of `length` with a half sphere at each end. */
  static UnitInertia<T> SolidCapsule(const T& radius, const T& length,
                                     const Vector3<T>& unit_vector);
  /** With the moment J = moment_parallel about unit_vector and
  K = moment_perpendicular about every axis across: K 1 + (J - K) u uᵀ.
  @throws std::logic_error also if J > 2 K. */
  static UnitInertia<T> AxiallySymmetric(const T& moment_parallel,
                                         const T& moment_perpendicular,
                                         const Vector3<T>& unit_vector);
  /** AxiallySymmetric() with J = 0: all mass is on the line.
  @throws std::logic_error also if K is 0. */
  static UnitInertia<T> StraightLine(const T& moment_perpendicular,
                                     const Vector3<T>& unit_vector);
  /** Returns the inertia of a thin rod about its centre: K = length² / 12.
  @throws std::logic_error also if the length is 0. */
  static UnitInertia<T> ThinRod(const T& length, const Vector3<T>& unit_vector);
  /** With all three moments `I_triaxial`. */
  static UnitInertia<T> TriaxiallySymmetric(const T& I_triaxial) {
    return UnitInertia<T>(
        RotationalInertia<T>::TriaxiallySymmetric(I_triaxial));
  }
  /** With vertices at p0, p1, p2, p3 from a point A, about A. */
  static UnitInertia<T> SolidTetrahedronAboutPoint(const Vector3<T>& p0,
                                                   const Vector3<T>& p1,
                                                   const Vector3<T>& p2,
                                                   const Vector3<T>& p3);
  /** The others' vertices at p1, p2, p3 from a vertex, about that vertex. */
  static UnitInertia<T> SolidTetrahedronAboutVertex(const Vector3<T>& p1,
                                                    const Vector3<T>& p2,
                                                    const Vector3<T>& p3) {
    return SolidTetrahedronAboutPoint(Vector3<T>::Zero(), p1, p2, p3);
  }

  /** The half-lengths (meter), descending, and axes of a shape symmetric about
  three planes that has this inertia: with half-lengths a, b, c its moments are
  factor (b² + c²), factor (a² + c²), factor (a² + b²).
  @param inertia_shape_factor in (0, 1]: 1/3 is of a solid box, 1/5 of a solid
    ellipsoid, 1 of eight particles at the corners of a box.
  @returns the half-lengths and R_EA; axis Ax goes with the longest.
  @throws std::logic_error if the factor is not in (0, 1] or no body has this
    inertia. */
  std::pair<Vector3<double>, math::RotationMatrix<double>>
  CalcPrincipalHalfLengthsAndAxesForEquivalentShape(
      double inertia_shape_factor) const;

  // Sums and multiples of unit inertias are of mass 1 no more.
  UnitInertia<T>& operator+=(const RotationalInertia<T>&) = delete;
  UnitInertia<T>& operator-=(const RotationalInertia<T>&) = delete;
  UnitInertia<T>& operator*=(const T&) = delete;
  UnitInertia<T>& operator/=(const T&) = delete;

 private:
  explicit UnitInertia(const Matrix3<T>& G) : RotationalInertia<T>(G) {}
};

}  // namespace wyvern::multibody

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::multibody::UnitInertia<T>>
    : wyvern::StreamFormatter {};
/// @endcond
