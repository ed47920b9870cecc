#pragma once

#include <memory>

#include "wyvern/multibody/tree/force_element.h"

namespace wyvern::multibody {

template <typename T>
class RigidBody;

/** A massless spring and damper between a point P of body A and a point Q of
body B. With ℓ the distance from P to Q, it pulls P towards Q, and Q towards P,
by stiffness (ℓ - free_length) + damping dℓ/dt. */
template <typename T>
class LinearSpringDamper final : public ForceElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LinearSpringDamper);

  /** @param free_length [m], positive. @param stiffness [N/m] and
  @param damping [N·s/m], not negative.
  @throws std::logic_error if a value is not as said. */
  LinearSpringDamper(const RigidBody<T>& bodyA, const Vector3<double>& p_AP,
                     const RigidBody<T>& bodyB, const Vector3<double>& p_BQ,
                     double free_length, double stiffness, double damping);
  ~LinearSpringDamper() override;

  const RigidBody<T>& bodyA() const { return bodyA_; }
  const RigidBody<T>& bodyB() const { return bodyB_; }
  const Vector3<double> p_AP() const { return p_AP_; }
  const Vector3<double> p_BQ() const { return p_BQ_; }
  double free_length() const { return free_length_; }
  double stiffness() const { return stiffness_; }
  double damping() const { return damping_; }

  T CalcPotentialEnergy(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc) const override;
  T CalcConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const override;
  T CalcNonConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const override;

 private:
  // Where the ends are and how the distance between them changes.
  struct Ends {
    Vector3<T> p_WP;
    Vector3<T> p_WQ;
    Vector3<T> direction;  // From P to Q, of length 1.
    T length;
    T rate;
  };
  Ends CalcEnds(const internal::PositionKinematicsCache<T>& pc,
                const internal::VelocityKinematicsCache<T>* vc) const;

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

  const RigidBody<T>& bodyA_;
  const RigidBody<T>& bodyB_;
  const Vector3<double> p_AP_;
  const Vector3<double> p_BQ_;
  const double free_length_;
  const double stiffness_;
  const double damping_;
};

}  // namespace wyvern::multibody
