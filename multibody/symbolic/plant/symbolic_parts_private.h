#pragma once

/** @file
What a plant of expressions has in place of the parts that decide by a value, or
touch. Included once: where the plant's sources are compiled for expressions,
before them. */

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/scene_graph/query_object.h"
#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/multibody/dynamics/node_forces.h"
#include "wyvern/multibody/dynamics/singular_inertia.h"
#include "wyvern/multibody/fem/fem_model.h"
#include "wyvern/multibody/plant/parts/contradictions.h"
#include "wyvern/multibody/plant/parts/crossing_branches.h"
#include "wyvern/multibody/plant/parts/deep_overlaps.h"
#include "wyvern/multibody/plant/parts/projected_state.h"
#include "wyvern/multibody/plant/step/constrained_step.h"
#include "wyvern/multibody/plant/step/continuous_accelerations.h"
#include "wyvern/multibody/plant/step/discrete_step.h"
#include "wyvern/multibody/plant/step/free_rotation.h"
#include "wyvern/multibody/plant/step/position_rates.h"
#include "wyvern/multibody/plant/step/solve_accelerations.h"
#include "wyvern/multibody/plant/step/unfollowed_impacts.h"
#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/multibody/symbolic/plant/symbolic_plant.h"
#include "wyvern/multibody/symbolic/symbolic_equations.h"
#include "wyvern/systems/common/worker_threads.h"

namespace wyvern::geometry {

// The type of a port that nothing is connected to.
template <>
QueryObject<symbolic::Expression>::QueryObject() = default;
template <>
QueryObject<symbolic::Expression>::QueryObject(const QueryObject&)
    : QueryObject() {}
template <>
QueryObject<symbolic::Expression>& QueryObject<symbolic::Expression>::operator=(
    const QueryObject&) {
  return *this;
}

}  // namespace wyvern::geometry

namespace wyvern::multibody {

namespace internal {

using symbolic::Expression;
using Core = MultibodyTreeSystem<Expression>;
using SymbolicContext = systems::Context<Expression>;

/** @throws std::logic_error: a plant of expressions has no such thing. */
[[noreturn]] void ThrowNotSymbolic(std::string_view what,
                                   std::string_view fix) {
  throw std::logic_error(fmt::format(
      "MultibodyPlant<symbolic::Expression>: {}, which no expression says; {}.",
      what, fix));
}

// Forces on one velocity: by conditions instead of branches.

inline Expression Clamp(const Expression& x, const Expression& size) {
  return if_then_else(x > size, size, if_then_else(x < -size, -size, x));
}
template <>
Expression DofForceLaw<Expression>::CalcControllerForce(
    const Expression& v) const {
  const Expression u = a - b * v;
  return std::isinf(effort) ? u : Clamp(u, effort);
}
template <>
Expression DofForceLaw<Expression>::CalcFrictionForce(
    const Expression& v) const {
  return has_friction ? Clamp(-b_friction * v, friction) : 0;
}
// Infinite bounds have infinite forces, which are no expressions.
template <>
Expression DofForceLaw<Expression>::CalcLimitForce(const Expression& v) const {
  if (!has_limits) return 0;
  const Expression lower = a_lower - b_limit * v;
  const Expression upper = a_upper - b_limit * v;
  return if_then_else(lower > 0, lower, 0) + if_then_else(upper < 0, upper, 0);
}
template <>
Expression DofForceLaw<Expression>::CalcForce(const Expression& v) const {
  Expression force = CalcFrictionForce(v) + CalcLimitForce(v) - damping * v;
  if (has_controller) force += CalcControllerForce(v);
  return force;
}
// Supports only laws that are one line for all v.
template <>
void DofForceLaw<Expression>::CalcLine(const Expression&, Expression* intercept,
                                       Expression* slope) const {
  if (has_limits || has_friction || (has_controller && !std::isinf(effort))) {
    ThrowNotSymbolic(
        "a discrete step with dry friction, position limits or an effort "
        "limit of a PD controller finds by iteration which of them act",
        "leave them out, or take a continuous plant");
  }
  *intercept = has_controller ? a : Expression(0);
  *slope = damping + (has_controller ? b : Expression(0));
}

// Accelerations from M.

template <>
void SolveAccelerations<Expression>(
    const Core& core, const SymbolicContext& context,
    std::span<const Vector6<Expression>> F,
    const Eigen::Ref<const VectorX<Expression>>& diagonal,
    StepScratch<Expression>* scratch, VectorX<Expression>* vdot) {
  const dynamics::Model& model = core.model();
  const int nv = model.num_v;
  VectorX<Expression> x =
      scratch->tau -
      CalcSymbolicForces(model, core.EvalModelParameters(context),
                         core.PositionsOf(context), core.VelocitiesOf(context),
                         VectorX<Expression>::Zero(nv), dynamics::Gravity::kOn);
  if (!F.empty()) {
    const std::vector<Vector6<Expression>> forces(F.begin(), F.end());
    std::vector<Vector6<Expression>> sums(F.size());
    VectorX<Expression> tau(nv);
    dynamics::CalcGeneralizedForces<Expression>(
        model, core.EvalPositions(context).nodes, forces, &sums, tau);
    x += tau;
  }
  MatrixX<Expression> M = core.EvalMassMatrix(context);
  if (diagonal.size() > 0) M.diagonal() += diagonal;
  try {
    *vdot = SolveSymbolicMassMatrix(model, std::move(M), std::move(x));
  } catch (const dynamics::SingularInertia& error) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant '{}': joint '{}' moves no inertia, so that it has no "
        "acceleration; give the body mass and inertia, or weld the joint.",
        core.GetSystemPathname(),
        core.tree().inboard_joints()[model.nodes[error.node()].body]->name()));
  }
}

// Depths are numbers, not expressions.
template <>
std::string DescribeJointOutside<Expression>(const Core&,
                                             const SymbolicContext&, double) {
  return {};
}
template <>
std::string DescribeDeepOverlaps<Expression>(const Core&,
                                             const ContactPart<Expression>&,
                                             const SymbolicContext&,
                                             systems::Difficulty) {
  return {};
}
template <>
std::string DescribeCrossing<Expression>(const Core&, const SymbolicContext&,
                                         const ConstraintRegistry&) {
  return {};
}

/** Throws for contacts, which the step of neither mode supports. */
inline void RequireNoContact(const SymbolicContext& context,
                             const ConstraintRegistry& registry,
                             const ContactPart<Expression>& contact) {
  if (contact.has_geometry()) {
    ThrowNotSymbolic(
        "the plant has collision geometry, and contact is found "
        "by the values of positions",
        "convert a plant without it");
  }
  if (registry.compiled.empty()) return;
  const auto& is_active = context.get_numeric_parameter(registry.is_active);
  for (int i = 0; i < static_cast<int>(registry.compiled.size()); ++i) {
    if (KnownNumberOr(is_active[i], 1.0) == 0) continue;
    ThrowNotSymbolic(
        fmt::format("the {} may be redundant, as values tell",
                    registry.compiled[i].name),
        "switch it off by SetConstraintActiveStatus(), or leave it out");
  }
}

template <>
void CalcContinuousAccelerations<Expression>(
    const Core& core, const SymbolicContext& context,
    const StepInputs<Expression>& inputs, const ConstraintRegistry& registry,
    const ContactPart<Expression>& contact, StepScratch<Expression>* scratch,
    StepOutputs<Expression>* outputs) {
  RequireNoContact(context, registry, contact);
  StepScratch<Expression>& s = *scratch;
  s.tau = inputs.tau + outputs->tau_limit_rows;
  VectorX<Expression> diagonal;
  if (inputs.some_locked) {
    internal::SetLockedInertia(inputs.is_locked, &s.diagonal);
    diagonal = s.diagonal;
  }
  SolveAccelerations<Expression>(core, context, NodeForces(inputs), diagonal,
                                 &s, &outputs->vdot);
  for (int i = 0; i < core.num_v(); ++i) {
    if (inputs.is_locked[i]) outputs->vdot[i] = 0;
  }
}

// (M + dt D) v̇ = a - D v* + ..., with f(v) = a - D v.
template <>
void CalcDiscreteStep<Expression>(const Core& core,
                                  const SymbolicContext& context,
                                  const StepInputs<Expression>& inputs,
                                  StepScratch<Expression>* scratch,
                                  StepOutputs<Expression>* outputs) {
  StepScratch<Expression>& s = *scratch;
  const double dt = inputs.dt;
  for (int i = 0; i < core.num_v(); ++i) {
    Expression intercept, slope;
    if (!inputs.is_locked[i]) {
      inputs.laws[i].CalcLine(inputs.v_star[i], &intercept, &slope);
    }
    s.diagonal[i] =
        inputs.is_locked[i] ? Expression(dynamics::kLockedInertia) : dt * slope;
    s.tau[i] = inputs.tau[i] + intercept - slope * inputs.v_star[i];
  }
  SolveAccelerations<Expression>(core, context, NodeForces(inputs), s.diagonal,
                                 &s, &outputs->vdot);
  for (int i = 0; i < core.num_v(); ++i) {
    if (inputs.is_locked[i]) outputs->vdot[i] = 0;
    outputs->v_next[i] = inputs.v_star[i] + dt * outputs->vdot[i];
  }
}

template <>
void CalcConstrainedStep<Expression>(
    const Core&, const SymbolicContext& context, const StepInputs<Expression>&,
    const ActuationPart<Expression>& actuation,
    const ConstraintRegistry& registry, const ContactPart<Expression>& contact,
    const DeformableModel<Expression>&, const VectorX<Expression>*,
    StepScratch<Expression>*, StepOutputs<Expression>*) {
  RequireNoContact(context, registry, contact);
  static_cast<void>(actuation);
  ThrowNotSymbolic(
      "a discrete step with constraints or limits on roll, pitch and yaw is "
      "found by iteration",
      "leave them out, or take a continuous plant");
}

// v* = v but for bodies that turn freely.
template <>
void CalcFreeVelocities<Expression>(const Core& core,
                                    const SymbolicContext& context, double,
                                    const std::vector<bool>& is_locked,
                                    VectorX<Expression>* v_star) {
  *v_star = core.VelocitiesOf(context);
  for (const dynamics::Model::Tree& tree : core.model().trees) {
    const dynamics::Model::Node& node = core.model().nodes[tree.base_node];
    if (node.has_children || node.is_reversed || is_locked[node.v_start] ||
        !dynamics::TraitsOf(node.type).rotates_freely) {
      continue;
    }
    ThrowNotSymbolic(
        fmt::format("a discrete step finds by iteration how the body of joint "
                    "'{}' turns freely",
                    core.tree().inboard_joints()[node.body]->name()),
        "take a continuous plant");
  }
}

template <>
void CalcProjectedState<Expression>(const Core&, const SymbolicContext&,
                                    const ConstraintRegistry&,
                                    ProjectedState<Expression>*) {
  ThrowNotSymbolic("a state is projected onto constraints by iteration",
                   "project the state of a plant of numbers");
}

template <>
void CalcConstraintRates<Expression>(const Core&, const SymbolicContext&,
                                     const ConstraintRegistry&,
                                     VectorX<Expression>*,
                                     VectorX<Expression>*) {
  ThrowNotSymbolic("constraints have errors and velocities in numbers alone",
                   "ask a plant of numbers");
}
template <>
ProjectedState<Expression>::ProjectedState(const dynamics::Model&) {}

template <>
void ActuationPart<Expression>::AddTendonLimitRows(
    const SymbolicContext&, StepProblem<Expression>*) const {}
template <>
void ActuationPart<Expression>::AddTendonRow(const SymbolicContext&, int,
                                             const RowLaw<Expression>&,
                                             StepProblem<Expression>*) const {}
template <>
void ActuationPart<Expression>::AddDriveRows(const SymbolicContext&,
                                             StepProblem<Expression>*) const {}
template <>
void ActuationPart<Expression>::AddLimitRows(const SymbolicContext&,
                                             StepProblem<Expression>*) const {
  ThrowNotSymbolic(
      "limits on angles and tendons in discrete steps act by iteration",
      "leave them out, or take a continuous plant");
}
template <>
void CalcNextPositions<Expression>(const Core& core,
                                   const SymbolicContext& context, double dt,
                                   const VectorX<Expression>& v,
                                   Eigen::Ref<VectorX<Expression>> q) {
  const VectorX<Expression> q0 = core.PositionsOf(context);
  CalcPositionRates<Expression>(core, context, q0, v, q);
  q = q0 + dt * q;
  dynamics::NormalizeQuaternions<Expression>(core.model(), q);
}

// Contact.

template <>
double CalcUnfollowedSpeed<Expression>(const VectorX<Expression>&,
                                       const VectorX<Expression>&,
                                       StepScratch<Expression>*) {
  return 0;  // A step with contact has thrown before.
}
template <>
void ContactPart<Expression>::Finalize(Core* core) {
  entry_ = &core->DeclarePartEntry(
      "contact points",
      systems::ValueProducer(0, &systems::ValueProducer::NoopCalc),
      {core->nothing_ticket()});
}
template <>
void ContactPart<Expression>::SetReach(const SymbolicContext&, double) const {}
// Without values, geometry may touch.
template <>
bool ContactPart<Expression>::HasContacts(const SymbolicContext&) const {
  return has_geometry();
}

}  // namespace internal

template <>
DeformableBody<symbolic::Expression>::~DeformableBody() = default;
template <>
DeformableModel<symbolic::Expression>::DeformableModel(
    const internal::Core& core)
    : core_(core) {}
template <>
DeformableModel<symbolic::Expression>::~DeformableModel() = default;
template <>
void DeformableModel<symbolic::Expression>::Finalize(
    internal::Core*, const std::function<systems::DiscreteStateIndex(
                         const VectorX<symbolic::Expression>&)>&) {}
template <>
void DeformableModel<symbolic::Expression>::SetDefaultState(
    systems::DiscreteValues<symbolic::Expression>*) const {}
template <>
void DeformableModel<symbolic::Expression>::CopyNextStates(
    const std::vector<VectorX<symbolic::Expression>>&,
    systems::DiscreteValues<symbolic::Expression>*) const {}
template <>
void DeformableModel<symbolic::Expression>::CalcConfigurations(
    const systems::Context<symbolic::Expression>&,
    geometry::GeometryConfigurationVector<symbolic::Expression>*) const {}

template <>
void PlantGeometry<symbolic::Expression>::RegisterFrame(
    const RigidBody<symbolic::Expression>&) {}
template <>
void PlantGeometry<symbolic::Expression>::RenameGeometry(ModelInstanceIndex,
                                                         const std::string&) {}
template <>
void PlantGeometry<symbolic::Expression>::FinalizeGeometry() {}

// No constraint acts: RequireNoContact().
template <>
symbolic::Expression PlantEnergy<symbolic::Expression>::CalcConstraintPower(
    const systems::Context<symbolic::Expression>&, const MeanMotion&) const {
  return 0;
}

// Derivatives are those of the expressions.

template <>
void PlantDerivatives<symbolic::Expression>::CalcInverseDynamicsDerivatives(
    const systems::Context<symbolic::Expression>&,
    const VectorX<symbolic::Expression>&,
    const MultibodyForces<symbolic::Expression>&,
    EigenPtr<MatrixX<symbolic::Expression>>,
    EigenPtr<MatrixX<symbolic::Expression>>,
    EigenPtr<MatrixX<symbolic::Expression>>) const {
  internal::ThrowNotSymbolic(
      "CalcInverseDynamicsDerivatives() is an algorithm for numbers",
      "differentiate what CalcInverseDynamics() gives by Jacobian()");
}
template <>
void PlantDerivatives<symbolic::Expression>::CalcForwardDynamicsDerivatives(
    const systems::Context<symbolic::Expression>&,
    const VectorX<symbolic::Expression>&,
    const MultibodyForces<symbolic::Expression>&,
    EigenPtr<MatrixX<symbolic::Expression>>,
    EigenPtr<MatrixX<symbolic::Expression>>,
    EigenPtr<MatrixX<symbolic::Expression>>) const {
  internal::ThrowNotSymbolic(
      "CalcForwardDynamicsDerivatives() is an algorithm for numbers",
      "differentiate v̇ of EvalTimeDerivatives() by Jacobian()");
}
template <>
void PlantDerivatives<symbolic::Expression>::CalcInverseOperationalSpaceInertia(
    const systems::Context<symbolic::Expression>&,
    const std::vector<const Frame<symbolic::Expression>*>&,
    EigenPtr<MatrixX<symbolic::Expression>>) const {
  internal::ThrowNotSymbolic(
      "CalcInverseOperationalSpaceInertia() is an algorithm for numbers",
      "take J M⁻¹ Jᵀ of CalcMassMatrixInverse()");
}
template <>
void PlantDerivatives<symbolic::Expression>::CalcMassMatrixInverse(
    const systems::Context<symbolic::Expression>& context,
    EigenPtr<MatrixX<symbolic::Expression>> M_inverse) const {
  using symbolic::Expression;
  core_.tree().RequireFinalized("CalcMassMatrixInverse");
  const int n = core_.num_v();
  RequireSquare("CalcMassMatrixInverse", "M_inverse", n, M_inverse);
  for (int k = 0; k < n; ++k) {
    M_inverse->col(k) = internal::SolveSymbolicMassMatrix(
        core_.model(), core_.EvalMassMatrix(context),
        VectorX<Expression>::Unit(n, k));
  }
}

// The sample that there is none of.

namespace internal {

template <>
const StepOutputs<Expression>& DynamicsPart<Expression>::EvalReported(
    const SymbolicContext& context) const {
  return EvalStep(context);
}
template <>
LastStepOutputs DynamicsPart<Expression>::MakeEmptySample() const {
  ThrowNotSymbolic("samples are kept of numbers", "read the present step");
}
template <>
void DynamicsPart<Expression>::Sample(const SymbolicContext&,
                                      LastStepOutputs*) const {
  MakeEmptySample();
}
template <>
void DynamicsPart<Expression>::CalcConvertedSample(
    const SymbolicContext&, StepOutputs<Expression>*) const {
  MakeEmptySample();
}

}  // namespace internal
}  // namespace wyvern::multibody
