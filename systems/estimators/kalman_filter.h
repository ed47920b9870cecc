#pragma once

#include <memory>
#include <optional>

#include "wyvern/systems/estimators/gaussian_filter.h"
#include "wyvern/systems/estimators/luenberger_observer.h"
#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems::estimators {

/** A linear System with noise, and what is known of its state at the start:

    continuous (time_period = 0):     dx/dt  = A x + B u + w
    discrete, every time_period [s]:  x[n+1] = A x + B u + w
    output:                           y      = C x + D u + v

An empty B, C or D is zero, an identity of n x n, or zero. */
struct KalmanFilterSettings {
  Eigen::MatrixXd A{};  ///< n x n
  Eigen::MatrixXd B{};  ///< n x m
  Eigen::MatrixXd C{};  ///< p x n
  Eigen::MatrixXd D{};  ///< p x m
  /** Covariance of w (continuous: its intensity), n x n, positive
  semidefinite. */
  Eigen::MatrixXd W{};
  /** Covariance of v (for measurements all the time: its intensity), p x p,
  positive definite. */
  Eigen::MatrixXd V{};
  /** The default estimate, n elements; empty: zero. */
  Eigen::VectorXd initial_state_estimate{};
  /** Its covariance, n x n, positive semidefinite; empty: zero. */
  Eigen::MatrixXd initial_state_covariance{};
  /** [s]; 0: continuous. */
  double time_period{0};
  /** Seconds between measurements of a continuous System; 0: all the time. */
  double measurement_period{0};
};

/** The Kalman filter of a linear System, with a covariance that varies in time.

Discrete: at each update the measurement y[n] corrects the estimate of x[n],
from which the filter predicts x[n+1], its new state. Continuous: the filter of
Kalman and Bucy, or, if measurements have a period, corrections at their
moments. Sampled measurements begin at time 0. Ports as GaussianStateObserver.

If the covariance of the measurement given the estimate is not positive definite
to rounding, an update throws std::runtime_error. */
template <typename T>
class KalmanFilter final : public internal::GaussianFilter<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(KalmanFilter);

  /** Makes a filter of the given matrices.
  @throws std::logic_error if shapes do not fit, a number is not finite, a
  covariance is not symmetric and positive (semi)definite, a period is negative,
  or both periods are positive. */
  explicit KalmanFilter(const KalmanFilterSettings& settings);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit KalmanFilter(const KalmanFilter<U>& other)
      : KalmanFilter(other.settings()) {}

  /** The settings, with matrices in place of empty ones. */
  const KalmanFilterSettings& settings() const { return settings_; }

 private:
  // Takes settings that are complete.
  KalmanFilter(KalmanFilterSettings settings, bool);

  void PredictState(internal::FilterWork<T>* work) const final;
  void PredictOutput(internal::FilterWork<T>* work) const final;
  std::unique_ptr<internal::FilterScratch> AllocateScratch() const final;

  const KalmanFilterSettings settings_;
  // As matrices of T.
  const MatrixX<T> A_, B_, C_, D_, W_, V_;
};

/** Returns the gain L, n x p, of the steady-state Kalman filter of
dx/dt = A x + B u + w, y = C x + D u + v, with L = P C' V^-1; see
controllers::CalcKalmanGain(), which this calls, for the equations and errors.
*/
Eigen::MatrixXd SteadyStateKalmanFilter(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& C,
    const Eigen::Ref<const Eigen::MatrixXd>& W,
    const Eigen::Ref<const Eigen::MatrixXd>& V);

/** Returns the gain L = A P C' (C P C' + V)^-1, n x p, of the steady-state
Kalman filter of x[n+1] = A x + B u + w, y = C x + D u + v. */
Eigen::MatrixXd DiscreteTimeSteadyStateKalmanFilter(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& C,
    const Eigen::Ref<const Eigen::MatrixXd>& W,
    const Eigen::Ref<const Eigen::MatrixXd>& V);

/** Makes the observer of `system` with the gain of its steady-state Kalman
filter, continuous or discrete.
@throws std::logic_error if `system` is null, and as controllers::
CalcKalmanGain(). */
std::unique_ptr<LuenbergerObserver<double>> SteadyStateKalmanFilter(
    std::shared_ptr<const LinearSystem<double>> system,
    const Eigen::Ref<const Eigen::MatrixXd>& W,
    const Eigen::Ref<const Eigen::MatrixXd>& V);

/** Makes the observer of `system` whose gain is that of the steady-state Kalman
filter of its linearization at the equilibrium in `context`.
@throws std::logic_error if `system` is null, and as Linearize() and
controllers::CalcKalmanGain(). */
std::unique_ptr<LuenbergerObserver<double>> SteadyStateKalmanFilter(
    std::shared_ptr<const System<double>> system,
    const Context<double>& context, const Eigen::Ref<const Eigen::MatrixXd>& W,
    const Eigen::Ref<const Eigen::MatrixXd>& V);

}  // namespace wyvern::systems::estimators
