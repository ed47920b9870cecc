#pragma once

#include "wyvern/systems/common/random.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** w_out = A w_in + b for random w_in with independent elements of one
distribution; and the probability density of w_out.

Input ports `w_in` (a random port, input_size), `A` (output_size x input_size,
stacked by columns) and `b` (output_size; zero if not connected). Output ports
`w_out` (output_size) and `w_out_density` (1), which can be computed only for a
square and invertible A:

    p_out(w_out) = p_in(w_in) / |det A| */
template <typename T>
class LinearTransformDensity final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LinearTransformDensity);

  /** Takes the distribution of the input's elements, and both sizes.
  @throws std::logic_error if a size is below 1. */
  LinearTransformDensity(RandomDistribution distribution, int input_size,
                         int output_size);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit LinearTransformDensity(const LinearTransformDensity<U>& other)
      : LinearTransformDensity(other.get_distribution(), other.input_size_,
                               other.output_size_) {}

  /** The port `w_in`, of `input_size` elements. */
  const InputPort<T>& get_input_port_w_in() const {
    return this->get_input_port(0);
  }
  /** The port `A`, of output_size x input_size elements, column by column. */
  const InputPort<T>& get_input_port_A() const {
    return this->get_input_port(1);
  }
  /** The port `b`, of `output_size` elements. */
  const InputPort<T>& get_input_port_b() const {
    return this->get_input_port(2);
  }
  /** The port `w_out`, of `output_size` elements. */
  const OutputPort<T>& get_output_port_w_out() const {
    return this->get_output_port(0);
  }
  /** The port `w_out_density`, of one element. */
  const OutputPort<T>& get_output_port_w_out_density() const {
    return this->get_output_port(1);
  }

  /** The distribution of each element of w_in. */
  RandomDistribution get_distribution() const { return distribution_; }

  /** Fixes the port A. @throws std::logic_error on a wrong shape. */
  FixedInputPortValue& FixConstantA(
      Context<T>* context, const Eigen::Ref<const MatrixX<T>>& A) const;
  /** Fixes the port b. @throws std::logic_error on a wrong size. */
  FixedInputPortValue& FixConstantB(
      Context<T>* context, const Eigen::Ref<const VectorX<T>>& b) const;

  /** The density of w_out at its value in `context`.
  @throws std::logic_error if A is not square.
  @throws std::runtime_error if A is singular. */
  T CalcDensity(const Context<T>& context) const;

 private:
  template <typename U>
  friend class LinearTransformDensity;

  Eigen::Map<const MatrixX<T>> EvalA(const Context<T>& context) const;
  void CalcOutput(const Context<T>& context, BasicVector<T>* w_out) const;
  void CalcDensityOutput(const Context<T>& context,
                         BasicVector<T>* density) const;

  const RandomDistribution distribution_;
  const int input_size_;
  const int output_size_;
};

}  // namespace wyvern::systems
