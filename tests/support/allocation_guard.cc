#include "tests/support/allocation_guard.h"

#include <cerrno>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WYVERN_COUNT_ALLOCATIONS 0
#else
#define WYVERN_COUNT_ALLOCATIONS 1
#endif

namespace {
thread_local int64_t num_allocations = 0;
}  // namespace

#if WYVERN_COUNT_ALLOCATIONS
// glibc's own names for its allocator, which stay reachable when the plain
// names are interposed.
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) {
  ++num_allocations;
  return __libc_malloc(size);
}
void* calloc(size_t n, size_t size) {
  ++num_allocations;
  return __libc_calloc(n, size);
}
void* realloc(void* p, size_t size) {
  ++num_allocations;
  return __libc_realloc(p, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  ++num_allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, size_t alignment, size_t size) {
  ++num_allocations;
  *p = __libc_memalign(alignment, size);
  return *p == nullptr ? ENOMEM : 0;
}
}
#endif

namespace wyvern::test {

AllocationGuard::AllocationGuard() : start_(num_allocations) {}
int64_t AllocationGuard::count() const { return num_allocations - start_; }
bool AllocationGuard::is_active() { return WYVERN_COUNT_ALLOCATIONS != 0; }

}  // namespace wyvern::test
