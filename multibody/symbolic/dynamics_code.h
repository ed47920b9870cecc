#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::multibody {

/** Selects the functions that GenerateDynamicsCode() writes. */
struct DynamicsCodeRequest {
  /** Prefix of the names of all functions. */
  std::string name{"robot"};
  bool mass_matrix{true};
  bool bias_term{true};
  bool gravity{true};
  bool inverse_dynamics{true};
  bool forward_dynamics{true};
  /** These are long. */
  bool inverse_dynamics_derivatives{false};
  bool forward_dynamics_derivatives{false};
  /** Frames whose pose and Jacobian are written. */
  std::vector<FrameIndex> frames;
};

/** C code, which is C++ too: it needs math.h alone. */
struct DynamicsCode {
  std::string header;
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
| robot_inverse_dynamics_derivatives(q, v, vdot, dq, dv) | ∂tau/∂q, nv x nq;
∂tau/∂v, nv x nv | | robot_forward_dynamics_derivatives(q, v, tau, dq, dv, dtau)
| ∂v̇/∂q, nv x nq; ∂v̇/∂v, ∂v̇/∂tau = M⁻¹, nv x nv | | robot_pose_FRAME(q, X) |
R_WF and p_WoFo_W, 3 x 4 | | robot_jacobian_FRAME(q, J) | of w_WF and v_WFo, 6 x
nv |

Derivatives by q are by its entries: times N(q), they are the plant's. The
header defines ROBOT_NUM_POSITIONS and ROBOT_NUM_VELOCITIES. Characters of a
frame's name that C does not know become underscores. The source includes
"NAME.h".
@throws std::logic_error as SymbolicDynamics; if nothing is requested, the name
is no identifier of C, or two frames get one name.
@throws std::out_of_range if an index is of no frame. */
DynamicsCode GenerateDynamicsCode(const MultibodyPlant<double>& plant,
                                  const DynamicsCodeRequest& what = {});

}  // namespace wyvern::multibody
