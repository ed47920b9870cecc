#pragma once

/** @file
Checks of the arguments that blocks are built from, with one wording
for all of them. `who` is the class or method that was called. */

#include <cstdint>
#include <string_view>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/scalar_cast.h"

namespace wyvern::systems::internal {

/** Copies a vector or matrix to another scalar type; derivatives are dropped
on the way to double and are zero on the way from it. */
template <typename T, typename Derived>
auto ConvertScalar(const Eigen::MatrixBase<Derived>& m) {
  constexpr int kRows = Derived::RowsAtCompileTime;
  constexpr int kCols = Derived::ColsAtCompileTime;
  return Eigen::Matrix<T, kRows, kCols>(m.unaryExpr(
      [](const typename Derived::Scalar& x) -> T { return ScalarCast<T>(x); }));
}

/** @throws std::logic_error naming the first entry of `values` that is NaN or
infinite. */
void ThrowUnlessFinite(std::string_view who, std::string_view what,
                       const Eigen::Ref<const Eigen::MatrixXd>& values);
void ThrowUnlessFinite(std::string_view who, std::string_view what,
                       double value);

/** The number that every entry of `values` is.
@throws std::logic_error if entries differ or there is none, pointing to the
method `instead`. */
double TheOneValue(std::string_view who, const Eigen::VectorXd& values,
                   std::string_view instead);

/** @throws std::logic_error naming the first entry that is NaN. */
void ThrowIfNan(std::string_view who, std::string_view what,
                const Eigen::Ref<const Eigen::MatrixXd>& values);

/** @throws std::logic_error with both numbers if `given != wanted`. */
void ThrowUnlessSize(std::string_view who, std::string_view what, int given,
                     int wanted);

/** @throws std::logic_error with both shapes if they differ. */
void ThrowUnlessShape(std::string_view who, std::string_view what,
                      const Eigen::Ref<const Eigen::MatrixXd>& given,
                      int wanted_rows, int wanted_cols);

/** @throws std::logic_error if `given`, a number of things or elements, is
below `minimum` or beyond what a computer holds, 1e8. */
void ThrowUnlessAtLeast(std::string_view who, std::string_view what,
                        int64_t given, int minimum);

/** @throws std::logic_error unless `seconds` is finite and positive. */
void ThrowUnlessPositive(std::string_view who, std::string_view what,
                         double seconds);

/** @throws std::logic_error unless `seconds` is finite and not negative. */
void ThrowUnlessNonNegative(std::string_view who, std::string_view what,
                            double seconds);

}  // namespace wyvern::systems::internal
