#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::multibody {

/** Selects the functions that GenerateDynamicsCode() writes. */
struct DynamicsCodeRequest {
  /** Prefix of the names of all functions. */
  std::string name{"robot"};
  /** Writes robot_mass_matrix(). */
  bool mass_matrix{true};
  /** Writes robot_bias_term(). */
  bool bias_term{true};
  /** Writes robot_gravity(). */
  bool gravity{true};
  /** Writes robot_inverse_dynamics(). */
  bool inverse_dynamics{true};
  /** Writes robot_forward_dynamics(). */
  bool forward_dynamics{true};
  /** Writes robot_inverse_dynamics_derivatives(): long code. */
  bool inverse_dynamics_derivatives{false};
  /** Writes robot_forward_dynamics_derivatives(): long code. */
  bool forward_dynamics_derivatives{false};
  /** Frames whose pose and Jacobian are written. */
  std::vector<FrameIndex> frames;
};

/** C code, which is C++ too: it needs math.h alone. */
struct DynamicsCode {
  /** The declarations, to be saved as "NAME.h". */
  std::string header;
  /** The definitions, to be saved as "NAME.c". */
  std::string source;
};

/** Writes the equations of one robot as code that knows no other: with its
masses and lengths as numbers, and what occurs more than once computed once. All
arrays are in the plant's order, matrices by columns; units are SI, axes those
of the world. SymbolicDynamics says what is in the equations. Functions, with
the request's name for "robot":

| function | writes |
|---|---|
| robot_mass_matrix(q, M) | M(q), nv x nv |
| robot_bias_term(q, v, Cv) | C(q, v) v, nv |
| robot_gravity(q, g) | g(q), nv |
| robot_inverse_dynamics(q, v, vdot, tau) | tau with damping, nv |
| robot_forward_dynamics(q, v, tau, vdot) | v̇, nv |
| robot_inverse_dynamics_derivatives(q, v, vdot, dq, dv) | ∂tau/∂q, ∂tau/∂v |
| robot_forward_dynamics_derivatives(q, v, tau, dq, dv, dtau) | see below |
| robot_pose_FRAME(q, X) | R_WF and p_WoFo_W, 3 x 4 |
| robot_jacobian_FRAME(q, J) | of w_WF and v_WFo, 6 x nv |

The derivatives of forward dynamics are ∂v̇/∂q, ∂v̇/∂v and ∂v̇/∂tau = M⁻¹.
Derivatives by v and tau are nv x nv. Those by q are by its entries, nv x nq:
times N(q), they are the plant's. The header defines ROBOT_NUM_POSITIONS and
ROBOT_NUM_VELOCITIES. Characters of a frame's name that C does not know become
underscores. The source includes "NAME.h".
@throws std::logic_error as SymbolicDynamics; if nothing is requested, the name
is no identifier of C, or two frames get one name.
@throws std::out_of_range if an index is of no frame. */
DynamicsCode GenerateDynamicsCode(const MultibodyPlant<double>& plant,
                                  const DynamicsCodeRequest& what = {});

}  // namespace wyvern::multibody
