#pragma once

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems {

/** The solution of an initial value problem as a function of time over a closed
interval. @tparam T the scalar type: double or AutoDiffXd. */
template <typename T>
class DenseOutput {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DenseOutput);
  virtual ~DenseOutput();

  /** The solution at time `t` [s].
  @throws std::logic_error if this is empty.
  @throws std::runtime_error if `t` is outside [start_time(), end_time()]. */
  VectorX<T> Evaluate(const T& t) const;
  /** Element `n` of the solution. @throws std::out_of_range on a bad `n`. */
  T EvaluateNth(const T& t, int n) const;

  /** The length of the solution vector. @throws std::logic_error if empty. */
  int size() const;
  /** True if there is no solution to evaluate. */
  bool is_empty() const { return do_is_empty(); }
  /** Returns the start of the interval on which there is a solution.
  @throws std::logic_error if empty. */
  const T& start_time() const;
  /** Likewise for the end of the interval. */
  const T& end_time() const;

 protected:
  DenseOutput() = default;

  // The time has been checked.
  virtual VectorX<T> DoEvaluate(const T& t) const = 0;
  virtual T DoEvaluateNth(const T& t, int n) const { return DoEvaluate(t)[n]; }
  virtual bool do_is_empty() const = 0;
  virtual int do_size() const = 0;
  virtual const T& do_start_time() const = 0;
  virtual const T& do_end_time() const = 0;

  void RequireAnySegment(const char* function) const;
  void RequireTimeWithin(const char* function, const T& t) const;
};

}  // namespace wyvern::systems
