#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "wyvern/systems/estimators/gaussian_state_observer.h"

namespace wyvern::systems::estimators {

/** Options of UnscentedKalmanFilter(). */
struct UnscentedKalmanFilterOptions {
  /** The default estimate, n elements; none: zero. */
  std::optional<Eigen::VectorXd> initial_state_estimate;
  /** Its covariance, n x n, positive semidefinite; none: 2.2e-16 times the
  identity. */
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

  /** Where the sigma points of N numbers lie, and how much each counts. With
  lambda = alpha^2 (N + kappa) - N they are the mean, of weight lambda / (N +
  lambda) for means and 1 - alpha^2 + beta more for covariances, and the mean +-
  the columns of sqrt((N + lambda) covariance), of weight 1 / (2 (N + lambda)).
  */
  struct UnscentedTransformParameters {
    UnscentedTransformParameters() = default;
    /** Takes the three parameters; they are checked when a filter is made. */
    UnscentedTransformParameters(
        double alpha_in, double beta_in,
        std::variant<double, std::function<double(int)>> kappa_in)
        : alpha(alpha_in), beta(beta_in), kappa(std::move(kappa_in)) {}

    /** Distance of the points from the mean, in shares of sqrt(N + kappa);
    positive. */
    double alpha{1.0};
    /** 2 is best for Gaussian distributions. */
    double beta{2.0};
    /** A number, or a function of N that returns it; N + kappa > 0. */
    std::variant<double, std::function<double(int)>> kappa{0.0};
  };
  /** Places and weights of the sigma points. */
  UnscentedTransformParameters unscented_transform_parameters{};

  /** Seconds between measurements of a continuous System; none: it is measured
  all the time. */
  std::optional<double> discrete_measurement_time_period;
  /** Time of the first of these measurements [s]. */
  double discrete_measurement_time_offset{0};
};

/** Makes the unscented Kalman filter of any System whose state is continuous,
or one discrete group with one periodic update. The System and its noises are as
in ExtendedKalmanFilter(); it need not convert to AutoDiffXd.

Mean and covariance go through f and g by sigma points, which makes them exact
to the second order of the means. With a port of noise the points are those of
[x; w] or [x; v]. For a continuous System the intensity of such a noise is taken
as if it entered f or g linearly around the estimate.

Parameters, and inputs that are not chosen, stay as in
`observed_system_context`.
@param W covariance of w (continuous: its intensity), positive semidefinite; n
x n if it is additive.
@param V covariance of v (measurements all the time: its intensity), positive
definite; p x p if it is additive.
@throws std::logic_error as ExtendedKalmanFilter(), and if alpha is not
positive, N + kappa is not positive, or one of the parameters is not finite. An
update throws std::runtime_error if a covariance is no longer positive. */
std::unique_ptr<GaussianStateObserver<double>> UnscentedKalmanFilter(
    std::shared_ptr<const System<double>> observed_system,
    const Context<double>& observed_system_context,
    const Eigen::Ref<const Eigen::MatrixXd>& W,
    const Eigen::Ref<const Eigen::MatrixXd>& V,
    const UnscentedKalmanFilterOptions& options = {});

/** Overload for a System that outlives the filter. */
std::unique_ptr<GaussianStateObserver<double>> UnscentedKalmanFilter(
    const System<double>& observed_system,
    const Context<double>& observed_system_context,
    const Eigen::Ref<const Eigen::MatrixXd>& W,
    const Eigen::Ref<const Eigen::MatrixXd>& V,
    const UnscentedKalmanFilterOptions& options = {});

}  // namespace wyvern::systems::estimators
