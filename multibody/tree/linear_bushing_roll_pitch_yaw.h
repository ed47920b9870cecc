#pragma once

#include <tuple>

#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

template <typename T>
class Frame;
template <typename T>
class RigidBody;

/** A massless elastic bushing between frame A, on body L0, and frame C, on body
L1, with springs and dampers in all six directions.

Frame B lies halfway: its origin is the midpoint of Ao and Co, and it is turned
from A by half the angle of R_AC. Let x = R_BA p_AoCo_A, ẋ = R_BA (v_ACo - w_AC
/ 2 × p_AoCo)_A, and q the roll, pitch and yaw of C in A. On C acts the force
R_AB f at the point that coincides with Bo, and a torque t, with

  f = -K_f x - D_f ẋ,    τ = -K_t q - D_t q̇,    t · w_AC = τ · q̇,

K and D being diagonal; on A act their opposites. Defaults are in the element,
the present constants are parameters of the Context.

The stored energy is (x·K_f x + q·K_t q) / 2. B does not quite turn at half of
w_AC if C turns about an axis that changes, so that elastic forces do a little
work that this energy does not show; it counts as non-conservative.

All that needs the angles throws std::runtime_error near gimbal lock, where
pitch = ±π/2. */
template <typename T>
class LinearBushingRollPitchYaw final
    : public internal::TypedForceElement<LinearBushingRollPitchYaw, T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LinearBushingRollPitchYaw);

  /** @param torque_stiffness_constants [N·m/rad] and
  @param torque_damping_constants [N·m·s/rad] by roll, pitch, yaw;
  @param force_stiffness_constants [N/m] and
  @param force_damping_constants [N·s/m] by the axes of B.
  @throws std::logic_error if one is negative or not finite. */
  LinearBushingRollPitchYaw(const Frame<T>& frameA, const Frame<T>& frameC,
                            const Vector3<double>& torque_stiffness_constants,
                            const Vector3<double>& torque_damping_constants,
                            const Vector3<double>& force_stiffness_constants,
                            const Vector3<double>& force_damping_constants);
  ~LinearBushingRollPitchYaw() override;

  /** Body L0, which frame A is fixed to. */
  const RigidBody<T>& link0() const;
  /** Body L1, which frame C is fixed to. */
  const RigidBody<T>& link1() const;
  /** Frame A. */
  const Frame<T>& frameA() const { return frameA_; }
  /** Frame C. */
  const Frame<T>& frameC() const { return frameC_; }

  /** @name Defaults
  @{ */
  /** Stiffness of roll, pitch and yaw, [N·m/rad]. */
  const Vector3<double>& torque_stiffness_constants() const {
    return defaults_[kTorqueStiffness];
  }
  /** Damping of roll, pitch and yaw, [N·m·s/rad]. */
  const Vector3<double>& torque_damping_constants() const {
    return defaults_[kTorqueDamping];
  }
  /** Stiffness along the axes of B, [N/m]. */
  const Vector3<double>& force_stiffness_constants() const {
    return defaults_[kForceStiffness];
  }
  /** Damping along the axes of B, [N·s/m]. */
  const Vector3<double>& force_damping_constants() const {
    return defaults_[kForceDamping];
  }
  /** @} */

  /** @name Parameters
  Setters throw std::logic_error for a value that is negative or not finite.
  @{ */
  /** Stiffness of roll, pitch and yaw in `context`, [N·m/rad]. */
  Vector3<T> GetTorqueStiffnessConstants(
      const systems::Context<T>& context) const {
    return Get(context, kTorqueStiffness);
  }
  /** Damping of roll, pitch and yaw in `context`, [N·m·s/rad]. */
  Vector3<T> GetTorqueDampingConstants(
      const systems::Context<T>& context) const {
    return Get(context, kTorqueDamping);
  }
  /** Stiffness along the axes of B in `context`, [N/m]. */
  Vector3<T> GetForceStiffnessConstants(
      const systems::Context<T>& context) const {
    return Get(context, kForceStiffness);
  }
  /** Damping along the axes of B in `context`, [N·s/m]. */
  Vector3<T> GetForceDampingConstants(
      const systems::Context<T>& context) const {
    return Get(context, kForceDamping);
  }
  /** Sets the stiffness of roll, pitch and yaw, [N·m/rad]. */
  void SetTorqueStiffnessConstants(systems::Context<T>* context,
                                   const Vector3<T>& torque_stiffness) const {
    Set(context, kTorqueStiffness, torque_stiffness);
  }
  /** Sets the damping of roll, pitch and yaw, [N·m·s/rad]. */
  void SetTorqueDampingConstants(systems::Context<T>* context,
                                 const Vector3<T>& torque_damping) const {
    Set(context, kTorqueDamping, torque_damping);
  }
  /** Sets the stiffness along the axes of B, [N/m]. */
  void SetForceStiffnessConstants(systems::Context<T>* context,
                                  const Vector3<T>& force_stiffness) const {
    Set(context, kForceStiffness, force_stiffness);
  }
  /** Sets the damping along the axes of B, [N·s/m]. */
  void SetForceDampingConstants(systems::Context<T>* context,
                                const Vector3<T>& force_damping) const {
    Set(context, kForceDamping, force_damping);
  }
  /** @} */

  /** F_A_A, the force on L0 at Ao, expressed in A. */
  SpatialForce<T> CalcBushingSpatialForceOnFrameA(
      const systems::Context<T>& context) const;
  /** F_C_C, the force on L1 at Co, expressed in C. */
  SpatialForce<T> CalcBushingSpatialForceOnFrameC(
      const systems::Context<T>& context) const;

 private:
  friend class internal::TypedForceElement<LinearBushingRollPitchYaw, T>;
  enum Constants {
    kTorqueStiffness,
    kTorqueDamping,
    kForceStiffness,
    kForceDamping
  };
  struct Shape;
  struct Motion;
  struct Forces;

  Vector3<T> Get(const systems::Context<T>& context, Constants which) const;
  void Set(systems::Context<T>* context, Constants which,
           const Vector3<T>& value) const;
  Shape CalcShape(const internal::ForceState<T>& state) const;
  Motion CalcMotion(const internal::ForceState<T>& state,
                    const Shape& shape) const;
  Forces CalcForces(const systems::Context<T>& context, const Shape& shape,
                    const Motion& motion) const;
  // In the present state; `shape` is an output.
  Forces CalcPresentForces(const systems::Context<T>& context,
                           Shape* shape) const;

  void DoDeclareForceElementParameters(
      internal::MultibodyTreeSystem<T>* tree_system) override;
  void DoSetDefaultForceElementParameters(
      systems::Parameters<T>* parameters) const override;
  void DoRequireMembers(const internal::MultibodyTree<T>& tree) const override;
  T CalcEnergy(const internal::ForceState<T>& state) const final;
  T CalcReleasedPower(const internal::ForceState<T>& state) const final;
  T CalcOtherPower(const internal::ForceState<T>& state) const final;
  void AddForces(const internal::ForceState<T>& state,
                 MultibodyForces<T>* forces) const final;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tie(tree.get_frame(frameA_.index()),
                    tree.get_frame(frameC_.index()),
                    defaults_[kTorqueStiffness], defaults_[kTorqueDamping],
                    defaults_[kForceStiffness], defaults_[kForceDamping]);
  }

  const Frame<T>& frameA_;
  const Frame<T>& frameC_;
  // By Constants.
  const Vector3<double> defaults_[4];
  systems::NumericParameterIndex parameters_[4];
};

}  // namespace wyvern::multibody
