#pragma once

#include <limits>
#include <ostream>
#include <tuple>
#include <type_traits>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/multibody/math/inertia_validity.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** Base of all spatial vectors: two 3-vectors expressed in one frame, the
rotational one first. Neither the frame nor the point it belongs to is stored;
monogram names say them (see multibody/math/README.md).

@tparam SV the derived class template, e.g. SpatialVelocity.
@tparam T double or AutoDiffXd. */
template <template <typename> class SV, typename T>
class SpatialVector {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(SpatialVector);

  /** The derived class. */
  using SpatialQuantity = SV<T>;
  /** The type of the six coefficients. */
  using CoeffsEigenType = Vector6<T>;
  /** The scalar type. */
  using ScalarType = T;
  /** Numbers of elements. */
  enum : int {
    kSpatialVectorSize = 6,
    kRotationSize = 3,
    kTranslationSize = 3,
  };

  /** NaN where assertions are on; otherwise left unset. */
  SpatialVector() {
#ifndef NDEBUG
    SetNaN();
#endif
  }
  /** Takes the rotational and the translational part. */
  SpatialVector(const Eigen::Ref<const Vector3<T>>& w,
                const Eigen::Ref<const Vector3<T>>& v) {
    V_.template head<3>() = w;
    V_.template tail<3>() = v;
  }
  /** From an expression of 6 elements, the rotational ones first. */
  template <typename OtherDerived>
  explicit SpatialVector(const Eigen::MatrixBase<OtherDerived>& V) : V_(V) {}

  /** All elements 0. */
  static SpatialQuantity Zero() {
    return SpatialQuantity(CoeffsEigenType(CoeffsEigenType::Zero()));
  }

  /** Number of elements, 6. */
  int size() const { return kSpatialVectorSize; }

  /** Element `i`. @throws std::out_of_range if it is not in [0, 6). */
  const T& operator[](int i) const { return V_[RequireElement(i)]; }
  /** Element `i`, writable. */
  T& operator[](int i) { return V_[RequireElement(i)]; }

  /** The rotational part. */
  const Vector3<T>& rotational() const {
    return *reinterpret_cast<const Vector3<T>*>(V_.data());
  }
  /** The rotational part, writable. */
  Vector3<T>& rotational() { return *reinterpret_cast<Vector3<T>*>(V_.data()); }
  /** The translational part. */
  const Vector3<T>& translational() const {
    return *reinterpret_cast<const Vector3<T>*>(V_.data() + kRotationSize);
  }
  /** The translational part, writable. */
  Vector3<T>& translational() {
    return *reinterpret_cast<Vector3<T>*>(V_.data() + kRotationSize);
  }

  /** The 6 elements in a row. */
  const T* data() const { return V_.data(); }
  /** The 6 elements in a row, writable. */
  T* mutable_data() { return V_.data(); }
  /** The 6 elements, the rotational ones first. */
  const CoeffsEigenType& get_coeffs() const { return V_; }
  /** The 6 elements, writable. */
  CoeffsEigenType& get_coeffs() { return V_; }

  /** The largest |element| of the difference of the rotational parts, and of
  the translational parts; NaN if there is one. */
  std::tuple<const T, const T> GetMaximumAbsoluteDifferences(
      const SpatialQuantity& other) const {
    using math::internal::MaxAbs;
    return {MaxAbs(rotational() - other.rotational()),
            MaxAbs(translational() - other.translational())};
  }

  /** True if neither of GetMaximumAbsoluteDifferences() is over its tolerance,
  which is in the unit of that part. */
  decltype(T() < T()) IsNearlyEqualWithinAbsoluteTolerance(
      const SpatialQuantity& other, double rotational_tolerance,
      double translational_tolerance) const {
    const auto [rotational_difference, translational_difference] =
        GetMaximumAbsoluteDifferences(other);
    return rotational_difference <= rotational_tolerance &&
           translational_difference <= translational_tolerance;
  }

  /** True if no element differs by more than `tolerance`. */
  decltype(T() < T()) IsApprox(
      const SpatialQuantity& other,
      double tolerance = 2 * std::numeric_limits<double>::epsilon()) const {
    return IsNearlyEqualWithinAbsoluteTolerance(other, tolerance, tolerance);
  }

  /** Makes all elements NaN. */
  void SetNaN() { V_.setConstant(T(std::numeric_limits<double>::quiet_NaN())); }
  /** Makes all elements 0. */
  SpatialQuantity& SetZero() {
    V_.setZero();
    return derived();
  }

  /** The opposite of both parts. */
  SpatialQuantity operator-() const { return SpatialQuantity(-V_); }
  /** Adds both parts. */
  SpatialQuantity& operator+=(const SpatialQuantity& V) {
    V_ += V.get_coeffs();
    return derived();
  }
  /** Subtracts both parts. */
  SpatialQuantity& operator-=(const SpatialQuantity& V) {
    V_ -= V.get_coeffs();
    return derived();
  }
  /** Multiplies both parts. */
  SpatialQuantity& operator*=(const T& s) {
    V_ *= s;
    return derived();
  }

  friend SpatialQuantity operator*(const T& s, const SpatialQuantity& V) {
    return SpatialQuantity(s * V.get_coeffs());
  }
  friend SpatialQuantity operator*(const SpatialQuantity& V, const T& s) {
    return SpatialQuantity(s * V.get_coeffs());
  }
  /** V_F = R_FE * V_E: re-expresses both parts. */
  friend SpatialQuantity operator*(const math::RotationMatrix<T>& R_FE,
                                   const SpatialQuantity& V_E) {
    SpatialQuantity V_F;
    V_F.rotational().noalias() = R_FE.matrix() * V_E.rotational();
    V_F.translational().noalias() = R_FE.matrix() * V_E.translational();
    return V_F;
  }
  /** Prints "[w0, w1, w2, v0, v1, v2]ᵀ". */
  friend std::ostream& operator<<(std::ostream& o, const SpatialVector& V) {
    o << "[" << V[0];
    for (int i = 1; i < kSpatialVectorSize; ++i) o << ", " << V[i];
    return o << "]ᵀ";
  }

 protected:
  SpatialQuantity& derived() { return static_cast<SpatialQuantity&>(*this); }

 private:
  static int RequireElement(int i) {
    if (i < 0 || i >= kSpatialVectorSize) {
      internal::ThrowNoElement("SpatialVector", i, kSpatialVectorSize);
    }
    return i;
  }

  static_assert(sizeof(Vector3<T>) == 3 * sizeof(T),
                "rotational() and translational() point into V_");

  CoeffsEigenType V_;
};

}  // namespace wyvern::multibody
