#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <variant>

#include "wyvern/systems/estimators/filter_options.h"
#include "wyvern/systems/estimators/gaussian_state_observer.h"

namespace wyvern::systems::estimators {

/** Options of UnscentedKalmanFilter(). */
struct UnscentedKalmanFilterOptions : public NonlinearFilterOptions {
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
