#include "wyvern/multibody/tree/ellipsoid_drag.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/if_then_else.h"

/* Computes the load of an ellipsoid with the semi-axes r in the axes D of the
ellipsoid, after MuJoCo's documentation. Let w and v be the angular velocity
and the velocity relative to the medium, and s_i = r_j² r_k².

The area of the projection along v is A = pi sqrt(sum s_i² v_i² / sum s_i
v_i²), the normal of the cross section with that outline is n ~ s ∘ v, and
A_max = pi r_max r_mid. Then
  drag      f = -density (blunt A + slender (A_max - A)) |v| v
  Kutta     f = kutta density A (v·n / |v|) (n x v) x v
  Magnus    f = magnus density V w x v
  angular   t = -density |(angular I + slender (I_max - I)) ∘ w| w,
            I_i = 8 pi / 15 r_i max(r_j, r_k)⁴
  viscous   f = -6 pi viscosity r_mean v, t = -8 pi viscosity r_mean³ w.

The added mass (H. Lamb, Hydrodynamics, 1932, chapter V) is m_i = density V
kappa_i / (kappa_j + kappa_k), since the three kappa add up to 2:
  kappa_i = 2/3 r_i r_j r_k R_D(r_j², r_k², r_i²)
with Carlson's elliptic integral R_D. Its momenta m ∘ v and I ∘ w turn with
the body: f = (m ∘ v) x w, t = (m ∘ v) x v + (I ∘ w) x w. */

namespace wyvern::multibody {

namespace {

using std::numbers::pi;

constexpr char kEllipsoidKind[] = "EllipsoidDrag";

// Computes R_D(x, y, z) = 3/2 ∫ dt / (sqrt((t + x) (t + y)) (t + z)^(3/2)) from
// 0 to infinity by duplication (B. Carlson, Numerical computation of real or
// complex elliptic integrals, 1995): each step moves x, y and z closer together
// and splits off a part of the integral, until a Taylor series at their mean
// has the rest.
double CalcCarlsonRd(double x, double y, double z) {
  double split = 0;
  double power = 1;
  double mean{}, dx{}, dy{}, dz{};
  for (int i = 0; i < 300; ++i) {
    mean = (x + y + 3 * z) / 5;
    dx = (mean - x) / mean;
    dy = (mean - y) / mean;
    dz = (mean - z) / mean;
    if (std::max({std::abs(dx), std::abs(dy), std::abs(dz)}) < 1e-3) break;
    const double lambda = std::sqrt(x) * std::sqrt(y) +
                          std::sqrt(x) * std::sqrt(z) +
                          std::sqrt(y) * std::sqrt(z);
    split += power / (std::sqrt(z) * (z + lambda));
    power /= 4;
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
  }
  const double e2 = dx * dy - 6 * dz * dz;
  const double e3 = (3 * dx * dy - 8 * dz * dz) * dz;
  const double e4 = 3 * (dx * dy - dz * dz) * dz * dz;
  const double e5 = dx * dy * dz * dz * dz;
  const double series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 -
                        3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
  return 3 * split + power * series / (mean * std::sqrt(mean));
}

// The kappa of an ellipsoid; they depend on the ratios of its semi-axes.
Vector3<double> CalcKappa(const Vector3<double>& semi_axes) {
  const Vector3<double> r = semi_axes / semi_axes.maxCoeff();
  Vector3<double> kappa;
  for (int i = 0; i < 3; ++i) {
    const double j = r[(i + 1) % 3];
    const double k = r[(i + 2) % 3];
    kappa[i] = 2 * r.prod() * CalcCarlsonRd(j * j, k * k, r[i] * r[i]) / 3;
  }
  return kappa;
}

// Returns the semi-axes of an ellipsoid that has the same added mass to about
// eight digits, and is not so thin that the differences of its kappa are
// rounding errors: no axis is shorter than 1e-8 of the middle one.
Vector3<double> WidenThinAxes(const Vector3<double>& semi_axes) {
  Vector3<double> sorted = semi_axes;
  std::ranges::sort(sorted);
  return semi_axes.cwiseMax(std::max(1e-8 * sorted[1], 1e-75 * sorted[2]));
}

double CalcVolume(const Vector3<double>& semi_axes) {
  return 4 * pi * semi_axes.prod() / 3;
}

// |x|, and 0 with a derivative of 0 at x = 0.
template <typename T>
T SafeNorm(const Vector3<T>& x) {
  using std::sqrt;
  const T square = x.squaredNorm();
  return if_then_else(square > 0, sqrt(if_then_else(square > 0, square, T(1))),
                      T(0));
}

}  // namespace

template <typename T>
EllipsoidDrag<T>::EllipsoidDrag(const RigidBody<T>& body,
                                const math::RigidTransform<double>& X_BD,
                                const Vector3<double>& semi_axes,
                                const FluidMedium& medium,
                                const EllipsoidDragCoefficients& coefficients)
    : internal::TypedForceElement<EllipsoidDrag, T, internal::MediumForce<T>>(
          kEllipsoidKind, body, X_BD, medium),
      semi_axes_(semi_axes),
      coefficients_(coefficients) {
  const auto caller = internal::Caller::Element(kEllipsoidKind, body.name());
  for (const double r : semi_axes) {
    internal::RequireFinite(caller, "semi-axis", r);
    if (r > 0) continue;
    throw std::logic_error(fmt::format(
        "EllipsoidDrag '{}': a semi-axis is {}; give positive lengths.",
        body.name(), r));
  }
  const auto& [blunt, slender, angular, kutta, magnus] = coefficients;
  for (const double coefficient : {blunt, slender, angular, kutta, magnus}) {
    internal::RequireFinite(caller, "coefficient", coefficient);
  }
  if (!IsFiniteEllipsoidDrag(semi_axes, medium, coefficients)) {
    throw std::logic_error(fmt::format(
        "EllipsoidDrag '{}': the forces of the density {} and the viscosity {} "
        "on semi-axes up to {} are more than a double holds; give smaller "
        "values.",
        body.name(), medium.density, medium.viscosity, semi_axes.maxCoeff()));
  }
  const Vector3<double> r = WidenThinAxes(semi_axes);
  const Vector3<double> kappa = CalcKappa(r);
  const double fluid = medium.density * CalcVolume(r);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    added_mass_[i] = fluid * kappa[i] / (kappa[j] + kappa[k]);
    const double minus = (r[j] - r[k]) * (r[j] + r[k]);
    const double plus = r[j] * r[j] + r[k] * r[k];
    const double divisor = 2 * minus + plus * (kappa[j] - kappa[k]);
    added_inertia_[i] = divisor == 0 ? 0
                                     : fluid / 5 * minus * (minus / divisor) *
                                           (kappa[k] - kappa[j]);
  }
}

template <typename T>
EllipsoidDrag<T>::~EllipsoidDrag() = default;

template <typename T>
typename EllipsoidDrag<T>::Load EllipsoidDrag<T>::CalcLoad(
    const Vector3<T>& w, const Vector3<T>& v) const {
  const Vector3<double>& r = semi_axes_;
  const auto& [density, viscosity, wind] = this->medium();
  Load load;
  const Vector3<T> p = added_mass_.template cast<T>().cwiseProduct(v);
  const Vector3<T> h = added_inertia_.template cast<T>().cwiseProduct(w);
  load.f = p.cross(w);
  load.t = p.cross(v) + h.cross(w);
  AddDragAndLift(v, &load);
  load.f += T(coefficients_.magnus * density * CalcVolume(r)) * w.cross(v);
  Vector3<double> swept;
  for (int i = 0; i < 3; ++i) {
    swept[i] = 8 * pi / 15 * r[i] *
               std::pow(std::max(r[(i + 1) % 3], r[(i + 2) % 3]), 4);
  }
  const Vector3<double> moment =
      coefficients_.angular * swept +
      coefficients_.slender *
          (Vector3<double>::Constant(swept.maxCoeff()) - swept);
  load.t -=
      density * SafeNorm<T>(moment.template cast<T>().cwiseProduct(w)) * w;
  load.f -= 6 * pi * viscosity * r.mean() * v;
  load.t -= 8 * pi * viscosity * std::pow(r.mean(), 3) * w;
  return load;
}

template <typename T>
void EllipsoidDrag<T>::AddDragAndLift(const Vector3<T>& v, Load* load) const {
  using std::sqrt;
  // The ratios of s suffice.
  const Vector3<double> r = semi_axes_ / semi_axes_.maxCoeff();
  const Vector3<double> s(r[1] * r[1] * r[2] * r[2], r[2] * r[2] * r[0] * r[0],
                          r[0] * r[0] * r[1] * r[1]);
  const T speed = SafeNorm<T>(v);
  const Vector3<T> normal = s.template cast<T>().cwiseProduct(v);
  const T square = normal.squaredNorm();
  const T mixed = normal.dot(v);
  const auto is_moving = square > 0;
  const T safe_square = if_then_else(is_moving, square, T(1));
  const T safe_mixed = if_then_else(is_moving, mixed, T(1));
  const double scale = semi_axes_.maxCoeff() * semi_axes_.maxCoeff();
  const T area = pi * scale * sqrt(safe_square / safe_mixed);
  Vector3<double> sorted = semi_axes_;
  std::ranges::sort(sorted);
  const double most = pi * sorted[2] * sorted[1];
  const double density = this->medium().density;
  const T drag = density * (coefficients_.blunt * area +
                            coefficients_.slender * (most - area));
  load->f -= if_then_else(is_moving, drag, T(0)) * speed * v;
  // (v·n / |v|) n = (v·N / |v|) N / N² for a normal N of any length.
  const T safe_speed = if_then_else(is_moving, speed, T(1));
  const T lift =
      coefficients_.kutta * density * area * mixed / (safe_speed * safe_square);
  load->f += if_then_else(is_moving, lift, T(0)) * normal.cross(v).cross(v);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::EllipsoidDrag);
