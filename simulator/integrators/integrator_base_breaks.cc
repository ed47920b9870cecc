#include "wyvern/simulator/integrators/integrator_base.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/leaf_events.h"

// Handles breaks, and the fixed step that they cut into pieces. A step ends at
// the next break of the System (System::CalcNextBreakTime()). Its length is
// exactly that from break to break, and its derivatives use the values between
// the breaks. So a method integrates a pulse of any width as it would a
// constant.

namespace wyvern::systems {

template <typename T>
typename IntegratorBase<T>::FreeStep IntegratorBase<T>::PlanFreeStep() {
  LookForBreaks();
  const T& now = context_->get_time();
  const T natural_end = CalcNaturalStepEnd();
  const T longest = get_stretch_factor() * (natural_end - now);
  if (next_break_ - now <= longest) return {next_break_, next_break_ - now};
  return {natural_end, longest};
}

// A System's breaks may be wrong by rounding, and a trajectory that runs
// backward still has the old value at its break. So the derivatives of a step
// are evaluated a few machine epsilons away from the breaks at its ends,
// although the step has the length from break to break.
template <typename T>
void IntegratorBase<T>::LookForBreaks() {
  if (!system_.has_break_times()) return;
  constexpr int kMostAtOnce = 64;
  const T now = context_->get_time();
  const auto margin = [](const T& time, const T& room) {
    const T rounding(0.5 * internal::SameTimeTolerance(ToDouble(time)));
    const T quarter = T(0.25) * room;
    return rounding < quarter ? rounding : quarter;
  };
  const T early = now - T(std::max(internal::SameTimeTolerance(ToDouble(now)),
                                   std::numeric_limits<double>::min()));
  next_break_ = system_.CalcNextBreakTime(*context_, early);
  const bool starts_at_break = next_break_ <= now;
  for (int i = 0; i < kMostAtOnce && next_break_ <= now; ++i) {
    next_break_ = system_.CalcNextBreakTime(*context_, next_break_);
  }
  if (next_break_ <= now) {
    next_break_ = system_.CalcNextBreakTime(*context_, now);
  }
  const T room = next_break_ - now;
  earliest_ = T(-std::numeric_limits<double>::infinity());
  latest_ = T(std::numeric_limits<double>::infinity());
  if (starts_at_break) earliest_ = now + margin(now, room);
  if (!std::isinf(ToDouble(room))) {
    latest_ = next_break_ - margin(next_break_, room);
  }
}

template <typename T>
bool IntegratorBase<T>::IsBreakBefore(const T& time) const {
  return time - next_break_ >
         T(2 * internal::SameTimeTolerance(ToDouble(next_break_)));
}

template <typename T>
bool IntegratorBase<T>::IntegrateWithSingleFixedStepToTime(const T& t_target) {
  RequireInitialized("IntegrateWithSingleFixedStepToTime");
  if (!get_fixed_step_mode()) {
    throw std::logic_error(
        "IntegratorBase::IntegrateWithSingleFixedStepToTime(): error control "
        "is on, so a step cannot be promised; call set_fixed_step_mode(true).");
  }
  if (!(t_target >= context_->get_time())) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::IntegrateWithSingleFixedStepToTime(): the target time "
        "{} must not be before the time {}.",
        ToDouble(t_target), ToDouble(context_->get_time())));
  }
  if (t_target == context_->get_time()) return true;
  if (context_->num_continuous_states() == 0) {
    context_->SetTime(t_target);
    return true;
  }
  if (!system_.has_break_times()) return TakeFixedStep(t_target);
  const T first_time = context_->get_time();
  first_state_.resize(context_->num_continuous_states());
  context_->get_continuous_state_vector().CopyToPreSizedVector(&first_state_);
  const auto go_back = [&]() {
    context_->SetTimeAndGetMutableContinuousStateVector(first_time)
        .SetFromVector(first_state_);
  };
  try {
    while (context_->get_time() < t_target) {
      LookForBreaks();
      if (!TakeFixedStep(IsBreakBefore(t_target) ? next_break_ : t_target)) {
        go_back();
        return false;
      }
    }
  } catch (...) {
    go_back();
    throw;
  }
  return true;
}

template <typename T>
bool IntegratorBase<T>::TakeFixedStep(const T& t_target) {
  const Stepping stepping(this);
  SaveStart();
  bool made = false;
  try {
    made = TryStep(t_target);
    if (!made && non_finite_.has_value()) ThrowNonFinite();
    if (made) FinishStep(t_target - start_time_, false);
  } catch (...) {
    RestoreStart();
    throw;
  }
  if (!made) {
    ++statistics_.num_substep_failures;
    RestoreStart();
  }
  return made;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::IntegratorBase);
