#include "wyvern/systems/controllers/gain_scheduled_feedback.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"

/* Between two entries, K, x0 and u0 are each linear in s:
K = (1 - r) K_a + r K_b, likewise x0 and u0. */

namespace wyvern::systems::controllers {

namespace {

constexpr char kSchedule[] = "GainScheduledFeedback";

std::vector<ScheduledGain> CompleteAndCheckSchedule(
    std::vector<ScheduledGain> schedule) {
  wyvern::internal::RequireNotEmpty(kSchedule, "schedule", schedule.empty());
  const Eigen::Index m = schedule[0].K.rows();
  const Eigen::Index n = schedule[0].K.cols();
  wyvern::internal::RequireNotEmpty(kSchedule, "schedule[0].K",
                                    schedule[0].K.size() == 0);
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    ScheduledGain& one = schedule[i];
    if (one.x0.size() == 0) one.x0.setZero(n);
    if (one.u0.size() == 0) one.u0.setZero(m);
    const auto name = [i](const char* field) {
      return fmt::format("schedule[{}].{}", i, field);
    };
    wyvern::internal::RequireFinite(kSchedule, name("at"), one.at);
    wyvern::internal::RequireShape(kSchedule, name("K"), one.K, m, n);
    wyvern::internal::RequireFinite(kSchedule, name("K"), one.K);
    wyvern::internal::RequireSize(kSchedule, name("x0"), one.x0.size(), n);
    wyvern::internal::RequireFinite(kSchedule, name("x0"), one.x0);
    wyvern::internal::RequireSize(kSchedule, name("u0"), one.u0.size(), m);
    wyvern::internal::RequireFinite(kSchedule, name("u0"), one.u0);
    if (i == 0 || schedule[i - 1].at < one.at) continue;
    throw std::logic_error(
        fmt::format("{}(): {} is {} after {}; the values must increase.",
                    kSchedule, name("at"), one.at, schedule[i - 1].at));
  }
  return schedule;
}

}  // namespace

template <typename T>
GainScheduledFeedback<T>::GainScheduledFeedback(
    const std::vector<ScheduledGain>& schedule)
    : LeafSystem<T>(SystemTypeTag<controllers::GainScheduledFeedback>{}),
      schedule_(CompleteAndCheckSchedule(schedule)) {
  this->DeclareVectorInputPort("estimated_state",
                               static_cast<int>(schedule_[0].K.cols()));
  this->DeclareVectorInputPort("scheduling", 1);
  this->DeclareVectorOutputPort(
      "control", static_cast<int>(schedule_[0].K.rows()),
      &GainScheduledFeedback<T>::CalcControl, {this->all_input_ports_ticket()});
}

template <typename T>
void GainScheduledFeedback<T>::CalcControl(const Context<T>& context,
                                           BasicVector<T>* control) const {
  const VectorX<T>& x = get_input_port_estimated_state().Eval(context);
  const T& s = get_input_port_scheduling().Eval(context)[0];
  // The first entry above s.
  const auto above = std::upper_bound(
      schedule_.begin(), schedule_.end(), s,
      [](const T& value, const ScheduledGain& one) { return value < one.at; });
  if (above == schedule_.begin() || above == schedule_.end()) {
    const ScheduledGain& nearest =
        above == schedule_.begin() ? schedule_.front() : schedule_.back();
    CalcBetween(nearest, nearest, T(0), x, control);
  } else {
    const ScheduledGain& below = *(above - 1);
    CalcBetween(below, *above, T((s - below.at) / (above->at - below.at)), x,
                control);
  }
  systems::internal::RequireNoOverflow(*this, context, *control);
}

template <typename T>
void GainScheduledFeedback<T>::CalcBetween(const ScheduledGain& a,
                                           const ScheduledGain& b, const T& r,
                                           const VectorX<T>& x,
                                           BasicVector<T>* control) {
  auto u = control->get_mutable_value();
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    u[i] = a.u0[i] + r * (b.u0[i] - a.u0[i]);
  }
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const T error = x[j] - (a.x0[j] + r * (b.x0[j] - a.x0[j]));
    for (Eigen::Index i = 0; i < u.size(); ++i) {
      u[i] -= (a.K(i, j) + r * (b.K(i, j) - a.K(i, j))) * error;
    }
  }
}

}  // namespace wyvern::systems::controllers

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::GainScheduledFeedback);
