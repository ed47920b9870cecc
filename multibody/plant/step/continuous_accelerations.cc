#include "wyvern/multibody/plant/step/continuous_accelerations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/forward_dynamics_passes.h"
#include "wyvern/multibody/dynamics/node_forces.h"
#include "wyvern/multibody/plant/parts/call_named.h"
#include "wyvern/multibody/plant/parts/contradictions.h"
#include "wyvern/multibody/plant/parts/mechanism_scale.h"
#include "wyvern/multibody/plant/step/discrete_step.h"
#include "wyvern/multibody/plant/step/solve_accelerations.h"
#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Computes v̇ of a continuous plant in four passes. Contact and springs put
their forces on nodes. Forward dynamics gives v̇ without constraints. The
rows of rigid constraints demand J v̇ + J̇ v = -(2 / s) J v - e / s²
(Baumgarte 1972). ConstraintRows solves J M⁻¹ Jᵀ lambda = b for their
multipliers. The forces of the constraints are then added, and the second of
the two passes of forward dynamics is repeated. Rows whose demands contradict
each other are found on the way and named.

Branches of motion cross at a singular configuration. Near it, an error e
left by integration would steer the motion to another branch: motion on e =
const turns from branch to branch like a hyperbola, the more sharply the
smaller e is. There J, J̇ v and the stabilized velocity are those at the
state (q*, v*) at which the constraints hold. Rows keep the directions of the
present branch, and stabilization acts on the distance to it. With e = 0 both
formulations agree. */

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

// How far apart demands may be, relative to the largest.
constexpr double kConsistencyTolerance = 1e-4;
// How far apart demands may be because of J v, which integration leaves: if
// rows depend on each other, c'J = 0, where the constraints hold, their demands
// differ by c'J̇ v = -ċ'J v elsewhere. Directions c turn about as fast as the
// mechanism moves; this factor is for those that turn faster.
constexpr double kTurnOfRows = 3;
// Errors that decay by less than this share of the stabilization rate do not
// decay.
constexpr double kSlowDecay = 1e-3;
// Typical errors of integration, relative.
constexpr double kMostDrift = 1e-3;
// Damping of rows near singularities, for a relative error of kFarError.
constexpr double kFarDamping = 0.01;
constexpr double kFarError = 0.1;

// Contact at the present state.
template <typename T>
void AddContactForces(const MultibodyTreeSystem<T>& core,
                      const Context<T>& context, const ContactPart<T>& contact,
                      StepOutputs<T>* outputs) {
  outputs->tau_contact.setZero();
  if (!contact.has_geometry()) return;
  const ContactPoints<T>& contacts = contact.EvalContacts(context);
  if (contacts.points.empty()) return;
  contacts.StartOutputs(outputs);
  outputs->BeginBodyForces();
  const auto positions = core.EvalPositions(context);
  for (std::size_t i = 0; i < contacts.points.size(); ++i) {
    const ContactPoint<T>& point = contacts.points[i];
    const Vector3<T> v = contact.CalcVelocity(context, point);
    ContactLaw<T> law = contact.MakeContinuousLaw(point, v);
    law.n0 = law.CalcImpulse(v)[2];  // Friction by the normal force now.
    const Vector3<T> f_A_W = point.R_WC * law.CalcImpulse(v);
    contact.AddForces(positions, point, f_A_W, &outputs->F_BBo_W,
                      &outputs->tau_contact);
    contacts.AddToOutputs(i, f_A_W, v, outputs);
  }
}

template <typename T>
void AddSpring(const MultibodyTreeSystem<T>& core, const Context<T>& context,
               const ConstraintRegistry::Compiled& spring,
               StepOutputs<T>* outputs) {
  const auto positions = core.EvalPositions(context);
  const auto& constraint = spring.constraint;
  Vector1<T> error, rate;
  Vector6<T> F;
  CalcConstraintErrors<T>(constraint, positions.X_WB, core.PositionsOf(context),
                          error);
  CalcUnitForces<T>(constraint, positions.X_WB, F);
  CalcConstraintVelocities<T>(constraint, core.model(), positions.nodes,
                              core.EvalVelocities(context).nodes, F,
                              core.VelocitiesOf(context), rate);
  const T force = -spring.stiffness * error[0] - spring.damping * rate[0];
  outputs->BeginBodyForces();
  AddForcePair<T>(constraint, F * force, positions.X_WB, &outputs->F_BBo_W);
  outputs->multipliers[spring.first_row] = force;
}

// Springs act at once; rigid constraints are put down for later.
template <typename T>
void StartConstraints(const MultibodyTreeSystem<T>& core,
                      const Context<T>& context,
                      const ConstraintRegistry& registry,
                      ConstraintRows<T>* rows, StepOutputs<T>* outputs) {
  rows->Clear();
  outputs->multipliers.setZero();
  if (registry.compiled.empty()) return;
  const auto& is_active = context.get_numeric_parameter(registry.is_active);
  const auto& X_WB = core.EvalPositions(context).X_WB;
  for (int i = 0; i < static_cast<int>(registry.compiled.size()); ++i) {
    if (is_active[i] == 0) continue;
    const ConstraintRegistry::Compiled& compiled = registry.compiled[i];
    if (compiled.is_rigid()) {
      CallNamed(core, context, compiled, [&] {
        rows->Add(i, compiled.constraint, X_WB, core.PositionsOf(context));
      });
    } else {
      CallNamed(core, context, compiled,
                [&] { AddSpring(core, context, compiled, outputs); });
    }
  }
}

// All forces on nodes: the inputs', if nothing was added to them.
template <typename T>
std::span<const Vector6<T>> CollectNodeForces(
    const MultibodyTreeSystem<T>& core, const Context<T>& context,
    const StepInputs<T>& inputs, const ConstraintRegistry& registry,
    const StepOutputs<T>& outputs, std::vector<Vector6<T>>* F_nodes) {
  if (outputs.contacts.empty() && outputs.surfaces.empty() &&
      registry.compiled.empty()) {
    return NodeForces(inputs);
  }
  if (!outputs.has_body_forces) return {};
  F_nodes->assign(core.model().num_nodes(), Vector6<T>::Zero());
  const auto positions = core.EvalPositions(context);
  dynamics::AddBodyForces<T>(core.model(), positions.X_WB, positions.nodes,
                             outputs.F_BBo_W, F_nodes);
  return *F_nodes;
}

// Computes the demands of rows on J v̇ from J̇ v in s->row_demands, J v in
// s->row_velocities and the errors at the Context's positions. Returns how far
// demands of dependent rows may be apart, in the smallest unit of a row: a
// share of the largest term, or of the demand of a relative error of 1 if that
// is larger, and what J v makes of such rows.
template <typename T>
double StabilizeDemands(const MechanismScale& scale, double time,
                        StepScratch<T>* s) {
  const double rate = 1 / time;
  const double acceleration = scale.LargestOf(s->rows, s->row_demands);
  const double drift = scale.LargestOf(s->rows, s->row_velocities);
  const double allowance =
      kConsistencyTolerance *
          std::max({acceleration, 2 * rate * drift, rate * rate}) +
      kTurnOfRows * std::sqrt(acceleration) * drift;
  double unit = std::numeric_limits<double>::infinity();
  scale.VisitRows(s->rows, [&](int row, double unit_of_row) {
    unit = std::min(unit, unit_of_row);
    s->row_demands[row] = CalcStabilization<T>(rate, s->rows.errors()[row],
                                               s->row_velocities[row]) -
                          s->row_demands[row];
  });
  return allowance * unit;
}

// Computes the demands of rows at the Context's state, and their allowance.
template <typename T>
double CalcDemands(const MultibodyTreeSystem<T>& core,
                   const Context<T>& context, const MechanismScale& scale,
                   double time, const VectorX<T>& vdot, StepScratch<T>* s) {
  const auto positions = core.EvalPositions(context);
  const auto& velocities = core.EvalVelocities(context).nodes;
  s->rows.CalcVelocities(core.model(), positions.nodes, velocities,
                         core.VelocitiesOf(context), s->row_velocities);
  s->rows.CalcAccelerations(core.model(), positions.nodes, velocities,
                            positions.X_WB, s->A, vdot, s->row_demands);
  return StabilizeDemands<T>(scale, time, s);
}

// Computes the demands of the rows of s->assembled, and their allowance.
template <typename T>
double CalcAssembledDemands(const MultibodyTreeSystem<T>& core,
                            const Context<T>& context,
                            const MechanismScale& scale, double time,
                            const VectorX<T>& vdot, StepScratch<T>* s) {
  ProjectedState<T>& assembled = s->assembled;
  dynamics::CalcVelocityKinematics<T>(
      core.model(), core.EvalModelParameters(context), assembled.positions,
      assembled.v, &assembled.velocities);
  dynamics::CalcAccelerationKinematics<T>(core.model(), assembled.positions,
                                          assembled.velocities, vdot,
                                          &assembled.A);
  s->row_velocities = assembled.row_velocities;
  assembled.rows.CalcAccelerations(core.model(), assembled.positions,
                                   assembled.velocities, assembled.X_WB,
                                   assembled.A, vdot, s->row_demands);
  return StabilizeDemands<T>(scale, time, s);
}

// Returns whether rows should be taken at the state where the constraints hold,
// because a singular configuration is near. If that state is too far away, rows
// that have lost their effect are damped, the more the farther it is.
template <typename T>
bool IsToBeAssembled(const MultibodyTreeSystem<T>& core,
                     const Context<T>& context, const StepInputs<T>& inputs,
                     const ConstraintRegistry& registry,
                     const MechanismScale& scale, StepScratch<T>* s) {
  if (!s->rows.is_nearly_singular()) return false;
  const double error = scale.LargestError(s->rows);
  if (error <= kMostDrift &&
      FindAssembledState(core, context, registry, &s->assembled)) {
    return true;
  }
  if (error <= kOpenError) return false;
  const double share = std::min(1.0, error / kFarError) * s->rows.singularity();
  s->rows.Factorize(core.model(), core.EvalNodePositions(context),
                    s->articulated, inputs.is_locked,
                    kFarDamping * share * share);
  return false;
}

// Returns whether errors do not decay.
template <typename T>
bool StaysOpen(const MechanismScale& scale, double time,
               const StepScratch<T>& s) {
  double growth = 0, squares = 0;
  scale.VisitRows(s.rows, [&](int row, double unit) {
    const double e = ToDouble(s.rows.errors()[row]) / unit;
    growth += e * ToDouble(s.row_velocities[row]) / unit;
    squares += e * e;
  });
  return growth > -kSlowDecay / time * squares;
}

// Returns the rows that contradict others.
template <typename T>
std::span<const int> SolveMultipliers(
    const MultibodyTreeSystem<T>& core, const Context<T>& context,
    const StepInputs<T>& inputs, const ConstraintRegistry& registry,
    const MechanismScale& scale, StepScratch<T>* s, StepOutputs<T>* outputs) {
  PrepareSearch(core, context, registry, s);
  s->rows.Factorize(core.model(), core.EvalNodePositions(context),
                    s->articulated, inputs.is_locked);
  const int num_rows = s->rows.num_rows();
  s->row_velocities.resize(num_rows);
  s->row_demands.resize(num_rows);
  s->row_multipliers.resize(num_rows);
  const bool is_assembled =
      IsToBeAssembled(core, context, inputs, registry, scale, s);
  const auto& rows = is_assembled ? s->assembled.rows : s->rows;
  const double time = registry.stabilization_time;
  const double allowance =
      is_assembled
          ? CalcAssembledDemands(core, context, scale, time, outputs->vdot, s)
          : CalcDemands(core, context, scale, time, outputs->vdot, s);
  rows.Solve(s->row_demands, s->row_multipliers);
  for (int i = 0; i < s->rows.num_constraints(); ++i) {
    const int size = s->rows.constraint(i).num_rows();
    outputs->multipliers.segment(registry.compiled[s->rows.id(i)].first_row,
                                 size) =
        s->row_multipliers.segment(s->rows.first_row(i), size);
  }
  return rows.solve().FindInconsistentRows(s->row_demands, s->row_multipliers,
                                           allowance, kConsistencyTolerance);
}

}  // namespace

template <typename T>
void CalcContinuousAccelerations(const MultibodyTreeSystem<T>& core,
                                 const Context<T>& context,
                                 const StepInputs<T>& inputs,
                                 const ConstraintRegistry& registry,
                                 const ContactPart<T>& contact,
                                 StepScratch<T>* scratch,
                                 StepOutputs<T>* outputs) {
  StepScratch<T>& s = *scratch;
  VectorX<T>& vdot = outputs->vdot;
  s.tau = inputs.tau + outputs->tau_limit_rows;
  AddContactForces(core, context, contact, outputs);
  StartConstraints(core, context, registry, &s.rows, outputs);
  if (inputs.some_locked) {
    SetLockedInertia(inputs.is_locked, &s.diagonal);
  }
  const VectorX<T> none;
  SolveAccelerations<T>(
      core, context,
      CollectNodeForces(core, context, inputs, registry, *outputs, &s.F_nodes),
      inputs.some_locked ? s.diagonal : none, &s, &vdot);
  RequireFiniteAccelerations(core, context, vdot);
  if (inputs.some_locked) {
    ClearLockedEntries<T>(inputs.is_locked, vdot);
  }
  if (s.rows.num_rows() == 0) return;
  const MechanismScale scale(core, context, registry);
  std::span<const int> contradicting;
  try {
    contradicting =
        SolveMultipliers(core, context, inputs, registry, scale, &s, outputs);
  } catch (const RowError& error) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant '{}': at time {} the {} gives numbers that are not "
        "finite, or too large to compute with; give it ratios, lengths and "
        "offsets of the model's own size. ({})",
        core.GetSystemPathname(), ToDouble(context.get_time()),
        registry.compiled[s.rows.id(s.rows.FindConstraint(error.row()))].name,
        error.what()));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant '{}': at time {}: {}", core.GetSystemPathname(),
        ToDouble(context.get_time()), error.what()));
  }
  const bool is_open = scale.LargestError(s.rows) > kOpenError;
  if (is_open && (!contradicting.empty() ||
                  StaysOpen(scale, registry.stabilization_time, s))) {
    const ConstraintReach reach = RequireInReach(core, context, registry, &s);
    // A moving mechanism with errors may demand accelerations that no motion
    // gives at once.
    if (reach == ConstraintReach::kMet) contradicting = {};
  }
  RequireNone(core, context, registry, s.rows, contradicting);
  const auto positions = core.EvalPositions(context);
  if (s.rows.has_body_forces()) outputs->BeginBodyForces();
  s.rows.AddForces(positions.X_WB, s.row_multipliers, &outputs->F_BBo_W);
  s.rows.AddResponse(s.row_multipliers, &s.articulated.u);
  dynamics::CalcForwardDynamicsOutward<T>(core.model(), positions.nodes,
                                          s.articulated, &s.A, vdot);
  RequireFiniteAccelerations(core, context, vdot);
  if (inputs.some_locked) {
    ClearLockedEntries<T>(inputs.is_locked, vdot);
  }
}

#define WYVERN_INSTANTIATE(T)                       \
  template decltype(CalcContinuousAccelerations<T>) \
      CalcContinuousAccelerations<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
