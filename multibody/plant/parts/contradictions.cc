#include "wyvern/multibody/plant/parts/contradictions.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/plant/parts/mechanism_scale.h"
#include "wyvern/multibody/plant/step/discrete_step.h"
#include "wyvern/multibody/plant/step/position_rates.h"
#include "wyvern/multibody/step/rows/holonomic_constraint.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* A soft row yields to contradicting rows, so a step always ends; this file
decides whether it ended well. It asks three questions, the cheapest first.
Is an error larger than steps usually leave? Does the step reduce the errors,
judged by its final positions? Does a search find positions without errors?
Errors and motions are relative: see MechanismScale. */

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

// A step reduces errors if less than this share of them remains; half should
// remain.
constexpr double kLeft = 0.999;
// A step that moves a joint between a constraint's ends this far cannot reduce
// errors above kFarOff: rows are linear, and positions are not.
constexpr double kLongWay = 0.3;
constexpr double kFarOff = 0.01;

// Calls visit(compiled, errors) for each rigid constraint of the step.
template <typename T, typename Visit>
void VisitErrors(const ConstraintRegistry& registry, const StepScratch<T>& s,
                 Visit&& visit) {
  for (std::size_t i = 0; i < registry.compiled.size(); ++i) {
    const ConstraintRegistry::Compiled& compiled = registry.compiled[i];
    if (s.constraint_index[i] < 0 || !compiled.is_rigid()) continue;
    visit(compiled, s.constraint_errors.segment(
                        compiled.first_row, compiled.constraint.num_rows()));
  }
}

// Returns whether the step reduces the errors.
template <typename T>
bool Lessens(const MultibodyTreeSystem<T>& core, const Context<T>& context,
             const ConstraintRegistry& registry, const MechanismScale& scale,
             const VectorX<T>& v_next, StepScratch<T>* s) {
  const dynamics::Model& model = core.model();
  const auto& parameters = core.EvalModelParameters(context);
  CalcNextPositions<T>(core, context, s->problem.dt(), v_next, s->next_q);
  dynamics::CalcPositionKinematics<T>(model, parameters, s->next_q,
                                      &s->next_nodes);
  dynamics::CalcBodyPoses<T>(model, parameters, s->next_nodes, &s->next_X_WB);
  double before = 0, after = 0;
  Vector6<T> next;
  VisitErrors(registry, *s, [&](const auto& compiled, const auto& errors) {
    CalcConstraintErrors<T>(compiled.constraint, s->next_X_WB, s->next_q,
                            next.head(errors.size()));
    for (int i = 0; i < errors.size(); ++i) {
      const double unit = scale.of_error(compiled.constraint, i);
      before = std::hypot(before, ToDouble(errors[i]) / unit);
      after = std::hypot(after, ToDouble(next[i]) / unit);
    }
  });
  return after < kLeft * before;
}

// Calls visit(i) for each velocity that moves the two ends of a constraint
// relative to each other.
template <typename Visit>
void VisitVelocitiesBetweenEnds(const dynamics::Model& model,
                                const HolonomicConstraint& constraint,
                                Visit&& visit) {
  if (constraint.kind == HolonomicConstraint::Kind::kCoupler) {
    for (const int i : constraint.v) visit(i);
    return;
  }
  // Inboard bodies have lower indices, so that the two paths meet.
  dynamics::MobodIndex a = constraint.body_A, b = constraint.body_B;
  while (a != b) {
    dynamics::MobodIndex& outer = a < b ? b : a;
    const dynamics::Model::Body& body = model.bodies[outer];
    for (int i = 0; i < body.nv; ++i) visit(body.v_start + i);
    outer = body.parent;
  }
}

// Throws if a step that does not reduce a large error takes a joint between the
// constraint's ends so far that the next steps will not reduce it either. Each
// of them would add energy. Other joints may be fast, such as wheels beside a
// rod that a load pulls open.
template <typename T>
void RequireShortWay(const MultibodyTreeSystem<T>& core,
                     const Context<T>& context,
                     const ConstraintRegistry& registry,
                     const MechanismScale& scale, const VectorX<T>& v_next,
                     const StepScratch<T>& scratch) {
  const dynamics::Model& model = core.model();
  const auto way = [&](int i) {
    return scratch.problem.dt() * std::abs(ToDouble(v_next[i])) /
           scale.of_velocity(i);
  };
  const ConstraintRegistry::Compiled* worst = nullptr;
  double largest = kFarOff, largest_error = 0;
  int fastest = -1;
  VisitErrors(registry, scratch, [&](const auto& compiled, const auto& errors) {
    const double error = scale.LargestOf(compiled.constraint, errors);
    if (!(error > kFarOff)) return;
    if (error > largest) {
      largest = error;
      largest_error = ToDouble(T(errors.cwiseAbs().maxCoeff()));
      worst = &compiled;
    }
    VisitVelocitiesBetweenEnds(model, compiled.constraint, [&](int i) {
      if (way(i) < kLongWay) return;
      if (fastest < 0 || way(i) > way(fastest)) fastest = i;
    });
  });
  if (fastest < 0) return;
  const dynamics::MobodIndex body = model.nodes[model.node_of_v[fastest]].body;
  throw std::runtime_error(fmt::format(
      "MultibodyPlant '{}': the step from time {} does not reduce the error of "
      "the {}, {}, although it moves joint '{}' by {:.3g} m or rad: the start "
      "is too far off for steps of {} s. Start closer to where the constraint "
      "holds, as ProjectOntoConstraints() does, or take a shorter time step.",
      core.GetSystemPathname(), ToDouble(context.get_time()), worst->name,
      largest_error, core.tree().inboard_joints()[body]->name(),
      way(fastest) * scale.of_velocity(fastest), scratch.problem.dt()));
}

}  // namespace

template <typename T>
void RequireNone(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                 const ConstraintRegistry& registry,
                 const ConstraintRows<T>& rows,
                 std::span<const int> contradicting) {
  if (contradicting.empty()) return;
  std::set<std::string> names;
  double largest = 0;
  for (const int row : contradicting) {
    names.insert(registry.compiled[rows.id(rows.FindConstraint(row))].name);
    largest = std::max(largest, std::abs(ToDouble(rows.errors()[row])));
  }
  ThrowContradiction(core, context, largest, names);
}

template <typename T>
void PrepareSearch(const MultibodyTreeSystem<T>& core,
                   const Context<T>& context,
                   const ConstraintRegistry& registry,
                   StepScratch<T>* scratch) {
  if (!scratch->assembled.X_WB.empty()) return;
  const dynamics::Model& model = core.model();
  scratch->next_q.resize(core.num_q());
  scratch->next_nodes = dynamics::PositionKinematics<T>(model);
  scratch->next_X_WB.resize(model.num_bodies());
  ProjectedState<T>& state = scratch->assembled;
  state = ProjectedState<T>(model);
  state.q = state.q_trial = state.q_best = core.PositionsOf(context);
  state.v = core.VelocitiesOf(context);
  MoveRowsTo(core, context, registry, state.q, &state);
  if (state.rows.num_rows() == 0) return;
  FactorizeRows(core, context, 0, &state);
  state.row_velocities = state.row_values = -state.rows.errors();
  CalcLeastChange(model, &state);
}

template <typename T>
void RequireConstraintsMet(const MultibodyTreeSystem<T>& core,
                           const Context<T>& context,
                           const ConstraintRegistry& registry,
                           const VectorX<T>* v_next, StepScratch<T>* scratch) {
  if (registry.compiled.empty()) return;
  PrepareSearch(core, context, registry, scratch);
  const MechanismScale scale(core, context, registry);
  double largest = 0;
  VisitErrors(
      registry, *scratch, [&](const auto& compiled, const auto& errors) {
        largest =
            std::max(largest, scale.LargestOf(compiled.constraint, errors));
      });
  if (largest <= kOpenError) return;
  if (v_next != nullptr &&
      Lessens(core, context, registry, scale, *v_next, scratch)) {
    return;
  }
  RequireInReach(core, context, registry, scratch);
  if (v_next != nullptr) {
    RequireShortWay(core, context, registry, scale, *v_next, *scratch);
  }
}

template <typename T>
ConstraintReach RequireInReach(const MultibodyTreeSystem<T>& core,
                               const Context<T>& context,
                               const ConstraintRegistry& registry,
                               StepScratch<T>* scratch) {
  ConstraintReach reach = ConstraintReach::kUndecided;
  try {
    reach = SearchConstraints(core, context, registry, &scratch->assembled);
  } catch (const std::runtime_error&) {
    // A search may end in gimbal lock, or where a distance has no direction.
    return reach;
  }
  if (reach == ConstraintReach::kOutOfReach) {
    ThrowOutOfReach(core, context, registry, scratch->assembled);
  }
  return reach;
}

template <typename T>
std::string DescribeOpenConstraint(const MultibodyTreeSystem<T>& core,
                                   const Context<T>& context,
                                   const ConstraintRegistry& registry,
                                   const StepScratch<T>& scratch) {
  const MechanismScale scale(core, context, registry);
  double largest = kOpenError;
  std::string result;
  VisitErrors(registry, scratch, [&](const auto& compiled, const auto& errors) {
    const double error = scale.LargestOf(compiled.constraint, errors);
    if (!(error > largest)) return;
    largest = error;
    result = fmt::format(
        " At its start the {} is off by {}: start closer to where it holds.",
        compiled.name, ToDouble(T(errors.cwiseAbs().maxCoeff())));
  });
  return result;
}

template <typename T>
void CalcNextPositions(const MultibodyTreeSystem<T>& core,
                       const Context<T>& context, double dt,
                       const VectorX<T>& v, Eigen::Ref<VectorX<T>> q) {
  const auto q0 = core.PositionsOf(context);
  CalcPositionRates<T>(core, context, q0, v, q);
  q = q0 + dt * q;
  dynamics::NormalizeQuaternions<T>(core.model(), q);
}

#define WYVERN_INSTANTIATE(T)                                             \
  template decltype(RequireNone<T>) RequireNone<T>;                       \
  template decltype(RequireConstraintsMet<T>) RequireConstraintsMet<T>;   \
  template decltype(PrepareSearch<T>) PrepareSearch<T>;                   \
  template decltype(RequireInReach<T>) RequireInReach<T>;                 \
  template decltype(DescribeOpenConstraint<T>) DescribeOpenConstraint<T>; \
  template decltype(CalcNextPositions<T>) CalcNextPositions<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
