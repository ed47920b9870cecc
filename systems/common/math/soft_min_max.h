#pragma once

#include <vector>

namespace wyvern::math {

/** @file
Smooth stand-ins for the greatest and least of some numbers, within
log(n) / alpha or less of them, from above ("over") or below ("under"). The
larger alpha, the nearer. All throw std::logic_error without numbers, or unless
alpha is positive and finite. */

/** log(sum of exp(alpha x_i)) / alpha >= max x_i. */
template <typename T>
T SoftOverMax(const std::vector<T>& x, double alpha = 1.0);

/** The mean of x weighted with exp(alpha x_i), <= max x_i. */
template <typename T>
T SoftUnderMax(const std::vector<T>& x, double alpha = 1.0);

/** The mean of x weighted with exp(-alpha x_i), >= min x_i. */
template <typename T>
T SoftOverMin(const std::vector<T>& x, double alpha = 1.0);

/** -log(sum of exp(-alpha x_i)) / alpha <= min x_i. */
template <typename T>
T SoftUnderMin(const std::vector<T>& x, double alpha = 1.0);

}  // namespace wyvern::math
