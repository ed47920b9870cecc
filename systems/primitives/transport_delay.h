#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Delays a continuous signal: y(t) = u(t - delay), and the initial output
before.

The history, samples at the starts of steps of the integrator, is discrete
state, so it is saved and copied with the Context. A simulation that starts
keeps it if its last sample is at most one delay old. Between samples y is a
polynomial of degree 5 through the nearest ones. Steps end at every 16th of the
delay, and where y jumps or bends. Polynomials do not cross the jumps and kinks
of u that come from events, from multiples of the delay since the start (where a
loop through the delay bends), or that stand out from the samples before; those
of the last kind are placed at a sample.

Jumps that no event makes, as those of a WaveformSource, are seen only if they
are at least 1/64 of the delay apart; a ZeroOrderHold before this block makes
events of them. A jump that only rounding separates from a multiple of 1/16 of
the delay may become a ramp of one step.

Input port `u`, output port `y`; no direct feedthrough. If u jumps more than
about 250 times within the delay, the history is full and a step throws
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

 private:
  template <typename U>
  friend class TransportDelay;

  // A sample is smooth, is a kink, or has the new value of a jump.
  enum Mark { kSmooth, kKink, kJump };

  using History = Eigen::Ref<const VectorX<T>>;

  int size() const { return this->get_input_port(0).size(); }
  // Where sample i, counted from the oldest, is in the discrete state: its
  // time, its mark, and its values.
  int Place(const History& state, int i) const;
  double SampleTime(const History& state, int i) const;
  Mark SampleMark(const History& state, int i) const;
  // The number of samples with SampleTime() + delay <= t.
  int CountPassed(const History& state, double t) const;
  // Whether an update has just changed u, other than a sample of this moment
  // or the samples before lead to expect.
  bool HasJustJumped(const Context<T>& context) const;
  // The mark of a new sample u at time t.
  Mark Judge(const History& state, double t, const VectorX<T>& u) const;
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
