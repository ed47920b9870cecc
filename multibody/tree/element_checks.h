#pragma once

/** @file
The checks that every element makes of what it is given. */

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

/** Returns `name`. @throws std::logic_error if it is empty. */
const std::string& RequireName(const std::string& name, std::string_view kind);
/** Checks the name of an element with a ScopedName: it also throws for "::" in
the name. */
const std::string& RequireElementName(const std::string& name,
                                      std::string_view kind);

// The verbs for all else that may be wrong with a number or a size.
using wyvern::internal::AllFinite;
using wyvern::internal::Caller;
using wyvern::internal::RequireFinite;
using wyvern::internal::RequireNonNegative;
using wyvern::internal::RequireSize;

/** The object `pointer` points at. @throws std::logic_error if null. */
template <class Class>
Class& Deref(Class* pointer, std::string_view function) {
  return *wyvern::internal::RequireNotNull(function, "a pointer", pointer);
}

}  // namespace wyvern::multibody::internal
