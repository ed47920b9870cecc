#pragma once

#include <Eigen/Core>

namespace wyvern::internal {

/** Buffers of doubles for the derivatives that AutoDiffDerivatives has no room
for. What is given back is kept and taken again, so that a function evaluated a
second time allocates nothing, however many numbers it makes and drops.

Each thread has shelves of its own; only whole batches go from thread to thread,
so that a number may be made here and dropped there. A thread's shelves go to
the others when it ends. kMostKept bytes wait for any thread at most, and about
2 kBatchBytes of each of the sizes in use for one thread; the rest goes back to
the heap. Under AddressSanitizer what was given back cannot be read, but for its
first three words. */
class DerivativePool {
 public:
  static constexpr Eigen::Index kBatchBytes = 1 << 16;
  static constexpr Eigen::Index kMostKept = Eigen::Index{1} << 28;

  /** A buffer of `size` doubles or more; they are not set. `size` is a
  multiple of four above 16. */
  static double* Take(Eigen::Index size);
  /** Takes back a buffer that Take() made, of a size that Take() would give
  the same buffer for. */
  static void GiveBack(double* buffer, Eigen::Index size) noexcept;
  /** How many doubles a buffer for `size` has: at most a quarter more. */
  static Eigen::Index Capacity(Eigen::Index size);
};

}  // namespace wyvern::internal
