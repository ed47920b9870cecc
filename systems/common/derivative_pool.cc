/* A size_class holds the buffers of one capacity: a list through their first
words, as long as a batch at most, and one whole batch beside it. Taking and
giving back move the head of the list. A full list becomes the batch beside it,
and the batch that was there goes to the cache, which all threads share under a
mutex; an empty size_class gets one from there before it asks the heap.

The thread_cache of a thread need no destructor. So a number that outlives them,
such as a thread_local one, still finds them, closed: its buffer goes to the
heap. */
#include "wyvern/systems/common/derivative_pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <mutex>
#include <new>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif

namespace wyvern::internal {
namespace {

using Eigen::Index;

constexpr int kNumClasses = 64;

// Four capacities from each power of two to the next, in blocks of four doubles
// from 5 blocks on: 5, 6, 7, 8, 10, 12, 14, 16, 20, ...
int ClassOf(Index size) {
  const uint64_t before = static_cast<uint64_t>(size) / 4 - 1;
  const int power = std::bit_width(before) - 3;
  return 4 * power + static_cast<int>((before >> power) & 3);
}
Index CapacityOfClass(int c) { return 4 * ((Index{5} + (c & 3)) << (c >> 2)); }

// Content of an unused buffer. The first buffer of a batch in the cache
// describes the batch.
struct Idle {
  Idle* next;
  Idle* next_batch;
  Index count;
};

Index BytesOf(int c) {
  return CapacityOfClass(c) * static_cast<Index>(sizeof(double));
}
int BatchOf(int c) {
  return static_cast<int>(
      std::max<Index>(1, DerivativePool::kBatchBytes / BytesOf(c)));
}

// Without AddressSanitizer its macros do nothing.
void ForbidReading([[maybe_unused]] void* from, [[maybe_unused]] Index bytes) {
#ifdef ASAN_POISON_MEMORY_REGION
  ASAN_POISON_MEMORY_REGION(from, bytes);
#endif
}
void AllowReading([[maybe_unused]] void* from, [[maybe_unused]] Index bytes) {
#ifdef ASAN_UNPOISON_MEMORY_REGION
  ASAN_UNPOISON_MEMORY_REGION(from, bytes);
#endif
}

Idle* AsIdle(double* buffer, Index bytes) {
  const auto told = static_cast<Index>(sizeof(Idle));
  ForbidReading(reinterpret_cast<char*>(buffer) + told, bytes - told);
  return new (buffer) Idle;
}
double* AsDoubles(Idle* idle, Index bytes) {
  AllowReading(idle, bytes);
  return reinterpret_cast<double*>(idle);
}

double* Allocate(Index bytes) {
  return static_cast<double*>(::operator new(static_cast<size_t>(bytes)));
}
void FreeList(Idle* list, Index bytes) {
  while (list != nullptr) {
    Idle* const next = list->next;
    ::operator delete(AsDoubles(list, bytes));
    list = next;
  }
}

// Batches that wait for a thread to take them.
class SharedCache {
 public:
  // Lives to the end of the process: numbers with static storage come here.
  static SharedCache& instance() {
    static SharedCache* const cache = new SharedCache;
    return *cache;
  }

  Idle* Take(int c) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Idle* const batch = batches_[c];
    if (batch == nullptr) return nullptr;
    batches_[c] = batch->next_batch;
    kept_ -= batch->count * BytesOf(c);
    return batch;
  }

  void GiveBack(int c, Idle* batch, Index count) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (kept_ + count * BytesOf(c) <= DerivativePool::kMostKept) {
        batch->next_batch = batches_[c];
        batch->count = count;
        batches_[c] = batch;
        kept_ += count * BytesOf(c);
        return;
      }
    }
    FreeList(batch, BytesOf(c));
  }

 private:
  std::mutex mutex_;
  std::array<Idle*, kNumClasses> batches_{};
  Index kept_{0};
};

struct SizeClass {
  Idle* list;
  Idle* whole_batch;
  int count;  // of the list
  int limit;  // of the list; 0 while the thread_cache are closed
};

struct ThreadCache {
  std::array<SizeClass, kNumClasses> of_class;
  bool were_opened;
};
constinit thread_local ThreadCache thread_cache{};

void CloseThreadCache() {
  for (int c = 0; c < kNumClasses; ++c) {
    SizeClass& size_class = thread_cache.of_class[c];
    if (size_class.list)
      SharedCache::instance().GiveBack(c, size_class.list, size_class.count);
    if (size_class.whole_batch) {
      SharedCache::instance().GiveBack(c, size_class.whole_batch, BatchOf(c));
    }
    size_class = {};
  }
}

// Opens this thread's thread_cache when it is made, and closes them at its end.
class ThreadCacheOwner {
 public:
  ThreadCacheOwner() {
    thread_cache.were_opened = true;
    for (int c = 0; c < kNumClasses; ++c) {
      thread_cache.of_class[c].limit = BatchOf(c);
    }
  }
  ~ThreadCacheOwner() { CloseThreadCache(); }
};

// False if the thread is at its end.
bool OpenThreadCache() {
  if (thread_cache.were_opened) return false;
  static thread_local ThreadCacheOwner owner;
  return true;
}

// Fills an empty size_class from what is nearest; false if only the heap is
// left. This and MakeRoom() are rare: inlined, they would cost those who need
// neither.
[[gnu::noinline]] bool Refill(int c) {
  SizeClass& size_class = thread_cache.of_class[c];
  if (size_class.limit == 0 && !OpenThreadCache()) return false;
  size_class.list = size_class.whole_batch;
  size_class.count = size_class.limit;
  size_class.whole_batch = nullptr;
  if (size_class.list != nullptr) return true;
  size_class.count = 0;
  size_class.list = SharedCache::instance().Take(c);
  if (size_class.list == nullptr) return false;
  size_class.count = static_cast<int>(size_class.list->count);
  return true;
}

// Makes room on a size_class whose list has reached its limit; false if the
// thread_cache are closed for good.
[[gnu::noinline]] bool MakeRoom(int c) {
  SizeClass& size_class = thread_cache.of_class[c];
  if (size_class.limit == 0) return OpenThreadCache();
  if (size_class.whole_batch != nullptr) {
    SharedCache::instance().GiveBack(c, size_class.whole_batch,
                                     size_class.limit);
  }
  size_class.whole_batch = size_class.list;
  size_class.list = nullptr;
  size_class.count = 0;
  return true;
}

}  // namespace

Index DerivativePool::Capacity(Index size) {
  return CapacityOfClass(ClassOf(size));
}

double* DerivativePool::Take(Index size) {
  const int c = ClassOf(size);
  if (c >= kNumClasses) return Allocate(size * sizeof(double));
  SizeClass& size_class = thread_cache.of_class[c];
  if (size_class.list == nullptr && !Refill(c)) return Allocate(BytesOf(c));
  Idle* const first = size_class.list;
  size_class.list = first->next;
  --size_class.count;
  return AsDoubles(first, BytesOf(c));
}

void DerivativePool::GiveBack(double* buffer, Index size) noexcept {
  const int c = ClassOf(size);
  if (c >= kNumClasses) {
    ::operator delete(buffer);
    return;
  }
  SizeClass& size_class = thread_cache.of_class[c];
  if (size_class.count == size_class.limit && !MakeRoom(c)) {
    ::operator delete(buffer);
    return;
  }
  Idle* const idle = AsIdle(buffer, BytesOf(c));
  idle->next = size_class.list;
  size_class.list = idle;
  ++size_class.count;
}

}  // namespace wyvern::internal
