#include "wyvern/simulator/integrators/integrator_base.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/simulator/integrators/state_component_name.h"
#include "wyvern/simulator/integrators/step_size_controller.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/common/to_double.h"

/* The base class has what all integrators share: settings, the loop that finds
a step size, and the records of a run. A step with error control is tried, its
error norm err (ErrorNorm) is compared with the accuracy, and the next size is
about h (accuracy / err)^(1/p), where p is the order of the estimate (Hairer,
Norsett, Wanner, "Solving Ordinary Differential Equations I", II.4;
JudgeStep()). Steps end at events and breaks; a trial with numbers that are not
finite fails, and a shorter one follows. A derivative that is not finite at the
start of a step is an error at once. Without continuous state, time advances to
the boundary in one step. */

namespace wyvern::systems {
namespace {

constexpr double kDefaultAccuracy = 1e-4;
constexpr double kLoosestAccuracy = 0.1;
// First step with error control, as a share of the maximum step size.
constexpr double kInitialStepFraction = 0.1;
// Each trial shrinks the step to 0.9 or less, so this many end below any
// minimum; it bounds the loop whatever the numbers do.
constexpr int kMostTrials = 500;

// The first element that is not finite, or -1.
template <typename T>
int FindNonFinite(const VectorX<T>& x) {
  for (int i = 0; i < x.size(); ++i) {
    if (!std::isfinite(ToDouble(x[i]))) return i;
  }
  return -1;
}

}  // namespace

template <typename T>
IntegratorBase<T>::IntegratorBase(const System<T>& system, Context<T>* context)
    : system_(system), context_(context) {}

template <typename T>
IntegratorBase<T>::~IntegratorBase() = default;

// --- Set-up and settings ---------------------------------------------------

template <typename T>
const Context<T>& IntegratorBase<T>::get_context() const {
  if (context_ == nullptr) {
    throw std::logic_error(
        "IntegratorBase::get_context(): there is no Context; give one to the "
        "constructor or to reset_context().");
  }
  return *context_;
}

template <typename T>
void IntegratorBase<T>::reset_context(Context<T>* context) {
  RequireNotStepping("reset_context");
  context_ = context;
  is_initialized_ = false;
}

template <typename T>
void IntegratorBase<T>::RequireSettings() const {
  if (context_ == nullptr) {
    throw std::logic_error(
        "IntegratorBase::Initialize(): there is no Context; give one to the "
        "constructor or to reset_context().");
  }
  const bool has_first = !std::isnan(ToDouble(initial_step_size_target_));
  if (std::isnan(ToDouble(max_step_size_)) &&
      (get_fixed_step_mode() || !has_first)) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::Initialize(): there is no maximum step size; call "
        "set_maximum_step_size(){}.",
        get_fixed_step_mode() ? "" : " or request_initial_step_size_target()"));
  }
  if (requested_min_step_size_ > max_step_size_) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::Initialize(): the minimum step size {} is larger than "
        "the maximum {}.",
        ToDouble(requested_min_step_size_), ToDouble(max_step_size_)));
  }
  if (initial_step_size_target_ > max_step_size_ ||
      initial_step_size_target_ < requested_min_step_size_) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::Initialize(): the initial step size {} is not between "
        "the minimum {} and the maximum {}.",
        ToDouble(initial_step_size_target_), ToDouble(requested_min_step_size_),
        ToDouble(max_step_size_)));
  }
}

template <typename T>
void IntegratorBase<T>::Initialize() {
  RequireNotStepping("Initialize");
  RequireSettings();
  system_.ValidateContext(*context_);
  const int n = context_->num_continuous_states();
  start_state_.setZero(n);
  start_derivative_.setZero(n);
  end_state_.setZero(n);
  norm_.Resize(context_->get_continuous_state());
  norm_.scales().Initialize(system_, *context_);
  accuracy_in_use_ = std::isnan(target_accuracy_)
                         ? kDefaultAccuracy
                         : std::min(target_accuracy_, kLoosestAccuracy);
  if (supports_error_estimation()) {
    error_estimate_ = system_.AllocateTimeDerivatives();
    error_estimate_->SetFromVector(VectorX<T>::Zero(n));
  }
  using std::isnan;
  ideal_next_step_size_ = isnan(ToDouble(initial_step_size_target_))
                              ? T(kInitialStepFraction * max_step_size_)
                              : initial_step_size_target_;
  grid_time_.reset();
  nearby_state_.setZero(n);
  nearby_derivative_.setZero(n);
  stiffness_.Reset(n);
  DoInitialize();
  is_initialized_ = true;
}

template <typename T>
void IntegratorBase<T>::Reset() {
  RequireNotStepping("Reset");
  is_initialized_ = false;
  target_accuracy_ = kNone;
  accuracy_in_use_ = kNone;
  fixed_step_mode_ = false;
  throw_on_minimum_step_size_violation_ = true;
  initial_step_size_target_ = kNone;
  requested_min_step_size_ = 0.0;
  ideal_next_step_size_ = kNone;
  error_estimate_.reset();
  norm_ = {};
  dense_output_.reset();
  ResetStatistics();
  DoReset();
}

template <typename T>
void IntegratorBase<T>::ResetStatistics() {
  statistics_ = {};
  DoResetStatistics();
}

template <typename T>
void IntegratorBase<T>::RequireNotStepping(const char* function) const {
  if (is_stepping_) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::{}(): called while '{}' is evaluated for a step of "
        "this integrator; call it between steps.",
        function, system_.GetSystemPathname()));
  }
}

template <typename T>
void IntegratorBase<T>::RequireInitialized(const char* function) const {
  RequireNotStepping(function);
  if (!is_initialized_) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::{}(): not initialized; call Initialize() first.",
        function));
  }
}

template <typename T>
void IntegratorBase<T>::RequireErrorEstimate(const char* function) const {
  if (!supports_error_estimation()) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::{}(): this integrator does not estimate errors; use "
        "one that does, such as RungeKutta3Integrator.",
        function));
  }
}

template <typename T>
void IntegratorBase<T>::set_target_accuracy(double accuracy) {
  RequireErrorEstimate("set_target_accuracy");
  if (!(accuracy > 0)) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::set_target_accuracy(): {} was given; it must be "
        "positive.",
        accuracy));
  }
  target_accuracy_ = accuracy;
  accuracy_in_use_ = std::min(accuracy, kLoosestAccuracy);
}

template <typename T>
void IntegratorBase<T>::set_fixed_step_mode(bool flag) {
  if (!flag) RequireErrorEstimate("set_fixed_step_mode");
  fixed_step_mode_ = flag;
}

template <typename T>
void IntegratorBase<T>::set_maximum_step_size(const T& max_step_size) {
  if (!(max_step_size > 0)) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::set_maximum_step_size(): {} was given; it must be "
        "positive.",
        ToDouble(max_step_size)));
  }
  max_step_size_ = max_step_size;
  grid_time_.reset();
}

template <typename T>
void IntegratorBase<T>::request_initial_step_size_target(const T& step_size) {
  RequireErrorEstimate("request_initial_step_size_target");
  if (!(step_size > 0)) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::request_initial_step_size_target(): {} was given; it "
        "must be positive.",
        ToDouble(step_size)));
  }
  initial_step_size_target_ = step_size;
}

template <typename T>
void IntegratorBase<T>::set_requested_minimum_step_size(
    const T& min_step_size) {
  if (!(min_step_size >= 0)) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::set_requested_minimum_step_size(): {} was given; it "
        "must not be negative.",
        ToDouble(min_step_size)));
  }
  requested_min_step_size_ = min_step_size;
}

template <typename T>
T IntegratorBase<T>::get_working_minimum_step_size() const {
  const double t = std::abs(ToDouble(get_context().get_time()));
  const T floor(1e-14 * std::max(1.0, t));
  return requested_min_step_size_ > floor ? requested_min_step_size_ : floor;
}

// --- Integration -----------------------------------------------------------

template <typename T>
void IntegratorBase<T>::RequireTimes(const T& publish_time,
                                     const T& update_time,
                                     const T& boundary_time) const {
  RequireInitialized("IntegrateNoFurtherThanTime");
  const T& now = context_->get_time();
  if (!(publish_time >= now && update_time >= now && boundary_time >= now)) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::IntegrateNoFurtherThanTime(): the publish time {}, "
        "update time {} and boundary time {} must not be before the time {}.",
        ToDouble(publish_time), ToDouble(update_time), ToDouble(boundary_time),
        ToDouble(now)));
  }
}

template <typename T>
typename IntegratorBase<T>::StepResult
IntegratorBase<T>::IntegrateNoFurtherThanTime(const T& publish_time,
                                              const T& update_time,
                                              const T& boundary_time) {
  RequireTimes(publish_time, update_time, boundary_time);

  // An update goes before a publish, and both before the boundary.
  T target = update_time;
  StepResult result = kReachedUpdateTime;
  if (publish_time < target) {
    target = publish_time;
    result = kReachedPublishTime;
  }
  if (boundary_time < target) {
    target = boundary_time;
    result = kReachedBoundaryTime;
  }

  if (context_->num_continuous_states() == 0) {
    if (target > context_->get_time()) context_->SetTime(target);
    return result;
  }
  const T now = context_->get_time();
  if (target == now) return result;

  LookForBreaks();
  const T limit = IsBreakBefore(target) ? next_break_ : target;
  const T natural_end = CalcNaturalStepEnd();
  if (!(natural_end > now)) {
    throw std::runtime_error(fmt::format(
        "Integrator: the step size {} of '{}' is lost in rounding at time {}; "
        "choose a larger one.",
        ToDouble(max_step_size_), system_.GetSystemPathname(), ToDouble(now)));
  }
  const bool in_reach =
      limit - now <= get_stretch_factor() * (natural_end - now);
  StepTowards(in_reach ? limit : natural_end);
  return context_->get_time() == target ? result : kTimeHasAdvanced;
}

template <typename T>
void IntegratorBase<T>::IntegrateWithMultipleStepsToTime(const T& t_final) {
  RequireInitialized("IntegrateWithMultipleStepsToTime");
  if (!(t_final >= context_->get_time())) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::IntegrateWithMultipleStepsToTime(): the final time {} "
        "must not be before the time {}.",
        ToDouble(t_final), ToDouble(context_->get_time())));
  }
  while (IntegrateNoFurtherThanTime(t_final, t_final, t_final) ==
         kTimeHasAdvanced) {
  }
}

template <typename T>
T IntegratorBase<T>::StepSizeLimit() const {
  const bool unlimited = std::isnan(ToDouble(max_step_size_));
  return unlimited ? T(std::numeric_limits<double>::infinity())
                   : max_step_size_;
}

template <typename T>
T IntegratorBase<T>::CalcNaturalStepEnd() const {
  const T& now = context_->get_time();
  if (get_fixed_step_mode()) {
    // The grid's next point, computed and not accumulated.
    if (grid_time_.has_value() && *grid_time_ == now) {
      return grid_start_ +
             T(static_cast<double>(grid_count_ + 1)) * max_step_size_;
    }
    return now + max_step_size_;
  }
  const T limit = StepSizeLimit();
  return now + (ideal_next_step_size_ < limit ? ideal_next_step_size_ : limit);
}

template <typename T>
void IntegratorBase<T>::StepTowards(const T& t_target) {
  const Stepping stepping(this);
  SaveStart();
  try {
    if (get_fixed_step_mode()) {
      StepOnGrid(t_target);
    } else {
      StepWithErrorControl(t_target);
    }
  } catch (...) {
    RestoreStart();
    throw;
  }
}

template <typename T>
void IntegratorBase<T>::StepOnGrid(const T& t_target) {
  // A step that ends elsewhere than on the grid begins another grid.
  const bool on_grid = CalcNaturalStepEnd() == t_target;
  const bool first = !(grid_time_.has_value() && *grid_time_ == start_time_);
  if (!TryStep(t_target)) {
    ++statistics_.num_substep_failures;
    if (non_finite_.has_value()) ThrowNonFinite();
    throw std::runtime_error(fmt::format(
        "Integrator: the fixed step from {} to {} of '{}' failed; use a "
        "smaller step or error control.",
        ToDouble(start_time_), ToDouble(t_target),
        system_.GetSystemPathname()));
  }
  if (first) {
    grid_start_ = start_time_;
    grid_count_ = 0;
  }
  if (on_grid) {
    ++grid_count_;
    grid_time_ = t_target;
  } else {
    grid_time_.reset();
  }
  FinishStep(t_target - start_time_, false);
}

template <typename T>
void IntegratorBase<T>::StepWithErrorControl(const T& t_target) {
  const double full = ToDouble(t_target - start_time_);
  const double ideal = ToDouble(ideal_next_step_size_);
  const double minimum =
      std::min(full, ToDouble(get_working_minimum_step_size()));
  if (DoIsBoundByStability() && stiffness_.IsDue()) ProbeStiffness();
  DoPrepareStep();
  double h = full;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    const bool made = TryStep(h == full ? t_target : start_time_ + T(h));
    double error = kNone;
    if (made) {
      error = ToDouble(norm_.Calc(system_, *context_, *error_estimate_));
    }
    const internal::StepSizeVerdict verdict = internal::JudgeStep(
        h, error, accuracy_in_use_, get_error_estimate_order());
    const bool forced = made && std::isfinite(error) && h <= minimum &&
                        !throw_on_minimum_step_size_violation_;
    if (verdict.accepted || forced) {
      // A step cut short by its target says little about longer ones.
      const bool cut = h == full && full < ideal;
      ideal_next_step_size_ =
          std::min(cut ? std::max(ideal, verdict.next_step_size)
                       : std::max(verdict.next_step_size, minimum),
                   ToDouble(StepSizeLimit()));
      FinishStep(T(context_->get_time() - start_time_), h != full || !cut);
      return;
    }
    if (!made) {
      ++statistics_.num_substep_failures;
      ++statistics_.num_shrinkages_from_substep_failures;
    } else {
      ++statistics_.num_shrinkages_from_error_control;
    }
    if (h <= minimum) ThrowUnderflow(h, made, error);
    RestoreStart();
    h = std::max(made ? verdict.next_step_size : 0.5 * h, minimum);
  }
  ThrowUnderflow(h, false, kNone);
}

template <typename T>
std::pair<bool, T> IntegratorBase<T>::CalcAdjustedStepSize(
    const T& err, const T& attempted_step_size,
    bool* at_minimum_step_size) const {
  RequireErrorEstimate("CalcAdjustedStepSize");
  wyvern::internal::RequireNotNull("IntegratorBase::CalcAdjustedStepSize",
                                   "at_minimum_step_size", at_minimum_step_size,
                                   "pass a flag");
  if (!is_initialized_) {
    throw std::logic_error(
        "IntegratorBase::CalcAdjustedStepSize(): not initialized; call "
        "Initialize() first.");
  }
  const double h = ToDouble(attempted_step_size);
  const internal::StepSizeVerdict verdict = internal::JudgeStep(
      h, ToDouble(err), accuracy_in_use_, get_error_estimate_order());
  if (*at_minimum_step_size && verdict.next_step_size < h) {
    return {true, attempted_step_size};
  }
  const double minimum = ToDouble(get_working_minimum_step_size());
  *at_minimum_step_size = verdict.next_step_size < minimum;
  return {verdict.accepted,
          T(std::min(std::max(verdict.next_step_size, minimum),
                     ToDouble(StepSizeLimit())))};
}

template <typename T>
void IntegratorBase<T>::SaveStart() {
  start_time_ = context_->get_time();
  context_->get_continuous_state_vector().CopyToPreSizedVector(&start_state_);
  non_finite_.reset();
  const int bad = FindNonFinite(start_state_);
  if (bad >= 0) {
    non_finite_ = {false, bad, ToDouble(start_time_),
                   ToDouble(start_state_[bad])};
    ThrowNonFinite();
  }
  if (start_time_ < earliest_) context_->SetTime(earliest_);
  // A derivative that is bad here is no matter of step size.
  if (!DoNeedsStartDerivative() && dense_output_ == nullptr) {
    start_derivative_.setZero();
    return;
  }
  if (!CopyTimeDerivatives(&start_derivative_)) ThrowNonFinite();
}

template <typename T>
void IntegratorBase<T>::RestoreStart() {
  context_->SetTimeAndGetMutableContinuousStateVector(start_time_)
      .SetFromVector(start_state_);
}

template <typename T>
bool IntegratorBase<T>::TryStep(const T& t_end) {
  step_end_time_ = t_end;
  non_finite_.reset();
  norm_.scales().StartStep(accuracy_in_use_, start_state_, start_derivative_,
                           ToDouble(t_end - start_time_),
                           ToDouble(StepSizeLimit()));
  if (!DoStep(t_end - start_time_)) return false;
  if (context_->get_time() != t_end) context_->SetTime(t_end);
  context_->get_continuous_state_vector().CopyToPreSizedVector(&end_state_);
  const int bad = FindNonFinite(end_state_);
  if (bad < 0) {
    norm_.scales().ReachEnd(end_state_);
    return true;
  }
  non_finite_ = {false, bad, ToDouble(t_end), ToDouble(end_state_[bad])};
  return false;
}

template <typename T>
void IntegratorBase<T>::FinishStep(const T& h, bool adapted) {
  norm_.scales().AcceptStep();
  statistics_.NoteStep(h, adapted);
  if (dense_output_ != nullptr) RecordDenseStep();
}

template <typename T>
const ContinuousState<T>& IntegratorBase<T>::EvalTimeDerivatives(
    const Context<T>& context) {
  const CacheEntry& entry = system_.get_time_derivatives_cache_entry();
  if (entry.get_cache_entry_value(context).needs_recomputation()) {
    ++statistics_.num_derivative_evaluations;
  }
  return system_.EvalTimeDerivatives(context);
}

template <typename T>
bool IntegratorBase<T>::CalcDerivatives(const T& t, const VectorX<T>& x,
                                        VectorX<T>* xdot) {
  MoveWithinStep(t).SetFromVector(x);
  return CopyTimeDerivatives(xdot);
}

template <typename T>
bool IntegratorBase<T>::CopyTimeDerivatives(VectorX<T>* xdot) {
  EvalTimeDerivatives(*context_).get_vector().CopyToPreSizedVector(xdot);
  const int bad = FindNonFinite(*xdot);
  if (bad < 0) return true;
  non_finite_ = {true, bad, ToDouble(context_->get_time()),
                 ToDouble((*xdot)[bad])};
  return false;
}

template <typename T>
void IntegratorBase<T>::ThrowNonFinite() const {
  throw std::runtime_error(fmt::format(
      "Integrator: the {} of {} is {} at time {}; all must be finite.",
      non_finite_->is_derivative ? "time derivative" : "value",
      internal::NameStateElement(*context_, non_finite_->index),
      non_finite_->value, non_finite_->time));
}

template <typename T>
void IntegratorBase<T>::ThrowUnderflow(double step_size, bool made,
                                       double error) const {
  if (!made && non_finite_.has_value()) ThrowNonFinite();
  const std::string why =
      made ? fmt::format("its error {} exceeds the accuracy {}, worst in {}",
                         error, accuracy_in_use_, norm_.NameWorst(*context_))
           : std::string("the step cannot be made");
  throw std::runtime_error(fmt::format(
      "Integrator: the step of size {} from time {} of '{}' is as small as "
      "allowed (minimum {}), but {}. Loosen the accuracy, or look for a stiff "
      "or discontinuous derivative, or a solution that ends here.{}",
      step_size, ToDouble(start_time_), system_.GetSystemPathname(),
      ToDouble(get_working_minimum_step_size()), why, DescribeDifficulties()));
}

template <typename T>
void IntegratorBase<T>::Redo(const T& t0, const VectorX<T>& x0, const T& t1) {
  const Stepping stepping(this);
  context_->SetTimeAndGetMutableContinuousStateVector(t0).SetFromVector(x0);
  LookForBreaks();
  SaveStart();
  if (TryStep(t1)) return;
  ThrowUnderflow(ToDouble(t1 - t0), false, kNone);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::IntegratorBase);
