#pragma once

/** @file
Checks that throw std::logic_error; nothing ends the process. */

#include <type_traits>

#include "wyvern/drake/failed_condition.h"

/** Throws unless `condition` holds, in every build. */
#define DRAKE_DEMAND(condition)                                 \
  do {                                                          \
    if (!::wyvern::drake_support::Holds(condition)) {           \
      ::wyvern::drake_support::ThrowFailedCondition(            \
          #condition, __PRETTY_FUNCTION__, __FILE__, __LINE__); \
    }                                                           \
  } while (0)

/** Throws; for where control never comes. */
#define DRAKE_UNREACHABLE()                                                \
  ::wyvern::drake_support::ThrowUnreachable(__PRETTY_FUNCTION__, __FILE__, \
                                            __LINE__)

/** DRAKE_ASSERT() is DRAKE_DEMAND() where asserts are on, which is without
NDEBUG or with DRAKE_ENABLE_ASSERTS, and else only has to compile. */
#if defined(DRAKE_ENABLE_ASSERTS) || \
    (!defined(NDEBUG) && !defined(DRAKE_DISABLE_ASSERTS))
#define DRAKE_ASSERT(condition) DRAKE_DEMAND(condition)
#define DRAKE_ASSERT_VOID(expression)                    \
  do {                                                   \
    static_assert(std::is_void_v<decltype(expression)>); \
    expression;                                          \
  } while (0)
namespace wyvern {
constexpr bool kDrakeAssertIsArmed = true;
constexpr bool kDrakeAssertIsDisarmed = false;
}  // namespace wyvern
#else
#define DRAKE_ASSERT(condition) \
  static_assert(std::is_constructible_v<bool, decltype(condition)>)
#define DRAKE_ASSERT_VOID(expression) \
  static_assert(std::is_void_v<decltype(expression)>)
namespace wyvern {
constexpr bool kDrakeAssertIsArmed = false;
constexpr bool kDrakeAssertIsDisarmed = true;
}  // namespace wyvern
#endif
