#pragma once

namespace wyvern::multibody {

/** What a Jacobian is with respect to. */
enum class JacobianWrtVariable {
  kQDot,  ///< Time derivatives of the generalized positions.
  kV,     ///< Generalized velocities.
};

}  // namespace wyvern::multibody
