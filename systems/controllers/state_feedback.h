#pragma once

#include "wyvern/systems/controllers/state_feedback_controller_interface.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::controllers {

/** State feedback, u = K (x_d - x) + feedforward.

Input ports `estimated_state` (x, n elements), `desired_state` (x_d) and, on
request, `feedforward` (m elements); output port `control` (u). Direct
feedthrough, no state. Numeric parameter 0 holds K by columns, so the gain can
be tuned. */
template <typename T>
class StateFeedback final : public StateFeedbackControllerInterface<T>,
                            public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(StateFeedback);

  /** @param K the gain, m x n.
  @throws std::logic_error if K is empty or an entry is not finite. */
  explicit StateFeedback(const Eigen::Ref<const Eigen::MatrixXd>& K,
                         bool has_feedforward_port = false);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit StateFeedback(const StateFeedback<U>& other)
      : StateFeedback(other.K(), other.has_feedforward_port()) {}

  /** The default gain, m x n. */
  const Eigen::MatrixXd& K() const { return K_; }
  /** Returns true if there is an input port for a feed-forward u. */
  bool has_feedforward_port() const { return has_feedforward_port_; }

  /** Returns the gain in `context`, m x n. */
  MatrixX<T> GetGain(const Context<T>& context) const;
  /** Sets the gain in `context`.
  @throws std::logic_error if the shape changes or an entry is not finite. */
  void SetGain(Context<T>* context,
               const Eigen::Ref<const Eigen::MatrixXd>& K) const;

  const InputPort<T>& get_input_port_estimated_state() const final {
    return this->get_input_port(0);
  }
  const InputPort<T>& get_input_port_desired_state() const final {
    return this->get_input_port(1);
  }
  /** The port `feedforward`, m elements.
  @throws std::out_of_range if it was not asked for. */
  const InputPort<T>& get_input_port_feedforward() const {
    return this->get_input_port(2);
  }
  const OutputPort<T>& get_output_port_control() const final {
    return this->get_output_port(0);
  }

 private:
  void CalcControl(const Context<T>& context, BasicVector<T>* control) const;

  const Eigen::MatrixXd K_;
  const bool has_feedforward_port_;
};

}  // namespace wyvern::systems::controllers
