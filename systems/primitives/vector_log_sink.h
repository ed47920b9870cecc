#pragma once

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/primitives/publish_triggers.h"
#include "wyvern/systems/primitives/vector_log.h"

namespace wyvern::systems {

/** Records its input in a VectorLog that lives in the Context.

Input port `data`. The log is not part of the state: it is written by publish
events, must not influence the simulation, and each Context has its own. A
sample is taken at each publish that triggers it:
- per step (the default): at Initialize() and after each step of the simulator;
- periodic: at k publish_period, k = 0, 1, ..., stamped with exactly that time;
- forced: when the user calls ForcedPublish().

See VectorLog on memory. */
template <typename T>
class VectorLogSink final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(VectorLogSink);

  /** Logs periodically if `publish_period` (s) is positive and per step if it
  is 0; and when forced.
  @throws std::logic_error on a negative size or bad period. */
  explicit VectorLogSink(int input_size, double publish_period = 0.0);

  /** Logs on the given triggers, out of kForced, kPerStep and kPeriodic.
  @throws std::logic_error on another trigger, or unless publish_period > 0
  exactly if kPeriodic is among them. */
  VectorLogSink(int input_size, const TriggerTypeSet& publish_triggers,
                double publish_period = 0.0);

  /** Scalar-converting copy constructor; a log is in a Context and is not
  converted. */
  template <typename U>
  explicit VectorLogSink(const VectorLogSink<U>& other)
      : VectorLogSink(other.get_input_port(0).size(), other.publish_triggers_,
                      other.publish_period_) {}

  /** The log in this system's own Context.
  @throws std::logic_error if `context` is another system's. */
  const VectorLog<T>& GetLog(const Context<T>& context) const;
  /** Mutable variant of GetLog(), to clear the log or reserve memory. */
  VectorLog<T>& GetMutableLog(Context<T>* context) const;

  /** The log in the Context of the diagram that this system is in.
  @throws std::logic_error if `root_context` is not that. */
  const VectorLog<T>& FindLog(const Context<T>& root_context) const;
  /** Mutable variant of FindLog(). */
  VectorLog<T>& FindMutableLog(Context<T>* root_context) const;

 private:
  template <typename U>
  friend class VectorLogSink;

  VectorLog<T>& LogIn(const Context<T>& context) const;
  EventStatus WriteToLog(const Context<T>& context) const;

  const TriggerTypeSet publish_triggers_;
  const double publish_period_;
  CacheIndex log_cache_index_;
};

/** Adds a VectorLogSink to `builder`, connected to `src`. */
template <typename T>
VectorLogSink<T>* LogVectorOutput(const OutputPort<T>& src,
                                  DiagramBuilder<T>* builder,
                                  double publish_period = 0.0);

/** Overload with the given triggers. */
template <typename T>
VectorLogSink<T>* LogVectorOutput(const OutputPort<T>& src,
                                  DiagramBuilder<T>* builder,
                                  const TriggerTypeSet& publish_triggers,
                                  double publish_period = 0.0);

}  // namespace wyvern::systems
