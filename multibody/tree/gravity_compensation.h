#pragma once

#include <tuple>

#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

template <typename T>
class RigidBody;

/** A force at a body's centre of mass that compensates a fraction of its
weight. It is the fraction times the mass, in the direction opposite to gravity.
The fraction 1 makes the body weightless but keeps its inertia. Gravity itself,
as CalcGravityGeneralizedForces() computes it, is unchanged. The energy is zero
for a centre of mass at the height of the world's origin. */
template <typename T>
class GravityCompensation final
    : public internal::TypedForceElement<GravityCompensation, T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(GravityCompensation);

  /** @param fraction of the weight; may be more than 1, or negative.
  @throws std::logic_error if it is not finite. */
  GravityCompensation(const RigidBody<T>& body, double fraction);
  ~GravityCompensation() override;

  /** Body that the force acts on. */
  const RigidBody<T>& body() const { return body_; }
  /** Fraction of the weight that is compensated. */
  double fraction() const { return fraction_; }

 private:
  friend class internal::TypedForceElement<GravityCompensation, T>;
  // Fraction; 0 if gravity does not act on the body.
  Vector3<T> CalcForce(const systems::Context<T>& context) const;
  void DoRequireMembers(const internal::MultibodyTree<T>& tree) const override;
  T CalcEnergy(const internal::ForceState<T>& state) const final;
  T CalcReleasedPower(const internal::ForceState<T>& state) const final;
  void AddForces(const internal::ForceState<T>& state,
                 MultibodyForces<T>* forces) const final;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tie(tree.bodies().get(body_.index()), fraction_);
  }

  const RigidBody<T>& body_;
  const double fraction_;
};

}  // namespace wyvern::multibody
