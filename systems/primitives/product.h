#pragma once

#include <cstddef>
#include <string>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Product and quotient of vectors of one size, element by element. Each input
is a factor (operation '*') or a divisor (operation '/'): two inputs with
these operations, in this order, give y = u0 / u1, and one divisor alone gives
y = 1 / u0.

Input ports u0, u1, ...; output port `product`, direct feedthrough from every
input. A divisor that is zero throws std::runtime_error with the input, the
element and the time. */
template <typename T>
class Product final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Product);

  /** One input for each operation.
  @throws std::logic_error if `operations` is empty or has a character other
  than '*' and '/', or if `size < 0`. */
  explicit Product(const std::string& operations, int size = 1);
  /** A literal 0 would be taken for a null string. */
  explicit Product(std::nullptr_t, int size = 1) = delete;

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Product(const Product<U>& other)
      : Product(other.operations(), other.get_input_port(0).size()) {}

  /** A '*' or '/' for each input. */
  const std::string& operations() const { return operations_; }

 private:
  void CalcProduct(const Context<T>& context, BasicVector<T>* product) const;

  const std::string operations_;
};

}  // namespace wyvern::systems
