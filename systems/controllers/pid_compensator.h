#pragma once

#include <limits>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::controllers {

/** Methods that keep the integral of a PidCompensator from growing while its
output is at a limit. */
enum class AntiWindup {
  kNone,
  /** The integral stands still while its error would drive the output farther
  beyond the limit. */
  kClamping,
  /** The excess of the output over its limit flows back into the integral, with
  the rate PidSettings::back_calculation. */
  kBackCalculation,
};

/** How a sampled PidCompensator integrates, as a rule for 1/s with the period
h: h / (z - 1), h z / (z - 1), or h (z + 1) / (2 (z - 1)). */
enum class PidMethod { kForwardEuler, kBackwardEuler, kTustin };

/** Settings of a PidCompensator. With r the reference and m the measurement,
its output before the limits is

    v = kp (b r - m) + ki/s (r - m) + kd N s / (s + N) (c r - m) + feedforward
*/
struct PidSettings {
  double kp{0};  ///< unit of control / unit of error
  double ki{0};  ///< kp's unit / s
  double kd{0};  ///< kp's unit * s
  /** N [rad/s], the bandwidth of the derivative's filter. */
  double derivative_bandwidth{100};
  double proportional_weight{1};  ///< b
  double derivative_weight{1};    ///< c
  /** The limits of the output; infinite: none. */
  double lower{-std::numeric_limits<double>::infinity()};
  /** The upper limit of the output; infinite for none. */
  double upper{std::numeric_limits<double>::infinity()};
  /** The method that stops the integral at a limit. */
  AntiWindup anti_windup{AntiWindup::kClamping};
  double back_calculation{1};  ///< [1/s]
  /** [s]; 0: continuous. */
  double period{0};
  /** The rule by which a sampled compensator integrates. */
  PidMethod method{PidMethod::kTustin};
  /** Whether there is an input port `feedforward`. */
  bool has_feedforward_port{false};
};

/** A PID controller of a signal: with a filtered derivative, set-point weights,
output limits and anti-windup, in continuous time or sampled. (PidController
takes states with velocities, and has none of these.)

Input ports `reference`, `measurement` and, on request, `feedforward`; output
port `control`. A continuous compensator has direct feedthrough. A sampled one
computes its control every period, from time 0 on, and holds it in between.

The state of `size` channels has the integral terms, which include ki, then the
filters of the derivatives, and, if sampled, the controls: a change of ki alone
does not move the output. Numeric parameter 0 holds kp, ki and kd, which are
tunable. */
template <typename T>
class PidCompensator final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PidCompensator);

  /** Uses the same settings for each of `size` channels.
  @throws std::logic_error if a number is not finite (limits may be infinite),
  lower > upper, the bandwidth is not positive, the period or the rate of
  back-calculation is negative, `size` is below 1, the forward Euler method
  makes the filter unstable (N h >= 2), or the period makes back-calculation
  unstable (rate times h >= 2). */
  explicit PidCompensator(const PidSettings& settings, int size = 1);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit PidCompensator(const PidCompensator<U>& other)
      : PidCompensator(other.settings(), other.size()) {}

  /** The settings that were given to the constructor. */
  const PidSettings& settings() const { return settings_; }
  /** Number of channels. */
  int size() const { return size_; }

  /** The port `reference`, size() elements. */
  const InputPort<T>& get_input_port_reference() const;
  /** The port `measurement`, size() elements. */
  const InputPort<T>& get_input_port_measurement() const;
  /** The port `feedforward`, size() elements.
  @throws std::out_of_range if the settings do not ask for it. */
  const InputPort<T>& get_input_port_feedforward() const;

  /** Bumpless start: sets the state so that the output is `control` now and the
  derivative term is zero. The inputs must have values.
  @throws std::logic_error on a wrong size or a number that is not finite or
  outside the limits. */
  void Start(Context<T>* context,
             const Eigen::Ref<const VectorX<T>>& control) const;

  /** Bumpless change of gains: sets the parameter, scales the states of the
  derivatives' filters with kd, and moves the integral terms so that the output
  does not jump. The inputs must have values.
  @throws std::logic_error if a gain is not finite. */
  void ChangeGains(Context<T>* context, double kp, double ki, double kd) const;

 private:
  // The terms of one channel at one moment.
  struct Terms {
    T error_rate;     // ki e
    T filter_rate;    // of the derivative's filter
    T rest;           // all terms but the integral
    T integral;       // the integral term
    T unlimited;      // v
    T limited;        // u
    T integral_rate;  // with anti-windup
  };

  bool is_sampled() const { return settings_.period > 0; }
  // The share of the present input in an integral, times the period.
  double CalcPresentShare() const;
  const T& GetState(const Context<T>& context, int i) const;
  void SetState(Context<T>* context, int i, const T& value) const;
  Terms CalcTerms(const Context<T>& context, int i) const;
  // Moves the integral state of channel i so that v is `wanted`.
  void MoveIntegral(Context<T>* context, int i, const T& wanted) const;
  void CalcControl(const Context<T>& context, BasicVector<T>* control) const;
  EventStatus Sample(const Context<T>& context, DiscreteValues<T>* next) const;
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final;

  const PidSettings settings_;
  const int size_;
};

}  // namespace wyvern::systems::controllers
