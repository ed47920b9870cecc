/* A body as its mass, its center of mass and its inertia per mass, both from a
point P. Sums weight the last two by mass. A shift goes by way of the centre of
mass (parallel axes), and changes no mass. Inertia is checked about the center
of mass, where it is least: what is possible there is possible anywhere. */

#include "wyvern/multibody/math/spatial_inertia.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/multibody/math/inertia_validity.h"
#include "wyvern/multibody/math/known_inertia.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using math::internal::ValueOf;
using math::internal::ValuesOf;

template <typename T>
SpatialInertia<T> SpatialInertia<T>::MakeFromCentralInertia(
    const T& mass, const Vector3<T>& p_PScm_E,
    const RotationalInertia<T>& I_SScm_E) {
  wyvern::internal::RequirePositive("SpatialInertia::MakeFromCentralInertia()",
                                    "mass", mass);
  UnitInertia<T> G;
  G.SetFromRotationalInertia(I_SScm_E, mass);
  G.ShiftFromCenterOfMassInPlace(p_PScm_E);
  return SpatialInertia<T>(mass, p_PScm_E, G);
}

template <typename T>
Matrix6<T> SpatialInertia<T>::CopyToFullMatrix6() const {
  const Matrix3<T> mp_cross = mass_ * math::VectorToSkewSymmetric(p_PScm_E_);
  Matrix6<T> M;
  M.template topLeftCorner<3, 3>() = mass_ * G_SP_E_.CopyToFullMatrix3();
  M.template topRightCorner<3, 3>() = mp_cross;
  M.template bottomLeftCorner<3, 3>() = -mp_cross;
  M.template bottomRightCorner<3, 3>() = mass_ * Matrix3<T>::Identity();
  return M;
}

template <typename T>
bool SpatialInertia<T>::IsNaN() const {
  return std::isnan(ValueOf(mass_)) || ValuesOf(p_PScm_E_).hasNaN() ||
         G_SP_E_.IsNaN();
}

template <typename T>
bool SpatialInertia<T>::IsZero() const {
  return wyvern::internal::NumberIn(mass_) == 0 &&
         ValuesOf(p_PScm_E_).isZero(0) && G_SP_E_.IsZero();
}

template <typename T>
UnitInertia<T> SpatialInertia<T>::CalcCentralUnitInertia() const {
  RotationalInertia<T> G = G_SP_E_;
  G.ShiftToThenAwayFromCenterOfMassInPlace(T(1), p_PScm_E_, Vector3<T>::Zero());
  return UnitInertia<T>(G);
}

template <typename T>
std::string SpatialInertia<T>::CriticizeNotPhysicallyValid() const {
  const double mass = wyvern::internal::NumberIn(mass_);
  if (!(mass >= 0) || !std::isfinite(mass)) {
    return fmt::format("the mass is {} kg; it must be 0 or more and finite",
                       mass);
  }
  const Matrix3<T> G_T = G_SP_E_.CopyToFullMatrix3();
  if (!internal::AreKnown(p_PScm_E_) || !internal::AreKnown(G_T)) return {};
  const Eigen::Vector3d p = ValuesOf(p_PScm_E_);
  if (!p.allFinite()) {
    return fmt::format(
        "the center of mass is ({}, {}, {}) m; all must be "
        "finite",
        p(0), p(1), p(2));
  }
  const Eigen::Matrix3d G = ValuesOf(G_T);
  const double size = G.trace() / 2;
  const Eigen::Matrix3d G_cm =
      ValuesOf(CalcCentralUnitInertia().CopyToFullMatrix3());
  const std::string criticism = internal::CriticizeInertia(G_cm, size);
  if (criticism.empty()) return {};
  return fmt::format(
      "with the mass {} kg, the center of mass ({}, {}, {}) m and the unit "
      "inertia {} m², the unit inertia about the center of mass {}",
      mass, p(0), p(1), p(2), internal::ToOneLine(G), criticism);
}

template <typename T>
void SpatialInertia<T>::RequirePhysicallyValid() const {
  const std::string criticism = CriticizeNotPhysicallyValid();
  if (criticism.empty()) return;
  throw std::logic_error(
      fmt::format("SpatialInertia: no body is like this: {}.", criticism));
}

template <typename T>
void SpatialInertia<T>::ThrowRows(int rows) {
  throw std::logic_error(
      fmt::format("SpatialInertia::operator*(): the matrix on the right has {} "
                  "rows; pass one of 6 rows.",
                  rows));
}

template <typename T>
T SpatialInertia<T>::CalcMinimumPhysicalLength() const {
  using std::sqrt;
  // Half the trace is the mean square distance from the center of mass.
  const T trace = CalcCentralUnitInertia().Trace();
  return wyvern::internal::NumberIn(trace) > 0 ? T(sqrt(T(4.0 / 3.0) * trace))
                                               : T(0);
}

template <typename T>
std::pair<Vector3<double>, math::RigidTransform<double>>
SpatialInertia<T>::CalcPrincipalHalfLengthsAndPoseForEquivalentShape(
    double inertia_shape_factor) const {
  const char* const who =
      "SpatialInertia::CalcPrincipalHalfLengthsAndPoseForEquivalentShape";
  RequirePhysicallyValid();
  wyvern::internal::RequirePositive(who, "mass", mass_);
  // The central inertia of a nearly point-like body is mostly the rounding of
  // the shift, which is too large for the checks of a UnitInertia.
  const auto [moments, R_EA] =
      CalcCentralUnitInertia().CalcPrincipalMomentsAndAxesOfInertia();
  return {
      internal::CalcEquivalentHalfLengths(who, moments, inertia_shape_factor),
      math::RigidTransform<double>(R_EA, ValuesOf(p_PScm_E_))};
}

// Masses add, centers of mass and unit inertias are averaged by mass; those of
// massless bodies by number, which keeps them valid.
template <typename T>
SpatialInertia<T>& SpatialInertia<T>::operator+=(
    const SpatialInertia<T>& M_BP_E) {
  const T total = mass_ + M_BP_E.mass_;
  const bool has_mass = wyvern::internal::NumberIn(total) != 0;
  const T a = has_mass ? T(mass_ / total) : T(0.5);
  const T b = has_mass ? T(M_BP_E.mass_ / total) : T(0.5);
  p_PScm_E_ = a * p_PScm_E_ + b * M_BP_E.p_PScm_E_;
  G_SP_E_ = UnitInertia<T>(G_SP_E_.MultiplyByScalarSkipValidityCheck(a) +
                           M_BP_E.G_SP_E_.MultiplyByScalarSkipValidityCheck(b));
  mass_ = total;
  return *this;
}

template <typename T>
void SpatialInertia<T>::ShiftInPlace(const Vector3<T>& p_PQ_E) {
  const Vector3<T> p_QScm_E = p_PScm_E_ - p_PQ_E;
  RotationalInertia<T> G = G_SP_E_;
  G.ShiftToThenAwayFromCenterOfMassInPlace(T(1), p_PScm_E_, p_QScm_E);
  G_SP_E_ = UnitInertia<T>(G);
  p_PScm_E_ = p_QScm_E;
}

template <typename T>
std::ostream& operator<<(std::ostream& out, const SpatialInertia<T>& M) {
  const Eigen::Vector3d p = ValuesOf(M.get_com());
  return out << fmt::format(
                    "mass = {}\ncenter of mass = [{}, {}, {}]\ninertia =\n",
                    ValueOf(M.get_mass()), p(0), p(1), p(2))
             << M.CalcRotationalInertia();
}

template std::ostream& operator<<(std::ostream&, const SpatialInertia<double>&);
#if WYVERN_AUTODIFF
template std::ostream& operator<<(std::ostream&,
                                  const SpatialInertia<AutoDiffXd>&);
#endif

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::SpatialInertia);
