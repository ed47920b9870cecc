#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/constraint_sets/constraint_set.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Evaluates a bound set at a Context's state into a ConstrainedSystem: unit
forces F of contacts and loops, G from these, errors, gamma. Each group works
on rows of its own, which are then copied to their numbers in the set; custom
constraints write their rows of G themselves. The file also answers questions
about one group, and throws errors in the name of a row. */

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using math::RigidTransform;
using systems::Context;

namespace {

// Writes the values of a group to the group's rows of the result.
template <typename T>
void Scatter(const std::vector<int>& rows,
             const Eigen::Ref<const VectorX<T>>& values, VectorX<T>* result) {
  for (int i = 0; i < values.size(); ++i) (*result)[rows[i]] = values[i];
}

// See ConstrainedSystem::row_sizes.
template <typename T>
Vector2<double> CalcSizes(const Vector6<T>& F, double reach) {
  const Vector6<double> values = ToDouble(F);
  const double force = values.tail<3>().norm();
  return {values.head<3>().norm() + reach * force, force};
}

// Returns how fast velocity k turns the outboard bodies, and an upper bound for
// how fast it moves a point at Wo that turns along.
template <typename T>
Vector2<double> CalcColumnSizes(
    const dynamics::Model& model,
    const dynamics::PositionKinematics<T>& positions, int k) {
  const auto length = [](const T* x) {
    const double a = ToDouble(x[0]), b = ToDouble(x[1]), c = ToDouble(x[2]);
    return std::sqrt(a * a + b * b + c * c);
  };
  const T* const H = positions.H.data() + 6 * k;
  const int tree = model.nodes[model.node_of_v[k]].tree;
  const double turn = length(H);
  const double shift = length(H + 3);
  if (turn == 0) return {0, shift};
  return {turn, shift + turn * length(positions.p_WO[tree].data())};
}

// Returns the same speeds for all velocities together.
template <typename T>
Vector2<double> CalcSpeeds(const MultibodyTreeSystem<T>& plant,
                           const Context<T>& context) {
  const auto& positions = plant.EvalNodePositions(context);
  const auto v = plant.VelocitiesOf(context);
  Vector2<double> speeds(0, 0);
  for (int k = 0; k < plant.num_v(); ++k) {
    speeds += std::abs(ToDouble(v[k])) *
              CalcColumnSizes<T>(plant.model(), positions, k);
  }
  return speeds;
}

// Sets entries of G that are rounding of their terms to 0, so that a row which
// no velocity feels is a row of zeros in every frame. An entry is H'F about a
// tree's origin O; the moment there is a sum of moments about Wo.
template <typename T>
void ClearRounding(const dynamics::Model& model,
                   const dynamics::PositionKinematics<T>& positions,
                   const Eigen::Matrix2Xd& row_sizes, MatrixX<T>* G) {
  // Relative rounding errors of poses at the end of long chains.
  constexpr double kShare = 2e-14;
  for (int k = 0; k < G->cols(); ++k) {
    const Vector2<double> sizes =
        kShare * CalcColumnSizes<T>(model, positions, k);
    for (int r = 0; r < G->rows(); ++r) {
      const double rounding =
          sizes[0] * row_sizes(0, r) + sizes[1] * row_sizes(1, r);
      T& entry = (*G)(r, k);
      const double value = ToDouble(entry);
      entry -= std::abs(value) < rounding ? value : 0;
    }
  }
}

}  // namespace

template <typename T>
void ConstraintSet<T>::RequireBound(const MultibodyTreeSystem<T>& plant,
                                    std::string_view function) const {
  if (plant_ == &plant) return;
  throw std::logic_error(fmt::format(
      "{}(): the ConstraintSet is {}; call its Bind() with this plant first.",
      function, is_bound() ? "bound to another plant" : "not bound"));
}

template <typename T>
void ConstraintSet<T>::RequireReady(const MultibodyTreeSystem<T>& plant,
                                    const Context<T>& context,
                                    std::string_view function) const {
  RequireBound(plant, function);
  plant.ValidateContext(context);
  const auto require = [&](std::string_view what,
                           const Eigen::Ref<const VectorX<T>>& values) {
    const int i = internal::FindNotFinite<T>(values);
    if (i < 0) return;
    throw std::runtime_error(fmt::format(
        "{}(): entry {} of the Context's {} is {}; a state that is finite is "
        "wanted.",
        function, i, what, ToDouble(values[i])));
  };
  require("positions", plant.PositionsOf(context));
  require("velocities", plant.VelocitiesOf(context));
}

template <typename T>
void ConstraintSet<T>::RequireSizeOf(const ConstrainedSystem<T>& system,
                                     std::string_view function) const {
  const int nv = plant_->num_v();
  if (system.G.rows() == size() && system.G.cols() == nv &&
      system.A_bias.size() == own_.A_bias.size() &&
      system.group_F.cols() == own_.group_F.cols()) {
    return;
  }
  throw std::logic_error(fmt::format(
      "{}(): the ConstrainedSystem given is for {} rows on {} velocities, and "
      "is not of the set given, which has {} rows on {}; give what the set's "
      "MakeSystem() made.",
      function, system.G.rows(), system.G.cols(), size(), nv));
}

template <typename T>
ConstrainedSystem<T>& ConstraintSet<T>::RequireReady(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    ConstrainedSystem<T>* system, std::string_view function) const {
  RequireReady(plant, context, function);
  ConstrainedSystem<T>& s = internal::Deref(system, function);
  RequireSizeOf(s, function);
  s.scratch.consistency_tolerance = consistency_tolerance_;
  return s;
}

template <typename T>
void ConstraintSet<T>::UpdateJacobian(const MultibodyTreeSystem<T>& plant,
                                      const Context<T>& context,
                                      ConstrainedSystem<T>* system,
                                      internal::RowRates rates) const {
  for (const Group& group : groups_) {
    if (group.pair == nullptr) continue;
    auto F = system->group_F.leftCols(group.pair->size());
    group.pair->CalcUnitForces(plant, context, F, rates);
    const double reach = group.pair->CalcReach(plant, context);
    for (int i = 0; i < F.cols(); ++i) {
      system->F.col(group.rows[i]) = F.col(i);
      system->row_sizes.col(group.rows[i]) = CalcSizes<T>(F.col(i), reach);
    }
  }
  MatrixX<T>& G = system->G;
  G.setZero();
  internal::AddJacobianRows<T>(plant.model(), plant.EvalNodePositions(context),
                               pattern_, system->F, &G);
  ClearRounding<T>(plant.model(), plant.EvalNodePositions(context),
                   system->row_sizes, &G);
  for (const Group& group : groups_) {
    if (group.pair != nullptr) continue;
    group.constraint->CalcJacobian(
        plant, context,
        G.middleRows(group.rows.front(), group.constraint->size()));
  }
}

template <typename T>
void ConstraintSet<T>::UpdatePositionError(const MultibodyTreeSystem<T>& plant,
                                           const Context<T>& context,
                                           ConstrainedSystem<T>* system) const {
  for (const Group& group : groups_) {
    auto error = system->group_rows.head(group.constraint->size());
    group.constraint->CalcPositionError(plant, context, error);
    Scatter<T>(group.rows, error, &system->position_error);
  }
}

template <typename T>
void ConstraintSet<T>::UpdateVelocityError(const MultibodyTreeSystem<T>& plant,
                                           const Context<T>& context,
                                           ConstrainedSystem<T>* system) const {
  for (const Group& group : groups_) {
    const int n = group.constraint->size();
    auto error = system->group_rows.head(n);
    if (group.pair == nullptr) {
      error.noalias() = system->G.middleRows(group.rows.front(), n) *
                        plant.VelocitiesOf(context);
    } else {
      auto F = system->group_F.leftCols(n);
      for (int i = 0; i < n; ++i) F.col(i) = system->F.col(group.rows[i]);
      group.pair->CalcVelocities(plant, context, F, error);
    }
    Scatter<T>(group.rows, error, &system->velocity_error);
  }
}

template <typename T>
void ConstraintSet<T>::UpdateGamma(const MultibodyTreeSystem<T>& plant,
                                   const Context<T>& context,
                                   ConstrainedSystem<T>* system) const {
  dynamics::CalcBiasAccelerations<T>(
      plant.model(), plant.EvalVelocities(context).nodes, &system->A_bias);
  bool is_stabilized = false;
  for (const Group& group : groups_) {
    is_stabilized |= group.baumgarte.is_enabled;
    auto gamma = system->group_rows.head(group.constraint->size());
    if (group.pair == nullptr) {
      group.constraint->CalcGamma(plant, context, gamma);
    } else {
      group.pair->CalcGammaFromBias(plant, context, system->A_bias, gamma);
    }
    Scatter<T>(group.rows, gamma, &system->gamma);
  }
  // Terms of Ġ v are products of an angular velocity and a velocity.
  const Vector2<double> speeds = CalcSpeeds(plant, context);
  VectorX<double>& sizes = system->scratch.gamma_sizes;
  sizes.noalias() = speeds[0] * (system->row_sizes.transpose() * speeds);
  if (!is_stabilized) return;
  UpdatePositionError(plant, context, system);
  UpdateVelocityError(plant, context, system);
  for (const Group& group : groups_) {
    if (!group.baumgarte.is_enabled) continue;
    const double rate = 1 / group.baumgarte.time_constant;
    for (int r : group.rows) {
      system->gamma[r] += internal::CalcStabilization<T>(
          rate, system->position_error[r], system->velocity_error[r]);
      // Errors are differences of lengths of this size.
      sizes[r] += rate * rate * system->row_sizes(0, r) +
                  2 * rate * system->row_sizes.col(r).dot(speeds);
    }
  }
}

template <typename T>
void ConstraintSet<T>::CalcPositionError(int group,
                                         const MultibodyTreeSystem<T>& plant,
                                         const Context<T>& context,
                                         EigenPtr<VectorX<T>> error) const {
  constexpr std::string_view kFunction = "ConstraintSet::CalcPositionError";
  RequireReady(plant, context, kFunction);
  const Group& entry = GetGroup(group, "CalcPositionError");
  internal::RequireResult<T>(kFunction, "the result", error,
                             entry.constraint->size());
  entry.constraint->CalcPositionError(plant, context, *error);
}

template <typename T>
void ConstraintSet<T>::CalcVelocityError(int group,
                                         const MultibodyTreeSystem<T>& plant,
                                         const Context<T>& context,
                                         EigenPtr<VectorX<T>> error) const {
  constexpr std::string_view kFunction = "ConstraintSet::CalcVelocityError";
  RequireReady(plant, context, kFunction);
  const Group& entry = GetGroup(group, "CalcVelocityError");
  const int n = entry.constraint->size();
  internal::RequireResult<T>(kFunction, "the result", error, n);
  MatrixX<T> G(n, plant.num_v());
  entry.constraint->CalcJacobian(plant, context, G);
  *error = G * plant.VelocitiesOf(context);
}

template <typename T>
void ConstraintSet<T>::CalcMultiplierForces(
    std::string_view function, const ConstrainedSystem<T>& system, int group,
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const VectorX<T>& multipliers, double sign, const NotedState& state,
    bool in_world, std::vector<BodyIndex>* bodies,
    std::vector<RigidTransform<T>>* frames,
    std::vector<SpatialForce<T>>* forces) const {
  const std::string name = fmt::format("ConstraintSet::{}", function);
  RequireReady(plant, context, name);
  const Group& entry = GetGroup(group, function);
  RequireSizeOf(system, name);
  internal::Deref(bodies, name);
  internal::Deref(frames, name);
  internal::Deref(forces, name);
  RequireStateOfMultipliers(function, plant, context, state);
  VectorX<T> own(entry.constraint->size());
  for (int i = 0; i < own.size(); ++i) {
    own[i] = sign * multipliers[entry.rows[i]];
  }
  entry.constraint->CalcSpatialForces(plant, context, own, in_world, bodies,
                                      frames, forces);
}

template <typename T>
void ConstraintSet<T>::RequireStateOfMultipliers(
    std::string_view function, const MultibodyTreeSystem<T>& plant,
    const Context<T>& context, const NotedState& state) const {
  const bool are_forces = function == "CalcForces";
  const std::string_view wanted =
      are_forces ? "a ForwardDynamics... or InverseDynamics... function"
                 : "a ComputeConstraintImpulses... function";
  const int size = plant.num_q() + (are_forces ? plant.num_v() : 0);
  if (!state.is_known) {
    throw std::logic_error(fmt::format(
        "ConstraintSet::{}(): there are no multipliers yet; call {} first.",
        function, wanted));
  }
  const VectorX<T>& x = plant.StateVector(context);
  for (int i = 0; i < size; ++i) {
    const double now = ToDouble(x[i]);
    if (now == state.x[i]) continue;
    const bool is_q = i < plant.num_q();
    throw std::logic_error(fmt::format(
        "ConstraintSet::{}(): {} {} is {} now, and was {} when the multipliers "
        "were computed; call {} with this Context first.",
        function, is_q ? "position" : "velocity", is_q ? i : i - plant.num_q(),
        now, state.x[i], wanted));
  }
}

template <typename T>
void ConstraintSet<T>::CalcForcesOf(
    const ConstrainedSystem<T>& system, int group,
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    std::vector<BodyIndex>* bodies, std::vector<RigidTransform<T>>* frames,
    std::vector<SpatialForce<T>>* forces, bool in_world) const {
  CalcMultiplierForces("CalcForces", system, group, plant, context,
                       system.force, 1, system.force_state, in_world, bodies,
                       frames, forces);
}

template <typename T>
void ConstraintSet<T>::CalcImpulsesOf(
    const ConstrainedSystem<T>& system, int group,
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    std::vector<BodyIndex>* bodies, std::vector<RigidTransform<T>>* frames,
    std::vector<SpatialForce<T>>* impulses, bool in_world) const {
  CalcMultiplierForces("CalcImpulses", system, group, plant, context,
                       system.impulse, -1, system.impulse_state, in_world,
                       bodies, frames, impulses);
}

template <typename T>
void ConstraintSet<T>::ThrowOfRow(std::string_view function,
                                  const internal::RowError& error) const {
  throw std::runtime_error(fmt::format(
      "{}(): {} gives numbers that are not finite, or too large to compute "
      "with; give it directions and equations of the model's own size. ({})",
      function, GetRowLabel(error.row()), error.what()));
}

template <typename T>
void ConstraintSet<T>::RequireConsistent(const ConstrainedSystem<T>& system,
                                         std::string_view function) const {
  const std::vector<int>& rows = system.scratch.inconsistent_rows;
  if (rows.empty()) return;
  std::string labels;
  for (int row : rows) {
    labels += (labels.empty() ? "" : ", ") + GetRowLabel(row);
  }
  throw std::runtime_error(fmt::format(
      "{}(): the constraints contradict one another, so that no motion meets "
      "them all: {}. Remove one of these, or give them what agrees.",
      function, labels));
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::ConstraintSet);

}  // namespace wyvern::multibody
