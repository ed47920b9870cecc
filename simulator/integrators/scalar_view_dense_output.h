#pragma once

#include <memory>

#include "wyvern/simulator/integrators/scalar_dense_output.h"

namespace wyvern::systems {

/** One element of another dense output. */
template <typename T>
class ScalarViewDenseOutput final : public ScalarDenseOutput<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ScalarViewDenseOutput);

  /** Element `n` of `base_output`, which this owns.
  @throws std::logic_error if that is null or empty.
  @throws std::out_of_range unless 0 <= n < base_output->size(). */
  ScalarViewDenseOutput(std::unique_ptr<DenseOutput<T>> base_output, int n);
  ~ScalarViewDenseOutput() final = default;

  /** The dense output that this shows an element of. */
  const DenseOutput<T>* get_base_output() const { return base_output_.get(); }

 private:
  T DoEvaluateScalar(const T& t) const final {
    return base_output_->EvaluateNth(t, n_);
  }
  bool do_is_empty() const final { return base_output_->is_empty(); }
  const T& do_start_time() const final { return base_output_->start_time(); }
  const T& do_end_time() const final { return base_output_->end_time(); }

  const std::unique_ptr<DenseOutput<T>> base_output_;
  const int n_;
};

}  // namespace wyvern::systems
