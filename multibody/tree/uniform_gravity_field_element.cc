#include "wyvern/multibody/tree/uniform_gravity_field_element.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/dynamics/momentum_and_energy.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

/* Gravity. Dynamics do not call its force: the engine takes g as an
acceleration of the world, and generalized forces, energy and power are those
of algorithms/. Only a caller that asks for gravity among the forces on
bodies gets m g at each centre of mass; MultibodyForces then remembers that
gravity is in it, so that it is not counted twice. The vector is a numeric
parameter of the Context, which ModelParameters take over. */

namespace wyvern::multibody {

using systems::Context;

template <typename T>
UniformGravityFieldElement<T>::UniformGravityFieldElement()
    : UniformGravityFieldElement(Vector3<double>(0, 0, -kDefaultStrength)) {}

template <typename T>
UniformGravityFieldElement<T>::UniformGravityFieldElement(Vector3<double> g_W)
    : UniformGravityFieldElement(g_W, {}) {}

template <typename T>
UniformGravityFieldElement<T>::UniformGravityFieldElement(
    Vector3<double> g_W, std::set<ModelInstanceIndex> disabled_model_instances,
    std::set<BodyIndex> disabled_bodies)
    : internal::TypedForceElement<UniformGravityFieldElement, T>(
          world_model_instance()),
      g_W_(g_W),
      disabled_(std::move(disabled_model_instances)),
      disabled_bodies_(std::move(disabled_bodies)) {
  internal::RequireFinite(
      internal::Caller::Element("UniformGravityFieldElement", "gravity"),
      "gravity vector", g_W);
}

template <typename T>
UniformGravityFieldElement<T>::~UniformGravityFieldElement() = default;

template <typename T>
void UniformGravityFieldElement<T>::RequireNotFinalized(
    const char* function) const {
  if (!this->has_parent_tree() || !this->get_parent_tree().is_finalized()) {
    return;
  }
  throw std::logic_error(fmt::format(
      "UniformGravityFieldElement::{}(): the model was already finalized; "
      "change gravity before calling Finalize().",
      function));
}

template <typename T>
void UniformGravityFieldElement<T>::set_gravity_vector(
    const Vector3<double>& g_W) {
  RequireNotFinalized("set_gravity_vector");
  internal::RequireFinite(
      internal::Caller::Element("UniformGravityFieldElement", "gravity"),
      "gravity vector", g_W);
  g_W_ = g_W;
}

template <typename T>
Vector3<T> UniformGravityFieldElement<T>::GetGravityVector(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(parameter_).value();
}

template <typename T>
void UniformGravityFieldElement<T>::SetGravityVector(
    Context<T>* context, const Vector3<T>& g_W) const {
  this->ValidateContext(
      internal::Deref(context, "UniformGravityFieldElement::SetGravityVector"));
  internal::RequireFinite(
      internal::Caller::Element("UniformGravityFieldElement", "gravity"),
      "gravity vector", g_W);
  context->get_mutable_numeric_parameter(parameter_).SetFromVector(g_W);
}

template <typename T>
bool UniformGravityFieldElement<T>::is_enabled(
    ModelInstanceIndex model_instance) const {
  if (this->has_parent_tree()) {
    this->get_parent_tree().RequireModelInstance(model_instance,
                                                 "is_gravity_enabled");
  }
  return !disabled_.contains(model_instance);
}

template <typename T>
void UniformGravityFieldElement<T>::set_enabled(
    ModelInstanceIndex model_instance, bool is_enabled) {
  RequireNotFinalized("set_enabled");
  if (this->has_parent_tree()) {
    this->get_parent_tree().RequireModelInstance(model_instance,
                                                 "set_gravity_enabled");
  }
  if (is_enabled) {
    disabled_.erase(model_instance);
  } else {
    disabled_.insert(model_instance);
  }
}

template <typename T>
bool UniformGravityFieldElement<T>::is_enabled(const RigidBody<T>& body) const {
  return !disabled_.contains(body.model_instance()) &&
         !disabled_bodies_.contains(body.index());
}

template <typename T>
void UniformGravityFieldElement<T>::set_enabled(const RigidBody<T>& body,
                                                bool is_enabled) {
  RequireNotFinalized("set_enabled");
  if (this->has_parent_tree()) {
    this->get_parent_tree().RequireMember(body, "set_gravity_enabled");
  }
  if (is_enabled) {
    disabled_bodies_.erase(body.index());
  } else {
    disabled_bodies_.insert(body.index());
  }
}

template <typename T>
void UniformGravityFieldElement<T>::DoDeclareForceElementParameters(
    internal::MultibodyTreeSystem<T>* tree_system) {
  parameter_ = this->DeclareNumericParameter(
      tree_system,
      systems::BasicVector<T>(VectorX<T>(g_W_.template cast<T>())));
}

template <typename T>
void UniformGravityFieldElement<T>::DoSetDefaultForceElementParameters(
    systems::Parameters<T>* parameters) const {
  parameters->get_mutable_numeric_parameter(parameter_)
      .SetFromVector(g_W_.template cast<T>());
}

template <typename T>
VectorX<T> UniformGravityFieldElement<T>::CalcGravityGeneralizedForces(
    const Context<T>& context) const {
  return this->GetParentTreeSystem().EvalGravityForces(context);
}

template <typename T>
T UniformGravityFieldElement<T>::CalcEnergy(
    const internal::ForceState<T>& state) const {
  const auto& system = this->GetParentTreeSystem();
  return dynamics::CalcGravityPotentialEnergy(
      system.model(), system.EvalModelParameters(state.context),
      state.pc.nodes);
}

template <typename T>
T UniformGravityFieldElement<T>::CalcReleasedPower(
    const internal::ForceState<T>& state) const {
  const auto& system = this->GetParentTreeSystem();
  return dynamics::CalcGravityPower(
      system.model(), system.EvalModelParameters(state.context), state.pc.nodes,
      system.EvalInertias(state.context), state.vc->nodes);
}

template <typename T>
void UniformGravityFieldElement<T>::AddForces(
    const internal::ForceState<T>& state, MultibodyForces<T>* forces) const {
  const auto& tree = this->get_parent_tree();
  const auto& system = this->GetParentTreeSystem();
  forces->NoteGravity();
  std::vector<SpatialForce<T>>& F_Bo_W = forces->mutable_body_forces();
  if (tree.loops().empty()) {
    const auto& parameters = system.EvalModelParameters(state.context);
    for (BodyIndex body(1); body < tree.num_bodies(); ++body) {
      const int b = tree.model_body(body);
      const dynamics::BodyParameters<T>& constants = parameters.bodies[b];
      if (!constants.gravity_enabled) continue;
      const Vector3<T> f_W = constants.mass * parameters.gravity;
      const Vector3<T> p_BoBcm_W = state.pc.X_WB[b].R * constants.p_BoBcm_B;
      F_Bo_W[body] += SpatialForce<T>(p_BoBcm_W.cross(f_W), f_W);
    }
    return;
  }
  const Vector3<T> g_W = GetGravityVector(state.context);
  // Some bodies of the model have only a share of their mass.
  for (const RigidBody<T>* body : tree.bodies().elements()) {
    if (body->index() == world_index()) continue;
    if (!is_enabled(*body)) continue;
    const math::RotationMatrix<T> R_WB =
        system.BodyPose(state.pc, body->index()).rotation();
    const Vector3<T> p_BoBcm_W =
        R_WB * body->CalcCenterOfMassInBodyFrame(state.context);
    const Vector3<T> f_W = body->get_mass(state.context) * g_W;
    F_Bo_W[body->index()] += SpatialForce<T>(p_BoBcm_W.cross(f_W), f_W);
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::UniformGravityFieldElement);
