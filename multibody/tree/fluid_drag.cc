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
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/algorithms/body_kinematics.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
FluidDrag<T>::FluidDrag(const RigidBody<T>& body,
                        const math::RigidTransform<double>& X_BD,
                        const Vector3<double>& size, const FluidMedium& medium)
    : internal::TypedForceElement<FluidDrag, T>(body.model_instance()),
      body_(body),
      X_BD_(X_BD),
      size_(size),
      medium_(medium) {
  const auto caller = internal::Caller::Element("FluidDrag", body.name());
  internal::RequireFinite(caller, "place of the box", X_BD.translation());
  for (const double edge : size) {
    internal::RequireNonNegative(caller, "edge of the box", edge);
  }
  internal::RequireNonNegative(caller, "density", medium.density);
  internal::RequireNonNegative(caller, "viscosity", medium.viscosity);
  internal::RequireFinite(caller, "wind", medium.wind);
}

template <typename T>
FluidDrag<T>::~FluidDrag() = default;

template <typename T>
typename FluidDrag<T>::Drag FluidDrag<T>::CalcDrag(
    const internal::ForceState<T>& state) const {
  using std::abs;
  const auto& system = this->GetParentTreeSystem();
  const math::RigidTransform<T> X_WD =
      system.BodyPose(state.pc, body_.index()) * X_BD_.template cast<T>();
  Drag drag;
  drag.p_WD = X_WD.translation();
  drag.V_WD = engine::CalcPointVelocity<T>(
      system.model(), state.pc.nodes, state.vc->nodes,
      system.tree().model_body(body_.index()), drag.p_WD);
  const math::RotationMatrix<T>& R_WD = X_WD.rotation();
  const Vector3<T> w =
      R_WD.inverse() * Vector3<T>(drag.V_WD.template head<3>());
  const Vector3<T> v =
      R_WD.inverse() * Vector3<T>(drag.V_WD.template tail<3>() -
                                  medium_.wind.template cast<T>());
  using std::numbers::pi;
  const double d = size_.mean();
  const double f_viscous = 3 * pi * d * medium_.viscosity;
  const double t_viscous = pi * d * d * d * medium_.viscosity;
  Vector3<T> f_D, t_D;
  for (int i = 0; i < 3; ++i) {
    const double b = size_[(i + 1) % 3];
    const double c = size_[(i + 2) % 3];
    const double f_square = 0.5 * medium_.density * b * c;
    const double t_square =
        medium_.density * size_[i] * (b * b * b * b + c * c * c * c) / 64;
    f_D[i] = -(f_square * abs(v[i]) + f_viscous) * v[i];
    t_D[i] = -(t_square * abs(w[i]) + t_viscous) * w[i];
  }
  drag.f_W = R_WD * f_D;
  drag.t_W = R_WD * t_D;
  return drag;
}

template <typename T>
T FluidDrag<T>::CalcOtherPower(const internal::ForceState<T>& state) const {
  const Drag drag = CalcDrag(state);
  return drag.t_W.dot(drag.V_WD.template head<3>()) +
         drag.f_W.dot(drag.V_WD.template tail<3>());
}

template <typename T>
void FluidDrag<T>::DoRequireMembers(
    const internal::MultibodyTree<T>& tree) const {
  tree.RequireMember(body_, "AddForceElement");
}

template <typename T>
void FluidDrag<T>::AddForces(const internal::ForceState<T>& state,
                             MultibodyForces<T>* forces) const {
  const Drag drag = CalcDrag(state);
  const Vector3<T> p_BoD_W = drag.p_WD - this->GetParentTreeSystem()
                                             .BodyPose(state.pc, body_.index())
                                             .translation();
  forces->AddBodyForce(
      body_.index(),
      SpatialForce<T>(drag.t_W + p_BoD_W.cross(drag.f_W), drag.f_W));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::FluidDrag);
