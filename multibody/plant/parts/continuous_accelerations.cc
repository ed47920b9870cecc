#include "wyvern/multibody/plant/parts/continuous_accelerations.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/algorithms/node_forces.h"
#include "wyvern/multibody/plant/parts/call_named.h"
#include "wyvern/multibody/plant/parts/contradictions.h"
#include "wyvern/multibody/plant/parts/discrete_step.h"
#include "wyvern/multibody/plant/parts/solve_accelerations.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

// How far apart demands may be, relative to the largest.
constexpr double kConsistencyTolerance = 1e-4;

template <typename T>
void BeginBodyForces(const MultibodyTreeSystem<T>& core, DynamicsResult<T>* r) {
  if (r->has_constraint_forces) return;
  r->has_constraint_forces = true;
  r->F_constraints_BBo_W.assign(core.model().num_bodies(), Vector6<T>::Zero());
}

// Contact at the present state.
template <typename T>
void AddContactForces(const MultibodyTreeSystem<T>& core,
                      const Context<T>& context, const ContactPart<T>& contact,
                      DynamicsResult<T>* r) {
  r->contact_forces.clear();
  r->contact_velocities.clear();
  r->tau_contact.setZero();
  if (!contact.has_geometry()) return;
  for (const ContactPoint<T>& point : contact.EvalPoints(context)) {
    const Vector3<T> v = contact.CalcVelocity(context, point);
    ContactLaw<T> law = contact.MakeContinuousLaw(point, v);
    law.n0 = law.CalcImpulse(v)[2];  // Friction by the normal force now.
    r->contact_forces.push_back(law.CalcImpulse(v));
    r->contact_velocities.push_back(v);
  }
  if (r->contact_forces.empty()) return;
  BeginBodyForces(core, r);
  contact.AddForces(context, r->contact_forces, &r->F_constraints_BBo_W,
                    &r->tau_contact);
}

template <typename T>
void AddSpring(const MultibodyTreeSystem<T>& core, const Context<T>& context,
               const ConstraintRegistry::Compiled& spring,
               DynamicsResult<T>* r) {
  const auto positions = core.EvalPositions(context);
  const auto& constraint = spring.constraint;
  engine::ConstraintKinematics<T> kinematics;
  engine::CalcConstraintPosition<T>(constraint, positions.X_WB,
                                    core.PositionsOf(context), &kinematics);
  const T rate = engine::CalcConstraintVelocity<T>(
      constraint, core.model(), positions.nodes,
      core.EvalVelocities(context).nodes, positions.X_WB,
      core.VelocitiesOf(context))[0];
  const T force =
      -spring.stiffness * kinematics.error[0] - spring.damping * rate;
  BeginBodyForces(core, r);
  engine::AddForcePair<T>(constraint, kinematics.F.col(0) * force,
                          positions.X_WB, &r->F_constraints_BBo_W);
  r->multipliers[spring.first_row] = force;
  r->constraint_power += force * rate;
}

// Springs act at once; rigid constraints are put down for later.
template <typename T>
void StartConstraints(const MultibodyTreeSystem<T>& core,
                      const Context<T>& context,
                      const ConstraintRegistry& registry,
                      DynamicsResult<T>* r) {
  r->rows.Clear();
  r->multipliers.setZero();
  r->constraint_power = T(0);
  if (registry.compiled.empty()) return;
  const auto& is_active = context.get_numeric_parameter(registry.is_active);
  const auto& X_WB = core.EvalPositions(context).X_WB;
  for (int i = 0; i < static_cast<int>(registry.compiled.size()); ++i) {
    if (is_active[i] == 0) continue;
    const ConstraintRegistry::Compiled& compiled = registry.compiled[i];
    if (compiled.is_rigid()) {
      CallNamed(core, context, compiled, [&] {
        r->rows.Add(i, compiled.constraint, X_WB, core.PositionsOf(context));
      });
    } else {
      CallNamed(core, context, compiled,
                [&] { AddSpring(core, context, compiled, r); });
    }
  }
}

// All forces on nodes.
template <typename T>
std::span<const Vector6<T>> CollectNodeForces(
    const MultibodyTreeSystem<T>& core, const Context<T>& context,
    const AppliedForces<T>& applied, DynamicsResult<T>* r) {
  if (!r->has_constraint_forces) return NodeForces(applied);
  if (applied.has_body_forces) {
    r->F_nodes = applied.F_nodes;
  } else {
    r->F_nodes.assign(core.model().num_nodes(), Vector6<T>::Zero());
  }
  const auto positions = core.EvalPositions(context);
  engine::AddBodyForces<T>(core.model(), positions.X_WB, positions.nodes,
                           r->F_constraints_BBo_W, &r->F_nodes);
  return r->F_nodes;
}

template <typename T>
double LargestEntry(const Eigen::Ref<const VectorX<T>>& x) {
  double largest = 0;
  for (int i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(ExtractDoubleOrThrow(x[i])));
  }
  return largest;
}

// J v̇ + J̇ v becomes the demands; returns the largest of what these are made
// of, or of what an error of 1 would demand.
template <typename T>
double CalcDemands(const MultibodyTreeSystem<T>& core,
                   const Context<T>& context, double time,
                   DynamicsResult<T>* r) {
  const auto positions = core.EvalPositions(context);
  const auto& velocities = core.EvalVelocities(context).nodes;
  r->row_velocities.resize(r->rows.num_rows());
  r->row_demands.resize(r->rows.num_rows());
  r->rows.CalcVelocities(core.model(), positions.nodes, velocities,
                         positions.X_WB, core.VelocitiesOf(context),
                         r->row_velocities);
  r->rows.CalcAccelerations(core.model(), positions.nodes, velocities,
                            positions.X_WB, r->A, r->vdot, r->row_demands);
  const double rate = 1 / time;
  const double largest =
      std::max({LargestEntry<T>(r->row_demands),
                2 * rate * LargestEntry<T>(r->row_velocities), rate * rate});
  r->row_demands = -r->row_demands - 2 * rate * r->row_velocities -
                   rate * rate * r->rows.errors();
  return largest;
}

// Returns the rows that contradict others.
template <typename T>
std::span<const int> SolveMultipliers(const MultibodyTreeSystem<T>& core,
                                      const Context<T>& context,
                                      const ConstraintRegistry& registry,
                                      DynamicsResult<T>* r) {
  r->rows.Factorize(core.model(), core.EvalNodePositions(context),
                    r->articulated, r->is_locked);
  const double largest =
      CalcDemands(core, context, registry.stabilization_time, r);
  r->row_multipliers.resize(r->rows.num_rows());
  r->rows.Solve(r->row_demands, r->row_multipliers);
  r->constraint_power += r->row_multipliers.dot(r->row_velocities);
  for (int i = 0; i < r->rows.num_constraints(); ++i) {
    const int size = r->rows.constraint(i).num_rows();
    r->multipliers.segment(registry.compiled[r->rows.id(i)].first_row, size) =
        r->row_multipliers.segment(r->rows.first_row(i), size);
  }
  return r->rows.solve().FindInconsistentRows(
      r->row_demands, r->row_multipliers, largest, kConsistencyTolerance);
}

// What the constraint is called that a row is of.
template <typename T>
std::string NameOfRow(const ConstraintRegistry& registry,
                      const engine::ConstraintRows<T>& rows, int row) {
  int i = rows.num_constraints() - 1;
  while (i > 0 && rows.first_row(i) > row) --i;
  return registry.compiled[rows.id(i)].name;
}

template <typename T>
void ZeroLocked(DynamicsResult<T>* r) {
  for (int i = 0; i < r->vdot.size(); ++i) {
    if (r->is_locked[i]) r->vdot[i] = T(0);
  }
}

}  // namespace

template <typename T>
void CalcContinuousAccelerations(const MultibodyTreeSystem<T>& core,
                                 const Context<T>& context,
                                 const AppliedForces<T>& applied,
                                 const ConstraintRegistry& registry,
                                 const ContactPart<T>& contact,
                                 bool some_locked, DynamicsResult<T>* result) {
  DynamicsResult<T>& r = *result;
  r.has_constraint_forces = false;
  AddContactForces(core, context, contact, &r);
  StartConstraints(core, context, registry, &r);
  for (int i = 0; some_locked && i < core.num_v(); ++i) {
    r.diagonal[i] = T(r.is_locked[i] ? engine::kLockedInertia : 0.0);
  }
  const VectorX<T> none;
  SolveAccelerations<T>(core, context,
                        CollectNodeForces(core, context, applied, &r),
                        some_locked ? r.diagonal : none, &r);
  RequireFiniteAccelerations(core, context, r.vdot);
  if (some_locked) ZeroLocked(&r);
  if (r.rows.num_rows() == 0) return;
  std::span<const int> contradicting;
  try {
    contradicting = SolveMultipliers(core, context, registry, &r);
  } catch (const engine::RowError& error) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant '{}': at time {} the {} gives numbers that are not "
        "finite, or too large to compute with; give it ratios, lengths and "
        "offsets of the model's own size. ({})",
        core.GetSystemPathname(), ExtractDoubleOrThrow(context.get_time()),
        NameOfRow(registry, r.rows, error.row()), error.what()));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant '{}': at time {}: {}", core.GetSystemPathname(),
        ExtractDoubleOrThrow(context.get_time()), error.what()));
  }
  RequireNone(core, context, registry, r.rows, contradicting);
  const auto positions = core.EvalPositions(context);
  if (r.rows.has_body_forces()) BeginBodyForces(core, &r);
  r.rows.AddForces(positions.X_WB, r.row_multipliers, &r.F_constraints_BBo_W,
                   r.tau);
  engine::CalcForwardDynamics<T>(
      core.model(), core.EvalModelParameters(context), positions.nodes,
      core.EvalInertias(context), core.EvalVelocities(context).nodes, r.tau,
      CollectNodeForces(core, context, applied, &r), engine::Gravity::kOn,
      &r.articulated, &r.A, r.vdot);
  RequireFiniteAccelerations(core, context, r.vdot);
  if (some_locked) ZeroLocked(&r);
}

#define WYVERN_INSTANTIATE(T)                                    \
  template void CalcContinuousAccelerations(                     \
      const MultibodyTreeSystem<T>&, const systems::Context<T>&, \
      const AppliedForces<T>&, const ConstraintRegistry&,        \
      const ContactPart<T>&, bool, DynamicsResult<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
