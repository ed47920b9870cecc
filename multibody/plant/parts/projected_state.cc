#include "wyvern/multibody/plant/parts/projected_state.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/forward_dynamics_passes.h"
#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/plant/parts/call_named.h"
#include "wyvern/multibody/plant/parts/constraint_search.h"
#include "wyvern/multibody/plant/parts/mechanism_scale.h"
#include "wyvern/multibody/plant/step/discrete_step.h"
#include "wyvern/multibody/plant/step/position_rates.h"
#include "wyvern/multibody/plant/step/solve_accelerations.h"
#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/multibody/tree/articulated_inertias.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Newton's method on e(q) = 0 with steps that are least in the metric of M: dv
= -M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ e. N(q) dv moves q, halved until the largest error
falls. Then v -= M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ J v. The articulated-body factors give
M⁻¹. ConstraintRows gives the pseudoinverse, because it finds redundant rows.
Near a singular configuration the directions of rows depend on the errors
that are left. An error of d turns them by d / a from the mechanism's own
directions at the distance a. There Newton's method continues to rounding
errors, so that the projection of v does not remove motion of the mechanism.
Still closer, where that is not enough, v stays unchanged. */

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

constexpr double kProjectionTolerance = 1e-11;  // Relative.
constexpr int kMaxProjections = 100;
constexpr int kMaxHalvings = 30;
// Share of errors close to 0 that Newton's first step may leave.
constexpr double kCloseShare = 0.1;
// Typical relative rounding errors of a mechanism whose distance from the
// world's origin is at most kNearLengths times its length; and how much larger
// errors stop a projection.
constexpr double kRoundedError = 1e-14;
constexpr double kNearLengths = 10;
constexpr double kEnoughRounding = 10;
constexpr int kMaxRefinements = 4;

// Returns the relative errors that rounding of positions in the world leaves.
// The result is at most kOpenError / kEnoughRounding: where rounding leaves
// more, the constraints are reported as not met.
template <typename T>
double CalcRounding(const MechanismScale& scale, const ProjectedState<T>& s) {
  double farthest = 0;
  for (const dynamics::Pose<T>& X_WB : s.X_WB) {
    farthest = std::max(farthest, ToDouble(T(X_WB.p.squaredNorm())));
  }
  const double rounding =
      kRoundedError *
      std::max(1.0, std::sqrt(farthest) / (kNearLengths * scale.length()));
  return std::min(rounding, kOpenError / kEnoughRounding);
}

// One step of Newton's method; false if none lowers the error.
template <typename T>
bool Improve(const MultibodyTreeSystem<T>& core, const Context<T>& context,
             const ConstraintRegistry& registry, bool is_last, double* error,
             ProjectedState<T>* s) {
  FactorizeRows(core, context, 0, s);
  s->row_values = -s->rows.errors();
  CalcLeastChange(core.model(), s);
  CalcPositionRates<T>(core, context, s->q, s->dv, s->dq);
  double alpha = 1;
  for (int i = 0; i < kMaxHalvings; ++i, alpha /= 2) {
    s->q_trial = s->q + alpha * s->dq;
    dynamics::NormalizeQuaternions<T>(core.model(), s->q_trial);
    const double trial = MoveRowsTo(core, context, registry, s->q_trial, s);
    if (!is_last && !(trial < *error)) continue;
    *error = trial;
    s->q = s->q_trial;
    return true;
  }
  MoveRowsTo(core, context, registry, s->q, s);
  return false;
}

// Runs Newton's method from positions whose rows are factorized, down to
// rounding errors. Returns false, and restores the start, if no such positions
// are close.
template <typename T>
bool Refine(const MultibodyTreeSystem<T>& core, const Context<T>& context,
            const ConstraintRegistry& registry, double error,
            ProjectedState<T>* s) {
  const double rounding = CalcRounding({core, context, registry}, *s);
  for (int i = 0; i < kMaxRefinements; ++i) {
    s->row_values = -s->rows.errors();
    CalcLeastChange(core.model(), s);
    CalcPositionRates<T>(core, context, s->q, s->dv, s->dq);
    s->q_trial = s->q + s->dq;
    dynamics::NormalizeQuaternions<T>(core.model(), s->q_trial);
    const double trial = MoveRowsTo(core, context, registry, s->q_trial, s);
    const bool is_close = trial < kCloseShare * error || trial <= rounding;
    if (!is_close) {
      MoveRowsTo(core, context, registry, s->q, s);
      FactorizeRows(core, context, 0, s);
      return i > 0;
    }
    s->q = s->q_trial;
    FactorizeRows(core, context, 0, s);
    error = trial;
    if (error <= rounding) break;
  }
  return true;
}

template <typename T>
[[noreturn]] void ThrowUnmet(const MultibodyTreeSystem<T>& core,
                             const ConstraintRegistry& registry,
                             const MechanismScale& scale,
                             const ConstraintRows<T>& rows) {
  int worst = 0;
  double largest = 0;
  scale.VisitRows(rows, [&](int row, double unit) {
    const double error = std::abs(ToDouble(rows.errors()[row])) / unit;
    if (error >= largest) {
      largest = error;
      worst = row;
    }
  });
  throw std::runtime_error(fmt::format(
      "MultibodyPlant '{}': no positions were found at which all active "
      "constraints hold; the {} is off by {} m or rad. Start from positions "
      "that are closer, or see that the constraints can be met together.",
      core.GetSystemPathname(),
      registry.compiled[rows.id(rows.FindConstraint(worst))].name,
      std::abs(ToDouble(rows.errors()[worst]))));
}

}  // namespace

template <typename T>
double MoveRowsTo(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                  const ConstraintRegistry& registry, const VectorX<T>& q,
                  ProjectedState<T>* s) {
  const auto& parameters = core.EvalModelParameters(context);
  const auto& is_active = context.get_numeric_parameter(registry.is_active);
  dynamics::CalcPositionKinematics<T>(core.model(), parameters, q,
                                      &s->positions);
  dynamics::CalcBodyPoses<T>(core.model(), parameters, s->positions, &s->X_WB);
  s->rows.Clear();
  for (int i = 0; i < static_cast<int>(registry.compiled.size()); ++i) {
    const ConstraintRegistry::Compiled& compiled = registry.compiled[i];
    if (is_active[i] == 0 || !compiled.is_rigid()) continue;
    CallNamed(core, context, compiled,
              [&] { s->rows.Add(i, compiled.constraint, s->X_WB, q); });
  }
  return MechanismScale(core, context, registry).LargestError(s->rows);
}

template <typename T>
void FactorizeRows(const MultibodyTreeSystem<T>& core,
                   const Context<T>& context, double damping,
                   ProjectedState<T>* s) {
  const auto& parameters = core.EvalModelParameters(context);
  dynamics::CalcInertiasInWorld<T>(core.model(), parameters, s->positions,
                                   &s->inertias);
  CalcArticulatedInertias<T>(
      core, {core.model(), parameters, s->positions, s->inertias}, s->diagonal,
      &s->articulated);
  s->rows.Factorize(core.model(), s->positions, s->articulated, s->is_locked,
                    damping);
}

template <typename T>
void CalcLeastChange(const dynamics::Model& model, ProjectedState<T>* s) {
  s->lambda.resize(s->rows.num_rows());
  s->rows.Solve(s->row_values, s->lambda);
  s->articulated.u.setZero();
  s->rows.AddResponse(s->lambda, &s->articulated.u);
  dynamics::CalcForwardDynamicsOutward<T>(model, s->positions, s->articulated,
                                          &s->A, s->dv);
  ClearLockedEntries<T>(s->is_locked, s->dv);
}

template <typename T>
void ProjectVelocities(const MultibodyTreeSystem<T>& core,
                       const Context<T>& context, ProjectedState<T>* s) {
  dynamics::CalcVelocityKinematics<T>(core.model(),
                                      core.EvalModelParameters(context),
                                      s->positions, s->v, &s->velocities);
  s->row_velocities.resize(s->rows.num_rows());
  s->rows.CalcVelocities(core.model(), s->positions, s->velocities, s->v,
                         s->row_velocities);
  s->row_values = s->row_velocities;
  CalcLeastChange(core.model(), s);
  s->v -= s->dv;
}

template <typename T>
ProjectedState<T>::ProjectedState(const dynamics::Model& model)
    : positions(model),
      velocities(model),
      X_WB(model.num_bodies()),
      inertias(model.num_nodes()),
      articulated(model),
      is_locked(model.num_v, false),
      diagonal(VectorX<T>::Zero(model.num_v)),
      dv(VectorX<T>::Zero(model.num_v)),
      dq(VectorX<T>::Zero(model.num_q)),
      A(model.num_nodes(), Vector6<T>::Zero()) {}

template <typename T>
void CalcProjectedState(const MultibodyTreeSystem<T>& core,
                        const Context<T>& context,
                        const ConstraintRegistry& registry,
                        ProjectedState<T>* state) {
  ProjectedState<T>& s = *state;
  s.q = core.PositionsOf(context);
  s.v = core.VelocitiesOf(context);
  double error = MoveRowsTo(core, context, registry, s.q, &s);
  if (s.rows.num_rows() == 0) return;
  s.is_locked = core.EvalLockedVelocities(context).is_locked;
  SetLockedInertia(s.is_locked, &s.diagonal);
  const MechanismScale scale(core, context, registry);
  const double tolerance =
      std::max(kProjectionTolerance, kEnoughRounding * CalcRounding(scale, s));
  for (int i = 0; i < kMaxProjections && error > tolerance; ++i) {
    if (!Improve(core, context, registry, false, &error, &s)) break;
  }
  if (!(error <= tolerance)) ThrowUnmet(core, registry, scale, s.rows);
  if constexpr (!std::is_same_v<T, double>) {
    // One more Newton step leaves the values and computes their derivatives.
    Improve(core, context, registry, true, &error, &s);
  }
  FactorizeRows(core, context, 0, &s);
  if (s.rows.is_nearly_singular()) {
    Refine(core, context, registry, error, &s);
    s.rows.LeaveOutSingularRows();
  }
  ProjectVelocities(core, context, &s);
}

template <typename T>
bool FindAssembledState(const MultibodyTreeSystem<T>& core,
                        const Context<T>& context,
                        const ConstraintRegistry& registry,
                        ProjectedState<T>* state) {
  ProjectedState<T>& s = *state;
  s.q = core.PositionsOf(context);
  s.v = core.VelocitiesOf(context);
  const double error = MoveRowsTo(core, context, registry, s.q, &s);
  s.is_locked = core.EvalLockedVelocities(context).is_locked;
  SetLockedInertia(s.is_locked, &s.diagonal);
  FactorizeRows(core, context, 0, &s);
  if (!Refine(core, context, registry, error, &s)) return false;
  ProjectVelocities(core, context, &s);
  return true;
}

template <typename T>
void CalcConstraintRates(const MultibodyTreeSystem<T>& core,
                         const Context<T>& context,
                         const ConstraintRegistry& registry, VectorX<T>* errors,
                         VectorX<T>* velocities) {
  const auto positions = core.EvalPositions(context);
  const auto& is_active = context.get_numeric_parameter(registry.is_active);
  errors->setZero(registry.num_rows);
  velocities->setZero(registry.num_rows);
  Matrix6<T> all_F;
  for (int i = 0; i < static_cast<int>(registry.compiled.size()); ++i) {
    if (is_active[i] == 0) continue;
    const auto& constraint = registry.compiled[i].constraint;
    const int first = registry.compiled[i].first_row;
    const int rows = constraint.num_rows();
    auto F = all_F.leftCols(rows);
    CallNamed(core, context, registry.compiled[i], [&] {
      CalcConstraintErrors<T>(constraint, positions.X_WB,
                              core.PositionsOf(context),
                              errors->segment(first, rows));
      CalcUnitForces<T>(constraint, positions.X_WB, F);
    });
    CalcConstraintVelocities<T>(constraint, core.model(), positions.nodes,
                                core.EvalVelocities(context).nodes, F,
                                core.VelocitiesOf(context),
                                velocities->segment(first, rows));
  }
}

#define WYVERN_INSTANTIATE(T)                                     \
  template struct ProjectedState<T>;                              \
  template decltype(CalcProjectedState<T>) CalcProjectedState<T>; \
  template decltype(FindAssembledState<T>) FindAssembledState<T>; \
  template decltype(MoveRowsTo<T>) MoveRowsTo<T>;                 \
  template decltype(FactorizeRows<T>) FactorizeRows<T>;           \
  template decltype(CalcLeastChange<T>) CalcLeastChange<T>;       \
  template decltype(ProjectVelocities<T>) ProjectVelocities<T>;   \
  template decltype(CalcConstraintRates<T>) CalcConstraintRates<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
