/* A shelf holds the buffers of one capacity: a list through their first words,
as long as a batch at most, and one whole batch beside it. Taking and giving
back move the head of the list. A full list becomes the batch beside it, and the
batch that was there goes to the depot, which all threads share under a mutex;
an empty shelf gets one from there before it asks the heap.

The shelves of a thread need no destructor. So a number that outlives them, such
as a thread_local one, still finds them, closed: its buffer goes to the heap. */
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

// Content of an unused buffer. The first buffer of a batch in the depot
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
class Depot {
 public:
  // Lives to the end of the process: numbers with static storage come here.
  static Depot& instance() {
    static Depot* const depot = new Depot;
    return *depot;
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

struct Shelf {
  Idle* list;
  Idle* whole_batch;
  int count;  // of the list
  int limit;  // of the list; 0 while the shelves are closed
};

struct Shelves {
  std::array<Shelf, kNumClasses> of_class;
  bool were_opened;
};
constinit thread_local Shelves shelves{};

void CloseShelves() {
  for (int c = 0; c < kNumClasses; ++c) {
    Shelf& shelf = shelves.of_class[c];
    if (shelf.list) Depot::instance().GiveBack(c, shelf.list, shelf.count);
    if (shelf.whole_batch) {
      Depot::instance().GiveBack(c, shelf.whole_batch, BatchOf(c));
    }
    shelf = {};
  }
}

// Opens this thread's shelves when it is made, and closes them at its end.
class Keeper {
 public:
  Keeper() {
    shelves.were_opened = true;
    for (int c = 0; c < kNumClasses; ++c) {
      shelves.of_class[c].limit = BatchOf(c);
    }
  }
  ~Keeper() { CloseShelves(); }
};

// False if the thread is at its end.
bool OpenShelves() {
  if (shelves.were_opened) return false;
  static thread_local Keeper keeper;
  return true;
}

// Fills an empty shelf from what is nearest; false if only the heap is left.
// This and MakeRoom() are rare: inlined, they would cost those who need
// neither.
[[gnu::noinline]] bool Refill(int c) {
  Shelf& shelf = shelves.of_class[c];
  if (shelf.limit == 0 && !OpenShelves()) return false;
  shelf.list = shelf.whole_batch;
  shelf.count = shelf.limit;
  shelf.whole_batch = nullptr;
  if (shelf.list != nullptr) return true;
  shelf.count = 0;
  shelf.list = Depot::instance().Take(c);
  if (shelf.list == nullptr) return false;
  shelf.count = static_cast<int>(shelf.list->count);
  return true;
}

// Makes room on a shelf whose list has reached its limit; false if the shelves
// are closed for good.
[[gnu::noinline]] bool MakeRoom(int c) {
  Shelf& shelf = shelves.of_class[c];
  if (shelf.limit == 0) return OpenShelves();
  if (shelf.whole_batch != nullptr) {
    Depot::instance().GiveBack(c, shelf.whole_batch, shelf.limit);
  }
  shelf.whole_batch = shelf.list;
  shelf.list = nullptr;
  shelf.count = 0;
  return true;
}

}  // namespace

Index DerivativePool::Capacity(Index size) {
  return CapacityOfClass(ClassOf(size));
}

double* DerivativePool::Take(Index size) {
  const int c = ClassOf(size);
  if (c >= kNumClasses) return Allocate(size * sizeof(double));
  Shelf& shelf = shelves.of_class[c];
  if (shelf.list == nullptr && !Refill(c)) return Allocate(BytesOf(c));
  Idle* const first = shelf.list;
  shelf.list = first->next;
  --shelf.count;
  return AsDoubles(first, BytesOf(c));
}

void DerivativePool::GiveBack(double* buffer, Index size) noexcept {
  const int c = ClassOf(size);
  if (c >= kNumClasses) {
    ::operator delete(buffer);
    return;
  }
  Shelf& shelf = shelves.of_class[c];
  if (shelf.count == shelf.limit && !MakeRoom(c)) {
    ::operator delete(buffer);
    return;
  }
  Idle* const idle = AsIdle(buffer, BytesOf(c));
  idle->next = shelf.list;
  shelf.list = idle;
  ++shelf.count;
}

}  // namespace wyvern::internal
