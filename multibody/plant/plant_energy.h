#pragma once

#include <vector>

#include "wyvern/multibody/plant/parts/dynamics_part.h"
#include "wyvern/multibody/plant/parts/port_indices.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** Where a plant's kinetic energy comes from and goes to, [W]: the power of
each source of forces, positive if it speeds the bodies up.

In a continuous model their sum is the rate of kinetic energy. In a discrete one
the figures are of the step that begins at the Context's state: the forces that
act during the step times the mean of the velocities before and after it, so
that the sum times the step's length is what the kinetic energy changes by. */
template <typename T>
struct PowerLedger {
  /** Power of gravity; the potential energy falls by as much. */
  T gravity{0};
  /** Power of each force element, by ForceElementIndex; gravity's own entry is
   * 0.
   */
  std::vector<T> force_elements;
  /** Power of motors and their PD controllers, within effort limits. */
  T actuation{0};
  /** Power of the joints' damping; not positive. */
  T joint_damping{0};
  /** Power of the joints' dry friction; not positive in a continuous model. */
  T joint_friction{0};
  /** Power of the joints' position limits; their springs store energy. */
  T joint_limits{0};
  /** Power of the input port for applied generalized forces. */
  T applied_generalized_force{0};
  /** Power of the input port for applied spatial forces. */
  T applied_spatial_force{0};
  /** Power of all constraints; springs among them store energy. */
  T constraints{0};
  /** Power of contacts, which store energy as springs do, and of their
   * friction.
   */
  T contact{0};
  /** Discrete only: what the step adds of its own, because bodies move while it
  takes them to be at their old places. Of the order of its length. */
  T scheme{0};

  /** The rate of kinetic energy. */
  T Sum() const;
};

/** The part of a MultibodyPlant that closes the balance of energy. */
template <typename T>
class PlantEnergy {
 public:
  /** Power by source, at the Context's state and inputs. Costs a few times as
  much as forward dynamics.
  @throws std::logic_error before Finalize() or for a Context of another
  System. */
  PowerLedger<T> CalcPowerLedger(const systems::Context<T>& context) const;

 protected:
  PlantEnergy(const internal::MultibodyTreeSystem<T>& core,
              const internal::DynamicsPart<T>& dynamics,
              const internal::PortIndices& ports)
      : core_(core), dynamics_(dynamics), ports_(ports) {}
  ~PlantEnergy() = default;

 private:
  // The mean motion during a step; the present one if there are no steps.
  struct MeanMotion {
    VectorX<T> v;
    dynamics::VelocityKinematics<T> nodes;
    std::vector<Vector6<T>> V_WB;
  };
  MeanMotion CalcMeanMotion(const systems::Context<T>& context) const;
  void AddLaws(const systems::Context<T>& context, const VectorX<T>& v,
               PowerLedger<T>* ledger) const;
  T CalcConstraintPower(const systems::Context<T>& context,
                        const MeanMotion& motion) const;
  T CalcAppliedSpatialForcePower(const systems::Context<T>& context,
                                 const MeanMotion& motion) const;
  T CalcSchemePower(const systems::Context<T>& context,
                    const VectorX<T>& v) const;

  const internal::MultibodyTreeSystem<T>& core_;
  const internal::DynamicsPart<T>& dynamics_;
  const internal::PortIndices& ports_;
};

}  // namespace wyvern::multibody
