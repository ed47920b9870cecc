#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "wyvern/systems/estimators/gaussian_state_observer.h"

namespace wyvern::systems::estimators {

/** Options of ExtendedKalmanFilter(). */
struct ExtendedKalmanFilterOptions {
  /** The default estimate, n elements; none: zero. */
  std::optional<Eigen::VectorXd> initial_state_estimate;
  /** Its covariance, n x n, positive semidefinite; none: zero. */
  std::optional<Eigen::MatrixXd> initial_state_covariance;
  /** The port of the input u; by default the first one, if there is one. */
  std::variant<InputPortSelection, InputPortIndex> actuation_input_port_index{
      InputPortSelection::kUseFirstInputIfItExists};
  /** The port of the measured output y; by default the first one. */
  std::variant<OutputPortSelection, OutputPortIndex>
      measurement_output_port_index{
          OutputPortSelection::kUseFirstOutputIfItExists};
  /** The port of the process noise w; none: w adds to the dynamics. */
  std::optional<InputPortIndex> process_noise_input_port_index;
  /** The port of the measurement noise v; none: v adds to the output. */
  std::optional<InputPortIndex> measurement_noise_input_port_index;
  /** Seconds between measurements of a continuous System; none: it is measured
  all the time. */
  std::optional<double> discrete_measurement_time_period;
  /** Time of the first of these measurements [s]. */
  double discrete_measurement_time_offset{0};
};

/** Makes the extended Kalman filter of any System whose state is continuous, or
one discrete group with one periodic update:

    continuous   dx/dt  = f(x, u) + w  or  f(x, u, w),  y = g(x, u) + v  or g(x,
u, v) discrete     x[n+1] = f(x, u) + w  or  f(x, u, w),  y likewise

It is the Kalman filter of the System linearized at the estimate in each step,
by automatic differentiation. A discrete filter first corrects the estimate of
x[n] by y[n], then predicts x[n+1], its new state. The covariance of a
quaternion is that of its four numbers. Ports as GaussianStateObserver.

Parameters, and inputs that are not chosen, stay as in
`observed_system_context`.
@param observed_system must convert to AutoDiffXd; a converted copy is kept.
@param W covariance of w (continuous: its intensity), positive semidefinite; n
x n if it is additive.
@param V covariance of v (measurements all the time: its intensity), positive
definite; p x p if it is additive.
@throws std::logic_error if a shape does not fit, a number is not finite, a
covariance is not symmetric and positive (semi)definite, a period is not
positive, a port is not vector-valued or is chosen twice, the process noise
feeds through to y, or the System has another state or does not convert. An
update throws std::runtime_error if the covariance of the measurement given the
estimate is not positive definite to rounding. */
std::unique_ptr<GaussianStateObserver<double>> ExtendedKalmanFilter(
    const System<double>& observed_system,
    const Context<double>& observed_system_context,
    const Eigen::Ref<const Eigen::MatrixXd>& W,
    const Eigen::Ref<const Eigen::MatrixXd>& V,
    const ExtendedKalmanFilterOptions& options = {});

/** Overload for a System of AutoDiffXd, which the filter shares. */
std::unique_ptr<GaussianStateObserver<double>> ExtendedKalmanFilter(
    std::shared_ptr<const System<AutoDiffXd>> observed_system,
    const Context<AutoDiffXd>& observed_system_context,
    const Eigen::Ref<const Eigen::MatrixXd>& W,
    const Eigen::Ref<const Eigen::MatrixXd>& V,
    const ExtendedKalmanFilterOptions& options = {});

}  // namespace wyvern::systems::estimators
