#include "wyvern/multibody/constraint_sets/step_history.h"

namespace wyvern::multibody::internal {

void StepHistory::Correct(const VectorX<double>& f, VectorX<double>* step) {
  left_ = f;
  const double size = Dot(f, f);
  correction_.setZero(f.size());
  int num_kept = 0;
  for (int i = count_ - 1; i >= 0 && i >= count_ - kDepth; --i) {
    auto df = basis_.col(num_kept);
    auto change = basis_changes_.col(num_kept);
    df = df_.col(i % kDepth);
    change = changes_.col(i % kDepth);
    const double before = Dot(df, df);
    for (int j = 0; j < num_kept; ++j) {
      const double part = Dot(basis_.col(j), df) / lengths2_[j];
      df -= part * basis_.col(j);
      change -= part * basis_changes_.col(j);
    }
    lengths2_[num_kept] = Dot(df, df);
    if (!(lengths2_[num_kept] > 1e-8 * before)) continue;
    const double part = Dot(df, left_) / lengths2_[num_kept];
    left_ -= part * df;
    correction_ += part * change;
    ++num_kept;
  }
  if (Dot(correction_, correction_) <= 16 * size) *step -= correction_;
}

}  // namespace wyvern::multibody::internal
