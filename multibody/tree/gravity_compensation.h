#pragma once

#include <memory>

#include "wyvern/multibody/tree/force_element.h"

namespace wyvern::multibody {

template <typename T>
class RigidBody;

/** A force at a body's centre of mass that compensates a fraction of its
weight. It is the fraction times the mass, in the direction opposite to gravity.
The fraction 1 makes the body weightless but keeps its inertia. Gravity itself,
as CalcGravityGeneralizedForces() computes it, is unchanged. */
template <typename T>
class GravityCompensation final : public ForceElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(GravityCompensation);

  /** @param fraction of the weight; may be more than 1, or negative.
  @throws std::logic_error if it is not finite. */
  GravityCompensation(const RigidBody<T>& body, double fraction);
  ~GravityCompensation() override;

  const RigidBody<T>& body() const { return body_; }
  double fraction() const { return fraction_; }

  /** Returns the energy, which is zero for a centre of mass at the height of
  the world's origin. */
  T CalcPotentialEnergy(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc) const override;
  T CalcConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const override;
  /** Returns zero. */
  T CalcNonConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const override;

 private:
  // Fraction; 0 if gravity does not act on the body.
  Vector3<T> CalcForce(const systems::Context<T>& context) const;
  void DoRequireMembers(const internal::MultibodyTree<T>& tree) const override;
  void DoCalcAndAddForceContribution(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc,
      MultibodyForces<T>* forces) const override;
  std::unique_ptr<ForceElement<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<ForceElement<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const override;
  template <typename ToScalar>
  std::unique_ptr<ForceElement<ToScalar>> TemplatedClone(
      const internal::MultibodyTree<ToScalar>& tree_clone) const;

  const RigidBody<T>& body_;
  const double fraction_;
};

}  // namespace wyvern::multibody
