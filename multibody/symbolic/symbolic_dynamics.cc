#include "wyvern/multibody/symbolic/symbolic_dynamics.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/symbolic/symbolic_equations.h"
#include "wyvern/systems/symbolic/expression_matrix.h"
#include "wyvern/systems/symbolic/formula.h"

/* A plant's equations as expressions: its parameters' numbers become constants,
its coordinates variables, and the kernels of multibody/dynamics, compiled
for expressions in dynamics_instantiation.cc, do what they do with numbers. */

namespace wyvern::multibody {

using dynamics::Gravity;
using dynamics::Pose;
using symbolic::Expression;
using symbolic::Variable;

namespace {

dynamics::Pose<Expression> ToSymbolic(const dynamics::Pose<double>& X) {
  return {X.R.cast<Expression>(), X.p.cast<Expression>()};
}

dynamics::BodyParameters<Expression> ToSymbolic(
    const dynamics::BodyParameters<double>& body) {
  dynamics::BodyParameters<Expression> result;
  result.X_PF = ToSymbolic(body.X_PF);
  result.X_BM = ToSymbolic(body.X_BM);
  result.axis = body.axis.cast<Expression>();
  result.pitch = body.pitch;
  result.path = body.path;
  result.mass = body.mass;
  result.p_BoBcm_B = body.p_BoBcm_B.cast<Expression>();
  result.I_BBo_B = body.I_BBo_B.cast<Expression>();
  result.gravity_enabled = body.gravity_enabled;
  return result;
}

const dynamics::Model& RequirePlainModel(const MultibodyPlant<double>& plant) {
  if (!plant.is_finalized()) {
    throw std::logic_error(
        "SymbolicDynamics: the plant is not finalized; call Finalize() "
        "before.");
  }
  if (plant.num_constraints() > 0 || plant.num_force_elements() > 1) {
    throw std::logic_error(fmt::format(
        "SymbolicDynamics: the plant has {} constraints and {} force elements; "
        "it must have none but gravity.",
        plant.num_constraints(), plant.num_force_elements()));
  }
  return plant.model();
}

}  // namespace

SymbolicDynamics::SymbolicDynamics(const MultibodyPlant<double>& plant)
    : SymbolicDynamics((RequirePlainModel(plant), plant),
                       *plant.CreateDefaultContext()) {}

SymbolicDynamics::SymbolicDynamics(const MultibodyPlant<double>& plant,
                                   const systems::Context<double>& context)
    : plant_(plant), model_(RequirePlainModel(plant)) {
  const dynamics::ModelParameters<double>& numbers =
      plant.EvalModelParameters(context);
  parameters_.bodies.resize(model_.num_bodies());
  for (int i = 0; i < model_.num_bodies(); ++i) {
    parameters_.bodies[i] = ToSymbolic(numbers.bodies[i]);
  }
  parameters_.gravity = numbers.gravity.cast<Expression>();
  parameters_.reflected_inertia = numbers.reflected_inertia.cast<Expression>();
  parameters_.damping = numbers.damping.cast<Expression>();
  parameters_.friction = numbers.friction.cast<Expression>();
  parameters_.Compile(model_);
  q_ = symbolic::MakeVectorContinuousVariable(model_.num_q, "q");
  v_ = symbolic::MakeVectorContinuousVariable(model_.num_v, "v");
  vdot_ = symbolic::MakeVectorContinuousVariable(model_.num_v, "vdot");
  tau_ = symbolic::MakeVectorContinuousVariable(model_.num_v, "tau");
}

dynamics::PositionKinematics<Expression> SymbolicDynamics::CalcKinematics()
    const {
  dynamics::PositionKinematics<Expression> result(model_);
  dynamics::CalcPositionKinematics<Expression>(
      model_, parameters_, VectorX<Expression>(q_.cast<Expression>()), &result);
  return result;
}

VectorX<Expression> SymbolicDynamics::CalcForces(
    const VectorX<Expression>& v, const VectorX<Expression>& vdot,
    bool with_gravity) const {
  return internal::CalcSymbolicForces(
      model_, parameters_, q_.cast<Expression>(), v, vdot,
      with_gravity ? Gravity::kOn : Gravity::kOff);
}

MatrixX<Expression> SymbolicDynamics::CalcMassMatrix() const {
  return internal::CalcSymbolicMassMatrix(model_, parameters_,
                                          q_.cast<Expression>());
}

VectorX<Expression> SymbolicDynamics::CalcBiasTerm() const {
  const VectorX<Expression> zero = VectorX<Expression>::Zero(model_.num_v);
  return CalcForces(v_.cast<Expression>(), zero, false);
}

VectorX<Expression> SymbolicDynamics::CalcGravityGeneralizedForces() const {
  const VectorX<Expression> zero = VectorX<Expression>::Zero(model_.num_v);
  return -CalcForces(zero, zero, true);
}

VectorX<Expression> SymbolicDynamics::CalcInverseDynamics() const {
  const VectorX<Expression> v = v_.cast<Expression>();
  VectorX<Expression> damping(model_.num_v);
  dynamics::CalcDampingForces<Expression>(parameters_, v, damping);
  return CalcForces(v, vdot_.cast<Expression>(), true) - damping;
}

VectorX<Expression> SymbolicDynamics::CalcForwardDynamics() const {
  const int n = model_.num_v;
  const VectorX<Expression> v = v_.cast<Expression>();
  VectorX<Expression> x(n);
  dynamics::CalcDampingForces<Expression>(parameters_, v, x);
  x += tau_.cast<Expression>() -
       CalcForces(v, VectorX<Expression>::Zero(n), /* with_gravity */ true);
  return internal::SolveSymbolicMassMatrix(model_, CalcMassMatrix(),
                                           std::move(x));
}

SymbolicDynamics::InverseDynamicsDerivatives
SymbolicDynamics::CalcInverseDynamicsDerivatives() const {
  const VectorX<Expression> tau = CalcInverseDynamics();
  return {symbolic::Jacobian(tau, q_), symbolic::Jacobian(tau, v_)};
}

SymbolicDynamics::ForwardDynamicsDerivatives
SymbolicDynamics::CalcForwardDynamicsDerivatives() const {
  const MatrixX<Expression> M = CalcMassMatrix();
  const VectorX<Expression> vdot = CalcForwardDynamics();
  symbolic::Substitution at_vdot;
  for (int i = 0; i < vdot.size(); ++i) at_vdot.emplace(vdot_[i], vdot[i]);
  // M dv̇ = -dtau at that v̇, column by column.
  const auto solve = [&](const MatrixX<Expression>& columns) {
    MatrixX<Expression> result(columns.rows(), columns.cols());
    for (int j = 0; j < columns.cols(); ++j) {
      result.col(j) =
          internal::SolveSymbolicMassMatrix(model_, M, columns.col(j));
    }
    return result;
  };
  const auto [dq, dv] = CalcInverseDynamicsDerivatives();
  const int n = model_.num_v;
  return {solve(-symbolic::Substitute(dq, at_vdot)), solve(-dv),
          solve(MatrixX<Expression>::Identity(n, n))};
}

Vector3<Expression> SymbolicDynamics::CalcPoint(
    const dynamics::PositionKinematics<Expression>& kinematics,
    const Frame<double>& frame, Matrix3<Expression>* R) const {
  if (&plant_.get_frame(frame.index()) != &frame) {
    throw std::logic_error(fmt::format(
        "SymbolicDynamics: the frame '{}' is of another plant; give one of the "
        "plant that this was made of.",
        frame.name()));
  }
  const auto body = plant_.tree().model_body(frame.body().index());
  const Pose<Expression> X_WB =
      kinematics.X_WN[model_.bodies[body].node] * parameters_.X_NB[body];
  const math::RigidTransform<double> X_BF = frame.GetFixedPoseInBodyFrame();
  *R = X_WB.R * X_BF.rotation().matrix().cast<Expression>();
  return X_WB.p + X_WB.R * X_BF.translation().cast<Expression>();
}

std::pair<Matrix3<Expression>, Vector3<Expression>>
SymbolicDynamics::CalcFramePose(const Frame<double>& frame) const {
  std::pair<Matrix3<Expression>, Vector3<Expression>> result;
  result.second = CalcPoint(CalcKinematics(), frame, &result.first);
  return result;
}

MatrixX<Expression> SymbolicDynamics::CalcSpatialVelocityJacobian(
    const Frame<double>& frame) const {
  const auto at = CalcKinematics();
  Matrix3<Expression> R;
  const Vector3<Expression> p_WFo = CalcPoint(at, frame, &R);
  Matrix6X<Expression> J(6, model_.num_v);
  dynamics::CalcSpatialVelocityJacobian<Expression>(
      model_, at, plant_.tree().model_body(frame.body().index()), p_WFo, J);
  return J;
}

}  // namespace wyvern::multibody
