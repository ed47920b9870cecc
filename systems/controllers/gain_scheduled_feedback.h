#pragma once

#include <vector>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::controllers {

/** A controller for one value of the scheduling variable:
u = u0 - K (x - x0). */
struct ScheduledGain {
  /** Value of the scheduling variable, in its unit. */
  double at{};
  Eigen::MatrixXd K{};  ///< m x n
  /** The equilibrium, n and m elements; empty: zero. */
  Eigen::VectorXd x0{};
  Eigen::VectorXd u0{};  ///< m elements
};

/** State feedback with a gain and an equilibrium that follow a scheduling
variable s: u = u0(s) - K(s) (x - x0(s)), linear between the entries of the
schedule, constant outside.

Input ports `estimated_state` (x, n elements) and `scheduling` (s, one element);
output port `control` (u, m elements). Direct feedthrough, no state. */
template <typename T>
class GainScheduledFeedback final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(GainScheduledFeedback);

  /** Takes the gains, each at its value of the scheduling input.
  @throws std::logic_error if there is no entry, shapes differ, a number is
  not finite, or the values `at` do not increase. */
  explicit GainScheduledFeedback(const std::vector<ScheduledGain>& schedule);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit GainScheduledFeedback(const GainScheduledFeedback<U>& other)
      : GainScheduledFeedback(other.schedule()) {}

  /** The schedule, with zeros in place of empty vectors. */
  const std::vector<ScheduledGain>& schedule() const { return schedule_; }

  /** The port of the state x. */
  const InputPort<T>& get_input_port_estimated_state() const {
    return this->get_input_port(0);
  }
  /** The port of the scheduling variable s. */
  const InputPort<T>& get_input_port_scheduling() const {
    return this->get_input_port(1);
  }
  /** The port of the control u. */
  const OutputPort<T>& get_output_port_control() const {
    return this->get_output_port(0);
  }

 private:
  // u of the schedule the share r of the way from a to b.
  static void CalcBetween(const ScheduledGain& a, const ScheduledGain& b,
                          const T& r, const VectorX<T>& x,
                          BasicVector<T>* control);
  void CalcControl(const Context<T>& context, BasicVector<T>* control) const;

  std::vector<ScheduledGain> schedule_;
};

}  // namespace wyvern::systems::controllers
