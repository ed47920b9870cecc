#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/event.h"

namespace wyvern::systems {

class SystemBase;

/** Which zero crossings of a witness function trigger its event. */
enum class WitnessFunctionDirection {
  kNone,  ///< Never triggers.
  kPositiveThenNonPositive,
  kNegativeThenNonNegative,
  kCrossesZero,
};

/** A scalar function of the Context that the Simulator watches: when its sign
changes over a step, the moment is isolated and the event, if any, handled. Made
by LeafSystem::MakeWitnessFunction(). */
template <typename T>
class WitnessFunction final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(WitnessFunction);

  /** For LeafSystem::MakeWitnessFunction(). `system` must outlive this; the
  event, if given, gets the trigger kWitness.
  @throws std::logic_error if `calc` is empty. */
  WitnessFunction(const System<T>* system, const SystemBase*,
                  std::string description,
                  const WitnessFunctionDirection& direction,
                  std::function<T(const Context<T>&)> calc,
                  std::unique_ptr<Event<T>> event = nullptr)
      : system_(system),
        description_(std::move(description)),
        direction_(direction),
        event_(std::move(event)),
        calc_(std::move(calc)) {
    if (calc_ == nullptr) {
      throw std::logic_error("WitnessFunction: '" + description_ +
                             "' has no function; give one that computes its "
                             "value.");
    }
    if (event_ != nullptr) event_->set_trigger_type(TriggerType::kWitness);
  }

  /** Overload with a member function of the System. */
  template <class MySystem>
  WitnessFunction(const System<T>* system, const SystemBase* system_base,
                  std::string description,
                  const WitnessFunctionDirection& direction,
                  T (MySystem::*calc)(const Context<T>&) const,
                  std::unique_ptr<Event<T>> event = nullptr)
      : WitnessFunction(
            system, system_base, std::move(description), direction,
            [self = static_cast<const MySystem*>(system), calc](
                const Context<T>& context) { return (self->*calc)(context); },
            std::move(event)) {}

  /** The description that was given when the function was made. */
  const std::string& description() const { return description_; }
  /** The zero crossings that trigger the event. */
  WitnessFunctionDirection direction_type() const { return direction_; }
  /** The System whose Context the function reads. */
  const System<T>& get_system() const { return *system_; }
  /** The event to handle, or null. */
  const Event<T>* get_event() const { return event_.get(); }
  /** The event to handle, writable, or null. */
  Event<T>* get_mutable_event() { return event_.get(); }

  /** The value; `context` is that of get_system(). */
  T CalcWitnessValue(const Context<T>& context) const { return calc_(context); }

  /** True if the values at a step's start and end call for the event. A start
  value of zero never does: the event happened there. */
  bool should_trigger(const T& w0, const T& wf) const {
    switch (direction_) {
      case WitnessFunctionDirection::kNone:
        return false;
      case WitnessFunctionDirection::kPositiveThenNonPositive:
        return w0 > 0 && wf <= 0;
      case WitnessFunctionDirection::kNegativeThenNonNegative:
        return w0 < 0 && wf >= 0;
      case WitnessFunctionDirection::kCrossesZero:
        return (w0 > 0 && wf <= 0) || (w0 < 0 && wf >= 0);
    }
    return false;
  }

 private:
  const System<T>* const system_;
  const std::string description_;
  const WitnessFunctionDirection direction_;
  const std::unique_ptr<Event<T>> event_;
  const std::function<T(const Context<T>&)> calc_;
};

}  // namespace wyvern::systems
