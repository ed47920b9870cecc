#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/simulator/integrators/integrator_base.h"
#include "wyvern/systems/framework/system.h"
#include "wyvern/systems/framework/witness_function.h"

namespace wyvern::systems::internal {

/** Watches the witness functions of a System over each step, and takes the step
back to just after the first moment at which one of them changes sign.

Finding the moment is a bracketing search: [a, b] shrinks, with no trigger over
[start, a] and one over [start, b], until b - a is within the window; then the
Context is left at b. Each probe integrates from a, whose state is kept. A
secant through the witness values aims the probe; a bisection at least every
third time makes the number of probes logarithmic whatever the functions do.

Steps that are too long to show all sign changes are shortened, see the source;
a function that jumps is exempt. */
template <typename T>
class WitnessWatch {
 public:
  WitnessWatch(const System<T>& system, IntegratorBase<T>* integrator);

  /** The lengths of steps [s] that the watch has found to be short enough. */
  struct Resolution {
    int64_t num_steps{0};
    /** The longest step that was checked. */
    double longest{0};
    /** The length that the next step may have. */
    double limit{std::numeric_limits<double>::infinity()};
    /** The length of the step that made a limit necessary. */
    double too_long{0};
  };

  /** Forgets all steps so far. */
  void Restart();
  const Resolution& resolution() const { return resolution_; }
  void set_resolution(const Resolution& resolution) {
    resolution_ = resolution;
  }

  /** Gets the witness functions that are active at the start of a step, and
  their values. The step may be as long as resolution().limit.
  @returns false if there are none. */
  bool Start(const Context<T>& context);
  bool any() const { return !witnesses_.empty(); }

  /** After a step: looks for triggers. With a `window` [s], the Context is
  moved back, with its integrator, to within that much after the first; without,
  it stays at the end of the step. Adds the triggered events to `events`. With a
  window, a step without a trigger may be shortened, too.
  @returns true if there was a trigger.
  @throws std::runtime_error if a value is NaN, or if one function triggers 100
  times in a row, each time within four windows. */
  bool Catch(const std::optional<T>& window, Context<T>* context,
             CompositeEventCollection<T>* events);

  /** Result of Catch(), in numbers that outlive the process: the step's start,
  where nothing had triggered yet, and the witness functions that triggered
  after that, by number and name. */
  struct Found {
    T start_time{0.0};
    VectorX<T> start_state;
    T before{0.0};
    VectorX<T> state_before;
    std::vector<int> triggered;
    std::vector<std::string> names;
  };
  /** After a Catch() that was true. */
  Found GetFound() const;
  /** Adds to `events` those that Catch() added when it found this. The Context
  is that of the moment, and is so afterwards.
  @returns false, having added none, if the System does not give the same
  witness functions at the step's start. */
  [[nodiscard]] bool Repeat(const Found& found, Context<T>* context,
                            CompositeEventCollection<T>* events);

 private:
  // The last crossing of a witness function: its time, its value there until
  // the next step has begun, and how many there were in a row.
  struct Crossing {
    double time{-std::numeric_limits<double>::infinity()};
    double value{0};
    int num_at_once{0};
  };

  int num_witnesses() const { return static_cast<int>(witnesses_.size()); }
  void NoteCrossings();
  // Gives witnesses that are zero at the start of the step a sign.
  void SettleZeros(const T& window, Context<T>* context);
  // Shortens the step until it shows all sign changes, but not below `window`.
  void Check(const T& window, Context<T>* context);
  // Returns the roughness of the step to the Context's time. If it is small and
  // the step has a trigger within, shortens the step to end after that.
  double CheckStep(Context<T>* context);
  // Takes the step again, to `time`, and fills now_ and triggered_.
  void MoveTo(const T& time, Context<T>* context);
  void RequireFewAtOnce(const T& window, const T& time);
  // Fills now_ and triggered_ with what the Context says.
  bool FindTriggers(const Context<T>& context);
  void CompareWithStart(const VectorX<T>& values);
  void Isolate(const T& window, Context<T>* context);
  // Where the secants of the triggered witnesses put the first crossing.
  T EstimateCrossing(const T& a, const T& b) const;
  T ChooseProbe(const T& a, const T& b, const T& window, int iteration) const;
  std::string NameOf(int witness) const;
  void AddEvents(const Context<T>& context,
                 CompositeEventCollection<T>* events);

  const System<T>& system_;
  IntegratorBase<T>* const integrator_;
  std::vector<const WitnessFunction<T>*> witnesses_;
  // By witness: the value at the start, at a, at the last probe, and at b.
  VectorX<T> start_;
  VectorX<T> at_a_;
  VectorX<T> now_;
  VectorX<T> at_b_;
  std::vector<int> triggered_;
  // The bracket.
  T start_time_{0.0};
  VectorX<T> start_state_;
  T a_{0.0};
  VectorX<T> state_a_;
  std::unique_ptr<ContinuousState<T>> xc_a_;
  // The witnesses' events, copied so that they can say what triggered them.
  std::map<const WitnessFunction<T>*, std::unique_ptr<Event<T>>> events_;
  std::map<const WitnessFunction<T>*, Crossing> crossings_;
  Resolution resolution_;
  // The values at the points of a step that is checked.
  std::array<VectorX<T>, 6> inner_;
};

}  // namespace wyvern::systems::internal
