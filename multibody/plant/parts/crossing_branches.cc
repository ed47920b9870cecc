#include "wyvern/multibody/plant/parts/crossing_branches.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/plant/parts/constraint_search.h"
#include "wyvern/multibody/plant/parts/mechanism_scale.h"
#include "wyvern/multibody/plant/parts/projected_state.h"
#include "wyvern/multibody/plant/step/position_rates.h"
#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* At a crossing, the tangents of all branches are in the null space of J, so
that its rank is lower than on each branch. The search goes a short way along
directions of the null space, returns to the constraints by Newton's method,
and compares ranks. They are equal if the constraints are redundant
everywhere. If the mechanism can only shake, as a stretched arm between two
fixed points, Newton's method returns to the start. Errors, motions and
speeds are relative: see MechanismScale. */

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

// Speeds below this bound are rest, in the unit of length by that of time.
constexpr double kRest = 1e-12;
// Length of a move along a direction, and number of directions. From a
// direction between two branches, Newton's method returns nearly to the start,
// but nearer to a branch. The direction of the whole move is tried next, up to
// kTurns times.
constexpr double kWay = 0.02;
constexpr int kDirections = 6;
// Positions farther away from the start than this do not count.
constexpr double kFarWay = 0.2;
// Positions nearer to the start than this may still be the start.
constexpr double kNearWay = 0.25 * kWay;
constexpr int kTurns = 6;
// Errors at which Newton's method ends, at the start and near it. The second
// is larger because loops that are singular on the branch too leave errors of
// second order.
constexpr double kMetError = 1e-12;
constexpr double kNearlyMetError = 1e-6;
constexpr int kMostCorrections = 30;
constexpr int kMostHalvings = 10;
// Damping of the first correction, and the factor from one to the next.
constexpr double kCorrectionDamping = 1e-3;
constexpr double kDampingDecay = 0.25;

class BranchSearch {
 public:
  BranchSearch(const MultibodyTreeSystem<double>& core,
               const Context<double>& context,
               const ConstraintRegistry& registry, const MechanismScale& scale)
      : core_(core),
        context_(context),
        registry_(registry),
        scale_(scale),
        s_(core.model()) {
    s_.is_locked = core.EvalLockedVelocities(context).is_locked;
    SetLockedInertia(s_.is_locked, &s_.diagonal);
    s_.q = core.PositionsOf(context);
    way_ = VectorX<double>::Zero(core.num_v());
  }

  // Returns the rows that branches have and the Context's positions have not.
  std::vector<int> FindLostRows() {
    const double error = MoveRowsTo(core_, context_, registry_, s_.q, &s_);
    if (s_.rows.num_rows() == 0 || error > kOpenError ||
        !MeetConstraints(kMetError)) {
      return {};
    }
    FactorizeRows(core_, context_, 0, &s_);
    if (!s_.rows.solve().is_redundant()) return {};
    const VectorX<double> start = s_.q;
    const int rank = s_.rows.solve().rank();
    const std::vector<int> dependent = DependentRows();
    for (int i = 0; i < kDirections; ++i) {
      SetDirection(i);
      for (int j = 0; j < kTurns; ++j) {
        s_.q = start;
        MoveRowsTo(core_, context_, registry_, s_.q, &s_);
        FactorizeRows(core_, context_, 0, &s_);
        if (!Leave()) break;
        const bool is_met = MeetConstraints(kNearlyMetError);
        const double way = scale_.LargestPosition<double>(s_.q - start);
        if (way > kFarWay) break;
        if (is_met && way > kNearWay) {
          FactorizeRows(core_, context_, 0, &s_);
          s_.rows.LeaveOutSingularRows();
          if (s_.rows.solve().rank() <= rank) break;
          std::vector<int> lost;
          std::ranges::set_difference(dependent, DependentRows(),
                                      std::back_inserter(lost));
          return lost.empty() ? dependent : lost;
        }
        s_.v = way_;
      }
    }
    return {};
  }
  const std::string& NameOf(int row) const {
    return registry_.compiled[s_.rows.id(s_.rows.FindConstraint(row))].name;
  }

 private:
  std::vector<int> DependentRows() const {
    const std::span<const int> rows = s_.rows.solve().dependent_rows();
    return {rows.begin(), rows.end()};
  }

  void SetDirection(int number) {
    s_.v.resize(core_.num_v());
    for (int i = 0; i < core_.num_v(); ++i) {
      s_.v[i] = s_.is_locked[i] ? 0
                                : scale_.of_velocity(i) *
                                      std::sin(1 + 2.3 * i + 1.9 * number);
    }
  }

  // Moves q a short way along the part of v in the null space. Returns false if
  // nothing moves.
  bool Leave() {
    constexpr double kNothing = 1e-6;
    const double whole = scale_.LargestMove(s_.v);
    ProjectVelocities(core_, context_, &s_);
    const double largest = scale_.LargestMove(s_.v);
    if (!(largest > kNothing * whole)) return false;
    s_.dv = kWay / largest * s_.v;
    way_ = VectorX<double>::Zero(core_.num_v());
    Move();
    return true;
  }

  // Returns to the constraints by Newton's method. It starts with damping, so
  // that it ends on a branch near by, leaves out directions in which the rows
  // hardly move anything, and halves steps until they lower the error.
  bool MeetConstraints(double tolerance) {
    double damping = kCorrectionDamping;
    double error = MoveRowsTo(core_, context_, registry_, s_.q, &s_);
    for (int i = 0; i < kMostCorrections && error > tolerance; ++i) {
      FactorizeRows(core_, context_, damping, &s_);
      s_.rows.LeaveOutSingularRows();
      damping *= kDampingDecay;
      s_.row_values = -s_.rows.errors();
      CalcLeastChange(core_.model(), &s_);
      if (!Correct(&error)) return false;
    }
    return error <= tolerance;
  }

  bool Correct(double* error) {
    const VectorX<double> q = s_.q;
    for (int i = 0; i < kMostHalvings; ++i) {
      s_.q = q;
      Move();
      const double trial = MoveRowsTo(core_, context_, registry_, s_.q, &s_);
      if (trial < *error) {
        *error = trial;
        return true;
      }
      way_ -= s_.dv;
      s_.dv /= 2;
    }
    return false;
  }

  void Move() {
    way_ += s_.dv;
    CalcPositionRates<double>(core_, context_, s_.q, s_.dv, s_.dq);
    s_.q += s_.dq;
    dynamics::NormalizeQuaternions<double>(core_.model(), s_.q);
  }

  const MultibodyTreeSystem<double>& core_;
  const Context<double>& context_;
  const ConstraintRegistry& registry_;
  const MechanismScale& scale_;
  ProjectedState<double> s_;
  // Sum of the moves since the start.
  VectorX<double> way_;
};

}  // namespace

template <typename T>
std::string DescribeCrossing(const MultibodyTreeSystem<T>& core,
                             const Context<T>& context,
                             const ConstraintRegistry& registry) {
  if constexpr (std::is_same_v<T, double>) {
    if (registry.compiled.empty() || core.num_v() == 0) return {};
    const MechanismScale scale(core, context, registry);
    const VectorX<double> v = core.VelocitiesOf(context);
    if (scale.LargestMove(v) * scale.time() > kRest) return {};
    std::set<std::string> names;
    try {
      BranchSearch search(core, context, registry, scale);
      for (const int row : search.FindLostRows()) {
        names.insert(search.NameOf(row));
      }
    } catch (const std::runtime_error&) {
      // A search may end in gimbal lock, or where a distance has no direction.
      return {};
    }
    if (names.empty()) return {};
    return fmt::format(
        "MultibodyPlant '{}' is at rest at time {} where branches of its "
        "motion cross, and there its constraints do not determine how it moves "
        "on: {}. Start a little away from these positions, or with velocities "
        "along the branch that you want.",
        core.GetSystemPathname(), context.get_time(), fmt::join(names, ", "));
  }
  return {};
}

#define WYVERN_INSTANTIATE_CROSSING(T)                                    \
  template std::string DescribeCrossing<T>(const MultibodyTreeSystem<T>&, \
                                           const Context<T>&,             \
                                           const ConstraintRegistry&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_CROSSING)
#undef WYVERN_INSTANTIATE_CROSSING

}  // namespace wyvern::multibody::internal
