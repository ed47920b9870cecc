#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Let u = S v̇ be prescribed. The unactuated part x = P v̇ is itself a
constrained system of the form that SolveConstrainedSystem...() solves:
  (P H P') x = -P (C + H S'u) + (G P')' lambda,   (G P') x = gamma - G S'u.
The relaxed problem has the KKT system of forward dynamics, with H + w S'S for H
and w S'u - P'P C for c. In both problems the equation of motion gives tau for
the actuated velocities. */

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using systems::Context;

namespace {

template <typename T>
void RequireActuation(const MultibodyTreeSystem<T>& plant,
                      const ConstraintSet<T>& set, std::string_view function) {
  set.RequireBound(plant, function);
  if (set.has_actuation_map()) return;
  throw std::logic_error(
      fmt::format("{}(): the ConstraintSet does not know what is actuated; "
                  "call its SetActuationMap() first.",
                  function));
}

template <typename T>
void RequireArguments(const MultibodyTreeSystem<T>& plant,
                      const ConstraintSet<T>& set, std::string_view function,
                      const Eigen::Ref<const VectorX<T>>& wish,
                      const EigenPtr<VectorX<T>>& vdot,
                      const EigenPtr<VectorX<T>>& tau,
                      const MultibodyForces<T>* forces) {
  RequireActuation(plant, set, function);
  internal::RequireSize(function, "the wanted acceleration", wish.size(),
                        plant.num_v());
  internal::RequireFinite(function, "the wanted acceleration", wish);
  internal::RequireResult<T>(function, "vdot", vdot, plant.num_v());
  internal::RequireResult<T>(function, "tau", tau, plant.num_v());
  if (forces != nullptr) forces->RequireSizeFor(plant.tree(), function);
}

// Allocates for a system of n velocities, if that is not done yet.
template <typename T>
void Reserve(int n, int num_rows, double consistency_tolerance,
             ActuationScratch<T>* s) {
  s->scratch.consistency_tolerance = consistency_tolerance;
  if (s->H.rows() == n && s->gamma.size() == num_rows) return;
  s->H.resize(n, n);
  s->G.resize(num_rows, n);
  s->c.resize(n);
  s->x.resize(n);
  s->gamma.resize(num_rows);
  s->lambda.resize(num_rows);
  s->scratch = ConstrainedSystemScratch<T>(n, num_rows);
  s->scratch.consistency_tolerance = consistency_tolerance;
}

// Collects the blocks of H, G, c and gamma of unactuated velocities, given the
// desired v̇ of the actuated ones. Unactuated entries of vdot are not read.
template <typename T>
void PickUnactuated(const ConstraintSet<T>& set,
                    const ConstrainedSystem<T>& system, const VectorX<T>& vdot,
                    ActuationScratch<T>* s) {
  const auto free = set.unactuated();
  const auto moved = set.actuated();
  s->gamma = system.gamma;
  s->scratch.gamma_sizes = system.scratch.gamma_sizes;
  for (int k : moved) {
    s->gamma -= system.G.col(k) * vdot[k];
    for (int r = 0; r < s->gamma.size(); ++r) {
      s->scratch.gamma_sizes[r] +=
          std::abs(ToDouble(system.G(r, k)) * ToDouble(vdot[k]));
    }
  }
  for (size_t i = 0; i < free.size(); ++i) {
    s->G.col(i) = system.G.col(free[i]);
    s->c[i] = -system.C[free[i]];
    for (int k : moved) s->c[i] -= system.H(free[i], k) * vdot[k];
    for (size_t j = 0; j < free.size(); ++j) {
      s->H(i, j) = system.H(free[i], free[j]);
    }
  }
}

// Computes x and lambda for the desired accelerations system->c, in
// system->exact.
template <typename T>
void SolveUnactuated(std::string_view function, const ConstraintSet<T>& set,
                     ConstrainedSystem<T>* system) {
  ActuationScratch<T>& a = system->exact;
  Reserve<T>(static_cast<int>(set.unactuated().size()), set.size(),
             system->scratch.consistency_tolerance, &a);
  PickUnactuated<T>(set, *system, system->c, &a);
  set.SolveInNameOf(function, [&] {
    SolveConstrainedSystemDirect<T>(a.H, a.G, a.c, a.gamma,
                                    LinearSolver::kSymmetric, &a.scratch, a.x,
                                    a.lambda);
  });
}

// Returns how many unactuated accelerations the rows determine, after the
// above.
template <typename T>
int CountRank(const ConstraintSet<T>& set, const ConstrainedSystem<T>& system) {
  return set.size() -
         static_cast<int>(system.exact.scratch.dependent_rows.size());
}

template <typename T>
void RequireAgreement(const ConstraintSet<T>& set,
                      const ConstrainedSystemScratch<T>& scratch) {
  if (scratch.inconsistent_rows.empty()) return;
  std::string labels;
  for (int row : scratch.inconsistent_rows) {
    labels += (labels.empty() ? "" : ", ") + set.GetRowLabel(row);
  }
  throw std::runtime_error(fmt::format(
      "InverseDynamicsConstraints(): no motion has the wanted accelerations of "
      "what is actuated and meets the constraints too: {}. Give accelerations "
      "that agree with them, or call InverseDynamicsConstraintsRelaxed().",
      labels));
}

// Computes tau of the actuated velocities by the equation of motion; v̇ is
// system.c.
template <typename T>
void SetResults(const ConstraintSet<T>& set, const ConstrainedSystem<T>& system,
                const EigenPtr<VectorX<T>>& vdot,
                const EigenPtr<VectorX<T>>& tau) {
  *vdot = system.c;
  *tau = system.C;
  tau->noalias() += system.H * system.c;
  tau->noalias() -= system.G.transpose() * system.force;
  for (int i : set.unactuated()) (*tau)[i] = 0;
}

// How many velocities are neither actuated nor locked: the constraints are to
// determine them.
template <typename T>
int CountFree(const MultibodyTreeSystem<T>& plant, const Context<T>& context,
              const ConstraintSet<T>& set) {
  const internal::LockedVelocities& locked =
      plant.EvalLockedVelocities(context);
  int count = 0;
  for (int i : set.unactuated()) count += locked.is_locked[i] ? 0 : 1;
  return count;
}

}  // namespace

namespace shared {

template <typename T>
bool IsConstrainedSystemFullyActuated(const MultibodyTreeSystem<T>& plant,
                                      const Context<T>& context,
                                      const ConstraintSet<T>& set,
                                      ConstrainedSystem<T>* system,
                                      const MultibodyForces<T>* forces) {
  constexpr std::string_view kFunction = "IsConstrainedSystemFullyActuated";
  RequireActuation(plant, set, kFunction);
  CalcConstrainedSystemVariables<T>(plant, context, set, system, forces);
  // Columns of locked velocities are 0, and count for nothing.
  const int num_free = CountFree(plant, context, set);
  if (set.size() < num_free) return false;
  if (num_free == 0) return true;
  system->c.setZero();
  SolveUnactuated<T>(kFunction, set, system);
  return CountRank(set, *system) == num_free;
}

template <typename T>
void InverseDynamicsConstraints(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& vdot_desired,
    const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
    EigenPtr<VectorX<T>> vdot, EigenPtr<VectorX<T>> tau,
    const MultibodyForces<T>* forces) {
  constexpr std::string_view kFunction = "InverseDynamicsConstraints";
  RequireArguments<T>(plant, set, kFunction, vdot_desired, vdot, tau, forces);
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, kFunction);
  NoteForceState<T>(plant, nullptr, &s);
  CalcConstrainedSystemVariables<T>(plant, context, set, system, forces);
  const auto free = set.unactuated();
  s.c = vdot_desired;
  internal::ClearLockedEntries<T>(plant.EvalLockedVelocities(context).is_locked,
                                  s.c);
  SolveUnactuated<T>(kFunction, set, &s);
  const int rank = CountRank(set, s);
  const int num_free = CountFree(plant, context, set);
  if (rank < num_free) {
    throw std::runtime_error(fmt::format(
        "{}(): the constraints determine {} of the {} accelerations that are "
        "not actuated; here the system is underactuated: call "
        "InverseDynamicsConstraintsRelaxed() instead.",
        kFunction, rank, num_free));
  }
  RequireAgreement<T>(set, s.exact.scratch);
  for (size_t i = 0; i < free.size(); ++i) s.c[free[i]] = s.exact.x[i];
  s.force = s.exact.lambda;
  SetResults<T>(set, s, vdot, tau);
  NoteForceState<T>(plant, &context, &s);
}

template <typename T>
void InverseDynamicsConstraintsRelaxed(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& vdot_control,
    const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
    EigenPtr<VectorX<T>> vdot, EigenPtr<VectorX<T>> tau,
    const MultibodyForces<T>* forces) {
  using std::abs;
  constexpr std::string_view kFunction = "InverseDynamicsConstraintsRelaxed";
  RequireArguments<T>(plant, set, kFunction, vdot_control, vdot, tau, forces);
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, kFunction);
  NoteForceState<T>(plant, nullptr, &s);
  CalcConstrainedSystemVariables<T>(plant, context, set, system, forces);
  ActuationScratch<T>& a = s.relaxed;
  const int nv = plant.num_v();
  Reserve<T>(nv, set.size(), s.scratch.consistency_tolerance, &a);
  T largest = 0;
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j <= i; ++j) {
      const T size = abs(s.H(i, j));
      if (size > largest) largest = size;
    }
  }
  const T w = 100.0 * largest;
  // The unknown is v̇ less the control. Otherwise w u - w v̇ would cancel, and
  // its rounding is large beside the forces where inertias are small.
  a.x = vdot_control;
  internal::ClearLockedEntries<T>(plant.EvalLockedVelocities(context).is_locked,
                                  a.x);
  for (int i : set.unactuated()) a.x[i] = 0;
  a.H = s.H;
  a.c = -s.C;
  for (int i : set.actuated()) {
    a.H(i, i) += w;
    a.c[i] = 0;  // C is compensated.
  }
  a.c.noalias() -= s.H * a.x;
  a.gamma = s.gamma;
  a.gamma.noalias() -= s.G * a.x;
  a.scratch.gamma_sizes = s.scratch.gamma_sizes;
  for (int k : set.actuated()) {
    for (int r = 0; r < set.size(); ++r) {
      a.scratch.gamma_sizes[r] +=
          std::abs(ToDouble(s.G(r, k)) * ToDouble(a.x[k]));
    }
  }
  set.SolveInNameOf(kFunction, [&] {
    SolveConstrainedSystemNullSpace<T>(a.H, s.G, a.c, a.gamma,
                                       LinearSolver::kSymmetric, &a.scratch,
                                       s.c, s.force);
  });
  s.c += a.x;
  s.scratch.dependent_rows = a.scratch.dependent_rows;
  s.scratch.inconsistent_rows = a.scratch.inconsistent_rows;
  set.RequireConsistent(s, kFunction);
  SetResults<T>(set, s, vdot, tau);
  NoteForceState<T>(plant, &context, &s);
}

#define WYVERN_INSTANTIATE(T)                                            \
  template bool IsConstrainedSystemFullyActuated(                        \
      const MultibodyTreeSystem<T>&, const Context<T>&,                  \
      const ConstraintSet<T>&, ConstrainedSystem<T>*,                    \
      const MultibodyForces<T>*);                                        \
  template void InverseDynamicsConstraints(                              \
      const MultibodyTreeSystem<T>&, const Context<T>&,                  \
      const Eigen::Ref<const VectorX<T>>&, const ConstraintSet<T>&,      \
      ConstrainedSystem<T>*, EigenPtr<VectorX<T>>, EigenPtr<VectorX<T>>, \
      const MultibodyForces<T>*);                                        \
  template void InverseDynamicsConstraintsRelaxed(                       \
      const MultibodyTreeSystem<T>&, const Context<T>&,                  \
      const Eigen::Ref<const VectorX<T>>&, const ConstraintSet<T>&,      \
      ConstrainedSystem<T>*, EigenPtr<VectorX<T>>, EigenPtr<VectorX<T>>, \
      const MultibodyForces<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace shared

}  // namespace wyvern::multibody
