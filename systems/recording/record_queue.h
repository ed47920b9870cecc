#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::systems::internal {

/** Header in front of the bytes of a record. */
struct RecordHeader {
  enum class Kind : std::uint32_t { kFrame, kText, kEvent };
  Kind kind{};
  /** A group, a signal, or the number of bytes of an event's level. */
  std::int32_t index{};
  /** Bytes that follow. */
  std::uint64_t size{};
  double time{};
};

/** A queue of records in a fixed amount of memory, from one thread to another,
which need no lock: each moves its own end, and reads the other's. */
class RecordQueue {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RecordQueue);

  explicit RecordQueue(std::size_t capacity);

  std::size_t capacity() const { return capacity_; }
  /** Bytes in it. */
  std::size_t used() const {
    return head_.load(std::memory_order_acquire) -
           tail_.load(std::memory_order_acquire);
  }
  /** Whether a record of `size` bytes fits into an empty queue. */
  bool CanHold(std::size_t size) const {
    return size <= capacity() && size + sizeof(RecordHeader) <= capacity();
  }

  /** Appends a record, from the writing thread; returns false if there is no
  room. Allocates nothing. */
  bool TryPush(const RecordHeader& header, const void* data);
  /** Takes the oldest record, from the reading thread; returns false if there
  is none. */
  bool TryPop(RecordHeader* header, std::vector<char>* data);

 private:
  void Put(std::uint64_t at, const void* data, std::size_t size);
  void Get(std::uint64_t at, void* data, std::size_t size) const;

  const std::size_t capacity_;
  // Not touched before it is written, which an empty page costs nothing for.
  const std::unique_ptr<char[]> ring_;
  // Bytes ever written and ever read.
  alignas(64) std::atomic<std::uint64_t> head_{0};
  alignas(64) std::atomic<std::uint64_t> tail_{0};
};

}  // namespace wyvern::systems::internal
