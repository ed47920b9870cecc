#pragma once

#include <vector>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Stacks its inputs into one vector.

Input ports u0, u1, ... of the given sizes; output port y0 of their total size,
direct feedthrough. */
template <typename T>
class Multiplexer final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Multiplexer);

  /** Inputs of size 1 each.
  @throws std::logic_error if `num_scalar_inputs < 0`. */
  explicit Multiplexer(int num_scalar_inputs);

  /** Joins inputs of these sizes into one output.
  @throws std::logic_error if a size is negative. */
  explicit Multiplexer(std::vector<int> input_sizes);

  /** One scalar input per element of `model_vector`, whose subtype the output
  keeps. */
  explicit Multiplexer(const systems::BasicVector<T>& model_vector);

  /** Scalar-converting copy constructor; a subtype of BasicVector is not
  kept. */
  template <typename U>
  explicit Multiplexer(const Multiplexer<U>& other)
      : Multiplexer(other.input_sizes_) {}

  /** Number of elements of each input. */
  const std::vector<int>& input_sizes() const { return input_sizes_; }

 private:
  template <typename U>
  friend class Multiplexer;

  Multiplexer(std::vector<int> input_sizes, const BasicVector<T>& model_vector);

  void CombineInputsToOutput(const Context<T>& context,
                             BasicVector<T>* output) const;

  const std::vector<int> input_sizes_;
};

}  // namespace wyvern::systems
