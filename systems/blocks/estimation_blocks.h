#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/system.h"

/** @file
Observers, filters and feedback of given matrices as data. Each struct has the
name of its block, or of the function that makes it. Written back, a block made
by a function is a LinearSystem. */

namespace wyvern::systems::blocks {

struct KalmanFilter {
  static constexpr char kSummary[] =
      "Kalman filter of a linear system with noise. Inputs "
      "observed_system_input (u) and observed_system_output (y); output "
      "estimated_state.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(A, "dx/dt or x[n+1] = A x + B u + noise."));
    a->Visit(WYVERN_DNVP(B, "Default: zero."));
    a->Visit(WYVERN_DNVP(C, "y = C x + D u + noise (default: identity)."));
    a->Visit(WYVERN_DNVP(D, "Default: zero."));
    a->Visit(WYVERN_DNVP(W, "Covariance of the noise of x."));
    a->Visit(WYVERN_DNVP(V, "Covariance of the noise of y."));
    a->Visit(WYVERN_DNVP(initial_state_estimate,
                         "Estimate at the start (default: zero)."));
    a->Visit(WYVERN_DNVP(initial_state_covariance,
                         "Covariance of its error (default: zero)."));
    a->Visit(WYVERN_DNVP(time_period, "Period, s; 0: continuous."));
    a->Visit(WYVERN_DNVP(measurement_period,
                         "Seconds between measurements of a continuous "
                         "system; 0: measured all the time."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<KalmanFilter> From(const System<double>& system);

  MatrixX<double> A{MatrixX<double>::Zero(1, 1)};
  MatrixX<double> B;
  MatrixX<double> C;
  MatrixX<double> D;
  MatrixX<double> W{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> V{MatrixX<double>::Identity(1, 1)};
  VectorX<double> initial_state_estimate;
  MatrixX<double> initial_state_covariance;
  double time_period{0};
  double measurement_period{0};
};

struct Observer {
  static constexpr char kSummary[] =
      "Luenberger observer of a linear system. Input u0: u above y; output y0: "
      "the estimate z.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(
        WYVERN_DNVP(A, "dz/dt or z[n+1] = A z + B u + L (y - C z - D u)."));
    a->Visit(WYVERN_DNVP(B, "Default: zero."));
    a->Visit(WYVERN_DNVP(C, "A row for each output."));
    a->Visit(WYVERN_DNVP(D, "Default: zero."));
    a->Visit(WYVERN_DNVP(L, "Gain, a column for each output."));
    a->Visit(WYVERN_DNVP(time_period, "Period, s; 0: continuous."));
  }
  std::unique_ptr<System<double>> Make() const;

  MatrixX<double> A{MatrixX<double>::Zero(1, 1)};
  MatrixX<double> B;
  MatrixX<double> C{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> D;
  MatrixX<double> L{MatrixX<double>::Identity(1, 1)};
  double time_period{0};
};

struct DisturbanceObserver {
  static constexpr char kSummary[] =
      "Observer of the state and of a constant disturbance that adds to the "
      "input. Input u0: u above y; output y0: the state above the disturbance.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(A, "dx/dt or x[n+1] = A x + B (u + d)."));
    a->Visit(WYVERN_DNVP(B, "A column for each input."));
    a->Visit(WYVERN_DNVP(C, "y = C x + D (u + d)."));
    a->Visit(WYVERN_DNVP(D, "Default: zero."));
    a->Visit(WYVERN_DNVP(L,
                         "Gain: a row for each state and each input, a column "
                         "for each output."));
    a->Visit(WYVERN_DNVP(time_period, "Period, s; 0: continuous."));
  }
  std::unique_ptr<System<double>> Make() const;

  MatrixX<double> A{MatrixX<double>::Zero(1, 1)};
  MatrixX<double> B{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> C{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> D;
  MatrixX<double> L{MatrixX<double>::Ones(2, 1)};
  double time_period{0};
};

struct FeedforwardInverse {
  static constexpr char kSummary[] =
      "Input of a linear system from its wanted output. Input u0: y and its "
      "derivatives (discrete: y and its next values); output y0: u.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(A, "dx/dt or x[n+1] = A x + B u."));
    a->Visit(WYVERN_DNVP(B, "One column."));
    a->Visit(WYVERN_DNVP(C, "y = C x + D u; one row."));
    a->Visit(WYVERN_DNVP(D, "Default: zero."));
    a->Visit(WYVERN_DNVP(time_period, "Period, s; 0: continuous."));
  }
  std::unique_ptr<System<double>> Make() const;

  MatrixX<double> A{-MatrixX<double>::Identity(1, 1)};
  MatrixX<double> B{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> C{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> D;
  double time_period{0};
};

struct StateFeedback {
  static constexpr char kSummary[] =
      "control = K (desired_state - estimated_state) + feedforward.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(K,
                         "Gain: a row for each control, a column for each "
                         "state."));
    a->Visit(WYVERN_DNVP(has_feedforward_port,
                         "Whether there is an input feedforward."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<StateFeedback> From(const System<double>& system);

  MatrixX<double> K{MatrixX<double>::Identity(1, 1)};
  bool has_feedforward_port{false};
};

/** An entry of the schedule of a GainScheduledFeedback. */
struct ScheduledGain {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(at, "Value of the scheduling variable."));
    a->Visit(WYVERN_DNVP(K, "Gain."));
    a->Visit(WYVERN_DNVP(x0, "State of the equilibrium (default: zero)."));
    a->Visit(WYVERN_DNVP(u0, "Control of the equilibrium (default: zero)."));
  }

  double at{0};
  MatrixX<double> K{MatrixX<double>::Identity(1, 1)};
  VectorX<double> x0;
  VectorX<double> u0;
};

struct GainScheduledFeedback {
  static constexpr char kSummary[] =
      "control = u0(s) - K(s) (estimated_state - x0(s)), linear between the "
      "entries. Inputs estimated_state and scheduling (s).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(schedule, "Entries, in the order of `at`."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<GainScheduledFeedback> From(
      const System<double>& system);

  std::vector<ScheduledGain> schedule{ScheduledGain{}};
};

struct LinearModelPredictiveController {
  static constexpr char kSummary[] =
      "Model predictive control of a linear model with limits of the control. "
      "Input state, output control.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(A, "Model: x[k+1] - x0 = A (x - x0) + B (u - u0)."));
    a->Visit(WYVERN_DNVP(B, "A column for each control."));
    a->Visit(WYVERN_DNVP(Q, "Weight of the state."));
    a->Visit(WYVERN_DNVP(R, "Weight of the control."));
    a->Visit(WYVERN_DNVP(P,
                         "Weight of the last state (default: the cost of the "
                         "linear quadratic regulator)."));
    a->Visit(WYVERN_DNVP(horizon, "Number of steps to plan."));
    a->Visit(
        WYVERN_DNVP(lower, "Lower limits of the control (default: none)."));
    a->Visit(
        WYVERN_DNVP(upper, "Upper limits of the control (default: none)."));
    a->Visit(WYVERN_DNVP(x0, "State of the equilibrium (default: zero)."));
    a->Visit(WYVERN_DNVP(u0, "Control of the equilibrium (default: zero)."));
    a->Visit(
        WYVERN_DNVP(time_period,
                    "Period of the model, s. With 0 the model is discrete; "
                    "else A and B are those of dx/dt, which is sampled "
                    "with this period."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<LinearModelPredictiveController> From(
      const System<double>& system);

  MatrixX<double> A{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> B{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> Q{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> R{MatrixX<double>::Identity(1, 1)};
  MatrixX<double> P;
  int horizon{20};
  VectorX<double> lower;
  VectorX<double> upper;
  VectorX<double> x0;
  VectorX<double> u0;
  double time_period{0};
};

}  // namespace wyvern::systems::blocks
