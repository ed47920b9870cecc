#pragma once

#include <ostream>
#include <utility>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/multibody/math/inertia_validity.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::multibody {

/** The rotational inertia I_SP of a body or system S about a point P, in
kilogram meter², expressed in some frame E: I_SP_E.

With r the position from P of each particle of mass dm, it is the symmetric
∫ (r·r 1 - r rᵀ) dm: moments Ixx = ∫ (y² + z²) dm on the diagonal and products
Ixy = -∫ x y dm off it. Neither P nor E is stored.

Constructors and operators that take numbers from the user throw
std::logic_error if no body has that inertia, saying which condition fails:
finite elements, principal moments of 0 or more, and the triangle inequality,
within 1e-12 of the largest moment.

@tparam T double or AutoDiffXd; conditions are on values alone. */
template <typename T>
class RotationalInertia {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(RotationalInertia);

  /** All elements NaN. */
  RotationalInertia() { SetToNaN(); }
  /** With products of inertia of 0. @throws std::logic_error, see above. */
  RotationalInertia(const T& Ixx, const T& Iyy, const T& Izz)
      : RotationalInertia(Ixx, Iyy, Izz, T(0), T(0), T(0)) {}
  /** From the three moments and three products of inertia, kg·m².
  @throws std::logic_error, see the class. */
  RotationalInertia(const T& Ixx, const T& Iyy, const T& Izz, const T& Ixy,
                    const T& Ixz, const T& Iyz)
      : RotationalInertia(MakeFromMomentsAndProductsOfInertia(Ixx, Iyy, Izz,
                                                              Ixy, Ixz, Iyz)) {}
  /** Inertia of a particle Q of `mass` (kilogram) at `p_PQ_E` (meter).
  @throws std::logic_error if mass is negative or a number is not finite. */
  RotationalInertia(const T& mass, const Vector3<T>& p_PQ_E);

  /** Makes an inertia from its six numbers; with `skip_validity_check` from
  any.
  @param skip_validity_check the caller vouches for the numbers.
  @throws std::logic_error, see the class. */
  static RotationalInertia<T> MakeFromMomentsAndProductsOfInertia(
      const T& Ixx, const T& Iyy, const T& Izz, const T& Ixy, const T& Ixz,
      const T& Iyz, bool skip_validity_check = false);

  /** All three moments `I_triaxial`, no products: of a sphere or a cube about
  its center. @throws std::logic_error if negative or not finite. */
  static RotationalInertia<T> TriaxiallySymmetric(const T& I_triaxial) {
    return RotationalInertia<T>(I_triaxial, I_triaxial, I_triaxial);
  }

  /** Number of rows of the matrix. */
  int rows() const { return 3; }
  /** Number of columns of the matrix. */
  int cols() const { return 3; }
  /** (Ixx, Iyy, Izz). */
  Vector3<T> get_moments() const { return I_.diagonal(); }
  /** (Ixy, Ixz, Iyz). */
  Vector3<T> get_products() const {
    return Vector3<T>(I_(1, 0), I_(2, 0), I_(2, 1));
  }
  /** Sum of the moments. */
  T Trace() const { return I_.trace(); }
  /** Half the trace: no moment about any axis through P can be larger. */
  T CalcMaximumPossibleMomentOfInertia() const { return T(0.5) * Trace(); }
  /** Element in row `i` and column `j`.
  @throws std::out_of_range if one is not in [0, 3). */
  const T& operator()(int i, int j) const {
    for (const int k : {i, j}) {
      if (k < 0 || k >= 3) internal::ThrowNoElement("RotationalInertia", k, 3);
    }
    return I_(i, j);
  }
  /** The matrix, with products above and below the diagonal. */
  Matrix3<T> CopyToFullMatrix3() const { return I_; }

  /** True if no element differs by more than `precision` times the lesser of
  the two CalcMaximumPossibleMomentOfInertia(). */
  bool IsNearlyEqualTo(const RotationalInertia& other, double precision) const;

  /** Adds the inertia of another body about the same P, in E. */
  RotationalInertia<T>& operator+=(const RotationalInertia<T>& I_BP_E) {
    I_ += I_BP_E.I_;
    return *this;
  }
  /** Subtracts the inertia of a hole in the body. @throws std::logic_error if
  the result is not an inertia, see the class. */
  RotationalInertia<T>& operator-=(const RotationalInertia<T>& I_BP_E);
  /** Multiplies all moments and products, as for a body of another density.
  @throws std::logic_error if the scalar is negative or not finite. */
  RotationalInertia<T>& operator*=(const T& nonnegative_scalar);
  /** Divides all moments and products.
  @throws std::logic_error unless the scalar is positive and finite. */
  RotationalInertia<T>& operator/=(const T& positive_scalar);

  /** The sum; see operator+=. */
  RotationalInertia<T> operator+(const RotationalInertia<T>& I_BP_E) const {
    RotationalInertia<T> result = *this;
    return result += I_BP_E;
  }
  /** The difference; see operator-=. */
  RotationalInertia<T> operator-(const RotationalInertia<T>& I_BP_E) const {
    RotationalInertia<T> result = *this;
    return result -= I_BP_E;
  }
  /** The product; see operator*=. */
  RotationalInertia<T> operator*(const T& nonnegative_scalar) const {
    RotationalInertia<T> result = *this;
    return result *= nonnegative_scalar;
  }
  /** The quotient; see operator/=. */
  RotationalInertia<T> operator/(const T& positive_scalar) const {
    RotationalInertia<T> result = *this;
    return result /= positive_scalar;
  }
  friend RotationalInertia<T> operator*(const T& nonnegative_scalar,
                                        const RotationalInertia<T>& I_BP_E) {
    return I_BP_E * nonnegative_scalar;
  }
  /** The angular momentum about P (newton meter second) at the angular velocity
  `w_E` (radian/second), for a rigid S whose P is fixed or its center of mass.
*/
  Vector3<T> operator*(const Vector3<T>& w_E) const { return I_ * w_E; }

  /** Times `s` of any sign: the result may be the inertia of no body. */
  RotationalInertia<T> MultiplyByScalarSkipValidityCheck(const T& s) const {
    return RotationalInertia<T>(Matrix3<T>(s * I_));
  }

  /** Makes all elements NaN. */
  void SetToNaN();
  /** Makes all elements 0. */
  void SetZero() { I_.setZero(); }
  /** True if any element is NaN. */
  bool IsNaN() const { return math::internal::ValuesOf(I_).hasNaN(); }
  /** True if all elements are 0. */
  bool IsZero() const { return math::internal::ValuesOf(I_).isZero(0); }

  /** The inertia on another scalar. */
  template <typename Scalar>
  RotationalInertia<Scalar> cast() const {
    using S = Scalar;
    const Matrix3<S> I = math::internal::CastTo<S>(I_);
    return RotationalInertia<S>::MakeFromMomentsAndProductsOfInertia(
        I(0, 0), I(1, 1), I(2, 2), I(1, 0), I(2, 0), I(2, 1), true);
  }

  /** The principal moments, ascending.
  @throws std::logic_error if an element is not finite. */
  Vector3<double> CalcPrincipalMomentsOfInertia() const {
    return CalcPrincipalMomentsAndAxesOfInertia().first;
  }
  /** The principal moments, ascending, and R_EA, whose columns are the axes A
  that go with them, expressed in E.
  @throws std::logic_error if an element is not finite. */
  std::pair<Vector3<double>, math::RotationMatrix<double>>
  CalcPrincipalMomentsAndAxesOfInertia() const;

  /** True if some body has this inertia, see the class. */
  bool CouldBePhysicallyValid() const;

  /** I_SP_A from this I_SP_E: R I Rᵀ. */
  RotationalInertia<T> ReExpress(const math::RotationMatrix<T>& R_AE) const {
    RotationalInertia<T> result = *this;
    result.ReExpressInPlace(R_AE);
    return result;
  }
  /** ReExpress() in place. */
  void ReExpressInPlace(const math::RotationMatrix<T>& R_AE);

  /** I_BQ from this I_BBcm, by the parallel-axis theorem: plus the inertia of a
  particle of `mass` at the distance. */
  RotationalInertia<T> ShiftFromCenterOfMass(const T& mass,
                                             const Vector3<T>& p_BcmQ_E) const {
    RotationalInertia<T> result = *this;
    result.ShiftFromCenterOfMassInPlace(mass, p_BcmQ_E);
    return result;
  }
  /** ShiftFromCenterOfMass() in place. */
  void ShiftFromCenterOfMassInPlace(const T& mass, const Vector3<T>& p_BcmQ_E) {
    AddPointMass(mass, p_BcmQ_E);
  }
  /** I_BBcm from this I_BQ.
  @throws std::logic_error if no body has the result, see the class. */
  RotationalInertia<T> ShiftToCenterOfMass(const T& mass,
                                           const Vector3<T>& p_QBcm_E) const {
    RotationalInertia<T> result = *this;
    result.ShiftToCenterOfMassInPlace(mass, p_QBcm_E);
    return result;
  }
  /** ShiftToCenterOfMass() in place. */
  void ShiftToCenterOfMassInPlace(const T& mass, const Vector3<T>& p_QBcm_E);
  /** I_BQ from this I_BP. */
  RotationalInertia<T> ShiftToThenAwayFromCenterOfMass(
      const T& mass, const Vector3<T>& p_PBcm_E,
      const Vector3<T>& p_QBcm_E) const {
    RotationalInertia<T> result = *this;
    result.ShiftToThenAwayFromCenterOfMassInPlace(mass, p_PBcm_E, p_QBcm_E);
    return result;
  }
  /** ShiftToThenAwayFromCenterOfMass() in place. */
  void ShiftToThenAwayFromCenterOfMassInPlace(const T& mass,
                                              const Vector3<T>& p_PBcm_E,
                                              const Vector3<T>& p_QBcm_E) {
    AddPointMass(mass, p_QBcm_E);
    AddPointMass(-mass, p_PBcm_E);
  }

 protected:
  /** The caller vouches that `I` is symmetric and a body's. */
  explicit RotationalInertia(const Matrix3<T>& I) : I_(I) {}

  /** Adds mass (p·p 1 - p pᵀ); the mass may be negative. */
  void AddPointMass(const T& mass, const Vector3<T>& p);

  const Matrix3<T>& matrix() const { return I_; }

 private:
  // Both triangles are stored and kept exactly symmetric.
  Matrix3<T> I_;
};

/** Prints the 3x3 matrix, one row a line. */
template <typename T>
std::ostream& operator<<(std::ostream& out, const RotationalInertia<T>& I);

}  // namespace wyvern::multibody

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::multibody::RotationalInertia<T>>
    : wyvern::StreamFormatter {};
/// @endcond
