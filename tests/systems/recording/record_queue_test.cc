#include "wyvern/systems/recording/record_queue.h"

#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"

namespace wyvern::systems::internal {
namespace record_queue_test {

using Kind = RecordHeader::Kind;

bool Push(RecordQueue* queue, int index, const std::string& data) {
  return queue->TryPush({.kind = Kind::kText,
                         .index = index,
                         .size = data.size(),
                         .time = 0.5 * index},
                        data.data());
}

// Records of all lengths, around the end of the ring many times.
TEST(RecordQueue, GivesBackWhatWentInInOrder) {
  RecordQueue queue(1000);
  std::mt19937 generator(1);
  std::vector<std::string> waiting;
  std::size_t pushed = 0, popped = 0;
  RecordHeader header;
  std::vector<char> data;
  while (popped < 5000) {
    const std::string text(generator() % 200, static_cast<char>(generator()));
    if (generator() % 2 == 0 && Push(&queue, static_cast<int>(pushed), text)) {
      waiting.push_back(text);
      ++pushed;
    } else if (queue.TryPop(&header, &data)) {
      EXPECT_EQ(header.index, static_cast<int>(popped));
      EXPECT_EQ(header.time, 0.5 * popped);
      EXPECT_EQ(std::string(data.begin(), data.end()), waiting[popped]);
      ++popped;
    }
  }
}

TEST(RecordQueue, IsFullWhenARecordMoreWouldNotFit) {
  RecordQueue queue(10 * (sizeof(RecordHeader) + 8));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Push(&queue, i, "8 bytes."));
  EXPECT_FALSE(Push(&queue, 10, ""));
  EXPECT_EQ(queue.used(), queue.capacity());
  RecordHeader header;
  std::vector<char> data;
  EXPECT_TRUE(queue.TryPop(&header, &data));
  EXPECT_TRUE(Push(&queue, 10, "8 bytes."));
  EXPECT_TRUE(queue.CanHold(queue.capacity() - sizeof(RecordHeader)));
  EXPECT_FALSE(queue.CanHold(queue.capacity() - sizeof(RecordHeader) + 1));
  EXPECT_FALSE(queue.CanHold(~std::size_t{0} - 8));
}

TEST(RecordQueue, CarriesFromThreadToThread) {
  const int count = 100000;
  RecordQueue queue(500);
  std::thread writer([&queue] {
    for (int i = 0; i < count; ++i) {
      while (!Push(&queue, i, std::to_string(i))) std::this_thread::yield();
    }
  });
  RecordHeader header;
  std::vector<char> data;
  int faults = 0;
  for (int i = 0; i < count; ++i) {
    while (!queue.TryPop(&header, &data)) std::this_thread::yield();
    const std::string text(data.begin(), data.end());
    if (header.index != i || text != std::to_string(i)) ++faults;
  }
  writer.join();
  EXPECT_EQ(faults, 0);
  EXPECT_FALSE(queue.TryPop(&header, &data));
}

TEST(RecordQueue, AllocatesNothing) {
  RecordQueue queue(1000);
  const std::string text(100, 'x');
  wyvern::test::AllocationGuard guard;
  for (int i = 0; i < 5; ++i) Push(&queue, i, text);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace record_queue_test
}  // namespace wyvern::systems::internal
