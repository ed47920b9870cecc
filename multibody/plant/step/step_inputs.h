#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/step/laws/dof_force_law.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Inputs of a step besides kinematics and contacts: all forces that do not
depend on its solution. They follow from the state and the input ports; the
solver only reads them. */
template <typename T>
struct StepInputs {
  /** Length of the step, [s]; 0 if accelerations are wanted, not a step. */
  double dt{0};
  /** Generalized forces of ports and force elements other than gravity, and of
  actuators without a controller; in a continuous model of the laws too. */
  VectorX<T> tau;
  /** By velocity: what forces follow the velocities that the step ends with. */
  std::vector<DofForceLaw<T>> laws;
  /** By velocity. */
  std::vector<bool> is_locked;
  bool some_locked{false};
  /** The velocities v* that the forces of a step add to; see
  CalcFreeVelocities(). */
  VectorX<T> v_star;
  /** Whether ports or force elements other than gravity act on bodies; if not,
  the vectors' values are stale. */
  bool has_body_forces{false};
  /** F_BBo_W by the model's bodies. */
  std::vector<Vector6<T>> F_BBo_W;
  /** Spatial forces by node, as the kernels take them. */
  std::vector<Vector6<T>> F_nodes;
};

/** The forces on nodes; empty if there are none. */
template <typename T>
std::span<const Vector6<T>> NodeForces(const StepInputs<T>& inputs) {
  if (!inputs.has_body_forces) return {};
  return inputs.F_nodes;
}

}  // namespace wyvern::multibody::internal
