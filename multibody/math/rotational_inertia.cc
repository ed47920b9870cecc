/* Sums of point masses, m (p·p 1 - p pᵀ), and what follows: shifting to or from
the center of mass subtracts or adds one (parallel axes). The upper triangle of
a result is a copy of the lower, so that the matrix is symmetric to the last
bit. Whatever could make an inertia that no body has, a difference for one, is
checked by inertia_validity.h against the size of what went in. */

#include "wyvern/multibody/math/rotational_inertia.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/math/inertia_validity.h"
#include "wyvern/multibody/math/known_inertia.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using math::internal::MaxAbs;
using math::internal::ValueOf;
using math::internal::ValuesOf;

template <typename T>
RotationalInertia<T>::RotationalInertia(const T& mass, const Vector3<T>& p_PQ_E)
    : I_(Matrix3<T>::Zero()) {
  wyvern::internal::RequireNonNegative("RotationalInertia", "mass", mass);
  wyvern::internal::RequireFinite("RotationalInertia", "p_PQ_E", p_PQ_E);
  AddPointMass(mass, p_PQ_E);
}

template <typename T>
RotationalInertia<T> RotationalInertia<T>::MakeFromMomentsAndProductsOfInertia(
    const T& Ixx, const T& Iyy, const T& Izz, const T& Ixy, const T& Ixz,
    const T& Iyz, bool skip_validity_check) {
  Matrix3<T> I;
  I << Ixx, Ixy, Ixz, Ixy, Iyy, Iyz, Ixz, Iyz, Izz;
  const RotationalInertia<T> result(I);
  if (!skip_validity_check && internal::AreKnown(I)) {
    internal::RequirePossibleInertia("RotationalInertia", ValuesOf(I),
                                     ValueOf(result.Trace()) / 2);
  }
  return result;
}

template <typename T>
bool RotationalInertia<T>::IsNearlyEqualTo(const RotationalInertia& other,
                                           double precision) const {
  const double size =
      std::min(ValueOf(CalcMaximumPossibleMomentOfInertia()),
               ValueOf(other.CalcMaximumPossibleMomentOfInertia()));
  return ValueOf(MaxAbs(I_ - other.I_)) <= precision * size;
}

template <typename T>
RotationalInertia<T>& RotationalInertia<T>::operator-=(
    const RotationalInertia<T>& I_BP_E) {
  const Matrix3<T> difference = I_ - I_BP_E.I_;
  if (internal::AreKnown(I_) && internal::AreKnown(difference)) {
    internal::RequirePossibleInertia("RotationalInertia::operator-=()",
                                     ValuesOf(difference),
                                     ValueOf(Trace()) / 2);
  }
  I_ = difference;
  return *this;
}

template <typename T>
RotationalInertia<T>& RotationalInertia<T>::operator*=(
    const T& nonnegative_scalar) {
  wyvern::internal::RequireNonNegative("RotationalInertia::operator*=()",
                                       "the scalar", nonnegative_scalar);
  I_ *= nonnegative_scalar;
  return *this;
}

template <typename T>
RotationalInertia<T>& RotationalInertia<T>::operator/=(
    const T& positive_scalar) {
  wyvern::internal::RequirePositive("RotationalInertia::operator/=()",
                                    "the scalar", positive_scalar);
  I_ /= positive_scalar;
  return *this;
}

template <typename T>
void RotationalInertia<T>::SetToNaN() {
  I_.setConstant(T(std::numeric_limits<double>::quiet_NaN()));
}

template <typename T>
std::pair<Vector3<double>, math::RotationMatrix<double>>
RotationalInertia<T>::CalcPrincipalMomentsAndAxesOfInertia() const {
  const Eigen::Matrix3d I = ValuesOf(I_);
  wyvern::internal::RequireFinite(
      "RotationalInertia::CalcPrincipalMomentsAndAxesOfInertia", "I", I);
  const auto [moments, axes] = internal::CalcPrincipalMomentsAndAxes(I);
  return {moments, math::RotationMatrix<double>::MakeUnchecked(axes)};
}

template <typename T>
bool RotationalInertia<T>::CouldBePhysicallyValid() const {
  return internal::CriticizeInertia(ValuesOf(I_), ValueOf(Trace()) / 2).empty();
}

template <typename T>
void RotationalInertia<T>::ReExpressInPlace(
    const math::RotationMatrix<T>& R_AE) {
  const Matrix3<T> RI = R_AE.matrix() * I_;
  I_.noalias() = RI * R_AE.matrix().transpose();
  // Rounding differs between the two triangles.
  I_(0, 1) = I_(1, 0);
  I_(0, 2) = I_(2, 0);
  I_(1, 2) = I_(2, 1);
}

template <typename T>
void RotationalInertia<T>::ShiftToCenterOfMassInPlace(
    const T& mass, const Vector3<T>& p_QBcm_E) {
  RotationalInertia<T> shifted = *this;
  shifted.AddPointMass(-mass, p_QBcm_E);
  if (internal::AreKnown(I_) && internal::AreKnown(shifted.I_)) {
    internal::RequirePossibleInertia("RotationalInertia::ShiftToCenterOfMass()",
                                     ValuesOf(shifted.I_),
                                     ValueOf(Trace()) / 2);
  }
  I_ = shifted.I_;
}

template <typename T>
void RotationalInertia<T>::AddPointMass(const T& mass, const Vector3<T>& p) {
  const Vector3<T> mp = mass * p;
  const T xx = mp(0) * p(0), yy = mp(1) * p(1), zz = mp(2) * p(2);
  const T xy = mp(0) * p(1), xz = mp(0) * p(2), yz = mp(1) * p(2);
  I_(0, 0) += yy + zz;
  I_(1, 1) += xx + zz;
  I_(2, 2) += xx + yy;
  I_(1, 0) -= xy;
  I_(2, 0) -= xz;
  I_(2, 1) -= yz;
  I_(0, 1) = I_(1, 0);
  I_(0, 2) = I_(2, 0);
  I_(1, 2) = I_(2, 1);
}

template <typename T>
std::ostream& operator<<(std::ostream& out, const RotationalInertia<T>& I) {
  return out << ValuesOf(I.CopyToFullMatrix3());
}

template std::ostream& operator<<(std::ostream&,
                                  const RotationalInertia<double>&);
#if WYVERN_AUTODIFF
template std::ostream& operator<<(std::ostream&,
                                  const RotationalInertia<AutoDiffXd>&);
#endif

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::RotationalInertia);
