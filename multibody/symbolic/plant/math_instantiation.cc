#include "wyvern/multibody/symbolic/plant/symbolic_scalar_private.h"
//
#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/math/known_inertia.h"
#include "wyvern/multibody/math/rotational_inertia.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

/* Rotations, poses and spatial inertias, compiled once more for expressions,
except what decides by a value. A rotation matrix is taken
for one unless all of its numbers are known; its quaternion is one of four,
by conditions that are expressions. */

namespace wyvern::math {

using symbolic::Expression;

namespace {

template <typename Matrix>
bool AreEqual(const Matrix& a, const Matrix& b) {
  return CheckStructuralEquality(a, b);
}

// `tests` in order, of the first that holds the quaternion; the last if none.
Eigen::Quaternion<Expression> Choose(const symbolic::Formula (&tests)[3],
                                     const Vector4<Expression> (&q)[4]) {
  Vector4<Expression> result = q[3];
  for (int i = 2; i >= 0; --i) {
    for (int k = 0; k < 4; ++k) {
      result[k] = if_then_else(tests[i], q[i][k], result[k]);
    }
  }
  return {result[0], result[1], result[2], result[3]};
}

}  // namespace

template <>
bool RotationMatrix<Expression>::IsOrthonormal(const Matrix3<Expression>& R,
                                               double tolerance) {
  return ToDouble(GetMeasureOfOrthonormality(R)) <= tolerance;
}
template <>
void RotationMatrix<Expression>::RequireRotation(const Matrix3<Expression>& R) {
  if (!multibody::internal::AreKnown(R)) return;
  RotationMatrix<double>{internal::ValuesOf(R)};
}
template <>
bool RotationMatrix<Expression>::IsExactlyIdentity() const {
  return AreEqual<Matrix3<Expression>>(R_AB_, Matrix3<Expression>::Identity());
}
template <>
bool RotationMatrix<Expression>::IsExactlyEqualTo(
    const RotationMatrix<Expression>& other) const {
  return AreEqual(R_AB_, other.R_AB_);
}
template <>
bool RotationMatrix<Expression>::IsNearlyEqualTo(
    const RotationMatrix<Expression>& other, double tolerance) const {
  return ToDouble(GetMaximumAbsoluteDifference(other)) <= tolerance;
}
template <>
bool RigidTransform<Expression>::IsExactlyIdentity() const {
  return IsExactlyEqualTo(RigidTransform<Expression>());
}
template <>
bool RigidTransform<Expression>::IsExactlyEqualTo(
    const RigidTransform<Expression>& other) const {
  return R_AB_.IsExactlyEqualTo(other.R_AB_) &&
         AreEqual(p_AoBo_A_, other.p_AoBo_A_);
}
template <>
bool RigidTransform<Expression>::IsNearlyEqualTo(
    const RigidTransform<Expression>& other, double tolerance) const {
  return ToDouble(GetMaximumAbsoluteDifference(other)) <= tolerance;
}
template <>
Vector4<Expression> RigidTransform<Expression>::operator*(
    const Vector4<Expression>& vec_B) const {
  const double last = ToDouble(vec_B(3));
  if (last != 0 && last != 1) internal::ThrowLastElementNotZeroOrOne(last);
  Vector4<Expression> vec_A;
  vec_A << R_AB_.matrix() * vec_B.head<3>() + last * p_AoBo_A_, vec_B(3);
  return vec_A;
}
template <>
bool RollPitchYaw<Expression>::DoesCosPitchAngleViolateGimbalLockTolerance(
    const Expression& cos_pitch_angle) {
  return std::abs(KnownNumberOr(cos_pitch_angle, 1.0)) <
         kGimbalLockToleranceCosPitchAngle;
}

// By the largest of the trace and the diagonal, as of numbers; each candidate
// is divided by its own length and has w >= 0.
template <>
Eigen::Quaternion<Expression> RotationMatrix<Expression>::ToQuaternion(
    const Eigen::Ref<const Matrix3<Expression>>& M) {
  const Expression trace = M(0, 0) + M(1, 1) + M(2, 2);
  Vector4<Expression> q[4];
  q[0] << 1 + trace, M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[1 + i][0] = M(k, j) - M(j, k);
    q[1 + i][1 + i] = 1 + 2 * M(i, i) - trace;
    q[1 + i][1 + j] = M(j, i) + M(i, j);
    q[1 + i][1 + k] = M(k, i) + M(i, k);
  }
  for (Vector4<Expression>& v : q) {
    const Expression scale = 1 / sqrt(v.squaredNorm());
    v *= if_then_else(v[0] < 0, -scale, scale);
  }
  return Choose({trace >= M(0, 0) && trace >= M(1, 1) && trace >= M(2, 2),
                 M(0, 0) >= M(1, 1) && M(0, 0) >= M(2, 2), M(1, 1) >= M(2, 2)},
                q);
}

template <>
void RollPitchYaw<Expression>::SetFromRotationMatrix(
    const RotationMatrix<Expression>& R) {
  const Matrix3<Expression>& m = R.matrix();
  rpy_(0) = atan2(m(2, 1), m(2, 2));
  rpy_(1) = atan2(-m(2, 0), sqrt(pow(m(0, 0), 2) + pow(m(1, 0), 2)));
  rpy_(2) = atan2(m(1, 0), m(0, 0));
}

}  // namespace wyvern::math

namespace wyvern::multibody {

template <>
void RotationalInertia<symbolic::Expression>::SetToNaN() {
  I_.setConstant(symbolic::Expression::NaN());
}

}  // namespace wyvern::multibody

#include <wyvern_math_sources.inc>
