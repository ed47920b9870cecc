#include "wyvern/systems/recording/record_queue.h"

#include <algorithm>
#include <cstring>

namespace wyvern::systems::internal {

RecordQueue::RecordQueue(std::size_t capacity)
    : capacity_(capacity),
      ring_(std::make_unique_for_overwrite<char[]>(capacity)) {}

bool RecordQueue::TryPush(const RecordHeader& header, const void* data) {
  const std::uint64_t head = head_.load(std::memory_order_relaxed);
  const std::uint64_t tail = tail_.load(std::memory_order_acquire);
  if (head - tail + sizeof(header) + header.size > capacity_) return false;
  Put(head, &header, sizeof(header));
  Put(head + sizeof(header), data, header.size);
  // A thread that sees the new head sees all that was written before it.
  head_.store(head + sizeof(header) + header.size, std::memory_order_release);
  return true;
}

bool RecordQueue::TryPop(RecordHeader* header, std::vector<char>* data) {
  const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
  if (head_.load(std::memory_order_acquire) == tail) return false;
  Get(tail, header, sizeof(*header));
  data->resize(header->size);
  Get(tail + sizeof(*header), data->data(), header->size);
  tail_.store(tail + sizeof(*header) + header->size, std::memory_order_release);
  return true;
}

void RecordQueue::Put(std::uint64_t at, const void* data, std::size_t size) {
  if (size == 0) return;
  const std::size_t place = at % capacity_;
  const std::size_t first = std::min(size, capacity_ - place);
  const char* const bytes = static_cast<const char*>(data);
  std::memcpy(ring_.get() + place, bytes, first);
  if (first < size) std::memcpy(ring_.get(), bytes + first, size - first);
}

void RecordQueue::Get(std::uint64_t at, void* data, std::size_t size) const {
  if (size == 0) return;
  const std::size_t place = at % capacity_;
  const std::size_t first = std::min(size, capacity_ - place);
  char* const bytes = static_cast<char*>(data);
  std::memcpy(bytes, ring_.get() + place, first);
  if (first < size) std::memcpy(bytes + first, ring_.get(), size - first);
}

}  // namespace wyvern::systems::internal
