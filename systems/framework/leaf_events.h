#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "wyvern/systems/framework/event_collection.h"

namespace wyvern::systems::internal {

/** The first sample of offset + k * period, k = 0, 1, ..., after `now` [s].

Samples are computed, never accumulated. A sample within a few ulp of `now` is
the one that has just been handled, so none is seen twice and no sub-ulp step
arises. If `true_time` is given (see Context::PerturbTime()), a sample at that
time or within the tolerance of it counts as due, and is exactly `true_time`.
@throws std::runtime_error if the period is too short to be told apart at `now`.
*/
double NextSample(const PeriodicEventData& timing, double now,
                  const double* true_time);

/** Times closer than this to `time` are the same moment [s]: four ulp. */
double SameTimeTolerance(double time);

/** The events that a leaf System declares, kept for its lifetime, so that event
collections only point to them. */
template <typename T>
class LeafEvents {
 public:
  /** Periodic events that share period and offset. */
  struct Timing {
    PeriodicEventData when;
    std::unique_ptr<LeafCompositeEventCollection<T>> events;
    std::vector<const Event<T>*> all;
  };

  /** Each keeps a copy of `event`. */
  void AddPeriodic(const PeriodicEventData& when, const Event<T>& event);
  void AddPerStep(const Event<T>& event) {
    Add(event, TriggerType::kPerStep, &per_step_);
  }
  void AddInitialization(const Event<T>& event) {
    Add(event, TriggerType::kInitialization, &initialization_);
  }
  /** The copy, for a forced event. */
  const Event<T>& Keep(const Event<T>& event, TriggerType trigger);

  const std::vector<Timing>& periodic() const { return periodic_; }
  const LeafCompositeEventCollection<T>& per_step() const { return per_step_; }
  const LeafCompositeEventCollection<T>& initialization() const {
    return initialization_;
  }

 private:
  void Add(const Event<T>& event, TriggerType trigger,
           CompositeEventCollection<T>* events);

  std::vector<std::unique_ptr<Event<T>>> owned_;
  std::vector<Timing> periodic_;
  LeafCompositeEventCollection<T> per_step_;
  LeafCompositeEventCollection<T> initialization_;
};

/** Adds a reference to `event`, of whichever kind it is. */
template <typename T>
void AddReference(const Event<T>& event, CompositeEventCollection<T>* events);

}  // namespace wyvern::systems::internal
