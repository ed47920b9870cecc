#pragma once

#include <Eigen/SparseCore>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = D u for a sparse constant matrix D.

Input port u0 (columns of D), output port y0 (rows of D), direct feedthrough. */
template <typename T>
class SparseMatrixGain final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SparseMatrixGain);

  /** Takes the gain D, a row for each output element and a column for each
  input element.
  @throws std::logic_error if an entry of `D` is not finite. */
  explicit SparseMatrixGain(const Eigen::SparseMatrix<double>& D);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit SparseMatrixGain(const SparseMatrixGain<U>& other)
      : SparseMatrixGain(other.D()) {}

  /** The matrix D. */
  const Eigen::SparseMatrix<double>& D() const { return D_; }

  /** Replaces D by a matrix of the same shape, at once in every Context.
  @throws std::logic_error if the shape differs or an entry is not finite. */
  void set_D(const Eigen::SparseMatrix<double>& D);

 private:
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  Eigen::SparseMatrix<double> D_;
};

}  // namespace wyvern::systems
