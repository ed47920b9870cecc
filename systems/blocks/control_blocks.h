#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/system.h"

/** @file
Controllers and state machines as data. Each struct has the name of its block,
whose header says more. */

namespace wyvern::systems::blocks {

struct PidController {
  static constexpr char kSummary[] =
      "PID on positions and velocities. Inputs estimated_state and "
      "desired_state, [q, v] each; output control.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(kp, "Gain of each position's error."));
    a->Visit(WYVERN_DNVP(ki, "Gain of each integral, as many as kp."));
    a->Visit(WYVERN_DNVP(kd, "Gain of each velocity's error, as many as kp."));
    a->Visit(WYVERN_DNVP(state_projection,
                         "Two rows for each gain, positions first, and a "
                         "column for each element of the estimated state "
                         "(default: identity)."));
    a->Visit(WYVERN_DNVP(output_projection,
                         "A row for each output and a column for each gain "
                         "(default: identity)."));
    a->Visit(WYVERN_DNVP(tunable,
                         "Whether the gains are parameters of the Context."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<PidController> From(const System<double>& system);

  VectorX<double> kp{VectorX<double>::Ones(1)};
  VectorX<double> ki{VectorX<double>::Zero(1)};
  VectorX<double> kd{VectorX<double>::Zero(1)};
  MatrixX<double> state_projection;
  MatrixX<double> output_projection;
  bool tunable{false};
};

struct PidCompensator {
  static constexpr char kSummary[] =
      "PID of signals with filtered derivative, limits and anti-windup, "
      "continuous or sampled. Inputs reference and measurement; output "
      "control.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(kp, "Gain of the error."));
    a->Visit(WYVERN_DNVP(ki, "Gain of its integral."));
    a->Visit(WYVERN_DNVP(kd, "Gain of its derivative."));
    a->Visit(WYVERN_DNVP(derivative_bandwidth,
                         "Bandwidth of the derivative's filter, rad/s."));
    a->Visit(WYVERN_DNVP(proportional_weight,
                         "Weight of the reference in the proportional term."));
    a->Visit(WYVERN_DNVP(derivative_weight,
                         "Weight of the reference in the derivative."));
    a->Visit(WYVERN_DNVP(lower, "Lower limit of the output; -.inf: none."));
    a->Visit(WYVERN_DNVP(upper, "Upper limit of the output; .inf: none."));
    a->Visit(WYVERN_DNVP(anti_windup, "none, clamping or back_calculation."));
    a->Visit(WYVERN_DNVP(back_calculation, "Rate of back-calculation, 1/s."));
    a->Visit(WYVERN_DNVP(period, "Period, s; 0: continuous."));
    a->Visit(
        WYVERN_DNVP(method,
                    "Integration if sampled: forward_euler, backward_euler or "
                    "tustin."));
    a->Visit(WYVERN_DNVP(has_feedforward_port,
                         "Whether there is an input feedforward."));
    a->Visit(WYVERN_DNVP(size, "Number of signals."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<PidCompensator> From(const System<double>& system);

  double kp{1};
  double ki{0};
  double kd{0};
  double derivative_bandwidth{100};
  double proportional_weight{1};
  double derivative_weight{1};
  double lower{-std::numeric_limits<double>::infinity()};
  double upper{std::numeric_limits<double>::infinity()};
  std::string anti_windup{"clamping"};
  double back_calculation{1};
  double period{0};
  std::string method{"tustin"};
  bool has_feedforward_port{false};
  int size{1};
};

/** A state of a StateMachine. */
struct ChartState {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(name, "Name of the state."));
    a->Visit(WYVERN_DNVP(parent, "State around this one (default: none)."));
    a->Visit(WYVERN_DNVP(entry,
                         "Outputs from the entry on (default: as they "
                         "were)."));
    a->Visit(WYVERN_DNVP(keep_history,
                         "Whether an entry resumes the inner state that was "
                         "left last."));
  }
  std::string name;
  std::optional<std::string> parent;
  std::optional<VectorX<double>> entry;
  bool keep_history{false};
};

/** A transition of a StateMachine: when an input passes a bound, or after a
time. */
struct ChartTransition {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(from, "State that is left."));
    a->Visit(WYVERN_DNVP(to, "State that is entered."));
    a->Visit(WYVERN_DNVP(input, "Index of the input element that decides."));
    a->Visit(WYVERN_DNVP(above, "Bound that the input rises above."));
    a->Visit(WYVERN_DNVP(below, "Bound that the input falls below."));
    a->Visit(WYVERN_DNVP(after, "Time since `from` was entered, s."));
  }
  std::string from;
  std::string to;
  int input{0};
  std::optional<double> above;
  std::optional<double> below;
  std::optional<double> after;
};

struct StateMachine {
  static constexpr char kSummary[] =
      "States, nested in each other, and transitions at exact times. Input u; "
      "outputs y (if num_outputs > 0) and state, the index of the active "
      "state.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(input_size, "Size of u."));
    a->Visit(WYVERN_DNVP(num_outputs, "Size of y, which is zero at first."));
    a->Visit(WYVERN_DNVP(states,
                         "The states; the first one within a parent, "
                         "and of all, is entered first."));
    a->Visit(WYVERN_DNVP(transitions,
                         "Those of outer states go first, then "
                         "the order here counts."));
  }
  std::unique_ptr<System<double>> Make() const;
  /** Empty also for a chart with guards or actions that are functions. */
  static std::optional<StateMachine> From(const System<double>& system);

  int input_size{1};
  int num_outputs{0};
  std::vector<ChartState> states;
  std::vector<ChartTransition> transitions;
};

}  // namespace wyvern::systems::blocks
