#include "wyvern/systems/common/worker_threads.h"

namespace wyvern::internal {

WorkerThreads::WorkerThreads(int num_threads) {
  for (int i = 1; i < num_threads; ++i) {
    threads_.emplace_back([this, i] { Work(i); });
  }
}

WorkerThreads::~WorkerThreads() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  has_loop_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerThreads::Run(int n, Call call, const void* f) {
  const std::unique_lock busy(busy_, std::try_to_lock);
  if (!busy.owns_lock() || n <= 1) {
    for (int i = 0; i < n; ++i) call(f, i, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    ++loop_;
    size_ = n;
    next_ = 0;
    call_ = call;
    function_ = f;
  }
  has_loop_.notify_all();
  TakeTurns(n, call, f, 0);
  // A worker that has not arrived yet is not needed any more.
  std::unique_lock lock(mutex_);
  call_ = nullptr;
  is_left_.wait(lock, [this] { return num_inside_ == 0; });
}

void WorkerThreads::TakeTurns(int n, Call call, const void* f, int thread) {
  for (;;) {
    int i;
    {
      const std::lock_guard lock(mutex_);
      i = next_;
      if (i >= n) return;
      ++next_;
    }
    call(f, i, thread);
  }
}

void WorkerThreads::Work(int thread) {
  std::int64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    has_loop_.wait(lock, [this, seen] {
      return stops_ || (call_ != nullptr && loop_ != seen);
    });
    if (stops_) return;
    seen = loop_;
    ++num_inside_;
    const int n = size_;
    const Call call = call_;
    const void* const f = function_;
    lock.unlock();
    TakeTurns(n, call, f, thread);
    lock.lock();
    if (--num_inside_ == 0) is_left_.notify_all();
  }
}

}  // namespace wyvern::internal
