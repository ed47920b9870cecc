#include "wyvern/geometry/math/rotation_matrix.h"

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/geometry/math/unit_vector.h"
#include "wyvern/systems/common/check_argument.h"

/* A matrix is taken for a rotation if R Rᵀ = 1 to rounding and det R > 0. The
nearest rotation to M with det M > 0, in the norm of Frobenius, is its polar
factor: U Vᵀ of M = U S Vᵀ (Higham, "Functions of Matrices", 2008, theorem 8.4).
Branches are taken on values, so that derivatives of AutoDiffXd pass through.
Limit: a rotation is its own nearest. */

namespace wyvern::math {

using internal::MaxAbs;
using internal::ValueOf;
using internal::ValuesOf;

namespace {

std::string ToOneLine(const Eigen::Matrix3d& m) {
  std::ostringstream out;
  out << m.format(Eigen::IOFormat(Eigen::FullPrecision, Eigen::DontAlignCols,
                                  ", ", "; ", "", "", "[", "]"));
  return out.str();
}

// The polar factor of M by Newton's iteration X <- (X + X^-T)/2 (Higham,
// "Computing the Polar Decomposition", 1986), which squares the error at each
// step and carries derivatives along.
template <typename T>
Matrix3<T> CalcPolarFactor(const Matrix3<T>& M, double scale) {
  Matrix3<T> X = M / T(scale);
  for (int i = 0; i < 60; ++i) {
    const Matrix3<T> next = T(0.5) * (X + Matrix3<T>(X.inverse().transpose()));
    const double change = ValueOf(MaxAbs(next - X));
    X = next;
    if (change < 1e-9) break;  // The error is now the square of that.
  }
  // One more step for the derivatives, which lag by one iteration.
  return T(0.5) * (X + Matrix3<T>(X.inverse().transpose()));
}

}  // namespace

template <typename T>
RotationMatrix<T>::RotationMatrix(const Eigen::Quaternion<T>& quaternion) {
  const T norm_squared = quaternion.squaredNorm();
  const double n2 = wyvern::internal::NumberIn(norm_squared);
  if (!(n2 > 1e-200 && n2 < 1e200)) {
    throw std::logic_error(fmt::format(
        "RotationMatrix: the quaternion (w, x, y, z) = ({}, {}, {}, {}) gives "
        "no rotation; its norm must be positive and finite.",
        ValueOf(quaternion.w()), ValueOf(quaternion.x()),
        ValueOf(quaternion.y()), ValueOf(quaternion.z())));
  }
  const T s = T(2) / norm_squared;
  const T w = quaternion.w(), x = quaternion.x(), y = quaternion.y(),
          z = quaternion.z();
  const T sx = s * x, sy = s * y, sz = s * z;
  const T swx = sx * w, swy = sy * w, swz = sz * w;
  const T sxx = sx * x, sxy = sy * x, sxz = sz * x;
  const T syy = sy * y, syz = sz * y, szz = sz * z;
  const T one(1);
  R_AB_ << one - syy - szz, sxy - swz, sxz + swy,  //
      sxy + swz, one - sxx - szz, syz - swx,       //
      sxz - swy, syz + swx, one - sxx - syy;
}

template <typename T>
RotationMatrix<T>::RotationMatrix(const Eigen::AngleAxis<T>& theta_lambda) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  // Rodrigues' formula: R = c 1 + s [u]x + (1 - c) u uᵀ.
  const Vector3<T> lambda = theta_lambda.axis();
  const T theta = theta_lambda.angle();
  const T size_squared = lambda.squaredNorm();
  const double size2 = wyvern::internal::NumberIn(size_squared);
  if (!(size2 > 1e-200 && size2 < 1e200 &&
        std::isfinite(wyvern::internal::NumberIn(theta)))) {
    throw std::logic_error(fmt::format(
        "RotationMatrix: {} rad about the axis ({}, {}, {}) gives no rotation; "
        "the axis must have a positive length and all numbers must be finite.",
        ValueOf(theta), ValueOf(lambda(0)), ValueOf(lambda(1)),
        ValueOf(lambda(2))));
  }
  const Vector3<T> u = lambda / T(sqrt(size_squared));
  const T c = cos(theta), s = sin(theta);
  const T one_minus_c = T(1) - c;
  R_AB_ = one_minus_c * u * u.transpose();
  R_AB_ += s * VectorToSkewSymmetric(u);
  R_AB_.diagonal().array() += c;
}

template <typename T>
RotationMatrix<T>::RotationMatrix(const RollPitchYaw<T>& rpy) {
  using std::cos;
  using std::sin;
  const T cr = cos(rpy.roll_angle()), sr = sin(rpy.roll_angle());
  const T cp = cos(rpy.pitch_angle()), sp = sin(rpy.pitch_angle());
  const T cy = cos(rpy.yaw_angle()), sy = sin(rpy.yaw_angle());
  R_AB_ << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,       //
      -sp, cp * sr, cp * cr;
}

template <typename T>
RotationMatrix<T> RotationMatrix<T>::MakeFromOrthonormalColumns(
    const Vector3<T>& Bx, const Vector3<T>& By, const Vector3<T>& Bz) {
  Matrix3<T> R;
  R << Bx, By, Bz;
  return RotationMatrix<T>(R);
}

template <typename T>
RotationMatrix<T> RotationMatrix<T>::MakeFromOrthonormalRows(
    const Vector3<T>& Ax, const Vector3<T>& Ay, const Vector3<T>& Az) {
  Matrix3<T> R;
  R << Ax.transpose(), Ay.transpose(), Az.transpose();
  return RotationMatrix<T>(R);
}

template <typename T>
RotationMatrix<T> RotationMatrix<T>::MakeFromOneVector(const Vector3<T>& b_A,
                                                       int axis_index) {
  return MakeFromOneUnitVector(
      internal::NormalizeOrThrow<T>(b_A, "RotationMatrix::MakeFromOneVector"),
      axis_index);
}

template <typename T>
RotationMatrix<T> RotationMatrix<T>::MakeFromOneUnitVector(
    const Vector3<T>& u_A, int axis_index) {
  using std::sqrt;
  wyvern::internal::RequireIndex("RotationMatrix::MakeFromOneUnitVector",
                                 "axis_index", axis_index, 3);
  internal::RequireUnitVector(u_A, "RotationMatrix::MakeFromOneUnitVector");
  // v = e x u / |e x u| with e the coordinate axis least aligned with u, so
  // that |e x u| >= sqrt(2/3); then w = u x v closes the right-handed triad.
  const Eigen::Vector3d u_abs = ValuesOf(u_A).cwiseAbs();
  int least = 0;
  u_abs.minCoeff(&least);
  const Vector3<T> e = Vector3<T>::Unit(least);
  const Vector3<T> perpendicular = e.cross(u_A);
  const Vector3<T> v = perpendicular / T(sqrt(perpendicular.squaredNorm()));
  Matrix3<T> R;
  R.col(axis_index) = u_A;
  R.col((axis_index + 1) % 3) = v;
  R.col((axis_index + 2) % 3) = u_A.cross(v);
  return MakeUnchecked(R);
}

template <typename T>
RotationMatrix<T> RotationMatrix<T>::MakeClosestRotationToIdentityFromUnitZ(
    const Vector3<T>& u_A) {
  internal::RequireUnitVector(
      u_A, "RotationMatrix::MakeClosestRotationToIdentityFromUnitZ");
  // Rotation by acos(c) about Az x u: 1 + [Az x u]x + [Az x u]x² / (1 + c). For
  // c < 0, 1/(1 + c) is had without cancellation as (1 - c)/(x² + y²).
  const T x = u_A(0), y = u_A(1), c = u_A(2);
  const T s2 = x * x + y * y;
  if (ValueOf(c) < 0 && ValueOf(s2) < 1e-200) {
    return MakeFromElements(T(1), T(0), T(0), T(0), T(-1), T(0), T(0), T(0),
                            T(-1));
  }
  const T k = ValueOf(c) < 0 ? T((T(1) - c) / s2) : T(T(1) / (T(1) + c));
  return MakeFromElements(T(1) - k * x * x, -k * x * y, x,  //
                          -k * x * y, T(1) - k * y * y, y,  //
                          -x, -y, c);
}

template <typename T>
RotationMatrix<T> RotationMatrix<T>::ProjectToRotationMatrix(
    const Matrix3<T>& M, T* quality_factor) {
  const Eigen::Matrix3d M_value = ValuesOf(M);
  const double det = M_value.determinant();
  if (!M_value.allFinite() || !(std::abs(det) > 0)) {
    throw std::logic_error(fmt::format(
        "RotationMatrix::ProjectToRotationMatrix(): no rotation is nearest to "
        "{}; pass a finite matrix with a positive determinant.",
        ToOneLine(M_value)));
  }
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(
      M_value, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Vector3d sigma = svd.singularValues();
  if (quality_factor != nullptr) {
    const int worst = sigma(0) * sigma(2) < 1 ? 2 : 0;
    const Vector3<T> u = svd.matrixU().col(worst).template cast<T>();
    const Vector3<T> v = svd.matrixV().col(worst).template cast<T>();
    // To first order sigma = uᵀ M v, so this also carries derivatives.
    *quality_factor = u.dot(M * v);
    if (det < 0) *quality_factor = -*quality_factor;
  }
  if (det < 0) {
    throw std::logic_error(fmt::format(
        "RotationMatrix::ProjectToRotationMatrix(): {} has the determinant {}: "
        "the nearest orthonormal matrix is a reflection; pass a right-handed "
        "matrix.",
        ToOneLine(M_value), det));
  }
  if constexpr (std::is_same_v<T, double>) {
    return MakeUnchecked(svd.matrixU() * svd.matrixV().transpose());
  } else {
    return MakeUnchecked(CalcPolarFactor(M, sigma(0)));
  }
}

template <typename T>
T RotationMatrix<T>::GetMeasureOfOrthonormality(const Matrix3<T>& R) {
  return MaxAbs(R * R.transpose() - Matrix3<T>::Identity());
}

template <typename T>
bool RotationMatrix<T>::IsValid(const Matrix3<T>& R, double tolerance) {
  return IsOrthonormal(R, tolerance) && ValuesOf(R).determinant() > 0;
}

template <typename T>
void RotationMatrix<T>::RequireRotation(const Matrix3<T>& R) {
  if (IsValid(R)) return;
  const Eigen::Matrix3d R_value = ValuesOf(R);
  const double measure = ValueOf(GetMeasureOfOrthonormality(R));
  wyvern::internal::RequireFinite("RotationMatrix", "R", R_value);
  if (!(measure <= get_internal_tolerance_for_orthonormality())) {
    throw std::logic_error(fmt::format(
        "RotationMatrix: {} is not orthonormal: R Rᵀ differs from the identity "
        "by {}, more than {}; see RotationMatrix::ProjectToRotationMatrix().",
        ToOneLine(R_value), measure,
        get_internal_tolerance_for_orthonormality()));
  }
  throw std::logic_error(fmt::format(
      "RotationMatrix: {} is orthonormal but its determinant is -1: it is a "
      "reflection; pass a right-handed matrix.",
      ToOneLine(R_value)));
}

template <typename T>
T RotationMatrix<T>::GetMaximumAbsoluteDifference(
    const RotationMatrix<T>& other) const {
  return MaxAbs(R_AB_ - other.R_AB_);
}

template <typename T>
RollPitchYaw<T> RotationMatrix<T>::ToRollPitchYaw() const {
  return RollPitchYaw<T>(*this);
}

// The matrix K = 4 q qᵀ, q = (w, x, y, z) a unit quaternion, is linear in R
// (Shepperd, "Quaternion from Rotation Matrix", J. Guidance and Control 1978):
//   K_ww = 1 + tr,  K_xx = 1 + 2 R00 - tr,  K_wx = R21 - R12,  K_xy = R10 + R01
// and cyclically. Every column is parallel to q; the one with the largest
// diagonal element (at least 1, as their sum is 4) is well conditioned.
template <typename T>
Eigen::Quaternion<T> RotationMatrix<T>::ToQuaternion(
    const Eigen::Ref<const Matrix3<T>>& M) {
  using std::sqrt;
  const T trace = M(0, 0) + M(1, 1) + M(2, 2);
  const double t = ValueOf(trace), x = ValueOf(M(0, 0)), y = ValueOf(M(1, 1)),
               z = ValueOf(M(2, 2));
  // A column for each largest element, with indices that are known when this
  // is compiled; the first of equal ones.
  T q[4];
  const auto set_column = [&]<int i>() {
    constexpr int j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = M(k, j) - M(j, k);
    q[1 + i] = T(1) + T(2) * M(i, i) - trace;
    q[1 + j] = M(j, i) + M(i, j);
    q[1 + k] = M(k, i) + M(i, k);
  };
  if (t >= x && t >= y && t >= z) {
    q[0] = T(1) + trace;
    q[1] = M(2, 1) - M(1, 2);
    q[2] = M(0, 2) - M(2, 0);
    q[3] = M(1, 0) - M(0, 1);
  } else if (x >= y && x >= z) {
    set_column.template operator()<0>();
  } else if (y >= z) {
    set_column.template operator()<1>();
  } else {
    set_column.template operator()<2>();
  }
  T scale =
      T(1) / T(sqrt((q[0] * q[0] + q[2] * q[2]) + (q[1] * q[1] + q[3] * q[3])));
  if (ValueOf(q[0]) < 0) scale = -scale;
  return Eigen::Quaternion<T>(scale * q[0], scale * q[1], scale * q[2],
                              scale * q[3]);
}

template <typename T>
Vector4<T> RotationMatrix<T>::ToQuaternionAsVector4(const Matrix3<T>& M) {
  const Eigen::Quaternion<T> q = ToQuaternion(M);
  return Vector4<T>(q.w(), q.x(), q.y(), q.z());
}

template <typename T>
Eigen::AngleAxis<T> RotationMatrix<T>::ToAngleAxis() const {
  using std::atan2;
  using std::sqrt;
  const Eigen::Quaternion<T> q = ToQuaternion();
  const T sin_squared = q.vec().squaredNorm();
  if (ValueOf(sin_squared) < 1e-300) {
    return Eigen::AngleAxis<T>(T(0), Vector3<T>::UnitX());
  }
  const T sine = sqrt(sin_squared);
  return Eigen::AngleAxis<T>(T(2) * T(atan2(sine, q.w())),
                             Vector3<T>(q.vec() / sine));
}

template <typename T>
std::ostream& operator<<(std::ostream& out, const RotationMatrix<T>& R) {
  return out << ValuesOf(R.matrix());
}

template std::ostream& operator<<(std::ostream&, const RotationMatrix<double>&);
#if WYVERN_AUTODIFF
template std::ostream& operator<<(std::ostream&,
                                  const RotationMatrix<AutoDiffXd>&);
#endif

}  // namespace wyvern::math

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::math::RotationMatrix);
