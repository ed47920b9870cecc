#pragma once

#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/primitives/state_interpolator_with_discrete_derivative.h"

namespace wyvern::systems {

/** The slope of the last two samples of the input, h = `time_step` apart:

    x0[n+1] = u[n],  x1[n+1] = x0[n],  y = (x0 - x1) / h

Input port u0 and output port y0, vectors of `num_inputs`; no direct
feedthrough. Two discrete state groups x0 and x1, sampled at k h, k = 0, 1, ...

With an arbitrary initial history the first slopes would be meaningless; so if
`suppress_initial_transient`, y is zero until two samples have been taken (a
third group counts them). set_input_history() gives a history and ends the
suppression. */
template <typename T>
class DiscreteDerivative final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiscreteDerivative);

  /** Differentiates an input of `num_inputs` elements each `time_step` seconds.
  @throws std::logic_error if `num_inputs` is below 1 or `time_step` (s) is
  not positive and finite. */
  DiscreteDerivative(int num_inputs, double time_step,
                     bool suppress_initial_transient = true);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit DiscreteDerivative(const DiscreteDerivative<U>& other)
      : DiscreteDerivative(other.get_input_port(0).size(), other.time_step(),
                           other.suppress_initial_transient()) {}

  /** Sets the last two samples, u[n] and u[n-1].
  @throws std::logic_error on a wrong size. */
  void set_input_history(State<T>* state,
                         const Eigen::Ref<const VectorX<T>>& u_n,
                         const Eigen::Ref<const VectorX<T>>& u_n_minus_1) const;
  /** Overload for a Context. */
  void set_input_history(Context<T>* context,
                         const Eigen::Ref<const VectorX<T>>& u_n,
                         const Eigen::Ref<const VectorX<T>>& u_n_minus_1) const;
  /** Sets both samples to `u`: the output is zero. */
  void set_input_history(Context<T>* context,
                         const Eigen::Ref<const VectorX<T>>& u) const {
    set_input_history(context, u, u);
  }

  /** The sampling period h [s]. */
  double time_step() const { return time_step_; }
  /** True if the output is zero until two samples have been taken. */
  bool suppress_initial_transient() const {
    return suppress_initial_transient_;
  }

 private:
  EventStatus Sample(const Context<T>& context, DiscreteValues<T>* next) const;
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const double time_step_;
  const bool suppress_initial_transient_;
};

}  // namespace wyvern::systems
