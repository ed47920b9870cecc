#include "wyvern/multibody/plant/parts/constraint_search.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/plant/parts/mechanism_scale.h"
#include "wyvern/multibody/plant/step/discrete_step.h"
#include "wyvern/multibody/plant/step/position_rates.h"
#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Minimizes the sum of squared errors, phi(q) = |e|², by steps
  dv = -M⁻¹ Jᵀ (J M⁻¹ Jᵀ + mu k I)⁻¹ e,   k the largest entry of the
  diagonal,
(Levenberg 1944, Marquardt 1963). The factor mu falls while steps lower phi,
and rises otherwise. A step stops at joints' limits; velocities that would
pass them are locked for this step. If phi no longer falls, the best
positions are shaken to leave points where only the slope is 0. If phi
returns to the same value each time, no motion meets the constraints. Errors
and motions are relative: see MechanismScale. */

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

constexpr double kFirstDamping = 1e-3;
constexpr double kLeastDamping = 1e-10;
constexpr double kMostDamping = 1e6;
constexpr double kDampingFactor = 5;
// A step makes no progress if it lowers phi by less than this share and is not
// short because of its damping.
constexpr double kStalledShare = 1e-4;
constexpr double kStalledDamping = 10;
constexpr int kMaxStalledSteps = 4;
constexpr int kMaxSteps = 100;
// Positions beyond this bound have too few digits to search from.
constexpr double kLargestPosition = 1e6;
// Amplitude of the shaking, number of attempts, and the share of phi that
// counts as progress.
constexpr double kShake = 0.3;
constexpr int kMaxShakes = 6;
constexpr int kShakesWithoutEffect = 3;
constexpr double kWayOut = 0.02;
// Constraints with an error above this share of the largest error are named.
constexpr double kNamedShare = 0.1;

template <typename T>
double SquaredErrors(const MechanismScale& scale, const ProjectedState<T>& s) {
  double sum = 0;
  scale.VisitRows(s.rows, [&](int row, double unit) {
    const double e = ToDouble(s.rows.errors()[row]) / unit;
    sum += e * e;
  });
  return sum;
}

// Limits may bend by this much, because they are springs.
constexpr double kLimitSlack = 0.01;

// Calls visit(joint, q, v, lower, upper) for joints that have a limit.
template <typename T, typename Visit>
void VisitLimits(const MultibodyTreeSystem<T>& core,
                 const MechanismScale& scale, Visit&& visit) {
  for (const Joint<T>* joint : core.tree().joints().elements()) {
    if (joint->num_positions() != 1 || joint->num_velocities() != 1) continue;
    const double lower = joint->position_lower_limits()[0];
    const double upper = joint->position_upper_limits()[0];
    if (std::isinf(lower) && std::isinf(upper)) continue;
    const int v = joint->velocity_start();
    const double slack = kLimitSlack * scale.of_velocity(v);
    visit(*joint, joint->position_start(), v, lower - slack, upper + slack);
  }
}

template <typename T>
void StayInLimits(const MultibodyTreeSystem<T>& core,
                  const MechanismScale& scale, VectorX<T>* q) {
  VisitLimits(core, scale,
              [&](const auto&, int i, int, double lower, double upper) {
                if ((*q)[i] < lower) (*q)[i] = T(lower);
                if ((*q)[i] > upper) (*q)[i] = T(upper);
              });
}

// A single search.
template <typename T>
class Descent {
 public:
  Descent(const MultibodyTreeSystem<T>& core, const Context<T>& context,
          const ConstraintRegistry& registry, const MechanismScale& scale,
          ProjectedState<T>* state)
      : core_(core),
        context_(context),
        registry_(registry),
        scale_(scale),
        s_(*state) {}

  // Updates rows and phi at s.q.
  double Start() {
    StayInLimits(core_, scale_, &s_.q);
    largest_ = MoveRowsTo(core_, context_, registry_, s_.q, &s_);
    return SquaredErrors(scale_, s_);
  }
  bool is_met() const { return largest_ <= kOpenError; }

  // Moves s.q until phi no longer falls.
  void Run(double* phi) {
    double damping = kFirstDamping;
    int stalled = 0;
    for (int i = 0; i < kMaxSteps && !is_met(); ++i) {
      CalcStep(damping);
      s_.q_trial = s_.q + s_.dq;
      dynamics::NormalizeQuaternions<T>(core_.model(), s_.q_trial);
      StayInLimits(core_, scale_, &s_.q_trial);
      const double largest =
          MoveRowsTo(core_, context_, registry_, s_.q_trial, &s_);
      const double trial = SquaredErrors(scale_, s_);
      if (trial < *phi) {
        const bool is_full_step = damping <= kStalledDamping;
        const bool is_stalled = trial > (1 - kStalledShare) * *phi;
        stalled = is_full_step && is_stalled ? stalled + 1 : 0;
        s_.q = s_.q_trial;
        *phi = trial;
        largest_ = largest;
        if (stalled == kMaxStalledSteps) return;
        damping = std::max(damping / kDampingFactor, kLeastDamping);
        continue;
      }
      MoveRowsTo(core_, context_, registry_, s_.q, &s_);
      damping *= kDampingFactor;
      if (damping > kMostDamping) return;
    }
  }

 private:
  // Computes s.dq, for joints that are not at their limits.
  void CalcStep(double damping) {
    s_.is_locked = core_.EvalLockedVelocities(context_).is_locked;
    bool is_blocked = true;
    for (int i = 0; is_blocked && i <= core_.num_v(); ++i) {
      SetLockedInertia(s_.is_locked, &s_.diagonal);
      FactorizeRows(core_, context_, damping, &s_);
      s_.row_values = -s_.rows.errors();
      CalcLeastChange(core_.model(), &s_);
      is_blocked = false;
      VisitLimits(core_, scale_,
                  [&](const auto&, int q, int v, double lower, double upper) {
                    if (s_.is_locked[v]) return;
                    const bool is_out = (s_.dv[v] < 0 && s_.q[q] <= lower) ||
                                        (s_.dv[v] > 0 && s_.q[q] >= upper);
                    if (is_out) s_.is_locked[v] = true;
                    is_blocked = is_blocked || is_out;
                  });
    }
    CalcPositionRates<T>(core_, context_, s_.q, s_.dv, s_.dq);
  }

  const MultibodyTreeSystem<T>& core_;
  const Context<T>& context_;
  const ConstraintRegistry& registry_;
  const MechanismScale& scale_;
  ProjectedState<T>& s_;
  double largest_{};
};

// Shakes the best positions. The same best positions always give the same
// places.
template <typename T>
void Shake(const MultibodyTreeSystem<T>& core, const Context<T>& context,
           const MechanismScale& scale, int times, ProjectedState<T>* s) {
  const std::vector<bool>& is_locked =
      core.EvalLockedVelocities(context).is_locked;
  for (int i = 0; i < core.num_v(); ++i) {
    s->dv[i] = is_locked[i]
                   ? T(0)
                   : T(kShake * scale.of_velocity(i) *
                       std::sin(1 + 2.4 * i + (1.7 + 0.6 * i) * times));
  }
  CalcPositionRates<T>(core, context, s->q, s->dv, s->dq);
  s->q += s->dq;
  dynamics::NormalizeQuaternions<T>(core.model(), s->q);
}

}  // namespace

template <typename T>
ConstraintReach SearchConstraints(const MultibodyTreeSystem<T>& core,
                                  const Context<T>& context,
                                  const ConstraintRegistry& registry,
                                  ProjectedState<T>* state) {
  ProjectedState<T>& s = *state;
  const MechanismScale scale(core, context, registry);
  Descent<T> descent(core, context, registry, scale, &s);
  s.q = core.PositionsOf(context);
  if (!(scale.LargestPosition(s.q) < kLargestPosition)) {
    return ConstraintReach::kUndecided;
  }
  double phi = descent.Start();
  descent.Run(&phi);
  if (descent.is_met()) return ConstraintReach::kMet;
  s.q_best = s.q;
  int without_effect = 0;
  for (int i = 0; i < kMaxShakes && without_effect < kShakesWithoutEffect;
       ++i) {
    Shake(core, context, scale, i, &s);
    double trial = descent.Start();
    descent.Run(&trial);
    if (descent.is_met()) return ConstraintReach::kMet;
    ++without_effect;
    if (trial < (1 - kWayOut) * phi) without_effect = 0;
    if (trial < phi) {
      phi = trial;
      s.q_best = s.q;
    }
    s.q = s.q_best;
  }
  descent.Start();
  return without_effect == kShakesWithoutEffect ? ConstraintReach::kOutOfReach
                                                : ConstraintReach::kUndecided;
}

template <typename T>
void ThrowOutOfReach(const MultibodyTreeSystem<T>& core,
                     const Context<T>& context,
                     const ConstraintRegistry& registry,
                     const ProjectedState<T>& state) {
  const auto& rows = state.rows;
  const MechanismScale scale(core, context, registry);
  const double largest_relative = scale.LargestError(rows);
  double largest = 0;
  std::set<std::string> names;
  scale.VisitRows(rows, [&](int row, double unit) {
    const double error = std::abs(ToDouble(rows.errors()[row]));
    largest = std::max(largest, error);
    if (error >= kNamedShare * largest_relative * unit) {
      names.insert(registry.compiled[rows.id(rows.FindConstraint(row))].name);
    }
  });
  std::set<std::string> limits;
  VisitLimits(core, scale,
              [&](const auto& joint, int q, int, double lower, double upper) {
                if (state.q[q] <= lower || state.q[q] >= upper)
                  limits.insert(joint.name());
              });
  ThrowContradiction(
      core, context, largest, names,
      limits.empty() ? ""
                     : fmt::format(" Joints at their limits are in the way: "
                                   "'{}'.",
                                   fmt::join(limits, "', '")));
}

template <typename T>
void ThrowContradiction(const MultibodyTreeSystem<T>& core,
                        const Context<T>& context, double largest_error,
                        const std::set<std::string>& names,
                        const std::string& remark) {
  throw std::runtime_error(fmt::format(
      "MultibodyPlant '{}': at time {}: these constraints, off by up to {}, "
      "demand what no motion gives, or contradict others: {}; remove or "
      "deactivate one of those that act on the same motion, or correct its "
      "dimensions.{}",
      core.GetSystemPathname(), ToDouble(context.get_time()), largest_error,
      fmt::join(names, ", "), remark));
}

#define WYVERN_INSTANTIATE(T)                                   \
  template decltype(SearchConstraints<T>) SearchConstraints<T>; \
  template decltype(ThrowOutOfReach<T>) ThrowOutOfReach<T>;     \
  template decltype(ThrowContradiction<T>) ThrowContradiction<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
