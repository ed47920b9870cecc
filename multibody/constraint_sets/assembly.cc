#include "wyvern/multibody/constraint_sets/assembly.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/constraint_sets/assembly_coordinates.h"
#include "wyvern/multibody/constraint_sets/assembly_units.h"
#include "wyvern/multibody/constraint_sets/contact_constraint.h"
#include "wyvern/multibody/constraint_sets/step_history.h"
#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* The vector xi holds the changes since the guess; WeightedSteps computes the
steps. From a good guess, full steps lead straight to the nearest place. Each
step goes to the nearest point of the constraints' tangents, and the fixed point
of these steps is the nearest point of the constraints. They converge linearly,
at a rate given by the curvature of the constraints over the distance.
Anderson's acceleration (1965) makes the convergence superlinear, like that of a
secant method.

If full steps do not shrink, three stages find the positions. Descend() goes
down to e = 0 by Levenberg's method, and restarts from other places if it gets
stuck. Approach() moves along e = 0 to the nearest place, by full steps once
these shrink. Close() reduces e to rounding, whatever the tolerance, by Newton
steps. It measures progress by the length of the next step at the same Jacobian
(Deuflhard, "Newton Methods for Nonlinear Problems", 2004, section 3.3), because
|e| hardly shows the errors of nearly parallel rows.

Rows of an overconstrained loop that moves, such as Bricard's, are dependent
where it is closed, and elsewhere turn away from that by an angle of the size of
the error. Full Newton steps there converge by halves only. Full steps therefore
leave out rows that are nearer to the span of others than that angle, and are
taken again with all rows if those left out are not met in the end.

Steps solve for relative errors, in AssemblyUnits, so that they are the same for
a mechanism of any size. The tolerance is on e itself. */

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using systems::Context;

namespace {

constexpr double kNearEnough = 1e-8;
constexpr double kRoundedStep = 1e-15;
constexpr double kShrinks = 0.9;      // Of a step that converges.
constexpr double kShrinksFast = 0.5;  // Of one without a descent before.
constexpr double kLargestTurn = 1;    // Of one step, [rad].
// A relative error of 1 turns the rows of overconstrained loops by about this
// angle, but by no more than kMostTurn, [rad].
constexpr double kTurnByError = 10;
constexpr double kMostTurn = 0.1;
// A guess is good if no joint turns farther from it, [rad]. From others, full
// steps may lead to another way of assembling the mechanism.
constexpr double kGoodGuess = 0.5;

template <typename T>
VectorX<double> Values(const VectorX<T>& x) {
  VectorX<double> values(x.size());
  for (int i = 0; i < x.size(); ++i) values[i] = ToDouble(x[i]);
  return values;
}

template <typename T>
void SetValues(const VectorX<T>& x, VectorX<double>* values) {
  values->resize(x.size());
  for (int i = 0; i < x.size(); ++i) (*values)[i] = ToDouble(x[i]);
}

template <typename T>
double NormOf(const VectorX<T>& x) {
  double sum = 0;
  for (int i = 0; i < x.size(); ++i) {
    const double value = ToDouble(x[i]);
    sum += value * value;
  }
  return std::sqrt(sum);
}

// The search for positions.
template <typename T>
class Assembler {
 public:
  Assembler(const MultibodyTreeSystem<T>& plant, const Context<T>& context,
            const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
            const Eigen::Ref<const VectorX<double>>& weights, double tolerance)
      : plant_(plant),
        set_(set),
        system_(*system),
        tolerance_(tolerance),
        context_(OwnContext(plant, context, system)),
        q_(plant.PositionsOf(context)),
        coordinates_(plant.model(), q_),
        locked_(plant.EvalLockedVelocities(context)),
        units_(plant, context, set),
        steps_(WithWeights(&system_.steps, weights, units_)),
        metric_(steps_.H_inverse().cwiseInverse()),
        delta_(plant.num_v()),
        history_(metric_),
        angles_length_(LengthOfAngles()) {
    FindContacts();
    nowhere_ = VectorX<T>::Zero(plant.num_v());
    MoveTo(nowhere_);
    first_norm_ = norm_;
  }

  const VectorX<T>& q() const { return q_; }
  const VectorX<T>& e() const { return e_; }
  double norm() const { return norm_; }
  bool is_assembled() const { return norm_ <= tolerance_; }
  // Whether e is so small that Close() reduces it to rounding. Within a large
  // tolerance |e| may also have a minimum that is not 0.
  bool is_closed() const {
    return norm_ <= std::min(tolerance_,
                             std::max(1e-6 * first_norm_, 1e-3 * tolerance_));
  }
  int num_iterations() const { return num_iterations_; }

  void Assemble(int max_iterations) {
    for (const double turn : {kTurnByError, 0.0}) {
      turn_by_error_ = turn;
      some_left_out_ = false;
      bool converges = TakeFullSteps(kShrinksFast, max_iterations);
      turn_by_error_ = 0;
      const bool again = some_left_out_ && turn > 0;
      converges = converges && (!again || IsSettled());
      if (converges && is_assembled() && LargestTurn(xi_) <= kGoodGuess) return;
      if (is_assembled() && num_iterations_ >= max_iterations) return Close();
      MoveTo(nowhere_);
      if (!again) break;
    }
    DescendFromAround(max_iterations);
    if (is_assembled()) Approach(max_iterations);
  }

  // Computes derivatives of the nearest point by repeating its step; values
  // stay.
  void SettleDerivatives();

 private:
  static WeightedSteps<T>& WithWeights(
      WeightedSteps<T>* steps, const Eigen::Ref<const VectorX<double>>& weights,
      const AssemblyUnits<T>& units) {
    steps->SetWeights(weights,
                      [&units](int i) { return units.of_velocity(i); });
    return *steps;
  }
  static Context<T>& OwnContext(const MultibodyTreeSystem<T>& plant,
                                const Context<T>& context,
                                ConstrainedSystem<T>* system) {
    auto& own = system->assembly_context;
    if (own == nullptr || own->get_system_id() != context.get_system_id()) {
      own = plant.CreateDefaultContext();
    }
    own->SetTimeStateAndParametersFrom(context);
    return *own;
  }

  // Descends to e = 0. If that fails, starts again from random places around
  // the start, and ends at the place with the least error.
  void DescendFromAround(int max_iterations) {
    const VectorX<T> start = xi_;
    VectorX<T> best = xi_;
    double least = norm_;
    for (int attempt = 0;; ++attempt) {
      Descend(max_iterations);
      if (is_assembled() && !is_closed()) Close();
      if (!is_closed()) {
        // If rows nearly repeat others, the damping of Levenberg's steps hides
        // the differences of their errors; undamped steps see them.
        const VectorX<T> end = xi_;
        if (!TakeFullSteps(kShrinks, max_iterations)) {
          MoveTo(end);
          Close();
        }
      }
      // A best place within the tolerance is replaced by a closed one alone, so
      // that a kick does not change the branch for a slightly smaller error.
      if (norm_ < least && (least > tolerance_ || is_closed())) {
        least = norm_;
        best = xi_;
      }
      if (is_closed() || num_iterations_ >= max_iterations) break;
      if (!TryMoveTo(start + Kick(attempt))) continue;
    }
    if (!is_closed()) MoveTo(best);
  }

  // Moves along e = 0 to the place nearest to the guess, xi = 0.
  void Approach(int max_iterations) {
    const int last = num_iterations_ + max_iterations;
    bool is_nearest = false;
    while (!is_nearest && num_iterations_ < last) {
      coordinates_.Shorten(&xi_);
      const VectorX<T> xi = xi_;
      const double distance = Distance();
      is_nearest = TakeFullSteps(kShrinks, last) && is_assembled() &&
                   Distance() <= distance * (1 + kNearEnough);
      if (is_nearest) break;
      ++num_iterations_;
      MoveTo(xi);
      UpdateJacobian();
      const VectorX<T> delta = CalcStep(xi_);
      if (Length(delta) <= kNearEnough * Length(xi_)) break;
      if (!Search(delta)) break;
    }
    if (!is_nearest) Close();
  }

  // Takes full steps while they shrink, and shorter ones otherwise. Returns
  // whether the steps converge. If they do not, ends at the place of the
  // shortest step.
  bool TakeFullSteps(double shrinks, int last_iteration);

  // Returns whether a full step with all rows would be as short as rounding.
  bool IsSettled() {
    UpdateJacobian();
    return Length(CalcStep(xi_)) <=
           kNearEnough * std::hypot(Length(xi_), angles_length_);
  }

  // Reduces e to rounding by Newton steps.
  void Close();

  // The step at the present Jacobian and errors, not damped.
  const VectorX<T>& CalcStep(const VectorX<T>& xi) {
    const double nearest =
        turn_by_error_ == 0
            ? 0
            : std::min(kMostTurn, turn_by_error_ * NormOf(relative_e_));
    steps_.Factorize(0, nearest);
    steps_.CalcStep(xi, relative_e_, &delta_);
    some_left_out_ = some_left_out_ || steps_.is_redundant();
    return delta_;
  }

  // In the metric H.
  double Length(const VectorX<T>& x) const {
    double sum = 0;
    for (int i = 0; i < x.size(); ++i) {
      const double value = ToDouble(x[i]);
      sum += metric_[i] * value * value;
    }
    return std::sqrt(sum);
  }
  // Returns the length of a change of 1 rad in each angle.
  double LengthOfAngles() const {
    double sum = 0;
    for (int i = 0; i < metric_.size(); ++i) {
      if (coordinates_.is_angle(i)) sum += metric_[i];
    }
    return std::sqrt(sum);
  }
  // Shorter steps are rounding, of angles of about 1 rad and of the way so far.
  double RoundingLength() const {
    return kRoundedStep * std::hypot(Length(xi_), angles_length_);
  }
  double Distance() const { return Values(xi_).cwiseAbs2().dot(steps_.W()); }

  void FindContacts() {
    for (int g = 0; g < set_.num_groups(); ++g) {
      if (set_.GetGroupType(g) == ConstraintType::kContact) {
        contacts_.push_back({g, PointOf(g)});
      }
    }
  }
  Vector3<T> PointOf(int group) const {
    const auto& contact = static_cast<const ContactConstraint<T>&>(
        set_.GetGroupConstraint(group));
    const auto& X_WB = plant_.EvalPositions(context_).X_WB;
    return X_WB[plant_.tree().model_body(contact.successor())] *
           Vector3<T>(contact.p_BoC_B().template cast<T>());
  }

  void MoveTo(const VectorX<T>& xi) {
    xi_ = xi;
    coordinates_.CalcPositions(xi_, &q_);
    plant_.MutableStateVector(&context_).head(plant_.num_q()) = q_;
    set_.UpdatePositionError(plant_, context_, &system_);
    e_ = system_.position_error;
    for (const auto& [group, p_WC0] : contacts_) {
      const auto& contact = static_cast<const ContactConstraint<T>&>(
          set_.GetGroupConstraint(group));
      const Vector3<T> moved = PointOf(group) - p_WC0;
      const auto rows = set_.GetGroupRows(group);
      for (size_t i = 0; i < rows.size(); ++i) {
        e_[rows[i]] = moved.dot(contact.normals()[i].template cast<T>());
      }
    }
    norm_ = NormOf(e_);
    relative_e_ = e_;
    for (int r = 0; r < e_.size(); ++r) relative_e_[r] /= units_.of_row(r);
    if (!std::isfinite(norm_)) norm_ = std::numeric_limits<double>::infinity();
  }
  // False, with norm() infinite, where constraints have no error.
  bool TryMoveTo(const VectorX<T>& xi) {
    try {
      MoveTo(xi);
    } catch (const std::runtime_error&) {
      norm_ = std::numeric_limits<double>::infinity();
    }
    return std::isfinite(norm_);
  }
  void UpdateJacobian() {
    set_.UpdatePositionJacobian(plant_, context_, &system_);
    J_ = system_.G;
    internal::ClearLockedColumns(locked_.is_locked, &J_);
    coordinates_.MultiplyByVelocities(xi_, &J_);
    for (int r = 0; r < J_.rows(); ++r) J_.row(r) /= units_.of_row(r);
    steps_.SetJacobian(J_);
  }
  double LargestTurn(const VectorX<T>& delta) const {
    double turn = 0;
    for (int i = 0; i < delta.size(); ++i) {
      if (!coordinates_.is_angle(i)) continue;
      turn = std::max(turn, std::abs(ToDouble(delta[i])));
    }
    return turn;
  }
  void Shorten(VectorX<T>* delta) const {
    const double turn = LargestTurn(*delta);
    if (turn > kLargestTurn) *delta *= T(kLargestTurn / turn);
  }

  // Levenberg's method, to e = 0 or to where |e| hardly falls.
  void Descend(int max_iterations);
  // Along delta and back onto e = 0, to a place nearer to xi = 0.
  bool Search(const VectorX<T>& delta);
  VectorX<T> Kick(int attempt);

  const MultibodyTreeSystem<T>& plant_;
  const ConstraintSet<T>& set_;
  ConstrainedSystem<T>& system_;
  const double tolerance_;
  Context<T>& context_;
  VectorX<T> q_;
  internal::AssemblyCoordinates<T> coordinates_;
  const internal::LockedVelocities locked_;
  const AssemblyUnits<T> units_;
  WeightedSteps<T>& steps_;
  const VectorX<double> metric_;  // H.
  VectorX<T> delta_;
  VectorX<T> nowhere_;  // 0.
  MatrixX<T> J_;
  internal::StepHistory history_;
  double angles_length_{};
  VectorX<T> start_, full_, trial_;
  VectorX<double> full_values_, next_values_, step_;
  std::vector<std::pair<int, Vector3<T>>> contacts_;
  VectorX<T> xi_;
  VectorX<T> e_;
  VectorX<T> relative_e_;
  double norm_{0};  // Of e.
  double first_norm_{0};
  double turn_by_error_{0};  // Angle by error of rows that steps leave out.
  bool some_left_out_{false};
  int num_iterations_{0};
  std::optional<std::mt19937> generator_;  // Of kicks, which are rare.
};

template <typename T>
bool Assembler<T>::TakeFullSteps(double shrinks, int last_iteration) {
  constexpr double kLeastFraction = 1.0 / 16;
  history_.Clear();
  if (num_iterations_ >= last_iteration) return false;
  UpdateJacobian();
  full_ = CalcStep(xi_);
  double length = Length(full_), last_length = 0, fraction = 1;
  while (length > RoundingLength()) {
    // The step after this one would be rounding.
    if (length * length <= RoundingLength() * last_length) break;
    if (++num_iterations_ > last_iteration) return false;
    start_ = xi_;
    const double turn = LargestTurn(full_);
    fraction = std::min(fraction, turn > 0 ? kLargestTurn / turn : 1);
    if (fraction < kLeastFraction) return false;
    SetValues(full_, &full_values_);
    step_ = fraction * full_values_;
    if (!history_.is_empty()) history_.Correct(full_values_, &step_);
    trial_ = start_ + full_;
    for (int i = 0; i < trial_.size(); ++i) {
      trial_[i] += step_[i] - full_values_[i];
    }
    const bool is_there = TryMoveTo(trial_);
    if (is_there) {
      UpdateJacobian();
      CalcStep(xi_);
    }
    if (is_there && Length(delta_) < (1 - fraction * (1 - shrinks)) * length) {
      SetValues(delta_, &next_values_);
      if (fraction == 1) history_.Add(step_, full_values_, next_values_);
      fraction = std::min(1.0, 2 * fraction);
      full_.swap(delta_);
      last_length = length;
      length = Length(full_);
      continue;
    }
    MoveTo(start_);
    if (length <= kNearEnough * Length(xi_)) {
      Close();
      return true;
    }
    if (history_.is_empty()) fraction *= 0.5;
    history_.Clear();  // Tries the step again without a correction.
    last_length = 0;
  }
  start_ = xi_;
  trial_ = xi_ + full_;
  const double norm = norm_;
  if (!TryMoveTo(trial_) || norm_ > norm) MoveTo(start_);
  return true;
}

template <typename T>
void Assembler<T>::Close() {
  constexpr int kMost = 50;
  constexpr double kLeastFraction = 1.0 / 64;
  const VectorX<T> best = xi_;
  const double least = norm_;
  UpdateJacobian();
  full_ = CalcStep(nowhere_);
  double length = Length(full_), fraction = 1;
  for (int k = 0; k < kMost && norm_ > 0; ++k) {
    const double turn = LargestTurn(full_);
    fraction = std::min(fraction, turn > 0 ? kLargestTurn / turn : 1);
    if (fraction < kLeastFraction) break;
    start_ = xi_;
    const double norm = norm_;
    trial_ = start_ + T(fraction) * full_;
    bool is_nearer = TryMoveTo(trial_);
    if (is_nearer) {
      steps_.CalcStep(nowhere_, relative_e_, &delta_);
      is_nearer = Length(delta_) <= (1 - 0.25 * fraction) * length;
    }
    const bool is_rounding = length <= kNearEnough * angles_length_ ||
                             length <= kNearEnough * Length(xi_);
    if (is_rounding ? !(norm_ < norm) : !is_nearer) {
      MoveTo(start_);
      if (is_rounding) break;
      fraction *= 0.5;
      continue;
    }
    UpdateJacobian();
    full_ = CalcStep(nowhere_);
    length = Length(full_);
    fraction = std::min(1.0, 2 * fraction);
  }
  if (norm_ > least) MoveTo(best);
}

template <typename T>
void Assembler<T>::Descend(int max_iterations) {
  constexpr double kLeastDamping = 1e-10, kMostDamping = 1e8;
  constexpr int kPatience = 6;
  double damping = 1e-3;
  double norm_long_ago = NormOf(relative_e_);
  for (int k = 1; !is_assembled() && num_iterations_ < max_iterations; ++k) {
    if (k % kPatience == 0) {
      if (NormOf(relative_e_) > 0.9 * norm_long_ago) return;
      norm_long_ago = NormOf(relative_e_);
    }
    ++num_iterations_;
    UpdateJacobian();
    const VectorX<T> xi = xi_, e = relative_e_;
    const double norm = NormOf(e);
    for (;;) {
      VectorX<T> delta(xi.size());
      steps_.Factorize(damping * std::min(1.0, norm));
      steps_.CalcStep(nowhere_, e, &delta);
      Shorten(&delta);
      const double promised =
          norm * norm -
          Values(VectorX<T>(e + steps_.J() * delta)).squaredNorm();
      const bool is_there = TryMoveTo(xi + delta);
      const double next = NormOf(relative_e_);
      const double gained = norm * norm - next * next;
      if (is_there && gained > 0.05 * promised && gained > 0) {
        if (gained > 0.7 * promised) damping *= 0.1;
        if (gained < 0.3 * promised) damping *= 3;
        damping = std::max(damping, kLeastDamping);
        break;
      }
      damping *= 10;
      if (damping > kMostDamping) {
        MoveTo(xi);
        return;
      }
    }
  }
}

template <typename T>
bool Assembler<T>::Search(const VectorX<T>& delta) {
  constexpr int kHalvings = 12, kCorrections = 8;
  const VectorX<T> xi = xi_;
  const double distance = Distance();
  const double slope = Length(delta) * Length(delta);
  double fraction = 1;
  for (int i = 0; i < kHalvings; ++i, fraction *= 0.5) {
    bool is_there = TryMoveTo(xi + T(fraction) * delta);
    for (int k = 0; is_there && !is_assembled() && k < kCorrections; ++k) {
      const double norm = norm_;
      UpdateJacobian();
      is_there = TryMoveTo(xi_ + CalcStep(nowhere_)) && norm_ < 0.9 * norm;
    }
    if (is_there && is_assembled() &&
        Distance() < distance - 0.1 * fraction * slope) {
      return true;
    }
  }
  MoveTo(xi);
  return false;
}

// Returns a random move from a fixed seed. It reaches far, as nearby places
// lead down to the same dead end.
template <typename T>
VectorX<T> Assembler<T>::Kick(int attempt) {
  constexpr double kFirstReach = 1.5;  // Relative.
  std::uniform_real_distribution<double> uniform(-1, 1);
  if (!generator_) generator_.emplace(1);
  const double reach = attempt == 0 ? kFirstReach : 2 * kFirstReach;
  VectorX<T> kick(xi_.size());
  for (int i = 0; i < kick.size(); ++i) {
    kick[i] = locked_.is_locked[i]
                  ? 0
                  : reach * units_.of_velocity(i) * uniform(*generator_);
  }
  return kick;
}

template <typename T>
void Assembler<T>::SettleDerivatives() {
  if constexpr (!std::is_same_v<T, double>) {
    constexpr int kIterations = 60;
    const VectorX<double> values = Values(q_);
    VectorX<double> before, now;
    for (int k = 0;; ++k) {
      UpdateJacobian();
      const VectorX<T> delta = CalcStep(xi_);
      double change = 0, size = 1;
      for (int i = 0; i < delta.size(); ++i) {
        if (delta[i].derivatives().size() == 0) continue;
        change = std::max(change, delta[i].derivatives().cwiseAbs().maxCoeff());
        if (xi_[i].derivatives().size() == 0) continue;
        size = std::max(size, xi_[i].derivatives().cwiseAbs().maxCoeff());
      }
      MoveTo(xi_ + delta);
      if (change <= 1e-12 * size) break;
      if (k < kIterations && std::isfinite(change)) continue;
      throw std::runtime_error(fmt::format(
          "CalcAssemblyQ(): derivatives of the nearest positions still change "
          "by {} after {} steps; give a guess that is nearer, such as the "
          "positions that CalcAssemblyQ<double>() found.",
          change, k));
    }
    for (int i = 0; i < q_.size(); ++i) q_[i].value() = values[i];
  }
}

template <typename T>
void FillIn(const ConstraintSet<T>& set, const VectorX<T>& e, bool is_assembled,
            int num_iterations, double tolerance, AssemblyReport* report) {
  if (report == nullptr) return;
  report->is_assembled = is_assembled;
  report->num_iterations = num_iterations;
  report->error_norm = NormOf(e);
  report->residuals.clear();
  for (int r = 0; r < set.size(); ++r) {
    const double error = ToDouble(e[r]);
    report->residuals.push_back(
        {set.GetRowLabel(r), error, std::abs(error) <= tolerance});
  }
}

}  // namespace

std::string AssemblyReport::DescribeUnmet() const {
  std::string text;
  for (const ConstraintResidual& residual : residuals) {
    if (residual.is_met) continue;
    text += fmt::format("{}{} by {:.3g}", text.empty() ? "" : ", ",
                        residual.constraint, residual.error);
  }
  return text;
}

namespace shared {

template <typename T>
bool CalcAssemblyQ(const MultibodyTreeSystem<T>& plant,
                   const Context<T>& context, const ConstraintSet<T>& set,
                   ConstrainedSystem<T>* system, EigenPtr<VectorX<T>> q,
                   const Eigen::Ref<const VectorX<double>>& weights,
                   double tolerance, int max_iterations,
                   AssemblyReport* report) {
  constexpr std::string_view kFunction = "CalcAssemblyQ";
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, kFunction);
  internal::RequireResult<T>(kFunction, "q", q, plant.num_q());
  RequireWeights(kFunction, weights, plant.num_v());
  if (!(tolerance > 0) || !std::isfinite(tolerance) || max_iterations < 0) {
    throw std::logic_error(fmt::format(
        "CalcAssemblyQ(): the tolerance is {} and {} iterations may be done; "
        "the one is to be positive and finite, the other not negative.",
        tolerance, max_iterations));
  }
  plant.EvalNodePositions(context);  // Names a quaternion of no direction.
  Assembler<T> assembler(plant, context, set, &s, weights, tolerance);
  const bool was_assembled = assembler.is_assembled();
  if (!was_assembled) {
    set.SolveInNameOf(kFunction, [&] { assembler.Assemble(max_iterations); });
  }
  const bool is_assembled = assembler.is_assembled();
  FillIn(set, assembler.e(), is_assembled, assembler.num_iterations(),
         tolerance, report);
  if (is_assembled) assembler.SettleDerivatives();
  *q = assembler.q();
  if (was_assembled && std::is_same_v<T, double>)
    *q = plant.PositionsOf(context);
  return is_assembled;
}

#define WYVERN_INSTANTIATE(T)                                               \
  template bool CalcAssemblyQ(                                              \
      const MultibodyTreeSystem<T>&, const Context<T>&,                     \
      const ConstraintSet<T>&, ConstrainedSystem<T>*, EigenPtr<VectorX<T>>, \
      const Eigen::Ref<const VectorX<double>>&, double, int, AssemblyReport*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace shared

}  // namespace wyvern::multibody
