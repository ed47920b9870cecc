#pragma once

#include <vector>

#include "wyvern/simulator/integrators/dense_output.h"

namespace wyvern::systems {

/** Dense output made of one cubic Hermite polynomial a step: it takes the
states and their derivatives at both ends, so it is third order accurate and its
first derivative is continuous wherever the solution's is.

With s = (t - t0) / h in [0, 1],
    x(t) = x0 + s h x0' + s^2 (3 d - 2 h x0' - h x1')
              + s^3 (h x0' + h x1' - 2 d),   d = x1 - x0
(Hairer, Norsett, Wanner, Solving ODEs I, II.6, eq. 6.7). A state that jumps
between two steps is kept as a jump: at the moment itself the later value
rules. */
template <typename T>
class HermitianDenseOutput final : public DenseOutput<T> {
 public:
  /** One step: time, state and derivative at its two ends. */
  struct Segment {
    T t0{0.0};
    T t1{0.0};
    VectorX<T> x0;
    VectorX<T> xdot0;
    VectorX<T> x1;
    VectorX<T> xdot1;
  };

  HermitianDenseOutput() = default;
  ~HermitianDenseOutput() final = default;

  /** Adds a step. @throws std::logic_error if its times do not increase, if it
  starts before the end of the last, or if its sizes differ. */
  void Append(Segment segment);
  /** Drops the last steps so that `num_segments` remain. */
  void Truncate(int num_segments);
  /** Gives the last step another end. */
  void ReplaceEnd(const T& t1, const VectorX<T>& x1, const VectorX<T>& xdot1);

  int num_segments() const { return static_cast<int>(segments_.size()); }
  const Segment& segment(int i) const { return segments_.at(i); }

  /** The solution at `t` as a one-column matrix: Evaluate(), by the name that
  trajectories use. */
  MatrixX<T> value(const T& t) const { return this->Evaluate(t); }
  /** The solution's time derivative at `t`, of second order accuracy. */
  VectorX<T> EvaluateDerivative(const T& t) const;

 private:
  const Segment& Find(const T& t) const;

  VectorX<T> DoEvaluate(const T& t) const final;
  bool do_is_empty() const final { return segments_.empty(); }
  int do_size() const final {
    return static_cast<int>(segments_.front().x0.size());
  }
  const T& do_start_time() const final { return segments_.front().t0; }
  const T& do_end_time() const final { return segments_.back().t1; }

  std::vector<Segment> segments_;
};

}  // namespace wyvern::systems
