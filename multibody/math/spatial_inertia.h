#pragma once

#include <limits>
#include <ostream>
#include <string>
#include <utility>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/math/rotational_inertia.h"
#include "wyvern/multibody/math/spatial_algebra.h"
#include "wyvern/multibody/math/unit_inertia.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/scalar_cast.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::multibody {

/** The spatial inertia M_SP of a body or system S about a point P, expressed in
some frame E: M_SP_E. It holds the mass m (kilogram), the position p_PScm_E
(meter) of the center of mass and the unit inertia G_SP_E (meter²), and stands
for the 6x6 matrix

    [ m G     m [p]x ]
    [ -m [p]x   m 1  ]

With `density` (kilogram/meter³) or `mass` the factories below give a uniform
body B about its center of mass Bo = Bcm, in its own frame, unless they say
otherwise. Masses, densities and lengths there must be positive and finite, and
vectors named unit_vector of length 1: otherwise std::logic_error.

@tparam T double or AutoDiffXd; conditions are on values alone. */
template <typename T>
class SpatialInertia {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(SpatialInertia);

  /** All numbers NaN. */
  SpatialInertia()
      : mass_(std::numeric_limits<double>::quiet_NaN()),
        p_PScm_E_(Vector3<T>::Constant(mass_)) {}
  /** @param skip_validity_check the caller vouches for the numbers.
  @throws std::logic_error with CriticizeNotPhysicallyValid() unless
    IsPhysicallyValid(). */
  SpatialInertia(const T& mass, const Vector3<T>& p_PScm_E,
                 const UnitInertia<T>& G_SP_E,
                 const bool skip_validity_check = false)
      : mass_(mass), p_PScm_E_(p_PScm_E), G_SP_E_(G_SP_E) {
    if (!skip_validity_check) RequirePhysicallyValid();
  }

  /** From the inertia I_SScm_E about the center of mass.
  @throws std::logic_error unless mass is positive and the result is valid. */
  static SpatialInertia<T> MakeFromCentralInertia(
      const T& mass, const Vector3<T>& p_PScm_E,
      const RotationalInertia<T>& I_SScm_E);
  /** Mass 1, center of mass at P, all moments 1. */
  static SpatialInertia<T> MakeUnitary() {
    return SpatialInertia<T>(T(1), Vector3<T>::Zero(),
                             UnitInertia<T>::TriaxiallySymmetric(T(1)));
  }
  /** The inertia of nothing: mass 0 and all moments 0. */
  static SpatialInertia Zero() {
    return SpatialInertia<T>(T(0), Vector3<T>::Zero(),
                             UnitInertia<T>::TriaxiallySymmetric(T(0)));
  }
  /** All numbers NaN, for an inertia that is not known yet. */
  static SpatialInertia NaN() { return SpatialInertia<T>(); }

  /** About P, with the particle at `position` from P; mass may be 0. */
  static SpatialInertia<T> PointMass(const T& mass, const Vector3<T>& position);
  /** With edges lx, ly, lz along x, y, z. */
  static SpatialInertia<T> SolidBoxWithDensity(const T& density, const T& lx,
                                               const T& ly, const T& lz);
  /** Overload for a mass. */
  static SpatialInertia<T> SolidBoxWithMass(const T& mass, const T& lx,
                                            const T& ly, const T& lz);
  /** A box whose edges have one length. */
  static SpatialInertia<T> SolidCubeWithDensity(const T& density,
                                                const T& length);
  /** Overload for a mass. */
  static SpatialInertia<T> SolidCubeWithMass(const T& mass, const T& length);
  /** A cylinder of `length` with a half sphere at each end. */
  static SpatialInertia<T> SolidCapsuleWithDensity(
      const T& density, const T& radius, const T& length,
      const Vector3<T>& unit_vector);
  /** Overload for a mass. */
  static SpatialInertia<T> SolidCapsuleWithMass(const T& mass, const T& radius,
                                                const T& length,
                                                const Vector3<T>& unit_vector);
  /** A cylinder of `length` along unit_vector. */
  static SpatialInertia<T> SolidCylinderWithDensity(
      const T& density, const T& radius, const T& length,
      const Vector3<T>& unit_vector);
  /** Overload for a mass. */
  static SpatialInertia<T> SolidCylinderWithMass(const T& mass, const T& radius,
                                                 const T& length,
                                                 const Vector3<T>& unit_vector);
  /** About the center P of an end; the body is from P along unit_vector. */
  static SpatialInertia<T> SolidCylinderWithDensityAboutEnd(
      const T& density, const T& radius, const T& length,
      const Vector3<T>& unit_vector);
  /** Overload for a mass. */
  static SpatialInertia<T> SolidCylinderWithMassAboutEnd(
      const T& mass, const T& radius, const T& length,
      const Vector3<T>& unit_vector);
  /** A rod of `length` along unit_vector, without thickness. */
  static SpatialInertia<T> ThinRodWithMass(const T& mass, const T& length,
                                           const Vector3<T>& unit_vector);
  /** About the end P; the rod is from P along unit_vector. */
  static SpatialInertia<T> ThinRodWithMassAboutEnd(
      const T& mass, const T& length, const Vector3<T>& unit_vector);
  /** With semi-axes a, b, c along x, y, z. */
  static SpatialInertia<T> SolidEllipsoidWithDensity(const T& density,
                                                     const T& a, const T& b,
                                                     const T& c);
  /** Overload for a mass. */
  static SpatialInertia<T> SolidEllipsoidWithMass(const T& mass, const T& a,
                                                  const T& b, const T& c);
  /** A ball. */
  static SpatialInertia<T> SolidSphereWithDensity(const T& density,
                                                  const T& radius);
  /** Overload for a mass. */
  static SpatialInertia<T> SolidSphereWithMass(const T& mass, const T& radius);
  /** `area_density` in kilogram/meter². */
  static SpatialInertia<T> HollowSphereWithDensity(const T& area_density,
                                                   const T& radius);
  /** Overload for a mass. */
  static SpatialInertia<T> HollowSphereWithMass(const T& mass, const T& radius);
  /** With vertices at p0, p1, p2, p3 from a point A, about A.
  @throws std::logic_error also if they are in one plane. */
  static SpatialInertia<T> SolidTetrahedronAboutPointWithDensity(
      const T& density, const Vector3<T>& p0, const Vector3<T>& p1,
      const Vector3<T>& p2, const Vector3<T>& p3);
  /** The others' vertices at p1, p2, p3 from a vertex, about that vertex. */
  static SpatialInertia<T> SolidTetrahedronAboutVertexWithDensity(
      const T& density, const Vector3<T>& p1, const Vector3<T>& p2,
      const Vector3<T>& p3) {
    return SolidTetrahedronAboutPointWithDensity(density, Vector3<T>::Zero(),
                                                 p1, p2, p3);
  }

  /** The inertia on another scalar. */
  template <typename Scalar>
  SpatialInertia<Scalar> cast() const {
    return SpatialInertia<Scalar>(ScalarCast<Scalar>(mass_),
                                  math::internal::CastTo<Scalar>(p_PScm_E_),
                                  G_SP_E_.template cast<Scalar>(), true);
  }

  /** Mass, kilogram. */
  const T& get_mass() const { return mass_; }
  /** Position of the centre of mass, p_PScm_E, meter. */
  const Vector3<T>& get_com() const { return p_PScm_E_; }
  /** m p_PScm_E, kilogram meter. */
  Vector3<T> CalcComMoment() const { return mass_ * p_PScm_E_; }
  /** Rotational inertia per unit mass about P, G_SP_E, m². */
  const UnitInertia<T>& get_unit_inertia() const { return G_SP_E_; }
  /** Rotational inertia about P, I_SP_E, kg m². */
  RotationalInertia<T> CalcRotationalInertia() const {
    return G_SP_E_.MultiplyByScalarSkipValidityCheck(mass_);
  }
  /** The 6 x 6 matrix above. */
  Matrix6<T> CopyToFullMatrix6() const;

  /** True if a number is NaN. */
  bool IsNaN() const;
  /** True if all numbers are 0. */
  bool IsZero() const;
  /** Makes all numbers NaN. */
  void SetNaN() { *this = NaN(); }

  /** True if the mass is 0 or more, every number is finite, and some body has
  the inertia about the center of mass, see RotationalInertia. Conditions on
  moments may fail by 1e-12 of the largest moment about P. */
  bool IsPhysicallyValid() const {
    return CriticizeNotPhysicallyValid().empty();
  }
  /** Returns a text on what is wrong with the numbers; empty if
  IsPhysicallyValid(). */
  std::string CriticizeNotPhysicallyValid() const;

  /** A length (meter) that the largest distance between two points of S can not
  be less than: sqrt(8/3) of the root mean square distance from the center of
  mass, as by Jung's theorem S is in a sphere of sqrt(3/8) of its diameter. */
  T CalcMinimumPhysicalLength() const;

  /** Half-lengths a >= b >= c (meter) and pose X_PA of the box with A's axes
  and center that has this inertia: here of eight equal particles at its
  corners, a box that no body with this inertia fits strictly inside of.
  @throws std::logic_error if not IsPhysicallyValid(), or the mass is 0. */
  std::pair<Vector3<double>, math::RigidTransform<double>>
  CalcPrincipalHalfLengthsAndPoseForMinimumBoundingBox() const {
    return CalcPrincipalHalfLengthsAndPoseForEquivalentShape(1.0);
  }
  /** Computes half-lengths and pose of the equivalent uniform solid box. */
  std::pair<Vector3<double>, math::RigidTransform<double>>
  CalcPrincipalHalfLengthsAndPoseForSolidBox() const {
    return CalcPrincipalHalfLengthsAndPoseForEquivalentShape(1.0 / 3.0);
  }
  /** Computes semi-axes and pose of the equivalent uniform solid ellipsoid. */
  std::pair<Vector3<double>, math::RigidTransform<double>>
  CalcPrincipalSemiDiametersAndPoseForSolidEllipsoid() const {
    return CalcPrincipalHalfLengthsAndPoseForEquivalentShape(1.0 / 5.0);
  }

  /** The sum of two bodies, about the same P. */
  SpatialInertia<T>& operator+=(const SpatialInertia<T>& M_BP_E);

  /** M_SP_A from this M_SP_E. */
  SpatialInertia<T> ReExpress(const math::RotationMatrix<T>& R_AE) const {
    SpatialInertia<T> result = *this;
    result.ReExpressInPlace(R_AE);
    return result;
  }
  /** ReExpress() in place. */
  void ReExpressInPlace(const math::RotationMatrix<T>& R_AE) {
    p_PScm_E_ = R_AE * p_PScm_E_;
    G_SP_E_.ReExpressInPlace(R_AE);
  }

  /** M_SQ_E from this M_SP_E; meter. */
  SpatialInertia<T> Shift(const Vector3<T>& p_PQ_E) const {
    SpatialInertia<T> result = *this;
    result.ShiftInPlace(p_PQ_E);
    return result;
  }
  /** Shift() in place. */
  void ShiftInPlace(const Vector3<T>& p_PQ_E);

  /** M A: the force at P that gives a body at rest the acceleration A of P. In
  motion, also the products of velocities are to be added. */
  SpatialForce<T> operator*(const SpatialAcceleration<T>& A_WB_E) const {
    return SpatialForce<T>(Multiply(A_WB_E.get_coeffs()));
  }
  /** The momentum L_WSP_E about P of S moving rigidly with V at P. */
  SpatialMomentum<T> operator*(const SpatialVelocity<T>& V_WBp_E) const {
    return SpatialMomentum<T>(Multiply(V_WBp_E.get_coeffs()));
  }
  /** Times each column of a 6xn matrix.
  @throws std::logic_error if it does not have 6 rows. */
  template <typename Derived>
  Eigen::Matrix<T, 6, Derived::ColsAtCompileTime, 0, 6,
                Derived::MaxColsAtCompileTime>
  operator*(const Eigen::MatrixBase<Derived>& Mmatrix) const {
    if (Mmatrix.rows() != 6) ThrowRows(static_cast<int>(Mmatrix.rows()));
    Eigen::Matrix<T, 6, Derived::ColsAtCompileTime, 0, 6,
                  Derived::MaxColsAtCompileTime>
        result(6, Mmatrix.cols());
    for (int j = 0; j < Mmatrix.cols(); ++j) {
      result.col(j) = Multiply(Mmatrix.col(j));
    }
    return result;
  }

 private:
  // M a, from the blocks: m [G w + p x v; v - p x w].
  Vector6<T> Multiply(const Vector6<T>& a) const {
    const Vector3<T> w = a.template head<3>(), v = a.template tail<3>();
    Vector6<T> result;
    result.template head<3>() = mass_ * (G_SP_E_ * w + p_PScm_E_.cross(v));
    result.template tail<3>() = mass_ * (v - p_PScm_E_.cross(w));
    return result;
  }
  std::pair<Vector3<double>, math::RigidTransform<double>>
  CalcPrincipalHalfLengthsAndPoseForEquivalentShape(
      double inertia_shape_factor) const;
  // G_SScm_E, without a check.
  UnitInertia<T> CalcCentralUnitInertia() const;
  void RequirePhysicallyValid() const;
  [[noreturn]] static void ThrowRows(int rows);

  T mass_;
  Vector3<T> p_PScm_E_;
  UnitInertia<T> G_SP_E_;
};

/** Prints mass, center of mass, and inertia about P. */
template <typename T>
std::ostream& operator<<(std::ostream& out, const SpatialInertia<T>& M);

}  // namespace wyvern::multibody

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::multibody::SpatialInertia<T>>
    : wyvern::StreamFormatter {};
/// @endcond
