#pragma once

#include <memory>

#include "wyvern/systems/controllers/box_quadratic_program.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::controllers {

/** The model, the cost and the limits of a LinearModelPredictiveController. */
struct LinearMpcSettings {
  /** The model x[k+1] - x0 = A (x[k] - x0) + B (u[k] - u0); n x n and n x m. */
  Eigen::MatrixXd A{};
  Eigen::MatrixXd B{};  ///< n x m
  /** Weight of the state, n x n, symmetric positive semidefinite. */
  Eigen::MatrixXd Q{};
  /** Weight of the input, m x m, symmetric positive definite. */
  Eigen::MatrixXd R{};
  /** Weight of the last state, n x n, symmetric positive semidefinite. Empty:
  the cost from there on of the linear quadratic regulator. */
  Eigen::MatrixXd P{};
  /** Steps to plan. */
  int horizon{20};
  /** Limits of u, m elements; infinite or empty: none. */
  Eigen::VectorXd lower{};
  Eigen::VectorXd upper{};  ///< m elements
  /** The equilibrium, n and m elements; empty: zero. */
  Eigen::VectorXd x0{};
  Eigen::VectorXd u0{};  ///< m elements
};

/** Model predictive control of a linear model with limits of the input: the
first input of the plan that minimizes

    sum from k = 0 to N-1 of (dx[k]'Q dx[k] + du[k]'R du[k]) + dx[N]'P dx[N],

dx = x - x0, du = u - u0, lower <= u <= upper, from the state at the input port.
With P the cost of the linear quadratic regulator and no limit in the way, the
control is that of the regulator, whatever the horizon.

Input port `state` (x), output port `control` (u); direct feedthrough, no state.
The control is computed whenever the state changed. For a continuous plant, put
a ZeroOrderHold with the period of the model behind it.

The plan is the exact minimizer, found by an active-set method from a start that
depends on the state alone. On AutoDiffXd the derivatives are those on the
present side of changes of the active limits. If the method does not end, the
output throws std::runtime_error. */
template <typename T>
class LinearModelPredictiveController final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LinearModelPredictiveController);

  /** Prepares the quadratic program of the given settings.
  @throws std::logic_error if a shape does not fit, a number is not finite,
  lower > upper, Q or P is not symmetric positive semidefinite, R not symmetric
  positive definite, or the horizon is not from 1 to 2,000 / m steps.
  @throws std::runtime_error if P is empty and the regulator does not exist. */
  explicit LinearModelPredictiveController(const LinearMpcSettings& settings);

  /** Controls `model` around the equilibrium in `base_context`, without limits,
  with P = Q and time_horizon / time_period steps. A continuous model is sampled
  with the period [s]; the input is its first input port.
  @throws std::logic_error also if an object is null, a time is not positive and
  finite, or a discrete model has another period; and as Linearize(). */
  LinearModelPredictiveController(std::unique_ptr<System<double>> model,
                                  std::unique_ptr<Context<double>> base_context,
                                  const Eigen::MatrixXd& Q,
                                  const Eigen::MatrixXd& R, double time_period,
                                  double time_horizon);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit LinearModelPredictiveController(
      const LinearModelPredictiveController<U>& other)
      : LinearModelPredictiveController(other.settings()) {}

  /** The settings, with numbers in place of what was empty. */
  const LinearMpcSettings& settings() const { return settings_; }

  /** The port of the state x, n elements. */
  const InputPort<T>& get_state_port() const { return this->get_input_port(0); }
  /** The port of the control u, m elements. */
  const OutputPort<T>& get_control_port() const {
    return this->get_output_port(0);
  }

  /** Returns the whole plan: column k is u[k]. */
  Eigen::MatrixXd CalcPlan(const Context<T>& context) const;

 private:
  // Takes settings that are complete.
  LinearModelPredictiveController(const LinearMpcSettings& settings, bool);

  struct Plan {
    internal::BoxQuadraticProgram::Work solution;
    VectorX<T> dx;
    Eigen::VectorXd dx_value;
    Eigen::VectorXd g;
    // On AutoDiffXd: the gradient at the solution.
    VectorX<T> residual;
  };

  std::unique_ptr<Plan> AllocatePlan() const;
  void CalcPlan(const Context<T>& context, Plan* plan) const;
  void CalcControl(const Context<T>& context, BasicVector<T>* control) const;

  const LinearMpcSettings settings_;
  // The cost is du'H du / 2 + (F dx)'du + ..., du all N inputs one below
  // another.
  Eigen::MatrixXd F_;
  std::unique_ptr<const internal::BoxQuadraticProgram> program_;
  // Where the cost is least without limits: du = start_ dx.
  Eigen::MatrixXd start_;
  const CacheEntry* plan_{};
};

}  // namespace wyvern::systems::controllers
