#pragma once

#include <string>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** The shortest text that ParseNumber() reads as the same number. */
std::string ToText(double x);
/** Overload for three numbers, with spaces between. */
std::string ToText(const Vector3<double>& v);

}  // namespace wyvern::multibody::internal
