#pragma once

#include <array>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Anderson's acceleration of steps f(x) to a fixed point ("Iterative
Procedures for Nonlinear Integral Equations", J. ACM 1965). It combines x + f
with the last changes of x and f so that |f| is least, as if f were linear. */
class StepHistory {
 public:
  /** @param metric In which lengths are measured; one entry a coordinate. */
  explicit StepHistory(const VectorX<double>& metric)
      : metric_(metric),
        df_(metric.size(), kDepth),
        changes_(metric.size(), kDepth),
        basis_(metric.size(), kDepth),
        basis_changes_(metric.size(), kDepth),
        left_(metric.size()) {}

  bool is_empty() const { return count_ == 0; }
  void Clear() { count_ = 0; }
  /** Adds a step: x changed by dx, and f by `next` - f. */
  void Add(const VectorX<double>& dx, const VectorX<double>& f,
           const VectorX<double>& next) {
    const int place = count_++ % kDepth;
    df_.col(place) = next - f;
    changes_.col(place) = dx + df_.col(place);
  }
  /** Subtracts the correction from `step`, given f. It is 0 if it would be much
  longer than f. */
  void Correct(const VectorX<double>& f, VectorX<double>* step);

 private:
  static constexpr int kDepth = 5;

  template <typename A, typename B>
  double Dot(const A& a, const B& b) const {
    double sum = 0;
    for (int i = 0; i < metric_.size(); ++i) sum += metric_[i] * a[i] * b[i];
    return sum;
  }

  const VectorX<double> metric_;
  MatrixX<double> df_, changes_;           // Of the last steps, in a ring.
  MatrixX<double> basis_, basis_changes_;  // Orthogonal.
  VectorX<double> left_, correction_;
  std::array<double, kDepth> lengths2_{};
  int count_{0};
};

}  // namespace wyvern::multibody::internal
