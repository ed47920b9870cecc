#include "wyvern/multibody/constraints/constrained_inverse_dynamics.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/QR>

#include "wyvern/multibody/constraints/constrained_dynamics.h"
#include "wyvern/multibody/constraints/locked_columns.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

/* With u = S v̇ prescribed, what is not actuated, x = P v̇, is itself a
constrained system of the forms that SolveConstrainedSystem...() solves:
  (P H P') x = -P (C + H S'u) + (G P')' lambda,   (G P') x = gamma - G S'u.
The relaxed problem has the KKT system of forward dynamics, with H + w S'S for H
and w S'u - C for c; then tau = w S'(u - S v̇). */

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using systems::Context;

namespace {

constexpr double kRankTolerance = 3e-6;

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
  internal::RequireEntries(function, "the wanted acceleration", wish.size(),
                           plant.num_v());
  internal::RequireFiniteEntries(function, "the wanted acceleration", wish);
  internal::RequireResult<T>(function, "vdot", vdot, plant.num_v());
  internal::RequireResult<T>(function, "tau", tau, plant.num_v());
  if (forces != nullptr) forces->RequireSizeFor(plant.tree(), function);
}

// Room for a system of n velocities, if it is not there yet.
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
  s->scratch = ConstrainedSystemScratch<T>(n, num_rows);
  s->scratch.consistency_tolerance = consistency_tolerance;
}

// vdot is what is wanted, of which the unactuated part is not read.
template <typename T>
void PickUnactuated(const ConstraintSet<T>& set, const VectorX<T>& vdot,
                    ActuationScratch<T>* s) {
  const ConstrainedSystem<T>& system = set.system();
  const auto free = set.unactuated();
  const auto moved = set.actuated();
  s->gamma = system.gamma;
  for (int k : moved) s->gamma -= system.G.col(k) * vdot[k];
  for (size_t i = 0; i < free.size(); ++i) {
    s->G.col(i) = system.G.col(free[i]);
    s->c[i] = -system.C[free[i]];
    for (int k : moved) s->c[i] -= system.H(free[i], k) * vdot[k];
    for (size_t j = 0; j < free.size(); ++j) {
      s->H(i, j) = system.H(free[i], free[j]);
    }
  }
}

template <typename T>
void ThrowIfContradicted(const ConstraintSet<T>& set,
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

template <typename T>
bool IsConstrainedSystemFullyActuated(const MultibodyTreeSystem<T>& plant,
                                      const Context<T>& context,
                                      ConstraintSet<T>* set,
                                      const MultibodyForces<T>* forces) {
  constexpr std::string_view kFunction = "IsConstrainedSystemFullyActuated";
  RequireActuation(plant, internal::Deref(set, kFunction), kFunction);
  CalcConstrainedSystemVariables<T>(plant, context, set, forces);
  // Columns of locked velocities are 0, and count for nothing.
  const auto free = set->unactuated();
  const int n = CountFree(plant, context, *set);
  if (set->size() < n) return false;
  if (n == 0) return true;
  MatrixX<double> GP(set->size(), free.size());
  for (int k = 0; k < GP.cols(); ++k) {
    const double mass = ExtractDoubleOrThrow(set->H()(free[k], free[k]));
    for (int r = 0; r < GP.rows(); ++r) {
      GP(r, k) = ExtractDoubleOrThrow(set->G()(r, free[k])) / std::sqrt(mass);
    }
  }
  for (int r = 0; r < GP.rows(); ++r) {
    const double norm = GP.row(r).norm();
    if (norm > 0) GP.row(r) /= norm;
  }
  Eigen::FullPivHouseholderQR<MatrixX<double>> qr;
  qr.setThreshold(kRankTolerance);
  qr.compute(GP);
  return qr.rank() == n;
}

template <typename T>
void InverseDynamicsConstraints(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& vdot_desired, ConstraintSet<T>* set,
    EigenPtr<VectorX<T>> vdot, EigenPtr<VectorX<T>> tau,
    const MultibodyForces<T>* forces) {
  constexpr std::string_view kFunction = "InverseDynamicsConstraints";
  RequireArguments<T>(plant, internal::Deref(set, kFunction), kFunction,
                      vdot_desired, vdot, tau, forces);
  set->NoteForceState(plant, nullptr);
  CalcConstrainedSystemVariables<T>(plant, context, set, forces);
  ConstrainedSystem<T>& system = set->mutable_system();
  ActuationScratch<T>& s = system.exact;
  const auto free = set->unactuated();
  const int n = static_cast<int>(free.size());
  Reserve<T>(n, set->size(), system.scratch.consistency_tolerance, &s);
  const internal::LockedVelocities& locked =
      plant.EvalLockedVelocities(context);
  system.c = vdot_desired;
  internal::ClearLockedEntries<T>(locked, system.c);
  PickUnactuated<T>(*set, system.c, &s);
  set->SolveInNameOf(kFunction, [&] {
    SolveConstrainedSystemDirect<T>(s.H, s.G, s.c, s.gamma,
                                    LinearSolver::kSymmetric, &s.scratch, s.x,
                                    system.force);
  });
  const int rank =
      set->size() - static_cast<int>(s.scratch.dependent_rows.size());
  const int num_free = CountFree(plant, context, *set);
  if (rank < num_free) {
    throw std::runtime_error(fmt::format(
        "{}(): the constraints determine {} of the {} accelerations that are "
        "not actuated; here the system is underactuated: call "
        "InverseDynamicsConstraintsRelaxed() instead.",
        kFunction, rank, num_free));
  }
  ThrowIfContradicted<T>(*set, s.scratch);
  for (int i = 0; i < n; ++i) system.c[free[i]] = s.x[i];
  *vdot = system.c;
  *tau = system.C;
  tau->noalias() += system.H * system.c;
  tau->noalias() -= system.G.transpose() * system.force;
  for (int i : free) (*tau)[i] = 0;
  set->NoteForceState(plant, &context);
}

template <typename T>
void InverseDynamicsConstraintsRelaxed(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& vdot_control, ConstraintSet<T>* set,
    EigenPtr<VectorX<T>> vdot, EigenPtr<VectorX<T>> tau,
    const MultibodyForces<T>* forces) {
  using std::abs;
  constexpr std::string_view kFunction = "InverseDynamicsConstraintsRelaxed";
  RequireArguments<T>(plant, internal::Deref(set, kFunction), kFunction,
                      vdot_control, vdot, tau, forces);
  set->NoteForceState(plant, nullptr);
  CalcConstrainedSystemVariables<T>(plant, context, set, forces);
  ConstrainedSystem<T>& system = set->mutable_system();
  ActuationScratch<T>& s = system.relaxed;
  const int nv = plant.num_v();
  Reserve<T>(nv, set->size(), system.scratch.consistency_tolerance, &s);
  T largest = 0;
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j <= i; ++j) {
      const T size = abs(system.H(i, j));
      if (size > largest) largest = size;
    }
  }
  const T w = 100.0 * largest;
  s.H = system.H;
  s.c = -system.C;
  s.x = vdot_control;
  internal::ClearLockedEntries<T>(plant.EvalLockedVelocities(context), s.x);
  for (int i : set->actuated()) {
    s.H(i, i) += w;
    s.c[i] = w * s.x[i];  // w u - C.
  }
  set->SolveInNameOf(kFunction, [&] {
    SolveConstrainedSystemNullSpace<T>(s.H, system.G, s.c, system.gamma,
                                       LinearSolver::kSymmetric, &s.scratch,
                                       system.c, system.force);
  });
  system.scratch.dependent_rows = s.scratch.dependent_rows;
  system.scratch.inconsistent_rows = s.scratch.inconsistent_rows;
  set->ThrowIfInconsistent(kFunction);
  tau->setZero();
  for (int i : set->actuated()) {
    (*tau)[i] = w * (s.x[i] - system.c[i]) + system.C[i];
  }
  *vdot = system.c;
  set->NoteForceState(plant, &context);
}

#define WYVERN_INSTANTIATE(T)                                                 \
  template bool IsConstrainedSystemFullyActuated(                             \
      const MultibodyTreeSystem<T>&, const Context<T>&, ConstraintSet<T>*,    \
      const MultibodyForces<T>*);                                             \
  template void InverseDynamicsConstraints(                                   \
      const MultibodyTreeSystem<T>&, const Context<T>&,                       \
      const Eigen::Ref<const VectorX<T>>&, ConstraintSet<T>*,                 \
      EigenPtr<VectorX<T>>, EigenPtr<VectorX<T>>, const MultibodyForces<T>*); \
  template void InverseDynamicsConstraintsRelaxed(                            \
      const MultibodyTreeSystem<T>&, const Context<T>&,                       \
      const Eigen::Ref<const VectorX<T>>&, ConstraintSet<T>*,                 \
      EigenPtr<VectorX<T>>, EigenPtr<VectorX<T>>, const MultibodyForces<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
