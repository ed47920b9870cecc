#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "wyvern/multibody/kernels/packs.h"

namespace wyvern::multibody::internal {

/** sin(x) and cos(x). */
template <typename T>
inline void SinCos(const T& x, T* sine, T* cosine) {
  using std::cos;
  using std::sin;
  *sine = sin(x);
  *cosine = cos(x);
}

/** Variant for doubles up to 10⁵ in size, within 3 ulp, inlined and without a
branch: a joint's angle is random as far as a branch predictor can tell.
x = k π/2 + r, |r| <= π/4: π/2 is taken off in three parts of 33 bits, so that
their products with k are exact (Cody and Waite, "Software Manual for the
Elementary Functions", 1980). On r the Taylor series, whose first term left out
is below 2⁻⁵⁴ of the result; k mod 4 says which is which. */
template <typename Real, typename Bits>
[[gnu::always_inline]] inline void SinCosInRange(const Real& x, Real* sine,
                                                 Real* cosine) {
  // Adding 1.5 2⁵² rounds to an integer and leaves it in the low bits.
  constexpr double kRound = 0x1.8p52;
  const Real shifted = x * 0x1.45f306dc9c883p-1 + kRound;
  const Real k = shifted - kRound;
  const Bits quadrant = __builtin_bit_cast(Bits, shifted);
  const Real r = ((x - k * 0x1.921fb544p0) - k * 0x1.0b4611a6p-34) -
                 k * 0x1.3198a2e037073p-69;
  const Real z = r * r;
  const Real s =
      r +
      r * z *
          (-1.0 / 6 + z * (1.0 / 120 +
                           z * (-1.0 / 5040 +
                                z * (1.0 / 362880 +
                                     z * (-1.0 / 39916800 +
                                          z * (1.0 / 6227020800 +
                                               z * (-1.0 / 1307674368000)))))));
  const Real c =
      1 - (0.5 * z -
           z * z *
               (1.0 / 24 +
                z * (-1.0 / 720 +
                     z * (1.0 / 40320 +
                          z * (-1.0 / 3628800 +
                               z * (1.0 / 479001600 +
                                    z * (-1.0 / 87178291200 +
                                         z * (1.0 / 20922789888000))))))));
  // Chosen and negated by bits, as a compiler may turn ?: into a branch.
  const Bits s_bits = __builtin_bit_cast(Bits, s),
             c_bits = __builtin_bit_cast(Bits, c);
  const Bits swap = (s_bits ^ c_bits) & -(quadrant & 1);
  *sine = __builtin_bit_cast(Real, s_bits ^ swap ^ (quadrant & 2) << 62);
  *cosine =
      __builtin_bit_cast(Real, c_bits ^ swap ^ ((quadrant + 1) & 2) << 62);
}

/** Whether SinCosInRange() takes x; false for NaN. */
inline bool IsInSinCosRange(double x) { return std::abs(x) < 1e5; }

/** Writes the sine and cosine of x, in radians; any x is right, NaN gives NaN.
 */
inline void SinCos(const double& x, double* sine, double* cosine) {
  if (!IsInSinCosRange(x)) {
    *sine = std::sin(x);
    *cosine = std::cos(x);
    return;
  }
  SinCosInRange<double, std::uint64_t>(x, sine, cosine);
}

/** Sines and cosines of n angles at once. */
template <typename T>
void SinCos(const T* x, int n, T* sine, T* cosine) {
  for (int i = 0; i < n; ++i) SinCos(x[i], sine + i, cosine + i);
}

/** Four by four; the last four overlap those before. */
inline void SinCos(const double* x, int n, double* sine, double* cosine) {
  constexpr int kSize = 4;
  using Reals = Pack4;
  using Bits [[gnu::vector_size(sizeof(double) * kSize)]] = std::uint64_t;
  bool by_packs = n >= kSize;
  for (int i = 0; i < n; ++i) by_packs &= IsInSinCosRange(x[i]);
  if (!by_packs) {
    for (int i = 0; i < n; ++i) SinCos(x[i], sine + i, cosine + i);
    return;
  }
  for (int begin = 0; begin < n; begin += kSize) {
    const int i = std::min(begin, n - kSize);
    Reals angles, sines, cosines;
    Load(x + i, &angles);
    SinCosInRange<Reals, Bits>(angles, &sines, &cosines);
    Store(sines, sine + i);
    Store(cosines, cosine + i);
  }
}

}  // namespace wyvern::multibody::internal
