#include "wyvern/systems/common/worker_threads.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"

namespace wyvern::internal {
namespace {

TEST(WorkerThreads, EachIsCalledOnceByAThreadThatNobodyElseIs) {
  for (const int threads : {1, 2, 5}) {
    WorkerThreads workers(threads);
    EXPECT_EQ(workers.num_threads(), threads);
    std::vector<std::atomic<int>> inside(threads);
    for (const int n : {0, 1, 2, 100}) {
      std::vector<std::atomic<int>> calls(n);
      std::atomic<bool> is_alone = true;
      workers.ForEach(n, [&](int i, int thread) {
        if (++inside[thread] != 1) is_alone = false;
        ++calls[i];
        --inside[thread];
      });
      EXPECT_TRUE(is_alone);
      for (const auto& count : calls) EXPECT_EQ(count, 1);
    }
  }
}

TEST(WorkerThreads, SeveralMayCallAtATime) {
  WorkerThreads workers(2);
  std::atomic<int> sum = 0;
  const auto call = [&] {
    for (int k = 0; k < 200; ++k) {
      workers.ForEach(10, [&](int i, int) { sum += i; });
    }
  };
  std::thread other(call);
  call();
  other.join();
  EXPECT_EQ(sum, 2 * 200 * 45);
}

TEST(WorkerThreads, ALoopAllocatesNothing) {
  WorkerThreads workers(2);
  std::atomic<int> sum = 0;
  const auto add = [&](int i, int) { sum += i; };
  const wyvern::test::AllocationGuard guard;
  for (int k = 0; k < 20; ++k) workers.ForEach(10, add);
  ForEach(nullptr, 10, add);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(sum, 21 * 45);
}

}  // namespace
}  // namespace wyvern::internal
