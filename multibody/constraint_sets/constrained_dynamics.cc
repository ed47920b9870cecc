#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/forward_dynamics_passes.h"
#include "wyvern/multibody/dynamics/node_forces.h"
#include "wyvern/multibody/dynamics/singular_inertia.h"
#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* Each function is the same three things in turn: its arguments are checked,
the system's H, C, G and gamma are brought up to date with the Context, without
what is locked, and a method solves for accelerations, or velocities, and
multipliers (solve_constrained_system.h, or articulated bodies, here). The state
is noted last, so that after an error there are no multipliers to ask for. */

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using internal::RequireFinite;
using internal::RequireResult;
using internal::RequireSize;
using systems::Context;

namespace {

template <typename T>
void RequireWithoutGravity(std::string_view function,
                           const MultibodyTreeSystem<T>& plant,
                           const Context<T>& context,
                           const MultibodyForces<T>& forces) {
  if (!forces.has_gravity()) return;
  const Vector3<T> g_W = plant.tree().gravity_field().GetGravityVector(context);
  if ((g_W.array() == T(0)).all()) return;
  throw std::logic_error(fmt::format(
      "{}(): the MultibodyForces given have gravity in them, as from "
      "CalcForceElementsContribution(), and gravity acts without: it would "
      "act twice. Of these forces, give the plant's CalcGeneralizedForces() "
      "less CalcGravityGeneralizedForces() as tau instead.",
      function));
}

// The body forces as node forces; empty if there are none.
template <typename T>
std::span<const Vector6<T>> GatherForces(std::string_view function,
                                         const MultibodyTreeSystem<T>& plant,
                                         const Context<T>& context,
                                         const MultibodyForces<T>* forces,
                                         ConstrainedSystem<T>* system) {
  if (forces == nullptr) return {};
  forces->RequireSizeFor(plant.tree(), function);
  RequireWithoutGravity(function, plant, context, *forces);
  RequireFinite(function, "the generalized forces",
                forces->generalized_forces());
  for (const SpatialForce<T>& F : forces->body_forces()) {
    RequireFinite(function, "a body force", F.get_coeffs());
  }
  const auto positions = plant.EvalPositions(context);
  for (Vector6<T>& F : system->applied) F.setZero();
  for (BodyIndex body(1); body < plant.tree().num_bodies(); ++body) {
    const dynamics::MobodIndex b = plant.tree().model_body(body);
    dynamics::AddForceAtPoint<T>(
        plant.model(), positions.nodes, b, positions.X_WB[b].p,
        forces->body_forces()[body].get_coeffs(), &system->applied);
  }
  return system->applied;
}

template <typename T>
void UpdateBias(std::string_view function, const MultibodyTreeSystem<T>& plant,
                const Context<T>& context, const MultibodyForces<T>* forces,
                ConstrainedSystem<T>* s) {
  dynamics::CalcInverseDynamics<T>(
      plant.EvalMotion(context), s->zero_v,
      GatherForces(function, plant, context, forces, s), dynamics::Gravity::kOn,
      &s->inverse_dynamics, s->C);
  if (forces != nullptr) s->C -= forces->generalized_forces();
}

// H, C, G and gamma.
template <typename T>
void UpdateVariables(std::string_view function,
                     const MultibodyTreeSystem<T>& plant,
                     const Context<T>& context,
                     const MultibodyForces<T>* forces,
                     const ConstraintSet<T>& set, ConstrainedSystem<T>* s) {
  s->H = plant.EvalMassMatrix(context);
  UpdateBias<T>(function, plant, context, forces, s);
  set.UpdateJacobian(plant, context, s);
  set.UpdateGamma(plant, context, s);
  LeaveOutLocked<T>(plant, context, s);
}

enum class Method { kDirect, kRangeSpaceSparse, kNullSpace };

template <typename T>
void Solve(Method method, const dynamics::Model& model, LinearSolver solver,
           const Eigen::Ref<const VectorX<T>>& gamma, ConstrainedSystem<T>* s,
           Eigen::Ref<VectorX<T>> x, Eigen::Ref<VectorX<T>> lambda) {
  switch (method) {
    case Method::kDirect:
      SolveConstrainedSystemDirect<T>(s->H, s->G, s->c, gamma, solver,
                                      &s->scratch, x, lambda);
      return;
    case Method::kRangeSpaceSparse:
      SolveConstrainedSystemRangeSpaceSparse<T>(model, s->H, s->G, s->c, gamma,
                                                solver, &s->scratch, x, lambda);
      return;
    case Method::kNullSpace:
      SolveConstrainedSystemNullSpace<T>(s->H, s->G, s->c, gamma, solver,
                                         &s->scratch, x, lambda);
      return;
  }
}

template <typename T>
void ForwardDynamics(Method method, std::string_view function,
                     const MultibodyTreeSystem<T>& plant,
                     const Context<T>& context,
                     const Eigen::Ref<const VectorX<T>>& tau,
                     const MultibodyForces<T>* forces,
                     const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
                     const EigenPtr<VectorX<T>>& vdot) {
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, function);
  RequireSize(function, "tau", tau.size(), plant.num_v());
  RequireFinite(function, "tau", tau);
  RequireResult<T>(function, "the result", vdot, plant.num_v());
  NoteForceState<T>(plant, nullptr, &s);
  UpdateVariables<T>(function, plant, context, forces, set, &s);
  s.c = tau - s.C;
  LeaveOutLocked<T>(plant, context, &s);
  set.SolveInNameOf(function, [&] {
    Solve<T>(method, plant.model(), set.solver(), s.gamma, &s, *vdot, s.force);
  });
  set.RequireConsistent(s, function);
  NoteForceState<T>(plant, &context, &s);
}

template <typename T>
void Impulses(Method method, std::string_view function,
              const MultibodyTreeSystem<T>& plant, const Context<T>& context,
              const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
              const EigenPtr<VectorX<T>>& v_after) {
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, function);
  RequireResult<T>(function, "the result", v_after, plant.num_v());
  NoteImpulseState<T>(plant, nullptr, &s);
  s.H = plant.EvalMassMatrix(context);
  set.UpdateJacobian(plant, context, &s);
  s.c.noalias() = s.H * plant.VelocitiesOf(context);
  s.scratch.gamma_sizes.setZero();
  LeaveOutLocked<T>(plant, context, &s);
  set.SolveInNameOf(function, [&] {
    Solve<T>(method, plant.model(), set.solver(), set.v_plus(), &s, *v_after,
             s.impulse);
  });
  s.impulse = -s.impulse;
  set.RequireConsistent(s, function);
  NoteImpulseState<T>(plant, &context, &s);
}

// Returns whether no velocity feels one of the rows.
template <typename T>
bool HasRowOfZeros(const MatrixX<T>& G, VectorX<T>* sums) {
  sums->setZero();
  for (int k = 0; k < G.cols(); ++k) *sums += G.col(k).cwiseAbs();
  for (int r = 0; r < G.rows(); ++r) {
    if ((*sums)[r] == 0) return true;
  }
  return false;
}

/* With M = L D Lᵀ by articulated bodies, W of the rows (rows/factored_rows.h)
and u = D⁻¹ L⁻¹ tau of the unconstrained motion,
  W D⁻¹ Wᵀ lambda = gamma - W u,   v̇ = L⁻ᵀ (u + D⁻¹ Wᵀ lambda):
this takes one pass inward and one outward, with only short columns between
them.
@param applied Node forces; empty for none. The generalized forces are
system->c.
@returns false, without a result, if rows are nearly dependent, no velocity
feels one of them, or a joint has no inertia to move. */
template <typename T>
bool SolveByArticulatedBodies(const MultibodyTreeSystem<T>& plant,
                              const Context<T>& context,
                              std::span<const Vector6<T>> applied,
                              const ConstraintSet<T>& set,
                              ConstrainedSystem<T>* system,
                              Eigen::Ref<VectorX<T>> vdot) {
  const dynamics::Model& model = plant.model();
  const dynamics::Motion<T> motion = plant.EvalMotion(context);
  const auto& positions = motion.positions;
  ConstrainedSystem<T>& s = *system;
  const internal::RowPattern& pattern = set.pattern();
  const auto& [some_locked, is_locked] = plant.EvalLockedVelocities(context);
  internal::SetLockedInertia(is_locked, &s.locked_diagonal);
  set.UpdateJacobian(plant, context, &s);
  set.UpdateGamma(plant, context, &s);
  try {
    dynamics::CalcArticulatedInertias<T>(motion, s.locked_diagonal,
                                         &s.articulated);
  } catch (const dynamics::SingularInertia&) {
    return false;
  }
  dynamics::CalcForwardDynamicsInward<T>(
      motion, s.c, applied, dynamics::Gravity::kOn, &s.articulated);
  s.rows.Factorize(model, positions, s.articulated, is_locked, pattern, s.F);
  if (some_locked) internal::ClearLockedColumns(is_locked, &s.G);
  s.rows.CalcProducts(pattern, &s.scratch.K);
  s.rows.CalcValues(pattern, s.articulated.u, s.scratch.free);
  if (HasRowOfZeros<T>(s.G, &s.scratch.a) ||
      !SolveClearRows<T>(s.gamma, set.solver(), &s.scratch, s.force)) {
    return false;
  }
  s.rows.AddResponse(pattern, s.force, &s.articulated.u);
  dynamics::CalcForwardDynamicsOutward<T>(model, positions, s.articulated, &s.A,
                                          vdot);
  if (some_locked) internal::ClearLockedEntries<T>(is_locked, vdot);
  return true;
}

}  // namespace

namespace shared {

template <typename T>
void CalcConstraintsPositionError(const MultibodyTreeSystem<T>& plant,
                                  const Context<T>& context,
                                  const ConstraintSet<T>& set,
                                  ConstrainedSystem<T>* system,
                                  EigenPtr<VectorX<T>> error) {
  constexpr std::string_view kFunction = "CalcConstraintsPositionError";
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, kFunction);
  RequireResult<T>(kFunction, "the result", error, set.size());
  set.UpdatePositionError(plant, context, &s);
  *error = s.position_error;
}

template <typename T>
void CalcConstraintsJacobian(const MultibodyTreeSystem<T>& plant,
                             const Context<T>& context,
                             const ConstraintSet<T>& set,
                             ConstrainedSystem<T>* system,
                             EigenPtr<MatrixX<T>> G) {
  constexpr std::string_view kFunction = "CalcConstraintsJacobian";
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, kFunction);
  wyvern::internal::RequireNotNull(
      kFunction, "G", G,
      "pass a matrix, a row a constraint and a column a velocity");
  RequireSize(kFunction, "a column of G", G->rows(), set.size());
  RequireSize(kFunction, "a row of G", G->cols(), plant.num_v());
  set.UpdateJacobian(plant, context, &s);
  *G = s.G;
}

template <typename T>
void CalcConstraintsVelocityError(const MultibodyTreeSystem<T>& plant,
                                  const Context<T>& context,
                                  const ConstraintSet<T>& set,
                                  ConstrainedSystem<T>* system,
                                  EigenPtr<VectorX<T>> error) {
  constexpr std::string_view kFunction = "CalcConstraintsVelocityError";
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, kFunction);
  RequireResult<T>(kFunction, "the result", error, set.size());
  set.UpdateJacobian(plant, context, &s);
  set.UpdateVelocityError(plant, context, &s);
  *error = s.velocity_error;
}

template <typename T>
void CalcConstrainedSystemVariables(const MultibodyTreeSystem<T>& plant,
                                    const Context<T>& context,
                                    const ConstraintSet<T>& set,
                                    ConstrainedSystem<T>* system,
                                    const MultibodyForces<T>* forces) {
  constexpr std::string_view kFunction = "CalcConstrainedSystemVariables";
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, kFunction);
  UpdateVariables<T>(kFunction, plant, context, forces, set, &s);
}

template <typename T>
void ForwardDynamicsConstraintsDirect(const MultibodyTreeSystem<T>& plant,
                                      const Context<T>& context,
                                      const Eigen::Ref<const VectorX<T>>& tau,
                                      const ConstraintSet<T>& set,
                                      ConstrainedSystem<T>* system,
                                      EigenPtr<VectorX<T>> vdot,
                                      const MultibodyForces<T>* forces) {
  ForwardDynamics<T>(Method::kDirect, "ForwardDynamicsConstraintsDirect", plant,
                     context, tau, forces, set, system, vdot);
}

template <typename T>
void ForwardDynamicsConstraintsRangeSpaceSparse(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& tau, const ConstraintSet<T>& set,
    ConstrainedSystem<T>* system, EigenPtr<VectorX<T>> vdot,
    const MultibodyForces<T>* forces) {
  ForwardDynamics<T>(Method::kRangeSpaceSparse,
                     "ForwardDynamicsConstraintsRangeSpaceSparse", plant,
                     context, tau, forces, set, system, vdot);
}

template <typename T>
void ForwardDynamicsConstraintsNullSpace(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& tau, const ConstraintSet<T>& set,
    ConstrainedSystem<T>* system, EigenPtr<VectorX<T>> vdot,
    const MultibodyForces<T>* forces) {
  ForwardDynamics<T>(Method::kNullSpace, "ForwardDynamicsConstraintsNullSpace",
                     plant, context, tau, forces, set, system, vdot);
}

template <typename T>
void ForwardDynamicsContactsKokkevis(const MultibodyTreeSystem<T>& plant,
                                     const Context<T>& context,
                                     const Eigen::Ref<const VectorX<T>>& tau,
                                     const ConstraintSet<T>& set,
                                     ConstrainedSystem<T>* system,
                                     EigenPtr<VectorX<T>> vdot,
                                     const MultibodyForces<T>* forces) {
  constexpr std::string_view kFunction = "ForwardDynamicsContactsKokkevis";
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, kFunction);
  RequireSize(kFunction, "tau", tau.size(), plant.num_v());
  RequireFinite(kFunction, "tau", tau);
  RequireResult<T>(kFunction, "the result", vdot, plant.num_v());
  if (const Constraint<T>* custom = set.FindCustomConstraint()) {
    throw std::logic_error(fmt::format(
        "{}(): the forces on bodies of {} are not known, as it is a custom "
        "one; use another of the ForwardDynamicsConstraints functions.",
        kFunction, custom->Describe(&plant)));
  }
  NoteForceState<T>(plant, nullptr, &s);
  const auto applied = GatherForces(kFunction, plant, context, forces, &s);
  s.c = tau;
  if (forces != nullptr) s.c += forces->generalized_forces();
  bool is_solved = false;
  set.SolveInNameOf(kFunction, [&] {
    is_solved =
        SolveByArticulatedBodies<T>(plant, context, applied, set, &s, *vdot);
  });
  if (is_solved) {
    NoteForceState<T>(plant, &context, &s);
  } else {
    ForwardDynamics<T>(Method::kRangeSpaceSparse, kFunction, plant, context,
                       tau, forces, set, system, vdot);
  }
}

template <typename T>
void ComputeConstraintImpulsesDirect(const MultibodyTreeSystem<T>& plant,
                                     const Context<T>& context,
                                     const ConstraintSet<T>& set,
                                     ConstrainedSystem<T>* system,
                                     EigenPtr<VectorX<T>> v_after) {
  Impulses<T>(Method::kDirect, "ComputeConstraintImpulsesDirect", plant,
              context, set, system, v_after);
}

template <typename T>
void ComputeConstraintImpulsesRangeSpaceSparse(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
    EigenPtr<VectorX<T>> v_after) {
  Impulses<T>(Method::kRangeSpaceSparse,
              "ComputeConstraintImpulsesRangeSpaceSparse", plant, context, set,
              system, v_after);
}

template <typename T>
void ComputeConstraintImpulsesNullSpace(const MultibodyTreeSystem<T>& plant,
                                        const Context<T>& context,
                                        const ConstraintSet<T>& set,
                                        ConstrainedSystem<T>* system,
                                        EigenPtr<VectorX<T>> v_after) {
  Impulses<T>(Method::kNullSpace, "ComputeConstraintImpulsesNullSpace", plant,
              context, set, system, v_after);
}

#define WYVERN_INSTANTIATE(T)                                                  \
  template void CalcConstraintsPositionError(                                  \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const ConstraintSet<T>&, ConstrainedSystem<T>*, EigenPtr<VectorX<T>>);   \
  template void CalcConstraintsJacobian(                                       \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const ConstraintSet<T>&, ConstrainedSystem<T>*, EigenPtr<MatrixX<T>>);   \
  template void CalcConstraintsVelocityError(                                  \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const ConstraintSet<T>&, ConstrainedSystem<T>*, EigenPtr<VectorX<T>>);   \
  template void CalcConstrainedSystemVariables(                                \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const ConstraintSet<T>&, ConstrainedSystem<T>*,                          \
      const MultibodyForces<T>*);                                              \
  template void ForwardDynamicsConstraintsDirect(                              \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const Eigen::Ref<const VectorX<T>>&, const ConstraintSet<T>&,            \
      ConstrainedSystem<T>*, EigenPtr<VectorX<T>>, const MultibodyForces<T>*); \
  template void ForwardDynamicsConstraintsRangeSpaceSparse(                    \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const Eigen::Ref<const VectorX<T>>&, const ConstraintSet<T>&,            \
      ConstrainedSystem<T>*, EigenPtr<VectorX<T>>, const MultibodyForces<T>*); \
  template void ForwardDynamicsConstraintsNullSpace(                           \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const Eigen::Ref<const VectorX<T>>&, const ConstraintSet<T>&,            \
      ConstrainedSystem<T>*, EigenPtr<VectorX<T>>, const MultibodyForces<T>*); \
  template void ForwardDynamicsContactsKokkevis(                               \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const Eigen::Ref<const VectorX<T>>&, const ConstraintSet<T>&,            \
      ConstrainedSystem<T>*, EigenPtr<VectorX<T>>, const MultibodyForces<T>*); \
  template void ComputeConstraintImpulsesDirect(                               \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const ConstraintSet<T>&, ConstrainedSystem<T>*, EigenPtr<VectorX<T>>);   \
  template void ComputeConstraintImpulsesRangeSpaceSparse(                     \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const ConstraintSet<T>&, ConstrainedSystem<T>*, EigenPtr<VectorX<T>>);   \
  template void ComputeConstraintImpulsesNullSpace(                            \
      const MultibodyTreeSystem<T>&, const Context<T>&,                        \
      const ConstraintSet<T>&, ConstrainedSystem<T>*, EigenPtr<VectorX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace shared

}  // namespace wyvern::multibody
