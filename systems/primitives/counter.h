#pragma once

#include <limits>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Behaviour of a Counter at a limit. */
enum class CounterLimit {
  kWrap,  ///< It goes on from the other limit.
  kStop,  ///< It stays at the limit.
};

/** Settings of a Counter. */
struct CounterSettings {
  /** Time between counts [s]. In a TriggeredSubsystem each trigger counts. */
  double period{1};
  /** Change of the count; negative: down. */
  int step{1};
  /** Count at the start and after a reset, from `lower` to `upper`. */
  int initial{0};
  /** Least count. */
  int lower{0};
  /** Largest count. */
  int upper{std::numeric_limits<int>::max()};
  /** Behaviour at a limit. */
  CounterLimit at_limit{CounterLimit::kWrap};
  /** Whether there is an input port `down`: above zero, the count changes by
  -step. */
  bool has_down_port{false};
  /** Whether there is an input port `reset`: above zero at a count, the count
  becomes `initial`. */
  bool has_reset_port{false};
};

/** Counts its samples, up or down, between two limits.

Input ports `down` and `reset` (size 1), if asked for; output port `y` (size 1),
no direct feedthrough. The first count is at time `period`, so without ports
y(t) = initial + step floor(t / period) until a limit. With kWrap and n = upper
- lower + 1, y = lower + (initial - lower + k step) mod n after k counts. The
discrete state is the count. */
template <typename T>
class Counter final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Counter);

  /** Makes a counter with the given settings.
  @throws std::logic_error if the period is not positive and finite, `lower`
  is above `upper`, or `initial` is not between them. */
  explicit Counter(const CounterSettings& settings);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Counter(const Counter<U>& other) : Counter(other.settings()) {}

  ~Counter() override;

  /** The settings that were given to the constructor. */
  const CounterSettings& settings() const { return settings_; }

 private:
  // Whether an optional input port is above zero.
  bool IsOn(const Context<T>& context, int port) const;
  EventStatus Count(const Context<T>& context, DiscreteValues<T>* next) const;

  const CounterSettings settings_;
  // -1 without the port.
  int down_port_{-1};
  int reset_port_{-1};
};

}  // namespace wyvern::systems
