// A soft row yields to what contradicts it, so a step always ends; this asks
// whether it ended well. Three questions, the cheap one first: are there
// impulses that leave a share of their rows' demands; are errors out of the
// range of J M⁻¹ Jᵀ, by the redundant solve of ConstraintRows; does the step
// lessen the errors, by where its positions end. Rows that fail all are named.
#include "wyvern/multibody/plant/parts/contradictions.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/algorithms/generalized_coordinates.h"
#include "wyvern/multibody/constraints/rows/locked_velocities.h"
#include "wyvern/multibody/plant/parts/discrete_step.h"
#include "wyvern/multibody/plant/parts/position_rates.h"
#include "wyvern/multibody/tree/articulated_inertias.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

// The smallest error that counts is kShare times this [m or rad].
constexpr double kErrorScale = 1e-3;
// Of the largest error: what must be out of the range for an alarm.
constexpr double kShare = 0.1;
// An error is lessened if a step leaves less of it; it should leave a half.
constexpr double kLeft = 0.999;

// Whether any rigid constraint's impulse leaves half of what would be an alarm:
// its rows share with others.
template <typename T>
bool SomeLeaveDemands(const ConstraintRegistry& registry,
                      const StepScratch<T>& scratch) {
  const StepProblem<T>& problem = scratch.problem;
  for (std::size_t i = 0; i < registry.compiled.size(); ++i) {
    const int c = scratch.constraint_index[i];
    if (c < 0 || !registry.compiled[i].is_rigid()) continue;
    const auto& constraint = problem.constraint(c);
    for (int row = 0; row < constraint.num_rows; ++row) {
      const double R =
          ExtractDoubleOrThrow(problem.row_law(constraint.law + row).R);
      const double left = R * std::abs(ExtractDoubleOrThrow(
                                  scratch.impulses[constraint.row + row]));
      const double demand = std::abs(
          ExtractDoubleOrThrow(problem.row_law(constraint.law + row).v_hat));
      const double smallest = kErrorScale / (2 * problem.dt());
      if (!(left <= kShare / 2 * std::max(demand, smallest))) return true;
    }
  }
  return false;
}

// The rows whose errors no motion can lessen.
template <typename T>
std::span<const int> FindUnreachable(const MultibodyTreeSystem<T>& core,
                                     const Context<T>& context,
                                     const ConstraintRegistry& registry,
                                     const std::vector<bool>& is_locked,
                                     StepScratch<T>* s) {
  const auto positions = core.EvalPositions(context);
  s->rows.Clear();
  for (std::size_t i = 0; i < registry.compiled.size(); ++i) {
    const ConstraintRegistry::Compiled& compiled = registry.compiled[i];
    if (s->constraint_index[i] < 0 || !compiled.is_rigid()) continue;
    s->rows.Add(static_cast<int>(i), compiled.constraint, positions.X_WB,
                core.PositionsOf(context));
  }
  if (s->rows.num_rows() == 0) return {};
  engine::SetLockedInertia(is_locked, &s->diagonal);
  CalcArticulatedInertias<T>(core, core.EvalConfiguration(context), s->diagonal,
                             &s->articulated);
  s->rows.Factorize(core.model(), positions.nodes, s->articulated, is_locked);
  s->row_multipliers.resize(s->rows.num_rows());
  s->rows.Solve(s->rows.errors(), s->row_multipliers);
  return s->rows.solve().FindInconsistentRows(
      s->rows.errors(), s->row_multipliers, kErrorScale, kShare);
}

// Whether the step lessens the errors of the constraints that rows are of.
template <typename T>
bool Lessens(const MultibodyTreeSystem<T>& core, const Context<T>& context,
             std::span<const int> found, const VectorX<T>& v_next,
             StepScratch<T>* s) {
  const engine::Model& model = core.model();
  if (s->next_X_WB.empty()) {
    s->next_q.resize(core.num_q());
    s->next_nodes = engine::PositionKinematics<T>(model);
    s->next_X_WB.resize(model.num_bodies());
  }
  const auto& parameters = core.EvalModelParameters(context);
  CalcNextPositions<T>(core, context, v_next, s->next_q);
  engine::CalcPositionKinematics<T>(model, parameters, s->next_q,
                                    &s->next_nodes);
  engine::CalcBodyPoses<T>(model, parameters, s->next_nodes, &s->next_X_WB);
  double before = 0, after = 0;
  Vector6<T> errors;
  for (const int row : found) {
    const int i = s->rows.FindConstraint(row);
    const engine::HolonomicConstraint& constraint = s->rows.constraint(i);
    engine::CalcConstraintErrors<T>(constraint, s->next_X_WB, s->next_q,
                                    errors.head(constraint.num_rows()));
    const double e0 = ExtractDoubleOrThrow(s->rows.errors()[row]);
    const double e1 = ExtractDoubleOrThrow(errors[row - s->rows.first_row(i)]);
    before = std::hypot(before, e0);
    after = std::hypot(after, e1);
  }
  return after < kLeft * before;
}

}  // namespace

template <typename T>
void RequireNone(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                 const ConstraintRegistry& registry,
                 const engine::ConstraintRows<T>& rows,
                 std::span<const int> contradicting) {
  if (contradicting.empty()) return;
  std::set<std::string> names;
  double largest = 0;
  for (const int row : contradicting) {
    names.insert(registry.compiled[rows.id(rows.FindConstraint(row))].name);
    largest =
        std::max(largest, std::abs(ExtractDoubleOrThrow(rows.errors()[row])));
  }
  throw std::runtime_error(fmt::format(
      "MultibodyPlant '{}': at time {}: these constraints, off by up to {}, "
      "demand what no motion gives, or contradict others: {}; remove or "
      "deactivate one of those that act on the same motion, or correct its "
      "dimensions.",
      core.GetSystemPathname(), ExtractDoubleOrThrow(context.get_time()),
      largest, fmt::join(names, ", ")));
}

template <typename T>
void RequireConstraintsMet(const MultibodyTreeSystem<T>& core,
                           const Context<T>& context,
                           const ConstraintRegistry& registry,
                           const StepInputs<T>& inputs,
                           const VectorX<T>* v_next, StepScratch<T>* scratch) {
  const bool is_solved = v_next != nullptr;
  if (is_solved && !SomeLeaveDemands(registry, *scratch)) return;
  const auto found =
      FindUnreachable(core, context, registry, inputs.is_locked, scratch);
  if (found.empty()) return;
  if (is_solved && Lessens(core, context, found, *v_next, scratch)) return;
  RequireNone(core, context, registry, scratch->rows, found);
}

template <typename T>
void CalcNextPositions(const MultibodyTreeSystem<T>& core,
                       const Context<T>& context, const VectorX<T>& v,
                       Eigen::Ref<VectorX<T>> q) {
  const auto q0 = core.PositionsOf(context);
  CalcPositionRates<T>(core, context, q0, v, q);
  q = q0 + core.time_step() * q;
  engine::NormalizeQuaternions<T>(core.model(), q);
}

#define WYVERN_INSTANTIATE(T)                                           \
  template decltype(RequireNone<T>) RequireNone<T>;                     \
  template decltype(RequireConstraintsMet<T>) RequireConstraintsMet<T>; \
  template decltype(CalcNextPositions<T>) CalcNextPositions<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
