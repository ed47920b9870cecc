#pragma once

#include <set>
#include <tuple>

#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

template <typename T>
class RigidBody;

/** Uniform gravity in space; model instances and single bodies may be exempt
from it. Every model has one, by default Earth's: 9.81 m/s² downwards along the
world's z. Its vector is a parameter of the Context. The energy is zero for mass
at the height of the world's origin. */
template <typename T>
class UniformGravityFieldElement final
    : public internal::TypedForceElement<UniformGravityFieldElement, T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(UniformGravityFieldElement);
  /** Strength of Earth's gravity, [m/s²]. */
  static constexpr double kDefaultStrength = 9.81;

  /** Gravity of kDefaultStrength along -Wz. */
  UniformGravityFieldElement();
  /** @param g_W [m/s²]. @throws std::logic_error if it is not finite. */
  explicit UniformGravityFieldElement(Vector3<double> g_W);
  /** Gravity g_W that does not act on some model instances and bodies.
  @throws std::logic_error if g_W is not finite. */
  UniformGravityFieldElement(
      Vector3<double> g_W,
      std::set<ModelInstanceIndex> disabled_model_instances,
      std::set<BodyIndex> disabled_bodies = {});
  ~UniformGravityFieldElement() override;

  /** Acceleration g_W of gravity in default Contexts, in the world, [m/s²]. */
  const Vector3<double>& gravity_vector() const { return g_W_; }
  /** Sets g_W of default Contexts, [m/s²], before Finalize().
  @throws std::logic_error after Finalize(), or if g_W is not finite. */
  void set_gravity_vector(const Vector3<double>& g_W);
  /** Returns g_W of a Context, in the world, [m/s²].
  @throws std::logic_error before Finalize(), or for a Context of another
  System. */
  Vector3<T> GetGravityVector(const systems::Context<T>& context) const;
  /** Sets g_W of a Context, in the world, [m/s²]; it counts from then on. The
  default stiffness of contact remains that of gravity_vector().
  @throws std::logic_error before Finalize(), for a Context of another System,
  or if g_W is not finite. */
  void SetGravityVector(systems::Context<T>* context,
                        const Vector3<T>& g_W) const;
  /** Returns true if gravity acts on the model instance.
  @throws std::logic_error if there is no such model instance. */
  bool is_enabled(ModelInstanceIndex model_instance) const;
  /** Sets whether gravity acts on the model instance.
  @throws std::logic_error after Finalize(), or if there is no such model
  instance. */
  void set_enabled(ModelInstanceIndex model_instance, bool is_enabled);
  /** Returns whether gravity acts on the body: neither the body nor its model
  instance is exempt. */
  bool is_enabled(const RigidBody<T>& body) const;
  /** Exempts a single body, or ends its exemption. @throws std::logic_error
  after Finalize(), or if the body is not of this model. */
  void set_enabled(const RigidBody<T>& body, bool is_enabled);
  /** Returns the bodies that set_enabled() exempts one by one. */
  const std::set<BodyIndex>& disabled_bodies() const {
    return disabled_bodies_;
  }

  /** tau_g(q), on the right-hand side of M v̇ + C v = tau_g + tau. */
  VectorX<T> CalcGravityGeneralizedForces(
      const systems::Context<T>& context) const;

 private:
  friend class internal::TypedForceElement<UniformGravityFieldElement, T>;
  void DoDeclareForceElementParameters(
      internal::MultibodyTreeSystem<T>* tree_system) override;
  void DoSetDefaultForceElementParameters(
      systems::Parameters<T>* parameters) const override;
  T CalcEnergy(const internal::ForceState<T>& state) const final;
  T CalcReleasedPower(const internal::ForceState<T>& state) const final;
  void AddForces(const internal::ForceState<T>& state,
                 MultibodyForces<T>* forces) const final;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>&) const {
    return std::tie(g_W_, disabled_, disabled_bodies_);
  }
  void RequireNotFinalized(const char* function) const;

  Vector3<double> g_W_;
  std::set<ModelInstanceIndex> disabled_;
  std::set<BodyIndex> disabled_bodies_;
  systems::NumericParameterIndex parameter_;
};

}  // namespace wyvern::multibody
