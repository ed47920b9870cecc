#pragma once

#include <fmt/ostream.h>

namespace wyvern {

/** Formats `ref`, which must outlive the result, by its operator<<. */
template <typename T>
auto fmt_streamed(const T& ref) {
  return fmt::streamed(ref);
}

/** A base for a formatter that uses operator<<. */
using ostream_formatter = fmt::ostream_formatter;

}  // namespace wyvern
