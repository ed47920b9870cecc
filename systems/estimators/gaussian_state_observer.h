#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::estimators {

/** Base of the observers that describe what they know of a state x by a mean
and a covariance. KalmanFilter, ExtendedKalmanFilter() and
UnscentedKalmanFilter() make such observers.

Input ports `observed_system_input` (u, size 0 if the observed System has no
input) and `observed_system_output` (the measurement y); output port
`estimated_state`, which depends on the state of the observer only. */
template <typename T>
class GaussianStateObserver : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(GaussianStateObserver);
  ~GaussianStateObserver() override;

  /** The port of the observed System's input u. */
  virtual const InputPort<T>& get_observed_system_input_input_port() const = 0;
  /** The port of the observed System's output y. */
  virtual const InputPort<T>& get_observed_system_output_input_port() const = 0;
  /** The port of the estimate of x. */
  virtual const OutputPort<T>& get_estimated_state_output_port() const = 0;

  /** Sets the estimate, n elements, and its covariance, n x n.
  @throws std::logic_error if a size does not fit, a number is not finite, or
  the covariance is not symmetric positive semidefinite. */
  virtual void SetStateEstimateAndCovariance(
      Context<T>* context, const Eigen::Ref<const VectorX<T>>& state_estimate,
      const Eigen::Ref<const MatrixX<T>>& state_covariance) const = 0;
  /** Returns the estimate, n elements. */
  virtual VectorX<T> GetStateEstimate(const Context<T>& context) const = 0;
  /** Returns the covariance of the estimate's error, n x n. */
  virtual MatrixX<T> GetStateCovariance(const Context<T>& context) const = 0;

 protected:
  explicit GaussianStateObserver(SystemScalarConverter converter);
};

}  // namespace wyvern::systems::estimators
