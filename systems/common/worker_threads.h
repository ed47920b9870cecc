#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace wyvern::internal {

/** Threads that wait for loops to share. Which of them does what is chance, so
loops are those whose results do not depend on it. Any thread may call, one at a
time: others that call meanwhile do their loops alone. ForEach() allocates
nothing. */
class WorkerThreads {
 public:
  /** @param num_threads The caller is one of them. */
  explicit WorkerThreads(int num_threads);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  /** The caller among them. */
  int num_threads() const { return static_cast<int>(threads_.size()) + 1; }

  /** Calls f(i, thread) once for each i from 0 to n - 1, and returns when all
  calls have; `thread` is below num_threads(), and no two calls at a time have
  the same. f throws nothing and does not call ForEach(). */
  template <typename F>
  void ForEach(int n, const F& f) {
    const Call call = [](const void* g, int i, int thread) {
      (*static_cast<const F*>(g))(i, thread);
    };
    Run(n, call, &f);
  }

 private:
  using Call = void (*)(const void*, int, int);

  void Run(int n, Call call, const void* f);
  void Work(int thread);
  void TakeTurns(int n, Call call, const void* f, int thread);

  std::mutex busy_;  // Held by who has the threads.
  std::mutex mutex_;
  std::condition_variable has_loop_;
  std::condition_variable is_left_;
  // Guarded by mutex_.
  bool stops_{};
  std::int64_t loop_{};  // How many there have been.
  int size_{};
  Call call_{};
  const void* function_{};
  int num_inside_{};
  int next_{};

  std::vector<std::thread> threads_;
};

/** Overload that runs without threads if `workers` is null. */
template <typename F>
void ForEach(WorkerThreads* workers, int n, const F& f) {
  if (workers != nullptr) {
    workers->ForEach(n, f);
    return;
  }
  for (int i = 0; i < n; ++i) f(i, 0);
}

}  // namespace wyvern::internal
