#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = u0 . u1, the dot product of two vectors of one size.

Input ports u0 and u1; output port `product` of size 1, direct feedthrough from
both. */
template <typename T>
class DotProduct final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DotProduct);

  /** Multiplies vectors of `size` elements.
  @throws std::logic_error if `size < 1`. */
  explicit DotProduct(int size);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit DotProduct(const DotProduct<U>& other)
      : DotProduct(other.get_input_port(0).size()) {}

 private:
  void CalcProduct(const Context<T>& context, BasicVector<T>* product) const;
};

}  // namespace wyvern::systems
