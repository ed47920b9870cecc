#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Delays a continuous signal: y(t) = u(t - delay), and the initial output
before.

The history, samples at the starts of steps of the integrator, is discrete
state, so it is saved and copied with the Context. A simulation that starts
keeps it if its last sample is at most one delay old. Between samples y is a
polynomial of degree 5 through the nearest ones. Steps end about 16 times in a
delay, and where y jumps or bends.

At an event and at a break, as the edges of a WaveformSource, the history has
the values of u before and after. So each jump of u becomes a jump of y. A jump
of less than 1e-9 of u is taken for rounding. Polynomials do not cross jumps,
kinks at breaks, and multiples of the delay since the start, where a loop
through the delay bends. A break where the slope of u changes by less than a
tenth is not a kink.

Input port `u`, output port `y`; no direct feedthrough. If u jumps more than
about 170 times within the delay, the history is full and a step throws
std::runtime_error. */
template <typename T>
class TransportDelay final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TransportDelay);

  /** @param delay [s].
  @throws std::logic_error unless the delay is positive and finite, the initial
  output is finite and `size` is at least 1. */
  explicit TransportDelay(double delay, int size = 1,
                          double initial_output = 0);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit TransportDelay(const TransportDelay<U>& other)
      : TransportDelay(other.delay(), other.get_input_port(0).size(),
                       other.initial_output_) {}

  /** The delay [s]. */
  double delay() const { return delay_; }
  /** Output until the delay has passed for the first time. */
  double initial_output() const { return initial_output_; }

 private:
  template <typename U>
  friend class TransportDelay;

  // A sample is smooth, is a kink, has the new value of a jump, or is at a
  // break where the next sample will show whether there is a kink.
  enum Mark { kSmooth, kKink, kJump, kBreak };

  using History = Eigen::Ref<const VectorX<T>>;

  int size() const { return this->get_input_port(0).size(); }
  // Where sample i, counted from the oldest, is in the discrete state: its
  // time, its mark, and its values.
  int Place(const History& state, int i) const;
  double SampleTime(const History& state, int i) const;
  Mark SampleMark(const History& state, int i) const;
  // The number of samples with SampleTime() + delay <= t.
  int CountPassed(const History& state, double t) const;
  // Whether polynomials pass through sample i.
  bool IsSmooth(const History& state, int i) const;
  // Whether an update at this moment has changed u from its sample.
  bool HasJustJumped(const Context<T>& context) const;
  // Whether u differs from the newest sample, taken just before a break, by
  // more than rounding.
  bool IsJump(const History& state, const VectorX<T>& u) const;
  // Whether t is one of the times at which steps end to keep samples close.
  bool IsRegular(const History& state, double t) const;
  // Whether the slope changes at sample i, given the sample after it.
  bool IsKink(const History& state, int i) const;
  void Append(const Context<T>& context, Mark mark,
              Eigen::Ref<VectorX<T>> state) const;

  EventStatus Start(const Context<T>& context, DiscreteValues<T>* next) const;
  EventStatus Remember(const Context<T>& context,
                       DiscreteValues<T>* next) const;
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;
  void DoCalcNextUpdateTime(const Context<T>& context,
                            CompositeEventCollection<T>* events,
                            T* time) const final;
  void DoCalcNextBreakTime(const Context<T>& context, const T& after,
                           T* time) const final;

  const double delay_;
  const double initial_output_;
  const DiscreteUpdateEvent<T> note_jump_;
};

}  // namespace wyvern::systems
