#include "wyvern/multibody/plant/plant_mass_properties.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/center_of_mass.h"
#include "wyvern/multibody/dynamics/momentum_and_energy.h"
#include "wyvern/multibody/plant/parts/body_sets.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/systems/common/default_scalars.h"

/* Mass, centre of mass and momentum of sets of bodies: sums over the bodies of
the model, with masses and inertias of the Context's parameters. Of a body
that a loop cuts in two, both halves are in the model, and count with it. */

namespace wyvern::multibody {

using internal::FindModelBodies;
using internal::RequireMass;
using systems::Context;

template <typename T>
T PlantMassProperties<T>::TotalMassOf(const char*, const Context<T>& context,
                                      std::span<const int> bodies) const {
  core_.RequireKnownInertias(context);
  const auto& parameters = core_.EvalModelParameters(context);
  T mass(0);
  for (int body : bodies) mass += parameters.bodies[body].mass;
  return mass;
}

template <typename T>
T PlantMassProperties<T>::CalcTotalMass(const Context<T>& context) const {
  constexpr char kName[] = "CalcTotalMass";
  return TotalMassOf(kName, context, FindModelBodies(core_.tree(), kName));
}

template <typename T>
T PlantMassProperties<T>::CalcTotalMass(
    const Context<T>& context,
    const std::vector<ModelInstanceIndex>& model_instances) const {
  constexpr char kName[] = "CalcTotalMass";
  return TotalMassOf(kName, context,
                     FindModelBodies(core_.tree(), model_instances, kName));
}

template <typename T>
Vector3<T> PlantMassProperties<T>::CenterOfMassOf(
    const char* function, const Context<T>& context,
    std::span<const int> bodies) const {
  RequireMass(core_, context, bodies, function);
  return dynamics::CalcCenterOfMass<T>(
      core_.model(), core_.EvalModelParameters(context),
      core_.EvalNodePositions(context), bodies);
}

template <typename T>
Vector3<T> PlantMassProperties<T>::CalcCenterOfMassPositionInWorld(
    const Context<T>& context) const {
  constexpr char kName[] = "CalcCenterOfMassPositionInWorld";
  return CenterOfMassOf(kName, context, FindModelBodies(core_.tree(), kName));
}

template <typename T>
Vector3<T> PlantMassProperties<T>::CalcCenterOfMassPositionInWorld(
    const Context<T>& context,
    const std::vector<ModelInstanceIndex>& model_instances) const {
  constexpr char kName[] = "CalcCenterOfMassPositionInWorld";
  return CenterOfMassOf(kName, context,
                        FindModelBodies(core_.tree(), model_instances, kName));
}

template <typename T>
Vector3<T> PlantMassProperties<T>::CenterOfMassVelocityOf(
    const char* function, const Context<T>& context,
    std::span<const int> bodies) const {
  RequireMass(core_, context, bodies, function);
  return dynamics::CalcCenterOfMassVelocity<T>(
      core_.model(), core_.EvalModelParameters(context),
      core_.EvalNodePositions(context), core_.EvalVelocities(context).nodes,
      bodies);
}

template <typename T>
Vector3<T> PlantMassProperties<T>::CalcCenterOfMassTranslationalVelocityInWorld(
    const Context<T>& context) const {
  constexpr char kName[] = "CalcCenterOfMassTranslationalVelocityInWorld";
  return CenterOfMassVelocityOf(kName, context,
                                FindModelBodies(core_.tree(), kName));
}

template <typename T>
Vector3<T> PlantMassProperties<T>::CalcCenterOfMassTranslationalVelocityInWorld(
    const Context<T>& context,
    const std::vector<ModelInstanceIndex>& model_instances) const {
  constexpr char kName[] = "CalcCenterOfMassTranslationalVelocityInWorld";
  return CenterOfMassVelocityOf(
      kName, context, FindModelBodies(core_.tree(), model_instances, kName));
}

template <typename T>
Vector3<T> PlantMassProperties<T>::CenterOfMassAccelerationOf(
    const char* function, const Context<T>& context,
    std::span<const int> bodies) const {
  RequireMass(core_, context, bodies, function);
  // The mass-weighted mean over bodies.
  Vector3<T> sum = Vector3<T>::Zero();
  T mass(0);
  for (int b : bodies) {
    const RigidBody<T>& body =
        core_.tree().bodies().get(BodyIndex(core_.model().bodies[b].link));
    const T& m = core_.EvalModelParameters(context).bodies[b].mass;
    sum += m * body.CalcCenterOfMassTranslationalAccelerationInWorld(context);
    mass += m;
  }
  return sum / mass;
}

template <typename T>
Vector3<T>
PlantMassProperties<T>::CalcCenterOfMassTranslationalAccelerationInWorld(
    const Context<T>& context) const {
  constexpr char kName[] = "CalcCenterOfMassTranslationalAccelerationInWorld";
  return CenterOfMassAccelerationOf(kName, context,
                                    FindModelBodies(core_.tree(), kName));
}

template <typename T>
Vector3<T>
PlantMassProperties<T>::CalcCenterOfMassTranslationalAccelerationInWorld(
    const Context<T>& context,
    const std::vector<ModelInstanceIndex>& model_instances) const {
  constexpr char kName[] = "CalcCenterOfMassTranslationalAccelerationInWorld";
  return CenterOfMassAccelerationOf(
      kName, context, FindModelBodies(core_.tree(), model_instances, kName));
}

template <typename T>
SpatialInertia<T> PlantMassProperties<T>::CalcSpatialInertia(
    const Context<T>& context, const Frame<T>& frame_F,
    const std::vector<BodyIndex>& body_indexes) const {
  core_.tree().RequireFinalized("CalcSpatialInertia");
  core_.tree().RequireMember(frame_F, "CalcSpatialInertia");
  std::vector<bool> seen(core_.tree().num_bodies(), false);
  SpatialInertia<T> M_SFo_F = SpatialInertia<T>::Zero();
  for (BodyIndex index : body_indexes) {
    const RigidBody<T>& body = core_.tree().bodies().get(index);
    if (seen[index]) {
      throw std::logic_error(fmt::format(
          "MultibodyPlant::CalcSpatialInertia(): body '{}' was given twice.",
          body.name()));
    }
    seen[index] = true;
    if (index == world_index()) continue;
    const math::RigidTransform<T> X_FB =
        body.body_frame().CalcPose(context, frame_F);
    M_SFo_F += body.CalcSpatialInertiaInBodyFrame(context)
                   .ReExpress(X_FB.rotation())
                   .Shift(-X_FB.translation());
  }
  return M_SFo_F;
}

template <typename T>
SpatialMomentum<T> PlantMassProperties<T>::MomentumOf(
    const char* function, const Context<T>& context,
    std::span<const int> bodies, const Vector3<T>& p_WoP_W) const {
  const internal::Caller who("MultibodyPlant", function);
  internal::RequireFinite(who, "p_WoP_W", p_WoP_W);
  const Vector6<T> L = dynamics::CalcSpatialMomentum<T>(
      core_.model(), core_.EvalModelParameters(context),
      core_.EvalNodePositions(context), core_.EvalVelocities(context).nodes,
      bodies, p_WoP_W);
  internal::RequireFiniteResult(who, "the momentum", L);
  return SpatialMomentum<T>(L);
}

template <typename T>
SpatialMomentum<T> PlantMassProperties<T>::CalcSpatialMomentumInWorldAboutPoint(
    const Context<T>& context, const Vector3<T>& p_WoP_W) const {
  constexpr char kName[] = "CalcSpatialMomentumInWorldAboutPoint";
  return MomentumOf(kName, context, FindModelBodies(core_.tree(), kName),
                    p_WoP_W);
}

template <typename T>
SpatialMomentum<T> PlantMassProperties<T>::CalcSpatialMomentumInWorldAboutPoint(
    const Context<T>& context,
    const std::vector<ModelInstanceIndex>& model_instances,
    const Vector3<T>& p_WoP_W) const {
  constexpr char kName[] = "CalcSpatialMomentumInWorldAboutPoint";
  return MomentumOf(kName, context,
                    FindModelBodies(core_.tree(), model_instances, kName),
                    p_WoP_W);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PlantMassProperties);
