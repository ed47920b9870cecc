#pragma once

#include <tuple>

#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

template <typename T>
class RigidBody;

/** A massless spring and damper between a point P of body A and a point Q of
body B. With ℓ the distance from P to Q, it pulls P towards Q, and Q towards P,
by stiffness (ℓ - free_length) + damping dℓ/dt. */
template <typename T>
class LinearSpringDamper final
    : public internal::TypedForceElement<LinearSpringDamper, T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LinearSpringDamper);

  /** @param free_length [m], positive. @param stiffness [N/m] and
  @param damping [N·s/m], not negative.
  @throws std::logic_error if a value is not as said. */
  LinearSpringDamper(const RigidBody<T>& bodyA, const Vector3<double>& p_AP,
                     const RigidBody<T>& bodyB, const Vector3<double>& p_BQ,
                     double free_length, double stiffness, double damping);
  ~LinearSpringDamper() override;

  /** Body A, which point P is fixed to. */
  const RigidBody<T>& bodyA() const { return bodyA_; }
  /** Body B, which point Q is fixed to. */
  const RigidBody<T>& bodyB() const { return bodyB_; }
  /** Position of P in A, [m]. */
  const Vector3<double> p_AP() const { return p_AP_; }
  /** Position of Q in B, [m]. */
  const Vector3<double> p_BQ() const { return p_BQ_; }
  /** Distance at which the spring is slack, [m]. */
  double free_length() const { return free_length_; }
  /** Stiffness, [N/m]. */
  double stiffness() const { return stiffness_; }
  /** Damping, [N·s/m]. */
  double damping() const { return damping_; }

 private:
  friend class internal::TypedForceElement<LinearSpringDamper, T>;
  // Where the ends are and how the distance between them changes.
  struct Ends {
    Vector3<T> p_WP;
    Vector3<T> p_WQ;
    Vector3<T> direction;  // From P to Q, of length 1.
    T length;
    T rate;
  };
  Ends CalcEnds(const internal::ForceState<T>& state) const;

  void DoRequireMembers(const internal::MultibodyTree<T>& tree) const override;
  T CalcEnergy(const internal::ForceState<T>& state) const final;
  T CalcReleasedPower(const internal::ForceState<T>& state) const final;
  T CalcOtherPower(const internal::ForceState<T>& state) const final;
  void AddForces(const internal::ForceState<T>& state,
                 MultibodyForces<T>* forces) const final;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tie(tree.bodies().get(bodyA_.index()), p_AP_,
                    tree.bodies().get(bodyB_.index()), p_BQ_, free_length_,
                    stiffness_, damping_);
  }

  const RigidBody<T>& bodyA_;
  const RigidBody<T>& bodyB_;
  const Vector3<double> p_AP_;
  const Vector3<double> p_BQ_;
  const double free_length_;
  const double stiffness_;
  const double damping_;
};

}  // namespace wyvern::multibody
