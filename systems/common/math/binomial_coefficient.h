#pragma once

namespace wyvern::math {

/** The number of ways to choose k of n things, n! / (k! (n - k)!); 0 if k < 0
or k > n. @throws std::logic_error if n < 0, and std::runtime_error if the
number does not fit an int. */
int BinomialCoefficient(int n, int k);

}  // namespace wyvern::math
