#include "wyvern/simulator/step_pace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/diagram.h"

namespace wyvern::systems::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The fastest steps take 50 to 150 ns, so these take a minute or more.
constexpr double kMostSteps = 1e9;
// Only steps shorter than this are counted [s].
constexpr double kShort = 1e-9;
// How far ahead steps are counted [s].
constexpr double kFarAhead = 10;
constexpr int kSlowCalls = 100;
constexpr int kStepsOfCall = 1000;

template <typename T>
double ShortestPeriod(const System<T>& leaf, const Context<T>& context) {
  double shortest = kInfinity;
  for (const auto& [timing, events] :
       leaf.MapPeriodicEventsByTiming(&context)) {
    shortest = std::min(shortest, timing.period_sec());
  }
  return shortest;
}

template <typename T>
void AddSoonStops(const System<T>& system, const Context<T>& context,
                  double delay, std::vector<SoonStop>* stops) {
  const T now = context.get_time();
  const auto events = system.AllocateCompositeEventCollection();
  double next = ToDouble(system.CalcNextUpdateTime(context, events.get()));
  if (system.has_break_times()) {
    next = std::min(next, ToDouble(system.CalcNextBreakTime(context, now)));
  }
  if (!(next - ToDouble(now) <= delay)) return;
  const std::size_t num_before = stops->size();
  const auto* diagram = dynamic_cast<const Diagram<T>*>(&system);
  if (diagram != nullptr) {
    for (const System<T>* part : diagram->GetSystems()) {
      AddSoonStops(*part, diagram->GetSubsystemContext(*part, context), delay,
                   stops);
    }
    if (stops->size() > num_before) return;
  }
  stops->push_back(
      {fmt::format("{} ({})", system.GetSystemPathname(),
                   system.GetSystemType()),
       diagram == nullptr ? ShortestPeriod(system, context) : kInfinity});
}

}  // namespace

template <typename T>
std::vector<SoonStop> FindSoonStops(const System<T>& system,
                                    const Context<T>& context, double delay) {
  std::vector<SoonStop> stops;
  AddSoonStops(system, context, delay, &stops);
  return stops;
}

template <typename T>
void StepPace<T>::Restart() {
  num_pending_ = 0;
  num_short_ = 0;
  num_slow_ = 0;
}

template <typename T>
void StepPace<T>::NoteSteps(const Context<T>& context, int64_t steps,
                            double since, double boundary_time,
                            double max_step_size) {
  if (num_pending_ == 0) since_ = since;
  num_pending_ += steps;
  if (num_pending_ < kStepsOfCall) return;
  const double now = ToDouble(context.get_time());
  const double pace = (now - since_) / static_cast<double>(num_pending_);
  if (!(pace < kShort)) {
    Restart();
    return;
  }
  num_short_ += static_cast<double>(num_pending_);
  num_pending_ = 0;
  // Periods below this make too many steps.
  const double way = std::min(boundary_time - now, kFarAhead);
  const double left = kMostSteps - num_short_;
  const double shortest = left > 0 ? std::min(kShort, way / left) : kShort;
  if (!(pace < shortest)) {
    num_slow_ = 0;
    return;
  }
  const auto refuse = [&](const std::string& cause, double period,
                          const char* remedy) {
    throw std::runtime_error(fmt::format(
        "Simulator::AdvanceTo(): {} {:.3g} s, which makes {:.3g} steps in the "
        "next {:.3g} s on the way from time {} to the boundary {}, after "
        "{:.3g} such steps; at most {:.0e} are possible. {}, or give a nearer "
        "boundary.",
        cause, period, way / period, way, now, boundary_time, num_short_,
        kMostSteps, remedy));
  };
  if (max_step_size < shortest) {
    refuse(fmt::format("the maximum step size of the integrator of '{}' is",
                       system_.GetSystemPathname()),
           max_step_size, "Call set_maximum_step_size() with a longer one");
  }
  const std::vector<SoonStop> stops = FindSoonStops(system_, context, shortest);
  const SoonStop* aperiodic = nullptr;
  for (const SoonStop& stop : stops) {
    if (stop.period < shortest) {
      refuse(fmt::format("System {} has events with the period", stop.name),
             stop.period, "Give it a longer period");
    }
    if (std::isinf(stop.period)) aperiodic = &stop;
  }
  num_slow_ = aperiodic == nullptr ? 0 : num_slow_ + 1;
  if (num_slow_ < kSlowCalls) return;
  refuse(fmt::format("System {} ends steps, {} in a row, after an average of",
                     aperiodic->name, kSlowCalls * kStepsOfCall),
         pace, "Give it longer timeouts or delays");
}

}  // namespace wyvern::systems::internal

namespace wyvern::systems::internal {
#define WYVERN_INSTANTIATE_FIND_SOON_STOPS(T)      \
  template std::vector<SoonStop> FindSoonStops<T>( \
      const System<T>& system, const Context<T>& context, double delay);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_FIND_SOON_STOPS)
#undef WYVERN_INSTANTIATE_FIND_SOON_STOPS
}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::StepPace);
