// Computes the drag of a box with edges (a, b, c), which MuJoCo's documentation
// calls the inertia model (Computation, Fluid forces). Let w and v be the
// angular velocity and the velocity relative to the medium, in the box's axes.
// Along a:
//   f = -density b c |v| v / 2 - 3 pi d viscosity v
//   t = -density a (b^4 + c^4) |w| w / 64 - pi d^3 viscosity w
// where d = (a + b + c) / 3. Without wind all power is dissipated.
#include "wyvern/multibody/tree/fluid_drag.h"

#include <cmath>
#include <numbers>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
FluidDrag<T>::FluidDrag(const RigidBody<T>& body,
                        const math::RigidTransform<double>& X_BD,
                        const Vector3<double>& size, const FluidMedium& medium)
    : internal::TypedForceElement<FluidDrag, T, internal::MediumForce<T>>(
          "FluidDrag", body, X_BD, medium),
      size_(size) {
  for (const double edge : size) {
    internal::RequireNonNegative(
        internal::Caller::Element("FluidDrag", body.name()), "edge of the box",
        edge);
  }
}

template <typename T>
FluidDrag<T>::~FluidDrag() = default;

template <typename T>
typename FluidDrag<T>::Load FluidDrag<T>::CalcLoad(const Vector3<T>& w,
                                                   const Vector3<T>& v) const {
  using std::abs;
  using std::numbers::pi;
  const auto& [density, viscosity, wind] = this->medium();
  const double d = size_.mean();
  const double f_viscous = 3 * pi * d * viscosity;
  const double t_viscous = pi * d * d * d * viscosity;
  Load load;
  for (int i = 0; i < 3; ++i) {
    const double b = size_[(i + 1) % 3];
    const double c = size_[(i + 2) % 3];
    const double f_square = 0.5 * density * b * c;
    const double t_square =
        density * size_[i] * (b * b * b * b + c * c * c * c) / 64;
    load.f[i] = -(f_square * abs(v[i]) + f_viscous) * v[i];
    load.t[i] = -(t_square * abs(w[i]) + t_viscous) * w[i];
  }
  return load;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::FluidDrag);
