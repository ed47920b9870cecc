#include "wyvern/multibody/tree/argument_checks.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

template <typename T>
void RequireResult(std::string_view function, std::string_view what,
                   const EigenPtr<VectorX<T>>& result, Eigen::Index wanted) {
  if (result == nullptr) {
    wyvern::internal::ThrowNull(function, what,
                                fmt::format("give a vector of {}", wanted));
  }
  RequireSize(function, what, result->size(), wanted);
}

template <typename T>
int FindNotFinite(const Eigen::Ref<const VectorX<T>>& values) {
  if (AllFinite(values)) return -1;
  for (int i = 0; i < values.size(); ++i) {
    if (!std::isfinite(ToDouble(values[i]))) return i;
  }
  return -1;
}

template <typename T>
void RequireFiniteForces(std::string_view function, std::string_view what,
                         const MultibodyForces<T>& forces) {
  if (!AllFinite(forces.generalized_forces())) {
    RequireFinite(function, fmt::format("{}.generalized_forces()", what),
                  forces.generalized_forces());
  }
  const std::vector<SpatialForce<T>>& F = forces.body_forces();
  for (int b = 0; b < static_cast<int>(F.size()); ++b) {
    if (AllFinite(F[b].get_coeffs())) continue;
    RequireFinite(function, fmt::format("{}.body_forces()[{}]", what, b),
                  F[b].get_coeffs());
  }
}

#define WYVERN_INSTANTIATE(T)                                                \
  template void RequireResult<T>(std::string_view, std::string_view,         \
                                 const EigenPtr<VectorX<T>>&, Eigen::Index); \
  template int FindNotFinite<T>(const Eigen::Ref<const VectorX<T>>&);        \
  template void RequireFiniteForces<T>(std::string_view, std::string_view,   \
                                       const MultibodyForces<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
