#pragma once

namespace wyvern::multibody {

/** Variable of a Jacobian. */
enum class JacobianWrtVariable {
  kQDot,  ///< Time derivatives of the generalized positions.
  kV,     ///< Generalized velocities.
};

}  // namespace wyvern::multibody
