#pragma once

#include <cstdint>

namespace wyvern::test {

/** Counts this thread's heap allocations while it lives.

The executable's malloc, calloc, realloc, aligned_alloc and posix_memalign are
interposed, so Eigen's allocations count too (a replaced operator new would not
see them). Under a sanitizer, which owns malloc, `is_active()` is false and the
count stays 0. */
class AllocationGuard {
 public:
  AllocationGuard();
  /** Allocations on this thread since construction. */
  int64_t count() const;
  /** True if this build counts at all. */
  static bool is_active();

 private:
  int64_t start_{};
};

}  // namespace wyvern::test
