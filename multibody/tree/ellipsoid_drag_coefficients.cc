#include "wyvern/multibody/tree/ellipsoid_drag_coefficients.h"

#include <algorithm>
#include <cmath>

namespace wyvern::multibody {

bool IsFiniteEllipsoidDrag(const Vector3<double>& semi_axes,
                           const FluidMedium& medium,
                           const EllipsoidDragCoefficients& coefficients) {
  // More than the largest term.
  const double r = 10 * std::max(1.0, semi_axes.maxCoeff());
  const auto& [blunt, slender, angular, kutta, magnus] = coefficients;
  const double most =
      std::max({1.0, std::abs(blunt), std::abs(slender), std::abs(angular),
                std::abs(kutta), std::abs(magnus)});
  return std::isfinite(most * r * r * r *
                       (medium.density * r * r + medium.viscosity));
}

}  // namespace wyvern::multibody
