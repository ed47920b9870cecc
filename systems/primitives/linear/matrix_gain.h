#pragma once

#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems {

/** y = D u : multiplies the input by a constant matrix.

Input port u0 (columns of D), output port y0 (rows of D); direct feedthrough if
D is not zero. A LinearSystem without state. */
template <typename T>
class MatrixGain final : public LinearSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MatrixGain);

  /** The identity. @throws std::logic_error if `size` is negative. */
  explicit MatrixGain(int size);

  /** Takes the gain D, a row for each output element and a column for each
  input element.
  @throws std::logic_error if an entry of `D` is not finite. */
  explicit MatrixGain(const Eigen::MatrixXd& D);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit MatrixGain(const MatrixGain<U>& other) : MatrixGain(other.D()) {}
};

}  // namespace wyvern::systems
