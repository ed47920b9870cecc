#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** The quantity that the elements of a plant's port measure. */
enum class PortQuantity {
  kNone,          ///< Numbers without common units.
  kState,         ///< Positions, then velocities.
  kAcceleration,  ///< Generalized accelerations.
  kForce,         ///< Generalized forces.
  kEffort,        ///< Efforts of actuators.
  kDesiredState,  ///< Positions, then velocities, of actuated coordinates.
};

/** Units of a plant's ports, such as "rad" and "N m", joint by joint. Elements
of quaternions and efforts of tendons have none. */
class PortUnits {
 public:
  /** Requires a finalized model. */
  template <typename T>
  explicit PortUnits(const MultibodyTreeSystem<T>& core);

  /** The units of all elements, or of those of one model instance if `indices`
  is not null. */
  std::vector<std::string> Make(PortQuantity quantity,
                                const InstanceIndices* indices) const;

 private:
  using Units = std::vector<std::string>;
  // By position, by velocity and by actuation input.
  Units q_, v_, vdot_, tau_, u_, u_position_, u_velocity_;
};

}  // namespace wyvern::multibody::internal
