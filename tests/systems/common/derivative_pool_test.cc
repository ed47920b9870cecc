#include "wyvern/systems/common/derivative_pool.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/support/allocation_guard.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using internal::DerivativePool;
using test::AllocationGuard;

// Buffers for sizes that no other test of this program asks for.
class Buffers {
 public:
  explicit Buffers(Index size) : size_(size) {}
  ~Buffers() { GiveBack(); }
  void Take(int count) {
    for (int i = 0; i < count; ++i) {
      taken_.push_back(DerivativePool::Take(size_));
      taken_.back()[0] = i;
      taken_.back()[size_ - 1] = i;
    }
  }
  bool AreIntact() const {
    for (size_t i = 0; i < taken_.size(); ++i) {
      const double expected = static_cast<double>(i);
      if (taken_[i][0] != expected || taken_[i][size_ - 1] != expected) {
        return false;
      }
    }
    return true;
  }
  void GiveBack() {
    for (double* buffer : taken_) DerivativePool::GiveBack(buffer, size_);
    taken_.clear();
  }

 private:
  Index size_;
  std::vector<double*> taken_;
};

TEST(DerivativePool, ABufferIsAtMostAQuarterTooLarge) {
  Index before = 0;
  for (Index size = 20; size < 100000; size += 4) {
    const Index capacity = DerivativePool::Capacity(size);
    EXPECT_GE(capacity, size);
    EXPECT_LE(4 * capacity, 5 * size);
    EXPECT_GE(capacity, before);
    EXPECT_EQ(DerivativePool::Capacity(capacity), capacity);
    before = capacity;
  }
}

TEST(DerivativePool, TakesAgainWhatWasGivenBackInAnyNumber) {
  // Less than a batch, several batches, and buffers of one to a batch.
  for (const auto& [size, count] :
       std::vector<std::pair<Index, int>>{{2048, 2}, {200, 1000}, {20000, 3}}) {
    Buffers buffers(size);
    buffers.Take(count);
    EXPECT_TRUE(buffers.AreIntact());
    buffers.GiveBack();
    buffers.Take(count);
    buffers.GiveBack();
    int64_t allocations = 0;
    for (int round = 0; round < 3; ++round) {
      std::vector<double*> taken(count);
      const AllocationGuard guard;
      for (double*& buffer : taken) buffer = DerivativePool::Take(size);
      for (double* buffer : taken) DerivativePool::GiveBack(buffer, size);
      allocations += guard.count();
    }
    EXPECT_EQ(allocations, 0) << size;
  }
}

// A thread's first use registers what is done at its end.
void OpenShelves() {
  DerivativePool::GiveBack(DerivativePool::Take(5000), 5000);
}

TEST(DerivativePool, WhatOneThreadMakesAnotherMayDrop) {
  constexpr Index kSize = 300;
  constexpr int kCount = 2000;
  std::vector<AutoDiffXd> numbers(kCount);
  const auto make = [&numbers] {
    for (int i = 0; i < kCount; ++i) {
      numbers[i] = AutoDiffXd(i, kSize, i % kSize);
    }
  };
  int64_t allocations = 0;
  for (int round = 0; round < 6; ++round) {
    std::thread([&] {
      OpenShelves();
      const AllocationGuard guard;
      make();
      // The first round may; later ones take what this thread has dropped,
      // but for less than two batches that stay on its shelves.
      if (round > 1) allocations += guard.count();
    }).join();
    for (int i = 0; i < kCount; ++i) {
      EXPECT_EQ(numbers[i].derivatives()[i % kSize], 1);
      EXPECT_EQ(numbers[i].derivatives().sum(), 1);
      numbers[i] = AutoDiffXd();
    }
  }
  EXPECT_EQ(allocations, 0);
}

TEST(DerivativePool, ThreadsThatEndLeaveTheirBuffersToTheNext) {
  constexpr Index kSize = 700;
  const auto allocations = [] {
    int64_t result = 0;
    std::thread([&] {
      OpenShelves();
      const AllocationGuard guard;
      std::array<AutoDiffXd, 50> numbers;
      for (AutoDiffXd& number : numbers) number = AutoDiffXd(1, kSize, 3);
      result = guard.count();
    }).join();
    return result;
  };
  allocations();
  EXPECT_EQ(allocations(), 0);
}

TEST(DerivativePool, ManyThreadsAtOnceGetBuffersOfTheirOwn) {
  std::atomic<int> num_wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&num_wrong, t] {
      for (int round = 0; round < 50; ++round) {
        Buffers small(24 + 4 * t), large(1000);
        small.Take(400);
        large.Take(40);
        if (!small.AreIntact() || !large.AreIntact()) ++num_wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_wrong, 0);
}

// Made before the thread's first long number, it is dropped after its shelves.
TEST(DerivativePool, ANumberMayOutliveTheShelvesOfItsThread) {
  struct Late {
    AutoDiffXd number;
    ~Late() { number = AutoDiffXd(2, VectorXd(VectorXd::Ones(99))) * number; }
  };
  std::thread([] {
    static thread_local Late late;
    late.number = AutoDiffXd(1, 99, 0);
    late.number = sin(late.number) * late.number;
    EXPECT_EQ(late.number.derivatives().size(), 99);
  }).join();
}

}  // namespace
}  // namespace wyvern
