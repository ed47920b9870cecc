#pragma once

#include <type_traits>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** @file
Sums over a few neighbouring numbers, in fours, twos and ones: columns of a
tree's branches are too short for loops that are made for long ones. */

/** Calls body(i, size) for pieces of 0 to n - 1; size is a type whose ::value
is 4, 2 or 1. */
template <class Body>
inline void ForPieces(int n, const Body& body) {
  int i = 0;
  for (; i + 4 <= n; i += 4) body(i, std::integral_constant<int, 4>());
  if (n & 2) {
    body(i, std::integral_constant<int, 2>());
    i += 2;
  }
  if (n & 1) body(i, std::integral_constant<int, 1>());
}

/** Calls body(i, size) for pieces of 2 and, at the end, 1. Sums over pieces
have two lanes; the last piece goes to the first. */
template <class Body>
inline void ForPairs(int n, const Body& body) {
  int i = 0;
  for (; i + 2 <= n; i += 2) body(i, std::integral_constant<int, 2>());
  if (n & 1) body(i, std::integral_constant<int, 1>());
}

template <class Size>
auto Piece(const double* x, Size) {
  return Eigen::Map<const Eigen::Matrix<double, Size::value, 1>>(x);
}

template <class Size>
auto MutablePiece(double* x, Size) {
  return Eigen::Map<Eigen::Matrix<double, Size::value, 1>>(x);
}

/** y += s x. */
inline void AddScaled(int n, double s, const double* x, double* y) {
  ForPieces(n, [&](int i, auto size) {
    MutablePiece(y + i, size) += s * Piece(x + i, size);
  });
}

/** y += s[0] x_0 + s[1] x_1 + s[2] x_2, x_k at x + k stride. */
inline void AddScaled3(int n, const double* s, const double* x,
                       Eigen::Index stride, double* y) {
  const double s_0 = s[0], s_1 = s[1], s_2 = s[2];
  ForPieces(n, [&](int i, auto size) {
    MutablePiece(y + i, size) += s_0 * Piece(x + i, size) +
                                 s_1 * Piece(x + stride + i, size) +
                                 s_2 * Piece(x + 2 * stride + i, size);
  });
}

/** y = A x, the columns of A `stride` apart. */
void MultiplyColumns(int rows, int columns, const double* A, int stride,
                     const double* x, double* y);

/** x'y. */
inline double Dot(int n, const double* x, const double* y) {
  double sum = 0;
  Eigen::Vector2d sums(0, 0);
  ForPieces(n, [&](int i, auto size) {
    if constexpr (size.value == 4) {
      using Two = std::integral_constant<int, 2>;
      sums += Piece(x + i, Two()).cwiseProduct(Piece(y + i, Two()));
      sums += Piece(x + i + 2, Two()).cwiseProduct(Piece(y + i + 2, Two()));
    } else if constexpr (size.value == 2) {
      sums += Piece(x + i, size).cwiseProduct(Piece(y + i, size));
    } else {
      sum = x[i] * y[i];
    }
  });
  return sum + sums.sum();
}

}  // namespace wyvern::multibody::internal
