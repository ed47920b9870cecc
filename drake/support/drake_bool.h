#pragma once

/** @file
What comparing two scalars gives, and questions about many of them. */

#include <algorithm>
#include <type_traits>

#include <Eigen/Core>

namespace wyvern {

/** The type of `x < y`: bool, for double and AutoDiffXd, and a
symbolic::Formula for symbolic::Expression. */
template <typename T>
using boolean = decltype(T() < T());

template <typename T>
struct scalar_predicate {
  using type = boolean<T>;
  static constexpr bool is_bool = std::is_same_v<type, bool>;
};

/** Whether every entry is true; so it is of a matrix without entries. */
template <typename Derived>
bool all(const Eigen::DenseBase<Derived>& m) {
  return m.template cast<bool>().all();
}
template <typename Derived>
bool any(const Eigen::DenseBase<Derived>& m) {
  return m.template cast<bool>().any();
}
template <typename Derived>
bool none(const Eigen::DenseBase<Derived>& m) {
  return !any(m);
}

/** Overload that applies `predicate` to every entry. */
template <typename Derived, typename Predicate>
bool all_of(const Eigen::MatrixBase<Derived>& m, const Predicate& predicate) {
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      if (!predicate(m(i, j))) return false;
    }
  }
  return true;
}
template <typename Derived, typename Predicate>
bool none_of(const Eigen::MatrixBase<Derived>& m, const Predicate& predicate) {
  return all_of(m, [&predicate](const auto& x) { return !predicate(x); });
}
template <typename Derived, typename Predicate>
bool any_of(const Eigen::MatrixBase<Derived>& m, const Predicate& predicate) {
  return !none_of(m, predicate);
}

}  // namespace wyvern
