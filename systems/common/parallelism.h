#pragma once

namespace wyvern {

/** How many threads a function may use: a choice that its caller makes, and
that changes no result. Implicitly made from a bool: `true` is as many as there
are, `false` is none but the caller's. */
class Parallelism {
 public:
  /** No threads but the caller's. */
  Parallelism() = default;
  // NOLINTNEXTLINE(runtime/explicit)
  Parallelism(bool parallelize)
      : num_threads_(parallelize ? Max().num_threads() : 1) {}
  /** Allows `num_threads` threads.
  @throws std::logic_error unless `num_threads` >= 1. */
  explicit Parallelism(int num_threads);
  // Nothing else becomes a number of threads by mistake.
  template <typename Other>
  Parallelism(Other) = delete;

  /** No threads but the caller's. */
  static Parallelism None() { return Parallelism(); }
  /** As many as the environment variable WYVERN_NUM_THREADS says, or else
  OMP_NUM_THREADS, or else as the hardware runs at once; read once. Values that
  are not numbers from 1 to what the hardware runs are not heeded. */
  static Parallelism Max();

  /** Number of threads, the caller's included; at least 1. */
  int num_threads() const { return num_threads_; }

 private:
  int num_threads_{1};
};

}  // namespace wyvern
