#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/constraint_sets/constraint_set.h"

namespace wyvern::multibody {

/** Residual of a row of a ConstraintSet after an assembly. */
struct ConstraintResidual {
  std::string constraint;  // Name and number of the row.
  double error{};          // e, in the units of the row.
  bool is_met{};           // |e| is no more than the tolerance.
};

/** Report of CalcAssemblyQ(). */
struct AssemblyReport {
  /** True if |e| is at most the tolerance. */
  bool is_assembled{false};
  /** Number of steps that were tried. */
  int num_iterations{0};
  /** |e| of all rows together at the result. */
  double error_norm{0};
  std::vector<ConstraintResidual> residuals;  // By row.

  /** The rows that are not met, as "'loop' (row 3) by 0.12, ..."; empty if all
  are. */
  std::string DescribeUnmet() const;
};

/** The functions below, for a set that is read alone and a system of the
caller's: see ConstraintSet. Thread-safe, one system a thread. */
namespace shared {

/** Positions at which a set's constraints hold: of those the nearest to the
Context's, as weights measure it,

  minimize  sum_i weights_i xi_i²   subject to   e(q) = 0,

found by Levenberg's method down to e = 0, then along e = 0 towards the guess,
until no step of more than 1e-8 of the way is left or `max_iterations` are done,
and from there by full steps while they shrink, so that e is 0 to rounding;
where several are near, it is one of those. xi_i are changes of positions, and
of a quaternion the rotation vector of its turn in F, nv in all. A weight of 0
lets a position go: it changes as it must, that others need not. Contacts, which
hold no position, keep their point where it is along their normals; custom rows
whose errors are always 0 keep G xi = 0 step by step.

A guess that meets the constraints is returned as it is. Constraints may repeat
one another. Where steps end at errors that are not 0, others begin at places
around the guess. Quaternions need not be of unit length in the guess, and are
in what is found. Locked joints stay where they are.

@param context Holds the guess, and is left as it is; masses play no part.
@param set Bound to the plant.
@param[out] q nq: where |e| is least of what was seen; never more than at the
guess.
@param weights nv, finite, none negative; not all of them matter alike: only
their ratios do.
@param tolerance On |e|, all rows together.
@param report What was done and what was left, if not null.
@returns whether |e| <= tolerance.
@throws std::logic_error for a set that is not bound to `plant`, arguments of
the wrong sizes, or weights, a tolerance or a number of iterations that are
none.
@throws std::runtime_error if a quaternion of the guess is 0; for AutoDiffXd,
whose derivatives are those of the nearest point, if these do not settle: where
constraints bend too much between the guess and it. */
template <typename T>
bool CalcAssemblyQ(const internal::MultibodyTreeSystem<T>& plant,
                   const systems::Context<T>& context,
                   const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
                   EigenPtr<VectorX<T>> q,
                   const Eigen::Ref<const VectorX<double>>& weights,
                   double tolerance = 1e-12, int max_iterations = 100,
                   AssemblyReport* report = nullptr);

/** Velocities that meet the constraints at the Context's positions, nearest to
the Context's velocities:

  minimize  sum_i weights_i (v_i - v0_i)²   subject to   G(q) v = 0.

A weight of 0 lets a velocity go. Velocities that meet the constraints to
rounding are returned as they are; those of locked joints are 0. Allocates
nothing for double.
@param weights nv, as in CalcAssemblyQ().
@throws std::logic_error as CalcAssemblyQ() does. */
template <typename T>
void CalcAssemblyQDot(const internal::MultibodyTreeSystem<T>& plant,
                      const systems::Context<T>& context,
                      const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
                      EigenPtr<VectorX<T>> v,
                      const Eigen::Ref<const VectorX<double>>& weights);

}  // namespace shared

/** @name Given a pointer to a set
What is documented in namespace shared, with results in the set's own system,
which its force(), H(), G() and so on show.
@{ */
template <typename T>
bool CalcAssemblyQ(const internal::MultibodyTreeSystem<T>& plant,
                   const systems::Context<T>& context, ConstraintSet<T>* set,
                   EigenPtr<VectorX<T>> q,
                   const Eigen::Ref<const VectorX<double>>& weights,
                   double tolerance = 1e-12, int max_iterations = 100,
                   AssemblyReport* report = nullptr) {
  auto* own = OwnSystemOf(set, "CalcAssemblyQ");
  return shared::CalcAssemblyQ<T>(plant, context, *set, own, q, weights,
                                  tolerance, max_iterations, report);
}

template <typename T>
void CalcAssemblyQDot(const internal::MultibodyTreeSystem<T>& plant,
                      const systems::Context<T>& context, ConstraintSet<T>* set,
                      EigenPtr<VectorX<T>> v,
                      const Eigen::Ref<const VectorX<double>>& weights) {
  auto* own = OwnSystemOf(set, "CalcAssemblyQDot");
  shared::CalcAssemblyQDot<T>(plant, context, *set, own, v, weights);
}
/** @} */

}  // namespace wyvern::multibody
