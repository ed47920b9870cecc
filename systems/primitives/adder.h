#pragma once

#include <cstddef>
#include <string>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = u0 + u1 + ... : the sum of vectors of one size, or their sum with signs,
for instance y = u0 - u1.

Input ports u0, u1, ... (vectors of `size`); output port `sum` (vector of
`size`), direct feedthrough from every input. */
template <typename T>
class Adder final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Adder);

  /** Adds `num_inputs` vectors of `size` elements.
  @throws std::logic_error if `num_inputs < 1` or `size < 0`. */
  Adder(int num_inputs, int size);

  /** One input for each sign: Adder("+-", 1) is y = u0 - u1.
  @throws std::logic_error if `signs` is empty or has a character other than '+'
  and '-', or if `size < 0`. */
  explicit Adder(const std::string& signs, int size = 1);
  /** A literal 0 would be taken for a null string. */
  explicit Adder(std::nullptr_t, int size = 1) = delete;

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Adder(const Adder<U>& other)
      : Adder(other.signs(), other.get_input_port(0).size()) {}

  /** A '+' or '-' for each input. */
  const std::string& signs() const { return signs_; }

 private:
  void CalcSum(const Context<T>& context, BasicVector<T>* sum) const;

  const std::string signs_;
};

}  // namespace wyvern::systems
