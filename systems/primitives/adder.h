#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = u0 + u1 + ... : the sum of vectors of one size.

Input ports u0, u1, ... (vectors of `size`); output port `sum` (vector of
`size`), direct feedthrough from every input. */
template <typename T>
class Adder final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Adder);

  /** @throws std::logic_error if `num_inputs < 1` or `size < 0`. */
  Adder(int num_inputs, int size);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Adder(const Adder<U>& other)
      : Adder(other.num_input_ports(), other.get_input_port(0).size()) {}

 private:
  void CalcSum(const Context<T>& context, BasicVector<T>* sum) const;
};

}  // namespace wyvern::systems
