#pragma once

#include "wyvern/systems/controllers/state_feedback_controller_interface.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::controllers {

/** A PID controller on positions and velocities.

With x_e the estimated state, x_d = [q_d, v_d] the desired one, P_x the state
projection and P_u the output projection (identities unless given):

    [e_q, e_v] = x_d - P_x x_e
    u          = P_u (kp .* e_q + kd .* e_v + ki .* integral of e_q)

Input ports `estimated_state` (columns of P_x; twice the gains' size by default)
and `desired_state` (twice the gains' size); output port `control` (rows of P_u;
the gains' size by default), direct feedthrough from both. The continuous state
is the integral of e_q, at first zero. */
template <typename T>
class PidController : public LeafSystem<T>,
                      public StateFeedbackControllerInterface<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PidController);

  /** One gain per controlled position.
  @throws std::logic_error if the sizes differ or an entry is not finite. */
  PidController(const Eigen::VectorXd& kp, const Eigen::VectorXd& ki,
                const Eigen::VectorXd& kd);

  /** Controls a projection of the state: `state_projection` has two rows per
  gain, positions first, and a column per element of the state.
  @throws std::logic_error on such a mismatch, or an entry not finite. */
  PidController(const MatrixX<double>& state_projection,
                const Eigen::VectorXd& kp, const Eigen::VectorXd& ki,
                const Eigen::VectorXd& kd);

  /** Maps the control too: `output_projection` has a row per element of the
  output and a column per gain.
  @throws std::logic_error on such a mismatch, or an entry not finite. */
  PidController(const MatrixX<double>& state_projection,
                const MatrixX<double>& output_projection,
                const Eigen::VectorXd& kp, const Eigen::VectorXd& ki,
                const Eigen::VectorXd& kd);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit PidController(const PidController<U>& other)
      : PidController(other.state_projection_, other.output_projection_,
                      other.kp_, other.ki_, other.kd_) {
    if (other.is_tunable()) MakeTunable();
  }

  /** Makes the gains numeric parameters, which each Context has for itself: kp
  has index 0, ki 1, kd 2. Their initial values are those of get_Kp_vector() and
  so on.
  @throws std::logic_error the second time, or if a Context exists. */
  void MakeTunable();
  /** True after MakeTunable(). */
  bool is_tunable() const { return is_tunable_; }

  /** The gain, if it is the same for every position.
  @throws std::logic_error if it is not. */
  double get_Kp_singleton() const;
  /** ki, likewise. */
  double get_Ki_singleton() const;
  /** kd, likewise. */
  double get_Kd_singleton() const;

  /** kp of each position, as given to the constructor. */
  const VectorX<double>& get_Kp_vector() const { return kp_; }
  /** ki of each position, as given to the constructor. */
  const VectorX<double>& get_Ki_vector() const { return ki_; }
  /** kd of each position, as given to the constructor. */
  const VectorX<double>& get_Kd_vector() const { return kd_; }
  /** P_x: twice as many rows as there are gains. */
  const MatrixX<double>& state_projection() const { return state_projection_; }
  /** P_u: a column for each gain. */
  const MatrixX<double>& output_projection() const {
    return output_projection_;
  }

  /** Sets the integral of e_q. @throws std::logic_error on a wrong size. */
  void set_integral_value(Context<T>* context,
                          const Eigen::Ref<const VectorX<T>>& value) const;

  const InputPort<T>& get_input_port_estimated_state() const override;
  const InputPort<T>& get_input_port_desired_state() const override;
  const OutputPort<T>& get_output_port_control() const override;

 protected:
  /** Sets the derivative of the integral, e_q. */
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const override;

 private:
  template <typename U>
  friend class PidController;

  void RequireFittingGains() const;
  const VectorX<T>& EvalError(const Context<T>& context) const {
    return this->get_cache_entry(error_cache_index_)
        .template Eval<VectorX<T>>(context);
  }
  void CalcError(const Context<T>& context, VectorX<T>* error) const;
  void CalcControl(const Context<T>& context, BasicVector<T>* control) const;

  int num_controlled() const { return static_cast<int>(kp_.size()); }

  const Eigen::VectorXd kp_;
  const Eigen::VectorXd ki_;
  const Eigen::VectorXd kd_;
  const Eigen::MatrixXd state_projection_;
  const Eigen::MatrixXd output_projection_;
  const bool is_state_projected_;
  const bool is_output_projected_;
  bool is_tunable_{false};
  CacheIndex error_cache_index_;
};

}  // namespace wyvern::systems::controllers
