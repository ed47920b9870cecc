#include "wyvern/geometry/math/unit_vector.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::math::internal {

template <typename T>
void RequireUnitVector(const Vector3<T>& u, std::string_view function_name) {
  const Eigen::Vector3d v = ValuesOf(u);
  if (std::abs(1 - v.squaredNorm()) <= kUnitVectorSquaredNormTolerance) return;
  throw std::logic_error(
      fmt::format("{}(): the vector ({}, {}, {}) has the length {}; pass a "
                  "vector of length 1.",
                  function_name, v(0), v(1), v(2), v.norm()));
}

template <typename T>
Vector3<T> NormalizeOrThrow(const Vector3<T>& v,
                            std::string_view function_name) {
  using std::sqrt;
  const Eigen::Vector3d value = ValuesOf(v);
  const double size = value.norm();
  if (!(size >= 1e-10) || !std::isfinite(size)) {
    throw std::logic_error(
        fmt::format("{}(): the vector ({}, {}, {}) gives no direction; pass a "
                    "finite vector of length 1e-10 or more.",
                    function_name, value(0), value(1), value(2)));
  }
  return v / T(sqrt(v.squaredNorm()));
}

#define WYVERN_INSTANTIATE(T)                                           \
  template void RequireUnitVector(const Vector3<T>&, std::string_view); \
  template Vector3<T> NormalizeOrThrow(const Vector3<T>&, std::string_view);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace wyvern::math::internal
