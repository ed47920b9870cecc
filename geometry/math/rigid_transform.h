#pragma once

#include <ostream>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::math {

namespace internal {
[[noreturn]] void ThrowLastElementNotZeroOrOne(double element);
}  // namespace internal

/** The pose X_AB of a frame B in a frame A: the rotation R_AB and the position
p_AoBo_A (meter) of B's origin from A's, expressed in A. A point Q fixed in B is
at p_AoQ_A = X_AB * p_BoQ_B.

@tparam T double or AutoDiffXd. */
template <typename T>
class RigidTransform {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(RigidTransform);

  /** The identity: A and B coincide. */
  RigidTransform() : p_AoBo_A_(Vector3<T>::Zero()) {}
  /** Takes R_AB and p_AoBo_A. */
  RigidTransform(const RotationMatrix<T>& R, const Vector3<T>& p)
      : R_AB_(R), p_AoBo_A_(p) {}
  /** Takes roll, pitch and yaw of R_AB, and p_AoBo_A. */
  RigidTransform(const RollPitchYaw<T>& rpy, const Vector3<T>& p)
      : RigidTransform(RotationMatrix<T>(rpy), p) {}
  /** From a rotation, given as a quaternion of any length but 0, and p, in
  metres.
  @throws std::logic_error if the quaternion's norm is 0 or not finite. */
  RigidTransform(const Eigen::Quaternion<T>& quaternion, const Vector3<T>& p)
      : RigidTransform(RotationMatrix<T>(quaternion), p) {}
  /** From a rotation about an axis of any length but 0, and p, in metres.
  @throws std::logic_error if the axis is zero or not finite. */
  RigidTransform(const Eigen::AngleAxis<T>& theta_lambda, const Vector3<T>& p)
      : RigidTransform(RotationMatrix<T>(theta_lambda), p) {}
  /** A rotation alone. */
  explicit RigidTransform(const RotationMatrix<T>& R)
      : RigidTransform(R, Vector3<T>::Zero()) {}
  /** A translation alone. */
  explicit RigidTransform(const Vector3<T>& p) : p_AoBo_A_(p) {}
  /** A translation alone. Implicit, as `Eigen::Translation` says it all. */
  RigidTransform(const Eigen::Translation<T, 3>& translation)  // NOLINT
      : p_AoBo_A_(translation.translation()) {}
  /** From a rigid transform as Eigen has it.
  @throws std::logic_error if the linear part is not a rotation. */
  explicit RigidTransform(const Eigen::Transform<T, 3, Eigen::Isometry>& pose) {
    SetFromIsometry3(pose);
  }
  /** From the homogeneous [R p; 0 0 0 1].
  @throws std::logic_error if R is not a rotation or the last row differs. */
  explicit RigidTransform(const Matrix4<T>& pose);
  /** From [R p]. @throws std::logic_error if R is not a rotation. */
  explicit RigidTransform(const Eigen::Matrix<T, 3, 4>& pose);
  /** From an Eigen expression of the shape of p (3x1), of [R p] (3x4) or of
  the homogeneous matrix (4x4).
  @throws std::logic_error on another shape, or as those constructors do. */
  template <typename Derived>
  explicit RigidTransform(const Eigen::MatrixBase<Derived>& pose)
      : RigidTransform(MakeFromAnyShape(pose)) {}

  /** From [R p]; the caller vouches that R is a rotation. */
  static RigidTransform<T> MakeUnchecked(const Eigen::Matrix<T, 3, 4>& pose) {
    return RigidTransform(
        RotationMatrix<T>::MakeUnchecked(pose.template leftCols<3>()),
        pose.col(3));
  }

  /** The identity. */
  static const RigidTransform<T>& Identity() {
    static const RigidTransform<T> identity;
    return identity;
  }

  /** Sets R_AB and p_AoBo_A. */
  void set(const RotationMatrix<T>& R, const Vector3<T>& p) {
    R_AB_ = R;
    p_AoBo_A_ = p;
  }
  /** Sets the rotation and the position of an isometry.
  @throws std::logic_error if the linear part is not a rotation. */
  void SetFromIsometry3(const Eigen::Transform<T, 3, Eigen::Isometry>& pose) {
    set(RotationMatrix<T>(Matrix3<T>(pose.linear())), pose.translation());
  }
  /** Becomes the identity. */
  const RigidTransform<T>& SetIdentity() { return *this = RigidTransform<T>(); }
  /** Sets R_AB; the position stays. */
  void set_rotation(const RotationMatrix<T>& R) { R_AB_ = R; }
  /** Overload for roll, pitch and yaw. */
  void set_rotation(const RollPitchYaw<T>& rpy) {
    R_AB_ = RotationMatrix<T>(rpy);
  }
  /** Overload for a quaternion; throws as the constructor does. */
  void set_rotation(const Eigen::Quaternion<T>& quaternion) {
    R_AB_ = RotationMatrix<T>(quaternion);
  }
  /** Overload for an angle and an axis; throws as the constructor does. */
  void set_rotation(const Eigen::AngleAxis<T>& theta_lambda) {
    R_AB_ = RotationMatrix<T>(theta_lambda);
  }
  /** Sets p_AoBo_A; the rotation stays. */
  void set_translation(const Vector3<T>& p) { p_AoBo_A_ = p; }

  /** This pose for another scalar type. */
  template <typename U>
  RigidTransform<U> cast() const {
    return RigidTransform<U>(R_AB_.template cast<U>(),
                             internal::CastTo<U>(p_AoBo_A_));
  }

  /** Returns the rotation R_AB. */
  const RotationMatrix<T>& rotation() const { return R_AB_; }
  /** Returns the position p_AoBo_A, meter. */
  const Vector3<T>& translation() const { return p_AoBo_A_; }

  /** The homogeneous matrix [R p; 0 0 0 1]. */
  Matrix4<T> GetAsMatrix4() const {
    Matrix4<T> pose;
    pose << R_AB_.matrix(), p_AoBo_A_, T(0), T(0), T(0), T(1);
    return pose;
  }
  /** The matrix [R p]. */
  Eigen::Matrix<T, 3, 4> GetAsMatrix34() const {
    Eigen::Matrix<T, 3, 4> pose;
    pose << R_AB_.matrix(), p_AoBo_A_;
    return pose;
  }
  /** This pose as an Eigen transform. */
  Eigen::Transform<T, 3, Eigen::Isometry> GetAsIsometry3() const {
    Eigen::Transform<T, 3, Eigen::Isometry> pose;
    pose.linear() = R_AB_.matrix();
    pose.translation() = p_AoBo_A_;
    pose.makeAffine();
    return pose;
  }

  /** True if R is the identity and p is zero, to the bit. */
  bool IsExactlyIdentity() const {
    return R_AB_.IsExactlyIdentity() && p_AoBo_A_ == Vector3<T>::Zero();
  }
  /** True if R is the identity within rounding and no |element| of p is over
  `translation_tolerance`, meter. */
  bool IsNearlyIdentity(double translation_tolerance) const;
  /** True if no element differs. */
  bool IsExactlyEqualTo(const RigidTransform<T>& other) const {
    return R_AB_.IsExactlyEqualTo(other.R_AB_) && p_AoBo_A_ == other.p_AoBo_A_;
  }
  /** True if no element of [R p] differs by more than `tolerance`. */
  bool IsNearlyEqualTo(const RigidTransform<T>& other, double tolerance) const {
    return GetMaximumAbsoluteDifference(other) <= tolerance;
  }
  /** The largest |element| of the difference of the two [R p]. */
  T GetMaximumAbsoluteDifference(const RigidTransform<T>& other) const;
  /** The largest |element| of the difference of the two p, meter. */
  T GetMaximumAbsoluteTranslationDifference(
      const RigidTransform<T>& other) const;

  /** Returns the inverse X_BA. */
  RigidTransform<T> inverse() const {
    const RotationMatrix<T> R_BA = R_AB_.inverse();
    return RigidTransform<T>(R_BA, -(R_BA.matrix() * p_AoBo_A_));
  }

  /** X_AC = X_AB * X_BC. */
  RigidTransform<T> operator*(const RigidTransform<T>& other) const {
    return RigidTransform<T>(R_AB_ * other.R_AB_, *this * other.p_AoBo_A_);
  }
  /** Becomes X_AC = X_AB * X_BC. */
  RigidTransform<T>& operator*=(const RigidTransform<T>& other) {
    return *this = *this * other;
  }
  /** X_AC with C the frame B moved by a translation expressed in B. */
  RigidTransform<T> operator*(const Eigen::Translation<T, 3>& X_BBq) const {
    return RigidTransform<T>(R_AB_, *this * Vector3<T>(X_BBq.translation()));
  }

  /** X_BC = X_AB^-1 * X_AC. */
  RigidTransform<T> InvertAndCompose(const RigidTransform<T>& other) const {
    const Vector3<T> p_BoCo_A = other.p_AoBo_A_ - p_AoBo_A_;
    return RigidTransform<T>(R_AB_.InvertAndCompose(other.R_AB_),
                             R_AB_.matrix().transpose() * p_BoCo_A);
  }

  /** p_AoQ_A = X_AB * p_BoQ_B. */
  Vector3<T> operator*(const Vector3<T>& p_BoQ_B) const {
    return p_AoBo_A_ + R_AB_.matrix() * p_BoQ_B;
  }
  /** Transforms a point [x y z 1] or a vector [x y z 0].
  @throws std::logic_error if the last element is neither 1 nor 0. */
  Vector4<T> operator*(const Vector4<T>& vec_B) const {
    if (const double last = internal::ValueOf(vec_B(3));
        last != 0 && last != 1) {
      internal::ThrowLastElementNotZeroOrOne(last);
    }
    Vector4<T> vec_A;
    vec_A.template head<3>() =
        R_AB_.matrix() * vec_B.template head<3>() + vec_B(3) * p_AoBo_A_;
    vec_A(3) = vec_B(3);
    return vec_A;
  }
  /** Transforms the points in the columns of a 3xn matrix.
  @throws std::logic_error if it does not have 3 rows. */
  template <typename Derived>
  Eigen::Matrix<typename Derived::Scalar, 3, Derived::ColsAtCompileTime>
  operator*(const Eigen::MatrixBase<Derived>& p_BoQ_B) const {
    if (p_BoQ_B.rows() != 3) {
      internal::ThrowRowsOutOfThree("RigidTransform::operator*()",
                                    static_cast<int>(p_BoQ_B.rows()));
    }
    return (R_AB_.matrix() * p_BoQ_B).colwise() + p_AoBo_A_;
  }

 private:
  [[noreturn]] static void ThrowShape(int rows, int cols);

  template <typename Derived>
  static RigidTransform<T> MakeFromAnyShape(
      const Eigen::MatrixBase<Derived>& pose) {
    constexpr int r = Derived::RowsAtCompileTime;
    constexpr int c = Derived::ColsAtCompileTime;
    constexpr int any = Eigen::Dynamic;
    const auto rows = pose.rows(), cols = pose.cols();
    if constexpr ((r == 3 || r == any) && (c == 1 || c == any)) {
      if (rows == 3 && cols == 1) {
        return RigidTransform<T>(Vector3<T>(pose));
      }
    }
    if constexpr ((r == 3 || r == any) && (c == 4 || c == any)) {
      if (rows == 3 && cols == 4) {
        return RigidTransform<T>(Eigen::Matrix<T, 3, 4>(pose));
      }
    }
    if constexpr ((r == 4 || r == any) && (c == 4 || c == any)) {
      if (rows == 4 && cols == 4) return RigidTransform<T>(Matrix4<T>(pose));
    }
    ThrowShape(static_cast<int>(rows), static_cast<int>(cols));
  }

  RotationMatrix<T> R_AB_;
  Vector3<T> p_AoBo_A_;
};

/** X_AB of a frame B that is posed by `X_AqB` in a frame Aq translated from A.
 */
template <typename T>
RigidTransform<T> operator*(const Eigen::Translation<T, 3>& X_AAq,
                            const RigidTransform<T>& X_AqB) {
  return RigidTransform<T>(X_AqB.rotation(),
                           X_AAq.translation() + X_AqB.translation());
}

/** Prints "rpy = r p y xyz = x y z". */
template <typename T>
std::ostream& operator<<(std::ostream& out, const RigidTransform<T>& X);

/** A pose without derivatives. */
using RigidTransformd = RigidTransform<double>;

}  // namespace wyvern::math

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::math::RigidTransform<T>>
    : wyvern::StreamFormatter {};
/// @endcond
