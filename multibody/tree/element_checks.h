#pragma once

/** @file
The checks that every element makes of what it is given. */

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

/** Returns `name`. @throws std::logic_error if it is empty. */
const std::string& RequireName(const std::string& name, std::string_view kind);
/** Of what has a ScopedName: also throws for "::" in the name. */
const std::string& RequireElementName(const std::string& name,
                                      std::string_view kind);

/** @throws std::logic_error naming the offender if `value` is not finite. */
void RequireFinite(double value, std::string_view kind, std::string_view name,
                   std::string_view what);
/** @throws std::logic_error if `value` is not finite or is negative. */
void RequireNonNegative(double value, std::string_view kind,
                        std::string_view name, std::string_view what);
/** @throws std::logic_error if the size is not `wanted`. */
void RequireSize(int given, int wanted, std::string_view function,
                 std::string_view what);

/** Also throws if any entry of a vector is not finite, giving its index. */
template <typename Derived>
void RequireFinite(const Eigen::MatrixBase<Derived>& values,
                   std::string_view kind, std::string_view name,
                   std::string_view what) {
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    const double value = ExtractDoubleOrThrow(values.derived().coeff(i));
    if (!std::isfinite(value)) {
      RequireFinite(value, kind, name, fmt::format("{} entry {}", what, i));
    }
  }
}

/** Whether every entry is finite; of doubles in one sum, as 0 times infinity or
NaN is NaN. */
template <typename Derived>
bool AllFinite(const Eigen::MatrixBase<Derived>& values) {
  if constexpr (std::is_same_v<typename Derived::Scalar, double>) {
    return (0.0 * values).sum() == 0;
  } else {
    return ExtractDoubleOrThrow(values).allFinite();
  }
}

/** The object `pointer` points at. @throws std::logic_error if null. */
template <class Class>
Class& Deref(Class* pointer, std::string_view function) {
  if (pointer == nullptr) {
    throw std::logic_error(fmt::format(
        "{}(): a null pointer was given; an object is wanted.", function));
  }
  return *pointer;
}

}  // namespace wyvern::multibody::internal
