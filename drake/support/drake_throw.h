#pragma once

#include "wyvern/drake/failed_condition.h"

/** Throws std::logic_error unless `condition` holds; the message has the values
of what else is given: DRAKE_THROW_UNLESS(x < limit, x, limit). */
#define DRAKE_THROW_UNLESS(condition, ...)                   \
  do {                                                       \
    if (!::wyvern::drake_support::Holds(condition)) {        \
      ::wyvern::drake_support::ThrowFailedCondition(         \
          #condition, __PRETTY_FUNCTION__, __FILE__,         \
          __LINE__ __VA_OPT__(, #__VA_ARGS__, __VA_ARGS__)); \
    }                                                        \
  } while (0)
