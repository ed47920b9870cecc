#pragma once

#include <optional>
#include <variant>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems::estimators {

/** Options of both nonlinear filters, ExtendedKalmanFilter() and
UnscentedKalmanFilter(). */
struct NonlinearFilterOptions {
  /** The default estimate, n elements; none: zero. */
  std::optional<Eigen::VectorXd> initial_state_estimate;
  /** Its covariance, n x n, positive semidefinite; none: zero, in an
  UnscentedKalmanFilter() 2.2e-16 times the identity. */
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

}  // namespace wyvern::systems::estimators
