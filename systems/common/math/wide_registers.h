#pragma once

namespace wyvern::internal {

/** @file
Registers of two and of four numbers, for loops that are written once for both
and change no bits with the width. What is compiled for the wide ones is marked
WYVERN_WIDE_REGISTERS (AVX2 without FMA, which would round otherwise) and called
only if kHasWideRegisters. */

using NarrowRegister = double __attribute__((vector_size(16)));
using WideRegister = double __attribute__((vector_size(32)));

#if defined(__x86_64__) && !defined(__AVX2__)
#define WYVERN_WIDE_REGISTERS __attribute__((target("avx2")))
#else
#define WYVERN_WIDE_REGISTERS
#endif

/** @name Numbers anywhere in memory
Read into a register and written from one. GCC 12 moves what memcpy() copies in
pieces of 8 and 16 bytes, through the stack.
@{ */
using NarrowNumbers [[gnu::aligned(8), gnu::may_alias]] = NarrowRegister;
using WideNumbers [[gnu::aligned(8), gnu::may_alias]] = WideRegister;

[[gnu::always_inline]] inline void LoadRegister(const double* from,
                                                NarrowRegister* to) {
  *to = *reinterpret_cast<const NarrowNumbers*>(from);
}
[[gnu::always_inline]] inline void LoadRegister(const double* from,
                                                WideRegister* to) {
  *to = *reinterpret_cast<const WideNumbers*>(from);
}
[[gnu::always_inline]] inline void StoreRegister(const NarrowRegister& from,
                                                 double* to) {
  *reinterpret_cast<NarrowNumbers*>(to) = from;
}
[[gnu::always_inline]] inline void StoreRegister(const WideRegister& from,
                                                 double* to) {
  *reinterpret_cast<WideNumbers*>(to) = from;
}
/** @} */

/** Whether the processor has the wide ones, which are AVX2's: NEON would do
with two narrow ones for each, and round otherwise where it multiplies and adds
in one instruction. The environment variable WYVERN_REGISTERS=narrow says no at
a program's start; other values say nothing.
*/
extern const bool kHasWideRegisters;

}  // namespace wyvern::internal
