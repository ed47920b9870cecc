#pragma once

#include <Eigen/Core>

namespace wyvern::math {

/** The type of a derivative of a matrix by a vector of Nq variables: a row for
each element of the matrix, column by column, and a column for each variable.
Of order 2 it is the derivative of that, and so on. */
template <typename Derived, int Nq, int DerivativeOrder = 1>
struct Gradient {
  static_assert(DerivativeOrder >= 1);
  /** The matrix type of this order's derivatives. */
  using type = typename Gradient<typename Gradient<Derived, Nq>::type, Nq,
                                 DerivativeOrder - 1>::type;
};

template <typename Derived, int Nq>
struct Gradient<Derived, Nq, 1> {
  /** The matrix type of first derivatives: a row for each element of Derived.
   */
  using type =
      Eigen::Matrix<typename Derived::Scalar, Derived::SizeAtCompileTime, Nq>;
};

}  // namespace wyvern::math
