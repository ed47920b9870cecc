#include "wyvern/geometry/shapes/coulomb_friction.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {
template <typename T>
T HarmonicMean(const T& m, const T& n) {
  const T sum = m + n;
  if (ToDouble(sum) == 0) return T(0);
  return 2.0 * m * n / sum;
}
}  // namespace

template <typename T>
CoulombFriction<T>::CoulombFriction(const T& static_friction,
                                    const T& dynamic_friction)
    : static_friction_(static_friction), dynamic_friction_(dynamic_friction) {
  const double mu_s = ToDouble(static_friction);
  const double mu_d = ToDouble(dynamic_friction);
  wyvern::internal::RequireNonNegative("CoulombFriction", "static_friction",
                                       mu_s);
  wyvern::internal::RequireNonNegative("CoulombFriction", "dynamic_friction",
                                       mu_d);
  if (mu_d > mu_s) {
    throw std::logic_error(fmt::format(
        "CoulombFriction: was given a static coefficient of {} and a dynamic "
        "one of {}; the dynamic one must not be the larger.",
        mu_s, mu_d));
  }
}

template <typename T>
CoulombFriction<T> CalcContactFrictionFromSurfaceProperties(
    const CoulombFriction<T>& surface_properties1,
    const CoulombFriction<T>& surface_properties2) {
  return CoulombFriction<T>(
      HarmonicMean(surface_properties1.static_friction(),
                   surface_properties2.static_friction()),
      HarmonicMean(surface_properties1.dynamic_friction(),
                   surface_properties2.dynamic_friction()));
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class CoulombFriction);
#define WYVERN_INSTANTIATE(T)                                           \
  template CoulombFriction<T> CalcContactFrictionFromSurfaceProperties( \
      const CoulombFriction<T>&, const CoulombFriction<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
