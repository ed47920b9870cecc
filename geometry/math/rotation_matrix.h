#pragma once

#include <limits>
#include <ostream>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::math {

template <typename T>
class RollPitchYaw;

namespace internal {
/** Tag of the constructors that leave the elements unset. */
struct DoNotInitializeMemberFields {};

[[noreturn]] void ThrowRowsOutOfThree(const char* function, int rows);
[[noreturn]] void ThrowIndexOutOfThree(const char* function, int index);
}  // namespace internal

/** The orientation of a frame B in a frame A, as the matrix R_AB.

Column i of R_AB is the unit vector Bi of frame B, expressed in A, so that
v_A = R_AB * v_B re-expresses a vector. A constructor that takes numbers from
the user checks them and throws std::logic_error when they are no rotation;
composition and inversion do not check again.

@tparam T double or AutoDiffXd. */
template <typename T>
class RotationMatrix {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(RotationMatrix);

  /** The identity: A and B are aligned. */
  RotationMatrix() : R_AB_(Matrix3<T>::Identity()) {}

  /** Leaves the elements unset. */
  explicit RotationMatrix(internal::DoNotInitializeMemberFields) {}

  /** From the nine elements.
  @throws std::logic_error if `R` is not proper orthonormal, see IsValid().
   */
  explicit RotationMatrix(const Matrix3<T>& R) { set(R); }

  /** From a quaternion of any norm but zero; it is normalized here.
  @throws std::logic_error if the norm is zero or not finite. */
  explicit RotationMatrix(const Eigen::Quaternion<T>& quaternion);

  /** From an angle (radian) about an axis of any length but zero.
  @throws std::logic_error if the axis is zero or a number is not finite. */
  explicit RotationMatrix(const Eigen::AngleAxis<T>& theta_lambda);

  /** R_AB = Rz(yaw) Ry(pitch) Rx(roll): space-fixed x-y-z rotations. */
  explicit RotationMatrix(const RollPitchYaw<T>& rpy);

  /** Rotation by `theta` radian about Ax = Bx. */
  static RotationMatrix<T> MakeXRotation(const T& theta) {
    using std::cos;
    using std::sin;
    const T c = cos(theta), s = sin(theta), o(0), i(1);
    return MakeFromElements(i, o, o, o, c, -s, o, s, c);
  }

  /** Rotation by `theta` radian about Ay = By. */
  static RotationMatrix<T> MakeYRotation(const T& theta) {
    using std::cos;
    using std::sin;
    const T c = cos(theta), s = sin(theta), o(0), i(1);
    return MakeFromElements(c, o, s, o, i, o, -s, o, c);
  }

  /** Rotation by `theta` radian about Az = Bz. */
  static RotationMatrix<T> MakeZRotation(const T& theta) {
    using std::cos;
    using std::sin;
    const T c = cos(theta), s = sin(theta), o(0), i(1);
    return MakeFromElements(c, -s, o, s, c, o, o, o, i);
  }

  /** From the unit vectors of B expressed in A.
  @throws std::logic_error if they are not right-handed orthonormal. */
  static RotationMatrix<T> MakeFromOrthonormalColumns(const Vector3<T>& Bx,
                                                      const Vector3<T>& By,
                                                      const Vector3<T>& Bz);

  /** From the unit vectors of A expressed in B.
  @throws std::logic_error if they are not right-handed orthonormal. */
  static RotationMatrix<T> MakeFromOrthonormalRows(const Vector3<T>& Ax,
                                                   const Vector3<T>& Ay,
                                                   const Vector3<T>& Az);

  /** A frame B one of whose axes, 0, 1 or 2 = `axis_index`, is along `b_A`; its
  other two axes are arbitrary but a function of the arguments alone.
  @throws std::logic_error if |b_A| < 1e-10 or is not finite, or if axis_index
    is not 0, 1 or 2. */
  static RotationMatrix<T> MakeFromOneVector(const Vector3<T>& b_A,
                                             int axis_index);

  /** As MakeFromOneVector() for a vector that is already of length 1.
  @throws std::logic_error if its square is not 1 within 2e-14. */
  static RotationMatrix<T> MakeFromOneUnitVector(const Vector3<T>& u_A,
                                                 int axis_index);

  /** Returns the rotation of least angle with Bz = u_A. If u_A is -Az, that is
  a half turn about Ax.
  @throws std::logic_error if |u_A|² is not 1 within 2e-14. */
  static RotationMatrix<T> MakeClosestRotationToIdentityFromUnitZ(
      const Vector3<T>& u_A);

  /** The caller vouches that `R` is a rotation. */
  static RotationMatrix<T> MakeUnchecked(const Matrix3<T>& R) {
    RotationMatrix<T> result{internal::DoNotInitializeMemberFields{}};
    result.R_AB_ = R;
    return result;
  }

  /** The rotation nearest to `M` in the Frobenius norm (its polar factor).
  @param[out] quality_factor if not null, the largest singular value of M or
    the smallest, whichever stretches or shrinks by the larger factor: 1 for a
    rotation. It is negative if det(M) is.
  @throws std::logic_error if det(M) <= 0, or M is singular or not finite. */
  static RotationMatrix<T> ProjectToRotationMatrix(const Matrix3<T>& M,
                                                   T* quality_factor = nullptr);

  /** The identity. */
  static const RotationMatrix<T>& Identity() {
    static const RotationMatrix<T> identity;
    return identity;
  }

  /** Sets the matrix.
  @throws std::logic_error if `R` is not proper orthonormal. */
  void set(const Matrix3<T>& R) {
    RequireRotation(R);
    R_AB_ = R;
  }

  /** This rotation for another scalar type. */
  template <typename U>
  RotationMatrix<U> cast() const {
    return RotationMatrix<U>::MakeUnchecked(internal::CastTo<U>(R_AB_));
  }

  /** Returns the inverse R_BA, the transpose. */
  RotationMatrix<T> inverse() const { return MakeUnchecked(R_AB_.transpose()); }
  /** R_BA: for a rotation the same as inverse(). */
  RotationMatrix<T> transpose() const { return inverse(); }

  /** R_AB as a matrix. */
  const Matrix3<T>& matrix() const { return R_AB_; }

  /** Row `index`: the unit vector A_index expressed in B.
  @throws std::out_of_range unless index is 0, 1 or 2. */
  const Eigen::Block<const Matrix3<T>, 1, 3, false> row(int index) const {
    if (index < 0 || index > 2) internal::ThrowIndexOutOfThree("row", index);
    return R_AB_.row(index);
  }
  /** Column `index`: the unit vector B_index expressed in A.
  @throws std::out_of_range unless index is 0, 1 or 2. */
  const Eigen::Block<const Matrix3<T>, 3, 1, true> col(int index) const {
    if (index < 0 || index > 2) internal::ThrowIndexOutOfThree("col", index);
    return R_AB_.col(index);
  }

  /** R_AC = R_AB * R_BC. */
  RotationMatrix<T> operator*(const RotationMatrix<T>& other) const {
    RotationMatrix<T> result{internal::DoNotInitializeMemberFields{}};
    result.R_AB_.noalias() = R_AB_ * other.R_AB_;
    return result;
  }
  /** Becomes R_AC = R_AB * R_BC. */
  RotationMatrix<T>& operator*=(const RotationMatrix<T>& other) {
    return *this = *this * other;
  }

  /** R_BC = R_AB^-1 * R_AC. */
  RotationMatrix<T> InvertAndCompose(const RotationMatrix<T>& other) const {
    RotationMatrix<T> result{internal::DoNotInitializeMemberFields{}};
    result.R_AB_.noalias() = R_AB_.transpose() * other.R_AB_;
    return result;
  }

  /** Re-expresses a vector: v_A = R_AB * v_B. */
  Vector3<T> operator*(const Vector3<T>& v_B) const { return R_AB_ * v_B; }

  /** Re-expresses each column of a 3xn matrix.
  @throws std::logic_error if `v_B` does not have 3 rows. */
  template <typename Derived>
  Eigen::Matrix<typename Derived::Scalar, 3, Derived::ColsAtCompileTime>
  operator*(const Eigen::MatrixBase<Derived>& v_B) const {
    if (v_B.rows() != 3) {
      internal::ThrowRowsOutOfThree("RotationMatrix::operator*()",
                                    static_cast<int>(v_B.rows()));
    }
    return R_AB_ * v_B;
  }

  /** The largest |element| of R Rᵀ - 1: 0 for a perfect rotation. */
  static T GetMeasureOfOrthonormality(const Matrix3<T>& R);
  /** True if no |element| of R Rᵀ - 1 is over `tolerance`. */
  static bool IsOrthonormal(const Matrix3<T>& R, double tolerance) {
    return GetMeasureOfOrthonormality(R) <= tolerance;
  }
  /** True if R is orthonormal within `tolerance` and det(R) > 0. */
  static bool IsValid(const Matrix3<T>& R, double tolerance);
  /** IsValid() within get_internal_tolerance_for_orthonormality(). */
  static bool IsValid(const Matrix3<T>& R) {
    return IsValid(R, get_internal_tolerance_for_orthonormality());
  }
  /** IsValid() of this matrix. */
  bool IsValid() const { return IsValid(R_AB_); }

  /** True if no element differs from the identity. */
  bool IsExactlyIdentity() const { return R_AB_ == Matrix3<T>::Identity(); }
  /** True if no element differs from the identity by more than `tolerance`. */
  bool IsNearlyIdentity(
      double tolerance = get_internal_tolerance_for_orthonormality()) const {
    return IsNearlyEqualTo(Identity(), tolerance);
  }
  /** True if no element differs by more than `tolerance`. */
  bool IsNearlyEqualTo(const RotationMatrix<T>& other, double tolerance) const {
    return GetMaximumAbsoluteDifference(other) <= tolerance;
  }
  /** True if no element differs. */
  bool IsExactlyEqualTo(const RotationMatrix<T>& other) const {
    return R_AB_ == other.R_AB_;
  }
  /** The largest |element| of the difference (NaN if one is NaN). */
  T GetMaximumAbsoluteDifference(const RotationMatrix<T>& other) const;

  /** Roll, pitch and yaw with pitch in [-π/2, π/2], the others in [-π, π]. */
  RollPitchYaw<T> ToRollPitchYaw() const;
  /** The unit quaternion with w >= 0. */
  Eigen::Quaternion<T> ToQuaternion() const { return ToQuaternion(R_AB_); }
  /** The unit quaternion, w >= 0, nearest in the sense of ToQuaternion() to a
  matrix M that is orthonormal to within rounding. */
  static Eigen::Quaternion<T> ToQuaternion(
      const Eigen::Ref<const Matrix3<T>>& M);
  /** Returns ToQuaternion() as [w x y z]. */
  Vector4<T> ToQuaternionAsVector4() const {
    return ToQuaternionAsVector4(R_AB_);
  }
  /** Returns ToQuaternion(M) as [w x y z]. */
  static Vector4<T> ToQuaternionAsVector4(const Matrix3<T>& M);
  /** An angle in [0, π] about a unit axis; x if the angle is 0. */
  Eigen::AngleAxis<T> ToAngleAxis() const;

  /** 128 epsilon: what IsValid() and the constructors accept. */
  static constexpr double get_internal_tolerance_for_orthonormality() {
    return 128 * std::numeric_limits<double>::epsilon();
  }

 private:
  static RotationMatrix<T> MakeFromElements(  //
      const T& xx, const T& xy, const T& xz,  //
      const T& yx, const T& yy, const T& yz,  //
      const T& zx, const T& zy, const T& zz) {
    RotationMatrix<T> result{internal::DoNotInitializeMemberFields{}};
    result.R_AB_ << xx, xy, xz, yx, yy, yz, zx, zy, zz;
    return result;
  }
  static void RequireRotation(const Matrix3<T>& R);

  Matrix3<T> R_AB_;
};

/** Prints the matrix, one row a line. */
template <typename T>
std::ostream& operator<<(std::ostream& out, const RotationMatrix<T>& R);

/** The angle in [angle_lb, angle_ub] (radian) that makes the rotation by it
about `axis` nearest to `M` in the Frobenius norm. A bound may be infinite: of
all turns that do, this is then the first above angle_lb, the last below
angle_ub, or that in (-pi, pi].
@throws std::logic_error if the axis is zero, `M` is not finite, or there is no
angle in the interval. */
double ProjectMatToRotMatWithAxis(const Eigen::Matrix3d& M,
                                  const Eigen::Vector3d& axis, double angle_lb,
                                  double angle_ub);

/** A rotation matrix without derivatives. */
using RotationMatrixd = RotationMatrix<double>;

}  // namespace wyvern::math

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::math::RotationMatrix<T>>
    : wyvern::StreamFormatter {};
/// @endcond
