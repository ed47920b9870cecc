#pragma once

#include "wyvern/multibody/tree/force_element.h"

namespace wyvern::multibody::internal {

/** State that the forces of an element follow from. The velocities `vc` are
null when an energy is computed. */
template <typename T>
struct ForceState {
  const systems::Context<T>& context;
  const PositionKinematicsCache<T>& pc;
  const VelocityKinematicsCache<T>* vc{};
};

/** Base of the library's own force elements. A derived class overrides
AddForces(), and each of the energy and the powers that is not zero for it. */
template <typename T>
class BasicForceElement : public ForceElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BasicForceElement);
  explicit BasicForceElement(ModelInstanceIndex model_instance);
  ~BasicForceElement() override;

  T CalcPotentialEnergy(const systems::Context<T>& context,
                        const PositionKinematicsCache<T>& pc) const final;
  T CalcConservativePower(const systems::Context<T>& context,
                          const PositionKinematicsCache<T>& pc,
                          const VelocityKinematicsCache<T>& vc) const final;
  T CalcNonConservativePower(const systems::Context<T>& context,
                             const PositionKinematicsCache<T>& pc,
                             const VelocityKinematicsCache<T>& vc) const final;

 private:
  /** Computes the stored energy, [J]. */
  virtual T CalcEnergy(const ForceState<T>& state) const;
  /** Computes minus the rate of the stored energy, [W]. */
  virtual T CalcReleasedPower(const ForceState<T>& state) const;
  /** Computes the power of the forces that store no energy, [W]. */
  virtual T CalcOtherPower(const ForceState<T>& state) const;
  virtual void AddForces(const ForceState<T>& state,
                         MultibodyForces<T>* forces) const = 0;

  void DoCalcAndAddForceContribution(const systems::Context<T>& context,
                                     const PositionKinematicsCache<T>& pc,
                                     const VelocityKinematicsCache<T>& vc,
                                     MultibodyForces<T>* forces) const final;
};

}  // namespace wyvern::multibody::internal
