#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/multibody/math/spatial_momentum.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant about the mass of sets S of bodies: of the
whole model, or of some model instances. Scm is the set's centre of mass. The
world does not count. All throw std::logic_error before Finalize(), and those
about Scm if S has no body or no mass; std::out_of_range for a model instance
that does not exist. */
template <typename T>
class PlantMassProperties {
 public:
  /** Returns the mass of all bodies, [kg]. */
  T CalcTotalMass(const systems::Context<T>& context) const;
  /** Overload for some model instances. */
  T CalcTotalMass(const systems::Context<T>& context,
                  const std::vector<ModelInstanceIndex>& model_instances) const;
  /** Returns the position p_WoScm_W of the centre of mass of all bodies. */
  Vector3<T> CalcCenterOfMassPositionInWorld(
      const systems::Context<T>& context) const;
  /** Overload for some model instances. */
  Vector3<T> CalcCenterOfMassPositionInWorld(
      const systems::Context<T>& context,
      const std::vector<ModelInstanceIndex>& model_instances) const;
  /** Returns the velocity v_WScm_W of the centre of mass. */
  Vector3<T> CalcCenterOfMassTranslationalVelocityInWorld(
      const systems::Context<T>& context) const;
  /** Overload for some model instances. */
  Vector3<T> CalcCenterOfMassTranslationalVelocityInWorld(
      const systems::Context<T>& context,
      const std::vector<ModelInstanceIndex>& model_instances) const;
  /** a_WScm_W, from the present state and inputs. */
  Vector3<T> CalcCenterOfMassTranslationalAccelerationInWorld(
      const systems::Context<T>& context) const;
  /** Overload for some model instances. */
  Vector3<T> CalcCenterOfMassTranslationalAccelerationInWorld(
      const systems::Context<T>& context,
      const std::vector<ModelInstanceIndex>& model_instances) const;
  /** M_SFo_F: of the bodies named, about Fo, in F.
  @throws std::logic_error if a body is named twice; std::out_of_range if there
  is no such body. */
  SpatialInertia<T> CalcSpatialInertia(
      const systems::Context<T>& context, const Frame<T>& frame_F,
      const std::vector<BodyIndex>& body_indexes) const;
  /** L_WSP_W: about the point P. Rotors have no part in it. */
  SpatialMomentum<T> CalcSpatialMomentumInWorldAboutPoint(
      const systems::Context<T>& context, const Vector3<T>& p_WoP_W) const;
  /** Overload for some model instances. */
  SpatialMomentum<T> CalcSpatialMomentumInWorldAboutPoint(
      const systems::Context<T>& context,
      const std::vector<ModelInstanceIndex>& model_instances,
      const Vector3<T>& p_WoP_W) const;

 protected:
  explicit PlantMassProperties(const internal::MultibodyTreeSystem<T>& core)
      : core_(core) {}
  ~PlantMassProperties() = default;

 private:
  // Total mass of bodies, by the model's indices; errors name `function`.
  T TotalMassOf(const char* function, const systems::Context<T>& context,
                std::span<const int> bodies) const;
  Vector3<T> CenterOfMassOf(const char* function,
                            const systems::Context<T>& context,
                            std::span<const int> bodies) const;
  Vector3<T> CenterOfMassVelocityOf(const char* function,
                                    const systems::Context<T>& context,
                                    std::span<const int> bodies) const;
  Vector3<T> CenterOfMassAccelerationOf(const char* function,
                                        const systems::Context<T>& context,
                                        std::span<const int> bodies) const;
  SpatialMomentum<T> MomentumOf(const char* function,
                                const systems::Context<T>& context,
                                std::span<const int> bodies,
                                const Vector3<T>& p_WoP_W) const;

  const internal::MultibodyTreeSystem<T>& core_;
};

}  // namespace wyvern::multibody
