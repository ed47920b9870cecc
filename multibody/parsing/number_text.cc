#include "wyvern/multibody/parsing/number_text.h"

#include <fmt/format.h>

namespace wyvern::multibody::internal {

// The sum makes 0 of -0.
std::string ToText(double x) { return fmt::format("{}", x + 0.0); }

std::string ToText(const Vector3<double>& v) {
  return ToText(v[0]) + " " + ToText(v[1]) + " " + ToText(v[2]);
}

}  // namespace wyvern::multibody::internal
