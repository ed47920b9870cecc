#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace wyvern::multibody::engine {

/** sin(x) and cos(x). */
template <typename T>
inline void SinCos(const T& x, T* sine, T* cosine) {
  using std::cos;
  using std::sin;
  *sine = sin(x);
  *cosine = cos(x);
}

/** The same for double, within 3 ulp, inlined and without a branch for angles
up to 10⁵: a joint's angle is random as far as a branch predictor can tell.
x = k π/2 + r, |r| <= π/4: π/2 is taken off in three parts of 33 bits, so that
their products with k are exact (Cody and Waite, "Software Manual for the
Elementary Functions", 1980). On r the Taylor series, whose first term left out
is below 2⁻⁵⁴ of the result; k mod 4 says which is which. */
inline void SinCos(const double& x, double* sine, double* cosine) {
  if (!(std::abs(x) < 1e5)) {
    *sine = std::sin(x);
    *cosine = std::cos(x);
    return;
  }
  // Adding 1.5 2⁵² rounds to an integer and leaves it in the low bits.
  constexpr double kRound = 0x1.8p52;
  const double shifted = x * 0x1.45f306dc9c883p-1 + kRound;
  const double k = shifted - kRound;
  const std::uint64_t quadrant = std::bit_cast<std::uint64_t>(shifted);
  const double r = ((x - k * 0x1.921fb544p0) - k * 0x1.0b4611a6p-34) -
                   k * 0x1.3198a2e037073p-69;
  const double z = r * r;
  const double s =
      r +
      r * z *
          (-1.0 / 6 + z * (1.0 / 120 +
                           z * (-1.0 / 5040 +
                                z * (1.0 / 362880 +
                                     z * (-1.0 / 39916800 +
                                          z * (1.0 / 6227020800 +
                                               z * (-1.0 / 1307674368000)))))));
  const double c =
      1 - (0.5 * z -
           z * z *
               (1.0 / 24 +
                z * (-1.0 / 720 +
                     z * (1.0 / 40320 +
                          z * (-1.0 / 3628800 +
                               z * (1.0 / 479001600 +
                                    z * (-1.0 / 87178291200 +
                                         z * (1.0 / 20922789888000))))))));
  const auto negate_if = [](std::uint64_t bit, double y) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) ^ bit << 62);
  };
  const bool swap = quadrant & 1;
  *sine = negate_if(quadrant & 2, swap ? c : s);
  *cosine = negate_if((quadrant + 1) & 2, swap ? s : c);
}

}  // namespace wyvern::multibody::engine
