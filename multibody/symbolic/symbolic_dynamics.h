#pragma once

#include <utility>

#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/model_parameters.h"
#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::multibody {

/** The equations of motion of a plant as expressions of its coordinates, by the
kernels that compute them in numbers:

  M(q) v̇ + C(q, v) v = g(q) - d v + tau

with rotor inertias in M and d the joints' damping. Masses, lengths and gravity
are the numbers that the plant's parameters have; parameters() may be changed to
expressions of variables.

Joint limits, dry friction, contact and actuators' limits are not in it. A plant
with constraints, or with force elements besides gravity, is refused. Of a
quaternion q is taken as of unit length. */
class SymbolicDynamics {
 public:
  /** Derives the equations with the default parameters of the plant.
  @throws std::logic_error before Finalize(), or if the plant has
  constraints or force elements besides gravity. */
  explicit SymbolicDynamics(const MultibodyPlant<double>& plant);
  /** With the parameters that a Context of the plant has. @throws as above. */
  SymbolicDynamics(const MultibodyPlant<double>& plant,
                   const systems::Context<double>& context);

  /** The variables, in the order of the plant's q and v: named q(0), ... */
  const VectorX<symbolic::Variable>& q() const { return q_; }
  /** Velocities, nv of them, named v(0), ... */
  const VectorX<symbolic::Variable>& v() const { return v_; }
  /** Accelerations v̇, nv of them, named vdot(0), ... */
  const VectorX<symbolic::Variable>& vdot() const { return vdot_; }
  /** Generalized forces, applied to the joints. */
  const VectorX<symbolic::Variable>& tau() const { return tau_; }

  /** The numbers of the model; call Compile(model()) after a change. */
  dynamics::ModelParameters<symbolic::Expression>& parameters() {
    return parameters_;
  }
  /** Returns the structure that parameters() belong to. */
  const dynamics::Model& model() const { return model_; }

  /** Returns the mass matrix M(q), nv x nv. */
  MatrixX<symbolic::Expression> CalcMassMatrix() const;
  /** Returns the bias term C(q, v) v, nv. */
  VectorX<symbolic::Expression> CalcBiasTerm() const;
  /** Returns gravity's generalized forces g(q), nv. */
  VectorX<symbolic::Expression> CalcGravityGeneralizedForces() const;
  /** Returns the forces tau(q, v, v̇), nv. */
  VectorX<symbolic::Expression> CalcInverseDynamics() const;
  /** v̇(q, v, tau), nv.
  @throws dynamics::SingularInertia if a joint is known to move no inertia.
  @throws std::runtime_error of a curvilinear joint, as all of these do: which
  segment of its path it is on is no expression. */
  VectorX<symbolic::Expression> CalcForwardDynamics() const;

  /** Partial derivatives of CalcInverseDynamics(); that by v̇ is M.
  dq is by the entries of q, nv x nq; times N(q) it is what the plant's
  CalcInverseDynamicsDerivatives() calls dtau_dq. dv is nv x nv. */
  struct InverseDynamicsDerivatives {
    /** ∂tau/∂q, nv x nq, and ∂tau/∂v, nv x nv. */
    MatrixX<symbolic::Expression> dq, dv;
  };
  /** Returns the derivatives of tau(q, v, v̇). */
  InverseDynamicsDerivatives CalcInverseDynamicsDerivatives() const;
  /** Derivatives of CalcForwardDynamics(): dq is nv x nq, as above; dv and
  dtau, which is M⁻¹, are nv x nv. By the implicit function theorem, only
  inverse dynamics is differentiated. @throws as CalcForwardDynamics(). */
  struct ForwardDynamicsDerivatives {
    /** ∂v̇/∂q, ∂v̇/∂v and ∂v̇/∂tau. */
    MatrixX<symbolic::Expression> dq, dv, dtau;
  };
  /** Returns the derivatives of v̇(q, v, tau). */
  ForwardDynamicsDerivatives CalcForwardDynamicsDerivatives() const;

  /** X_WF(q) of a frame F: R_WF and p_WoFo_W.
  @throws std::logic_error of a frame of another plant. */
  std::pair<Matrix3<symbolic::Expression>, Vector3<symbolic::Expression>>
  CalcFramePose(const Frame<double>& frame) const;
  /** J(q) with (w_WF, v_WFo) = J v, in W; 6 x nv. @throws as above. */
  MatrixX<symbolic::Expression> CalcSpatialVelocityJacobian(
      const Frame<double>& frame) const;

 private:
  dynamics::PositionKinematics<symbolic::Expression> CalcKinematics() const;
  // M v̇ + C v, less g.
  VectorX<symbolic::Expression> CalcForces(
      const VectorX<symbolic::Expression>& v,
      const VectorX<symbolic::Expression>& vdot, bool with_gravity) const;
  Vector3<symbolic::Expression> CalcPoint(
      const dynamics::PositionKinematics<symbolic::Expression>& kinematics,
      const Frame<double>& frame, Matrix3<symbolic::Expression>* R) const;

  const MultibodyPlant<double>& plant_;
  dynamics::Model model_;
  dynamics::ModelParameters<symbolic::Expression> parameters_;
  VectorX<symbolic::Variable> q_, v_, vdot_, tau_;
};

}  // namespace wyvern::multibody
