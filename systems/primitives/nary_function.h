#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Operations that combine several numbers into one. In logic a number other
than 0 is true; results are 1 for true and 0 for false. */
enum class NaryOperation {
  kMin,
  kMax,
  kAnd,
  kOr,
  kNand,
  kNor,
  kXor,  ///< True if an odd number of inputs is true.
};

/** y = u0 op u1 op ..., element by element, for vectors of one size. Of equal
numbers, kMin and kMax take the first, with its derivatives; a NaN among the
inputs makes them NaN.

Input ports u0, u1, ...; output port `y`, direct feedthrough from every
input. */
template <typename T>
class NaryFunction final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(NaryFunction);

  /** Applies the operation to `num_inputs` vectors of `size` elements, element
  by element.
  @throws std::logic_error if `num_inputs < 1` or `size < 1`. */
  explicit NaryFunction(NaryOperation operation, int num_inputs = 2,
                        int size = 1);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit NaryFunction(const NaryFunction<U>& other)
      : NaryFunction(other.operation(), other.num_input_ports(),
                     other.get_input_port(0).size()) {}

  /** The operation that was given to the constructor. */
  NaryOperation operation() const { return operation_; }

 private:
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const NaryOperation operation_;
};

}  // namespace wyvern::systems
